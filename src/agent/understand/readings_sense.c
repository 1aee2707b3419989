/* Readings that nobody means, and what is offered where no reading can be meant. */
#include "agent/run_statement.h"
#include "agent/suggest/suggest.h"
#include "agent/understand/intent_rules.h"
#include "agent/understand/readings.h"
#include "base/str.h"
#include "sql/resolve/resolve.h"

enum { OFFERED_MOST = 4 };

static bool is_key(const struct table *table, const struct column *column)
{
    bool key = column->primary;
    for (size_t i = 0; i < table->foreign_keys.count && !key; i++) {
        const struct texts *columns = &table->foreign_keys.items[i].columns;
        for (size_t c = 0; c < columns->count; c++) {
            key = key || str_equal_nocase(columns->items[c], column->name);
        }
    }
    return key;
}

/* "the sum of id of stations" */
static bool adds_keys(struct run *run, const char *sql)
{
    struct sql_nodes calls = {0};
    const struct sql_resolved *resolved = run_resolved(run, sql);
    sql_collect(run->scratch, run_statement(run, sql)->root, SQL_CALL, &calls);
    for (size_t i = 0; i < calls.count; i++) {
        struct sql_node *call = calls.items[i];
        struct sql_nodes columns = {0};
        bool adds = call->text && (str_equal_nocase(call->text, "sum") ||
                                   str_equal_nocase(call->text, "avg"));
        if (!adds) {
            continue;
        }
        sql_collect(run->scratch, call, SQL_COLUMN, &columns);
        const struct sql_reference *reference =
            columns.count == 1 ? sql_reference_of(resolved, columns.items[0]) : NULL;
        const struct table *table =
            reference && reference->column ? sql_reference_table(reference, NULL) : NULL;
        if (table && is_key(table, reference->column)) {
            return true;
        }
    }
    return false;
}

/* "the sum of cost and the sum of cost" */
static bool shows_twice(struct run *run, const char *sql)
{
    const struct sql_node *root = run_statement(run, sql)->root;
    const struct sql_node *body =
        sql_is(root, SQL_QUERY) ? root->children[QUERY_BODY] : NULL;
    const struct sql_node *items =
        sql_is(body, SQL_SELECT) ? body->children[SELECT_ITEMS] : NULL;
    for (size_t i = 0; items && i < items->count; i++) {
        for (size_t k = 0; k < i; k++) {
            const struct sql_node *a = sql_child(items->children[i], SINGLE_VALUE);
            const struct sql_node *b = sql_child(items->children[k], SINGLE_VALUE);
            size_t size = a && b ? a->end - a->start : 0;
            if (size && size == b->end - b->start &&
                str_starts(arena_copy(run->scratch, sql + a->start, size),
                           arena_copy(run->scratch, sql + b->start, size))) {
                return true;
            }
        }
    }
    return false;
}

/* hired <= hired */
static bool compares_itself(struct run *run, const char *sql)
{
    static const char *const operators[] = {"=", "<", ">", "<=", ">=", "<>"};
    struct sql_nodes pairs = {0};
    sql_collect(run->scratch, run_statement(run, sql)->root, SQL_BINARY, &pairs);
    for (size_t i = 0; i < pairs.count; i++) {
        const struct sql_node *left = pairs.items[i]->children[PAIR_LEFT];
        if (sql_is(left, SQL_COLUMN) &&
            str_is_among(pairs.items[i]->text, operators,
                         sizeof operators / sizeof *operators) &&
            sql_equal(left, pairs.items[i]->children[PAIR_RIGHT])) {
            return true;
        }
    }
    return false;
}

bool readings_make_sense(struct run *run, const char *sql)
{
    return !run_schema(run) || !run_statement(run, sql)->root ||
           (!adds_keys(run, sql) && !shows_twice(run, sql) && !compares_itself(run, sql));
}

bool readings_offer_questions(struct run *run, const char *beyond)
{
    struct clarification *back = &run->answer.clarification;
    struct texts named = {0};
    struct suggestions offers = {0};
    if (!str_equal(beyond, "say why") && !str_starts(beyond, "find '")) {
        return false;
    }
    intent_tables(run->scratch, run_question_text(run), run_schema(run), &named);
    const struct table *table =
        named.count ? schema_table(run_schema(run), named.items[0]) : NULL;
    if (table) {
        suggest_table(run->arena, table, &offers);
    }
    for (size_t i = 0; i < offers.count && back->options.count < OFFERED_MOST; i++) {
        VEC_PUSH(run->arena, &back->options,
                 ((struct clarification_option){offers.items[i].question,
                                                offers.items[i].question}));
    }
    return offers.count > 0;
}
