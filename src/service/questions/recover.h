/* Marks questions as interrupted if their process ended while it worked on them. */
#ifndef DGM_SERVICE_RECOVER_H
#define DGM_SERVICE_RECOVER_H

#include "service/instance.h"

struct store_question;

/* Has it not ended although no process works on it? */
bool recover_is_left(struct dgm *dgm, const struct store_question *stored);
/* Ends it as interrupted; false if a process works on it, or has just ended it. */
bool recover_one(struct dgm *dgm, const struct store_question *stored);
/* Ends a question that this process has claimed, keeping the user's messages. */
void recover_interrupt(struct dgm *dgm, struct run *run);
size_t recover_all(struct dgm *dgm);

#endif
