/* Word lists and functions shared by the rules about questions. */
#ifndef DGM_AGENT_INTENT_WORDS_H
#define DGM_AGENT_INTENT_WORDS_H

#include <stdbool.h>

#include "base/vec.h"

struct arena;
struct schema;
struct table;

/* Lower case, without punctuation; bytes over 0x7F count as letters. */
void intent_words(struct arena *arena, const char *question, struct texts *out);
/* the list ends with NULL */
bool intent_in_list(const char *word, const char *const *list);
bool intent_any_in_list(const struct texts *words, const char *const *list);
/* A reply to a sum, an insult or small talk; NULL: the message is none. intent_chatter.c */
const char *intent_chatter(struct arena *arena, const char *question);
bool intent_is_chatter(struct arena *arena, const char *question);
/* A word that is typical of questions about a schema. */
bool intent_is_schema_word(const char *word);
/* The table whose name these words are, also in the plural: "order items" for
 * order_items. NULL: none. */
const struct table *intent_table_named(struct arena *arena, const struct schema *schema,
                                       const struct texts *words);

#endif
