/* Rules that classify a question without a model, used only where they are certain. */
#ifndef DGM_AGENT_INTENT_RULES_H
#define DGM_AGENT_INTENT_RULES_H

#include <stdbool.h>

#include "agent/run.h"
#include "model/intent.h"

/* Recognizes small talk and questions about the schema; else TEXT_TO_SQL. */
enum intent intent_guess(struct arena *arena, const char *question);
/* A reply to small talk; or NULL. */
const char *intent_small_talk(struct arena *arena, const char *question);

/* Is the question about general knowledge (the weather, a recipe, the capital of France)?
 * Call it only for questions that name nothing of the schema. */
bool intent_off_topic(struct arena *arena, const char *question);

/* How clear a question is for this schema. A word that is only a table's name does not
 * say what the user wants to know. */
enum clarity intent_clarity(struct arena *arena, const char *question,
                            const struct schema *schema, bool in_conversation,
                            const struct table **subject);
/* Does the question refer to the previous one: "only those in Rome", "how many of
 * them"? */
bool intent_refers_back(struct arena *arena, const char *question);
/* Can the question be understood only after a previous one: "only those in Rome", "and
 * their average?", or one that names no table? */
bool intent_leans(struct arena *arena, const char *question, const struct schema *schema);
/* The tables that the question names, each once. */
void intent_tables(struct arena *arena, const char *text, const struct schema *schema,
                   struct texts *out);
/* Is it a complete question ("how many orders came in?") and not an answer to a
 * clarifying one? */
bool intent_is_full(struct arena *arena, const char *text);
/* Does the text name a table, so that it is complete in itself? */
bool intent_names_table(struct arena *arena, const char *text,
                        const struct schema *schema);
/* "delete all orders": a request to change data. */
bool intent_asks_change(struct arena *arena, const char *question);
/* A vague time: "recent", "lately". */
bool intent_vague_time(struct arena *arena, const char *question);
/* The question without words for a vague time. */
char *intent_drop_vague_time(struct arena *arena, const char *question);
/* Words that make SQL depend on today's date ("last month", "yesterday"). */
bool intent_uses_clock(struct arena *arena, const char *question);

#endif
