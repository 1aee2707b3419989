/* What an answer assumed: told, remembered, or changed in words. */
#ifndef DGM_CLI_ASSUMED_H
#define DGM_CLI_ASSUMED_H

#include <stdbool.h>

struct arena;
struct cli;
struct dgm_answer;
struct dgm_error;

/* The assumptions, numbered if there are several, and what a person can do about them. */
void assumed_show(struct cli *cli, const struct dgm_answer *answer);
/* Teaches the question of a stored answer with its SQL, which holds what was assumed; query_id NULL: the
 * latest answer with SQL. Returns the id of the lesson, or NULL. */
const char *assumed_keep(struct cli *cli, const char *query_id, struct dgm_error *error);
/* The message that changes an assumption; `words` say what is meant instead. NULL: words are needed. */
const char *assumed_change(struct arena *arena, const char *assumption,
                           const char *words);

#endif
