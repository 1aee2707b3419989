/* FROM: tables, queries, VALUES, functions and CTEs, joined in every way. */
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "grammar.h"

enum { FROM_TABLE, FROM_QUERY, FROM_LATERAL, FROM_VALUES, FROM_FUNCTION, FROM_CTE };

const struct word_column *grammar_columns(struct making *work, size_t *count)
{
    static const char *const names[] = {"x", "y", "z"};
    *count = 1 + dice_roll(work->dice, 3);
    struct word_column *columns = arena_array(work->arena, *count, sizeof *columns);
    for (size_t i = 0; i < *count; i++) {
        columns[i] = (struct word_column){names[i], grammar_any_kind(work)};
    }
    return columns;
}

static int some_way(struct making *work)
{
    uint32_t roll = dice_roll(work->dice, 100);
    bool postgres = grammar_is(work, DIALECT_POSTGRES);
    if (work->depth > 3 || work->budget < 20 || roll < 66) {
        return FROM_TABLE;
    }
    if (roll < 76) {
        return work->cte_count ? FROM_CTE : FROM_TABLE;
    }
    return roll < 86   ? FROM_QUERY
           : !postgres ? FROM_TABLE
           : roll < 90 ? FROM_LATERAL
           : roll < 94 ? FROM_VALUES
                       : FROM_FUNCTION;
}

static void source_choose(struct making *work, struct source *source)
{
    source->how = some_way(work);
    (void)snprintf(source->alias, sizeof source->alias, "a%d", work->aliases++);
    if (source->how == FROM_TABLE) {
        const struct word_table *table =
            &work->words
                 ->tables[dice_roll(work->dice, (uint32_t)work->words->table_count)];
        source->table = table->name;
        source->columns = table->columns;
        source->count = table->count;
        if (grammar_chance(work, 20)) {
            (void)snprintf(source->alias, sizeof source->alias, "%s", table->name);
        }
    } else if (source->how == FROM_CTE) {
        const struct cte *cte =
            &work->ctes[dice_roll(work->dice, (uint32_t)work->cte_count)];
        source->table = cte->name;
        source->columns = cte->columns;
        source->count = cte->count;
    } else {
        source->columns = grammar_columns(work, &source->count);
    }
}

void grammar_sources(struct making *work, struct scope *scope)
{
    scope->count = 1;
    while (scope->count < SOURCES_MOST && grammar_chance(work, 20)) {
        scope->count++;
    }
    for (size_t i = 0; i < scope->count; i++) {
        source_choose(work, &scope->sources[i]);
    }
}

/* alias (x, y, z) */
static void alias_say(struct making *work, const struct source *source, bool columns)
{
    grammar_say(work, grammar_chance(work, 70) ? "AS" : "");
    grammar_name(work, source->alias);
    if (!columns) {
        return;
    }
    grammar_say(work, "(");
    for (size_t i = 0; i < source->count; i++) {
        grammar_say(work, i ? "," : "");
        grammar_name(work, source->columns[i].name);
    }
    grammar_say(work, ")");
}

static void table_say(struct making *work, const struct source *source)
{
    static const char *const samples[] = {"TABLESAMPLE SYSTEM (50)",
                                          "TABLESAMPLE BERNOULLI (90.5) REPEATABLE (1)",
                                          "TABLESAMPLE bernoulli (100)"};
    static const char *const ends[] = {"FINAL", "SAMPLE 0.5",
                                       "FINAL SAMPLE 1 / 2 OFFSET 1 / 2", "SAMPLE 1000"};
    bool postgres = grammar_is(work, DIALECT_POSTGRES);
    if (postgres && grammar_chance(work, 3)) {
        grammar_say(work, "ONLY");
    }
    if (source->how == FROM_TABLE && grammar_chance(work, 5)) {
        bool other = grammar_is(work, DIALECT_CLICKHOUSE) && grammar_chance(work, 50);
        grammar_name(work, postgres ? "public" : other ? "default" : "shop");
        grammar_say(work, ".");
    }
    grammar_name(work, source->table);
    if (!str_equal(source->alias, source->table) || grammar_chance(work, 10)) {
        alias_say(work, source, false);
    }
    if (postgres && source->how == FROM_TABLE && grammar_chance(work, 4) &&
        !str_equal(source->table, "spending")) {
        PICK(work, samples);
    }
    if (grammar_is(work, DIALECT_CLICKHOUSE) && str_equal(source->table, "events") &&
        grammar_chance(work, 20)) {
        PICK(work, ends);
    }
}

