/* Facts about the columns of a table, computed once per answer. */
#ifndef DGM_AGENT_SUGGEST_FACTS_H
#define DGM_AGENT_SUGGEST_FACTS_H

#include <stdbool.h>

#include "model/schema.h"

struct arena;

struct suggest_facts {
    struct arena *arena;
    const struct table *table;
    const char *things; /* NULL until first used */
    struct suggest_fact *columns;
    const struct column *measure;
    bool measure_known;
};

/* Facts are computed when first used, because tables may be wide. */
void suggest_facts_init(struct suggest_facts *facts, struct arena *arena,
                        const struct table *table);
/* As the functions of suggest_columns.h; the column is one of the table's. */
const char *suggest_facts_things(struct suggest_facts *facts);
const char *suggest_facts_words(struct suggest_facts *facts, const struct column *column);
bool suggest_facts_is_measure(struct suggest_facts *facts, const struct column *column);
bool suggest_facts_is_category(struct suggest_facts *facts, const struct column *column);
/* The first one; NULL: none. */
const struct column *suggest_facts_measure(struct suggest_facts *facts);

#endif
