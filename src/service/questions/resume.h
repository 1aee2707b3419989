/* A message to a question that waits for its user: an answer to it, or a new question. */
#ifndef DGM_SERVICE_RESUME_H
#define DGM_SERVICE_RESUME_H

#include "service/instance.h"

struct store_question;

/* Reads it from the store; if it has waited too long, it is ended first. */
bool resume_find(struct dgm *dgm, struct arena *arena, const char *query_id,
                 struct store_question *out, struct err *err);
/* The question of the request's session that waits for its user; NULL: none. */
const char *resume_waiting(struct dgm *dgm, struct arena *arena,
                           const struct dgm_request *request);
/* Uses the message as the answer, unless it is clearly a new question or the request says
 * so. Then the waiting question is abandoned and the new one is started. */
struct dgm_question *resume_say(struct dgm *dgm, const char *query_id, const char *said,
                                const struct dgm_request *request, struct err *err);

#endif
