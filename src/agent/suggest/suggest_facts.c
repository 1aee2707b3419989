/* What suggesting asks of one table again and again. */
#include "agent/suggest/suggest_facts.h"

#include "agent/suggest/suggest_columns.h"
#include "base/arena.h"

enum fact { FACT_UNKNOWN, FACT_NO, FACT_YES };

struct suggest_fact {
    enum fact measure;
    enum fact category;
    const char *words;
};

void suggest_facts_init(struct suggest_facts *facts, struct arena *arena,
                        const struct table *table)
{
    *facts = (struct suggest_facts){.arena = arena, .table = table};
    facts->columns = arena_array(arena, table->columns.count, sizeof *facts->columns);
}

static struct suggest_fact *fact_of(struct suggest_facts *facts,
                                    const struct column *column)
{
    return &facts->columns[column - facts->table->columns.items];
}

const char *suggest_facts_things(struct suggest_facts *facts)
{
    if (!facts->things) {
        facts->things = suggest_things(facts->arena, facts->table);
    }
    return facts->things;
}

const char *suggest_facts_words(struct suggest_facts *facts, const struct column *column)
{
    struct suggest_fact *fact = fact_of(facts, column);
    if (!fact->words) {
        fact->words = suggest_words(facts->arena, column->name);
    }
    return fact->words;
}

bool suggest_facts_is_measure(struct suggest_facts *facts, const struct column *column)
{
    struct suggest_fact *fact = fact_of(facts, column);
    if (fact->measure == FACT_UNKNOWN) {
        fact->measure = suggest_is_measure(facts->table, column) ? FACT_YES : FACT_NO;
    }
    return fact->measure == FACT_YES;
}

bool suggest_facts_is_category(struct suggest_facts *facts, const struct column *column)
{
    struct suggest_fact *fact = fact_of(facts, column);
    if (fact->category == FACT_UNKNOWN) {
        fact->category = suggest_is_category(facts->table, column) ? FACT_YES : FACT_NO;
    }
    return fact->category == FACT_YES;
}

const struct column *suggest_facts_measure(struct suggest_facts *facts)
{
    const struct columns *columns = &facts->table->columns;
    for (size_t i = 0; !facts->measure_known && i < columns->count; i++) {
        if (suggest_facts_is_measure(facts, &columns->items[i])) {
            facts->measure = &columns->items[i];
            break;
        }
    }
    facts->measure_known = true;
    return facts->measure;
}