static void values_say(struct making *work, const struct source *source)
{
    grammar_say(work, "( VALUES");
    for (uint32_t rows = 1 + dice_roll(work->dice, 2); rows > 0; rows--) {
        grammar_say(work, "(");
        for (size_t i = 0; i < source->count; i++) {
            grammar_say(work, i ? "," : "");
            grammar_expression(work, source->columns[i].kind);
        }
        grammar_say(work, rows > 1 ? ") ," : ")");
    }
    grammar_say(work, ")");
    alias_say(work, source, true);
}

/* A function that gives rows; its one column is x. */
static void function_say(struct making *work, struct source *source)
{
    int kind = source->columns[0].kind;
    const struct callables *rows = &work->words->rows[kind];
    const struct callable *callable =
        rows->count ? &rows->items[dice_roll(work->dice, (uint32_t)rows->count)] : NULL;
    source->count = 1;
    if (grammar_chance(work, 20)) {
        grammar_say(work, "LATERAL");
    }
    if (callable) {
        grammar_call(work, callable);
    } else {
        grammar_say(work, "unnest ( ARRAY [");
        grammar_expression(work, kind);
        grammar_say(work, "] )");
    }
    if (grammar_chance(work, 15)) {
        grammar_say(work, "WITH ORDINALITY");
    }
    alias_say(work, source, true);
}

static void query_say(struct making *work, const struct source *source)
{
    grammar_say(work, source->how == FROM_LATERAL ? "LATERAL (" : "(");
    work->scope = source->how == FROM_LATERAL ? work->scope : NULL;
    grammar_query(work, source->columns, source->count);
    grammar_say(work, ")");
    alias_say(work, source,
              grammar_is(work, DIALECT_POSTGRES) && grammar_chance(work, 30));
}

static void source_say(struct making *work, struct scope *scope, struct source *source)
{
    const struct scope *before = work->scope;
    size_t index = (size_t)(source - scope->sources);
    struct scope left = {.outer = before->outer,
                         .count = index}; /* what stands before it */
    memcpy(left.sources, scope->sources, index * sizeof *left.sources);
    work->depth++;
    work->scope = source->how == FROM_VALUES ? scope->outer : &left;
    switch (source->how) {
    case FROM_TABLE:
    case FROM_CTE:
        table_say(work, source);
        break;
    case FROM_VALUES:
        values_say(work, source);
        break;
    case FROM_FUNCTION:
        function_say(work, source);
        break;
    default:
        query_say(work, source);
        break;
    }
    work->depth--;
    work->scope = before;
}

void grammar_from(struct making *work, struct scope *scope)
{
    static const char *const joins[] = {"JOIN", "LEFT JOIN", "INNER JOIN",
                                        "RIGHT OUTER JOIN", "FULL JOIN"};
    bool postgres = grammar_is(work, DIALECT_POSTGRES);
    bool aggregates = scope->aggregates;
    bool windows = scope->windows;
    bool strict = scope->strict;
    scope->aggregates = scope->windows = scope->strict = false;
    grammar_say(work, "FROM");
    source_say(work, scope, &scope->sources[0]);
    for (size_t i = 1; i < scope->count; i++) {
        uint32_t roll = dice_roll(work->dice, 10);
        struct source *source = &scope->sources[i];
        if (roll < 4) {
            grammar_say(work, roll < 3 ? "," : "CROSS JOIN");
            source_say(work, scope, source);
            continue;
        }
        struct scope seen = *scope;
        bool clickhouse = grammar_is(work, DIALECT_CLICKHOUSE);
        bool on = true;
        if (clickhouse) {
            on = grammar_clickhouse_join(work);
        } else {
            grammar_pick(work, joins, postgres ? 5 : 4);
        }
        source_say(work, scope, source);
        seen.count = i + 1;
        work->scope = &seen;
        grammar_say(work, on ? "ON" : "");
        if (on && clickhouse && grammar_chance(work, 80)) {
            grammar_clickhouse_on(work, &seen);
        } else if (on) {
            grammar_expression(work, vocabulary_kind(work->words, "bool"));
        }
        work->scope = scope;
    }
    scope->aggregates = aggregates;
    scope->windows = windows;
    scope->strict = strict;
}
