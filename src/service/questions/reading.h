/* A question answered by another of its readings, which a number in a conversation can choose. */
#ifndef DGM_SERVICE_QUESTIONS_READING_H
#define DGM_SERVICE_QUESTIONS_READING_H

#include "dragoman.h"
#include "service/instance.h"

struct store_question;

/* The number of the reading of the last answer that the request asks for ("2.", "the second one"), and the question
 * that was answered; 0: it is a question of its own. */
int64_t reading_said(struct dgm *dgm, struct arena *arena,
                     const struct dgm_request *request, struct store_question *out);
/* Answers the question by that reading. */
struct dgm_question *reading_take(struct dgm *dgm, struct arena *arena,
                                  const struct store_question *stored, int64_t number,
                                  const struct dgm_request *request, struct err *err);

#endif
