/* Whole statements: WITH, SELECT and its clauses, UNION. */
#include "grammar.h"

#include <stdio.h>

enum { BUDGET = 110 };

void grammar_order_by(struct making *work)
{
    static const char *const ends[] = {
        "", "", "DESC", "ASC", "DESC NULLS LAST", "NULLS FIRST", "USING <"};
    grammar_say(work, "ORDER BY");
    if (grammar_chance(work, 70)) {
        grammar_any_column(work);
    } else {
        grammar_expression(work, grammar_any_kind(work));
    }
    if (dice_chance(work->dice, 2)) {
        grammar_say(work, "USING <");
    } else {
        grammar_pick(work, ends, grammar_is(work, DIALECT_POSTGRES) ? 6 : 4);
    }
}

static void select_list(struct making *work, const struct word_column *columns,
                        size_t count)
{
    for (size_t i = 0; i < count; i++) {
        grammar_say(work, i ? "," : "");
        grammar_expression(work, columns[i].kind);
        grammar_say(work, "AS");
        grammar_name(work, columns[i].name);
    }
}

/* Without names for the columns: stars and rows too. */
static void free_list(struct making *work, const struct scope *scope)
{
    uint32_t count = 1 + dice_roll(work->dice, 3);
    for (uint32_t i = 0; i < count; i++) {
        grammar_say(work, i ? "," : "");
        const struct source *source =
            &scope->sources[dice_roll(work->dice, (uint32_t)scope->count)];
        uint32_t roll = scope->strict ? 99 : dice_roll(work->dice, 40);
        if (roll == 0) {
            grammar_say(work, "*");
        } else if (roll == 1) {
            grammar_name(work, source->alias);
            grammar_say(work, ". *");
        } else if (roll == 2 && grammar_is(work, DIALECT_POSTGRES)) {
            grammar_name(work, source->alias);
        } else {
            grammar_expression(work, grammar_any_kind(work));
        }
    }
}

static void group(struct making *work, struct scope *scope)
{
    const struct word_column *only = scope->only;
    if (only) {
        grammar_say(work, "GROUP BY");
        grammar_name(work, scope->only_of);
        grammar_say(work, ".");
        grammar_name(work, only->name);
    }
    if (only && grammar_chance(work, 30)) {
        grammar_say(work, "HAVING");
        scope->windows = false;
        grammar_expression(work, vocabulary_kind(work->words, "bool"));
    }
}

static void limit(struct making *work)
{
    static const char *const postgres[] = {"LIMIT 5",       "LIMIT 3 OFFSET 1",
                                           "OFFSET 1 ROWS", "FETCH FIRST 2 ROWS ONLY",
                                           "LIMIT ALL",     "LIMIT NULL"};
    static const char *const mysql[] = {"LIMIT 5", "LIMIT 3 OFFSET 1", "LIMIT 1, 2"};
    if (grammar_is(work, DIALECT_POSTGRES)) {
        PICK(work, postgres);
    } else if (grammar_is(work, DIALECT_CLICKHOUSE)) {
        grammar_clickhouse_limit(work);
    } else {
        PICK(work, mysql);
    }
}

/* What the scope of a SELECT is like: one that groups by a column, one that is a single
 * group, or a plain one. */
static void scope_choose(struct making *work, struct scope *scope)
{
    grammar_sources(work, scope);
    uint32_t roll = dice_roll(work->dice, 100);
    scope->windows = true;
    if (roll >= 25) {
        return;
    }
    scope->aggregates = scope->strict = true;
    const struct source *source = &scope->sources[0];
    if (roll < 15) {
        scope->only = &source->columns[dice_roll(work->dice, (uint32_t)source->count)];
        scope->only_of = source->alias;
    }
}

void grammar_query(struct making *work, const struct word_column *columns, size_t count)
{
    struct scope *scope = arena_array(work->arena, 1, sizeof *scope);
    const struct scope *before = work->scope;
    scope->outer = before;
    work->depth++;
    scope_choose(work, scope);
    work->scope = scope;
    grammar_say(work, grammar_chance(work, 6) ? "SELECT DISTINCT" : "SELECT");
    if (count) {
        select_list(work, columns, count);
    } else {
        free_list(work, scope);
    }
    grammar_from(work, scope);
    bool aggregates = scope->aggregates;
    bool strict = scope->strict;
    scope->aggregates = scope->windows = scope->strict = false;
    if (grammar_is(work, DIALECT_CLICKHOUSE)) {
        grammar_clickhouse_behind_from(work, scope->count == 1);
    }
    if (grammar_chance(work, 40)) {
        grammar_say(work, "WHERE");
        grammar_expression(work, vocabulary_kind(work->words, "bool"));
    }
    scope->aggregates = aggregates;
    scope->strict = strict;
    group(work, scope);
    scope->windows = !strict;
    if (!count && grammar_chance(work, 25)) {
        grammar_order_by(work);
    }
    if (!count && grammar_chance(work, 30)) {
        limit(work);
    }
    work->depth--;
    work->scope = before;
}

static void with(struct making *work)
{
    static const char *const kept[] = {"AS (", "AS (", "AS MATERIALIZED (",
                                       "AS NOT MATERIALIZED ("};
    grammar_say(work, grammar_chance(work, 15) ? "WITH RECURSIVE" : "WITH");
    size_t most = 1 + dice_roll(work->dice, 2);
    if (grammar_is(work, DIALECT_CLICKHOUSE) && grammar_chance(work, 40)) {
        grammar_clickhouse_value(work);
        grammar_say(work, ",");
    }
    for (size_t i = 0; i < most; i++) {
        struct cte made;
        made.columns = grammar_columns(work, &made.count);
        (void)snprintf(made.name, sizeof made.name, "c%u", (unsigned)(i & 7));
        grammar_say(work, i ? "," : "");
        grammar_name(work, made.name);
        if (grammar_chance(work, 30)) {
            grammar_say(work, "(");
            for (size_t j = 0; j < made.count; j++) {
                grammar_say(work, j ? "," : "");
                grammar_name(work, made.columns[j].name);
            }
            grammar_say(work, ")");
        }
        grammar_pick(work, kept, grammar_is(work, DIALECT_POSTGRES) ? 4 : 2);
        grammar_query(work, made.columns, made.count);
        grammar_say(work, ")");
        work->ctes[work->cte_count++] = made;
    }
}

void grammar_statement(struct dice *dice, const struct vocabulary *words,
                       struct arena *arena, struct buf *out)
{
    static const char *const sets[] = {"UNION", "UNION ALL", "INTERSECT", "EXCEPT"};
    static const char *const engine_sets[] = {"UNION ALL", "UNION DISTINCT", "INTERSECT",
                                              "EXCEPT"};
    struct making work = {
        .dice = dice, .words = words, .arena = arena, .out = out, .budget = BUDGET};
    work.odd = dice_chance(dice, 50) ? 0 : 40;
    if (grammar_chance(&work, 12)) {
        with(&work);
    }
    if (grammar_chance(&work, 8)) {
        size_t count;
        const struct word_column *columns = grammar_columns(&work, &count);
        grammar_query(&work, columns, count);
        if (grammar_is(&work, DIALECT_CLICKHOUSE)) {
            PICK(&work, engine_sets);
        } else {
            PICK(&work, sets);
        }
        grammar_query(&work, columns, count);
        return;
    }
    grammar_query(&work, NULL, 0);
    if (grammar_is(&work, DIALECT_CLICKHOUSE)) {
        grammar_clickhouse_end(&work);
    }
}
