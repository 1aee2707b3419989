/* The conversation as a model sees it: what follow-ups meant, and their results. */
#ifndef DGM_AGENT_CONVERSATION_H
#define DGM_AGENT_CONVERSATION_H

#include "agent/run.h"

struct slot;

/* What a message says on its own: the full wording of a follow-up, else its words. */
const char *conversation_words(const struct message *message);
/* Does the text mean something only after the words before it? */
bool conversation_leans(struct run *run, const char *text);
/* A user's message of this conversation with these words that stand alone, or NULL. */
const struct message *conversation_whole(struct run *run, const char *text);
/* Is this SQL, or the question, part of the conversation? */
bool conversation_has(struct run *run, const char *question, const char *sql);

/* The full wording of this question, if it is a follow-up and somebody gave it; or NULL. */
const char *conversation_meant(const struct run *run);
/* The rows of its answer in one line: their number, and the first rows; NULL if there
 * are none, or if no cell may be sent to a model. */
const char *conversation_result(struct run *run, struct arena *arena);

/* The last exchanges, for a prompt. */
void conversation_put(struct run *run, struct slot *values);

#endif
