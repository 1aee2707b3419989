/* Reports questions as interrupted if their process ended while it worked on them. */
#ifndef DGM_SERVICE_RECOVER_H
#define DGM_SERVICE_RECOVER_H

#include "service/house.h"

struct store_question;

/* Is nobody at work on it any more, though it is not at rest? */
bool recover_is_left(struct dgm *dgm, const struct store_question *stored);
/* Ends it as interrupted; false when somebody is at work on it, or was quicker. */
bool recover_one(struct dgm *dgm, const struct store_question *stored);
/* Brings one that is this process's now to its end, and keeps what its user said. */
void recover_interrupt(struct dgm *dgm, struct run *run);
size_t recover_all(struct dgm *dgm);

#endif
