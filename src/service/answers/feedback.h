/* A user's rating of an answer, and its effect on the history and the lessons. */
#ifndef DGM_SERVICE_FEEDBACK_H
#define DGM_SERVICE_FEEDBACK_H

#include "service/instance.h"

struct question;

/* The answer that was rated. */
struct feedback {
    bool good;
    const char *query_id;
    const char *question; /* as the user asked it */
    const char *datasource;
    const char *sql;
};

/* Is the message a rating of the previous answer in its session? Then it is stored, and
 * *out has that answer; `rest` is the remaining text, or "". */
bool feedback_message(struct dgm *dgm, struct arena *arena,
                      const struct question *question, struct feedback *out,
                      const char **rest);

#endif
