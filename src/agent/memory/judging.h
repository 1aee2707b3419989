/* What a user says of the answer before: "this is wrong", "that's right". */
#ifndef DGM_AGENT_JUDGING_H
#define DGM_AGENT_JUDGING_H

struct arena;

enum judging { JUDGING_NONE, JUDGING_WRONG, JUDGING_GOOD };

/* rest: what follows ("that's wrong, only the active ones"); "" when nothing does. */
enum judging judging_of(struct arena *arena, const char *text, const char **rest);

#endif
