/* A user's rating of the previous answer: "this is wrong", "that's right". */
#ifndef DGM_AGENT_JUDGING_H
#define DGM_AGENT_JUDGING_H

struct arena;

enum judging { JUDGING_NONE, JUDGING_WRONG, JUDGING_GOOD };

/* rest: the text after the rating ("that's wrong, only the active ones"); "" if there is
 * none. */
enum judging judging_of(struct arena *arena, const char *text, const char **rest);

#endif
