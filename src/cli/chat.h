/* A conversation in progress: shared by the loop and its backslash commands. */
#ifndef DGM_CLI_CHAT_H
#define DGM_CLI_CHAT_H

#include <stdbool.h>

#include "cli/show.h"

struct cli;
struct dgm_answer;
struct dgm_error;
struct dgm_question;
struct line;

struct chat {
    struct cli *cli;
    struct line *line;
    struct show show;
    const char *session;    /* id; NULL until the first question */
    const char *datasource; /* id or NULL: found from each question */
    struct dgm_question *last;
    const struct dgm_answer *answer; /* of last; NULL before the first */
    const char *kept;                /* id of the lesson that \keep made of it; or NULL */
    const char *waiting;             /* query id of a question that waits for its user */
    bool approval;                   /* it waits for a yes */
    bool told_about_model;
    bool done;
    int status; /* of the last question that failed */
};

/*
 * Takes the question over, waits for its end and shows the answer. NULL: shows the error.
 */
void chat_follow(struct chat *chat, struct dgm_question *question,
                 const struct dgm_error *error);
/* "\name words"; unknown ones are reported. */
void chat_command(struct chat *chat, const char *text);
/* A question, or the answer to what was asked back unless it is said to be a new one. */
void chat_say(struct chat *chat, const char *text, bool new_question);
/* The questions that the schema suggests; false when the database cannot be read. */
bool chat_suggest(struct chat *chat);

#endif
