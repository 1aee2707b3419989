/* What can be told of a question without a model: cheap, certain cases only. */
#ifndef DGM_AGENT_INTENT_RULES_H
#define DGM_AGENT_INTENT_RULES_H

#include <stdbool.h>

#include "agent/run.h"

enum intent {
    INTENT_TEXT_TO_SQL,
    INTENT_SCHEMA_QUERY,
    INTENT_MISLEADING,
    INTENT_GENERAL,
    INTENT_CLARIFICATION,
    INTENT_COUNT
};

const char *intent_name(enum intent intent); /* as in `intent` of the answer */
bool intent_find(const char *name, enum intent *intent);

/* Small talk and schema questions by their form; TEXT_TO_SQL otherwise. */
enum intent intent_guess(struct arena *arena, const char *question);
/* A reply to small talk, or NULL. */
const char *intent_small_talk(struct arena *arena, const char *question);

/* The weather, a recipe, the capital of France: what databases of people's own do not
 * answer. Only for questions that name nothing of the schema. */
bool intent_off_topic(struct arena *arena, const char *question);

/* How clear a question is, measured against the schema. A word that is only a
 * table's name says nothing of what is wanted of it. */
enum clarity intent_clarity(struct arena *arena, const char *question,
                            const struct schema *schema, bool in_conversation,
                            const struct table **subject);
/* "only those in Rome", "how many of them": by its words it goes on from what was said. */
bool intent_refers_back(struct arena *arena, const char *question);
/* "only those in Rome", "and their average?": means something only after what came
 * before. Also what names no table. */
bool intent_leans(struct arena *arena, const char *question, const struct schema *schema);
/* The tables that it names, each once. */
void intent_tables(struct arena *arena, const char *text, const struct schema *schema,
                   struct texts *out);
/* By its form a whole question ("how many orders came in?"), not an answer to one. */
bool intent_is_full(struct arena *arena, const char *text);
/* Does the text name a table, so that it can stand by itself? */
bool intent_names_table(struct arena *arena, const char *text,
                        const struct schema *schema);
/* "delete all orders": not a question but an order to change data. */
bool intent_asks_change(struct arena *arena, const char *question);
/* "recent", "lately": a time without a measure. */
bool intent_vague_time(struct arena *arena, const char *question);
/* The question without such words. */
char *intent_drop_vague_time(struct arena *arena, const char *question);
/* Words that make SQL depend on today ("last month", "yesterday"). */
bool intent_uses_clock(struct arena *arena, const char *question);

#endif
