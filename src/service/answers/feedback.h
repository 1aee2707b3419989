/* A user's rating of an answer, and its effect on the history and the lessons. */
#ifndef DGM_SERVICE_FEEDBACK_H
#define DGM_SERVICE_FEEDBACK_H

#include "service/instance.h"

struct question;

/* What was judged. */
struct feedback {
    bool good;
    const char *query_id;
    const char *question; /* as it was asked */
    const char *datasource;
    const char *sql;
};

/* query_id NULL: the account's last question. What is filled lives in the arena. */
bool feedback_give(struct dgm *dgm, struct arena *arena, const char *account,
                   const char *query_id, bool good, struct feedback *out,
                   struct err *err);

/* Is the message a word on the answer before it in its session? Then it is taken, and
 * *out says of what; `rest` is what else the message says, or "". */
bool feedback_message(struct dgm *dgm, struct arena *arena,
                      const struct question *question, struct feedback *out,
                      const char **rest);

#endif
