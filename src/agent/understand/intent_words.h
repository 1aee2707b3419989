/* What the rules about questions share: words and lists of them. */
#ifndef DGM_AGENT_INTENT_WORDS_H
#define DGM_AGENT_INTENT_WORDS_H

#include <stdbool.h>

#include "base/vec.h"

struct arena;
struct schema;
struct table;

/* Lower case, without punctuation; bytes over 0x7F count as letters. */
void intent_words(struct arena *arena, const char *question, struct texts *out);
bool intent_in_list(const char *word, const char *const *list); /* NULL-ended */
bool intent_any_in_list(const struct texts *words, const char *const *list);
/* A word that questions about a schema are made of. */
bool intent_is_schema_word(const char *word);
/* The table whose name the words are, give or take a plural: "order items" also names
 * order_items. NULL when there is none. */
const struct table *intent_table_named(struct arena *arena, const struct schema *schema,
                                       const struct texts *words);

#endif
