/* A message to a question that waits for its user: an answer, or a new question. */
#ifndef DGM_SERVICE_RESUME_H
#define DGM_SERVICE_RESUME_H

#include "service/instance.h"

struct store_question;

/* Finds it in the store; one that has waited too long is ended first, if nobody has done
 * so yet. */
bool resume_find(struct dgm *dgm, struct arena *arena, const char *query_id,
                 struct store_question *out, struct err *err);
/* The question of the request's session that waits for its user; NULL when none does. */
const char *resume_waiting(struct dgm *dgm, struct arena *arena,
                           const struct dgm_request *request);
/* Takes what was said as its answer, unless it is plainly a question of its own or the
 * request says so: then the one that waits is left, and this one asked. */
struct dgm_question *resume_say(struct dgm *dgm, const char *query_id, const char *said,
                                const struct dgm_request *request, struct err *err);

#endif
