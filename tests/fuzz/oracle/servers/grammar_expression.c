/* Expressions of a kind: columns, values, calls, operators, casts, choices, subqueries.
 */
#include <string.h>

#include "grammar.h"

enum { DEPTH_MOST = 5 };

struct found {
    const struct source *source;
    const struct word_column *column;
};

/* One of the columns of this kind that are in reach, each as likely as the others. */
static struct found column_find(struct making *work, const struct scope *scope, int kind)
{
    struct found found = {0};
    uint32_t seen = 0;
    for (size_t i = 0; i < scope->count; i++) {
        const struct source *source = &scope->sources[i];
        for (size_t j = 0; j < source->count; j++) {
            if (source->columns[j].kind == kind && dice_roll(work->dice, ++seen) == 0) {
                found = (struct found){source, &source->columns[j]};
            }
        }
    }
    return found;
}

void grammar_column(struct making *work, int kind)
{
    const struct scope *scope = work->scope;
    if (scope && scope->strict) {
        if (scope->only && scope->only->kind == kind) {
            grammar_say(work, scope->only_of);
            grammar_say(work, ".");
            grammar_name(work, scope->only->name);
        } else {
            grammar_value(work, kind);
        }
        return;
    }
    if (scope && scope->outer && grammar_chance(work, 15)) {
        scope = scope->outer;
    }
    struct found found = scope ? column_find(work, scope, kind) : (struct found){0};
    if (!found.column) {
        grammar_value(work, kind);
        return;
    }
    bool alone = work->scope->count == 1 && scope == work->scope;
    if (!alone || grammar_chance(work, 60)) {
        grammar_name(work, found.source->alias);
        grammar_say(work, ".");
    }
    grammar_name(work, found.column->name);
}

/* Any column of what is selected from; a value when there is none. */
void grammar_any_column(struct making *work)
{
    const struct scope *scope = work->scope;
    int kind = grammar_any_kind(work);
    if (scope && scope->count && !scope->strict) {
        const struct source *source =
            &scope->sources[dice_roll(work->dice, (uint32_t)scope->count)];
        kind = source->columns[dice_roll(work->dice, (uint32_t)source->count)].kind;
    } else if (scope && scope->only) {
        kind = scope->only->kind;
    }
    grammar_column(work, kind);
}

static void window(struct making *work)
{
    static const char *const frames[] = {
        "",
        "",
        "ROWS BETWEEN 2 PRECEDING AND CURRENT ROW",
        "ROWS BETWEEN UNBOUNDED PRECEDING AND 1 FOLLOWING",
        "RANGE UNBOUNDED PRECEDING",
        "ROWS 1 PRECEDING",
        "GROUPS BETWEEN 1 PRECEDING AND 1 FOLLOWING EXCLUDE TIES",
        "ROWS BETWEEN CURRENT ROW AND CURRENT ROW EXCLUDE GROUP"};
    grammar_say(work, "OVER (");
    if (grammar_chance(work, 40)) {
        grammar_say(work, "PARTITION BY");
        grammar_expression(work, grammar_any_kind(work));
    }
    grammar_order_by(work);
    grammar_pick(work, frames, grammar_is(work, DIALECT_POSTGRES) ? 8 : 4);
    grammar_say(work, ")");
}

/* From the given place on, with commas between. */
void grammar_arguments(struct making *work, const struct callable *callable, int from)
{
    for (int i = from; i < callable->count; i++) {
        int kind = callable->arguments[i];
        if (i > from) {
            grammar_say(work, ",");
        }
        if (callable->constants >> i & 1 && grammar_chance(work, 95)) {
            grammar_value(work, kind);
        } else {
            grammar_expression(work, kind == KIND_OTHER ? grammar_any_kind(work) : kind);
        }
    }
}

static void operator_call(struct making *work, const struct callable *callable)
{
    if (callable->form == CALLABLE_INFIX) {
        grammar_expression(work, callable->arguments[0]);
    }
    if (grammar_is(work, DIALECT_POSTGRES) && dice_roll(work->dice, 300) == 0) {
        (void)buf_format(work->out, "OPERATOR(pg_catalog.%s) ", callable->name);
    } else {
        grammar_say(work, callable->name);
    }
    grammar_expression(work, callable->arguments[callable->form == CALLABLE_INFIX]);
}

static void aggregate_end(struct making *work, const struct callable *callable, bool over)
{
    if (callable->form == CALLABLE_AGGREGATE && !over && callable->count > 0 &&
        grammar_is(work, DIALECT_POSTGRES) && grammar_chance(work, 12)) {
        grammar_order_by(work);
    }
    grammar_say(work, ")");
    if (callable->form == CALLABLE_WITHIN) {
        grammar_say(work, "WITHIN GROUP (");
        grammar_order_by(work);
        grammar_say(work, ")");
    }
    if (callable->form != CALLABLE_WINDOW && grammar_is(work, DIALECT_POSTGRES) &&
        grammar_chance(work, 10)) {
        grammar_say(work, "FILTER (WHERE");
        grammar_expression(work, vocabulary_kind(work->words, "bool"));
        grammar_say(work, ")");
    }
}

/* An aggregate or a window function: no other of them inside it. */
static void aggregate_call(struct making *work, const struct callable *callable)
{
    const struct scope *before = work->scope;
    struct scope inner = before ? *before : (struct scope){0};
    bool over = callable->form == CALLABLE_WINDOW || !inner.aggregates;
    inner.aggregates = inner.windows = inner.strict = false;
    work->scope = before ? &inner : NULL;
    grammar_call_name(work, callable->name);
    if (callable->form == CALLABLE_AGGREGATE && !over && callable->count > 0 &&
        grammar_chance(work, 10)) {
        grammar_say(work, "DISTINCT");
    }
    if (callable->form == CALLABLE_AGGREGATE && callable->count == 0) {
        grammar_say(work, "*");
    }
    grammar_arguments(work, callable, 0);
    aggregate_end(work, callable, over);
    if (over) {
        window(work);
    }
    work->scope = before;
}

void grammar_call(struct making *work, const struct callable *callable)
{
    if (callable->form == CALLABLE_INFIX || callable->form == CALLABLE_PREFIX) {
        operator_call(work, callable);
        return;
    }
    if (callable->form != CALLABLE_PLAIN) {
        aggregate_call(work, callable);
        return;
    }
    grammar_call_name(work, callable->name);
    grammar_arguments(work, callable, 0);
    grammar_say(work, ")");
}

static bool fits(const struct making *work, const struct callable *callable)
{
    const struct scope *scope = work->scope;
    switch (callable->form) {
    case CALLABLE_AGGREGATE:
        return scope && (scope->aggregates || scope->windows);
    case CALLABLE_WITHIN:
        return scope && scope->aggregates;
    case CALLABLE_WINDOW:
        return scope && scope->windows && !scope->strict;
    default:
        return true;
    }
}

static void call(struct making *work, int kind)
{
    const struct callables *calls = &work->words->calls[kind];
    for (int i = 0; i < 12 && calls->count > 0; i++) {
        const struct callable *one =
            &calls->items[dice_roll(work->dice, (uint32_t)calls->count)];
        if (fits(work, one)) {
            grammar_call(work, one);
            return;
        }
    }
    grammar_column(work, kind);
}

static void cast(struct making *work, int kind)
{
    const struct kind_list *from = &work->words->casts[kind];
    int form = grammar_cast_form(work);
    grammar_cast_begin(work, form);
    if (from->count && grammar_chance(work, 85)) {
        grammar_expression(work,
                           from->items[dice_roll(work->dice, (uint32_t)from->count)]);
    } else if (grammar_chance(work, 80)) { /* by way of a text */
        grammar_cast_begin(work, form);
        grammar_value(work, kind);
        grammar_cast_end(work, form,
                         grammar_type(work, vocabulary_kind(work->words, "text")));
    } else {
        grammar_expression(work, vocabulary_kind(work->words, "text"));
    }
    grammar_cast_end(work, form, grammar_type(work, kind));
}

static void choice(struct making *work, int kind)
{
    static const char *const calls[] = {"coalesce(", "nullif(", "greatest(", "least("};
    int condition = vocabulary_kind(work->words, "bool");
    if (grammar_chance(work, 50)) {
        PICK(work, calls);
        grammar_expression(work, kind);
        grammar_say(work, ",");
        grammar_expression(work, kind);
        grammar_say(work, ")");
        return;
    }
    bool simple = grammar_chance(work, 30);
    int compared = grammar_any_kind(work);
    grammar_say(work, "CASE");
    if (simple) {
        grammar_expression(work, compared);
    }
    grammar_say(work, "WHEN");
    grammar_expression(work, simple ? compared : condition);
    grammar_say(work, "THEN");
    grammar_expression(work, kind);
    if (grammar_chance(work, 70)) {
        grammar_say(work, "ELSE");
        grammar_expression(work, kind);
    }
    grammar_say(work, "END");
}

static void comparison(struct making *work)
{
    static const char *const tests[] = {
        "IS NULL", "IS NOT NULL", "IS NOT DISTINCT FROM NULL", "IS TRUE", "IS UNKNOWN"};
    static const char *const links[] = {"AND", "OR"};
    static const char *const likes[] = {"LIKE",       "NOT LIKE", "ILIKE",
                                        "SIMILAR TO", "~",        "!~*"};
    int condition = vocabulary_kind(work->words, "bool");
    int text = vocabulary_kind(work->words, "text");
    int kind = grammar_any_kind(work);
    bool postgres = grammar_is(work, DIALECT_POSTGRES);
    switch (dice_roll(work->dice, 7)) {
    case 0:
        grammar_expression(work, text);
        grammar_pick(work, likes, postgres ? 6 : 2);
        grammar_value(work, text);
        break;
    case 1:
        grammar_expression(work, condition);
        PICK(work, links);
        grammar_expression(work, condition);
        break;
    case 2:
        grammar_say(work, "(");
        grammar_expression(work, kind);
        grammar_say(work, ")");
        grammar_pick(work, tests, postgres ? 3 : 2);
        break;
    case 3:
        grammar_expression(work, kind);
        grammar_say(work, grammar_chance(work, 80) ? "BETWEEN" : "NOT BETWEEN");
        grammar_value(work, kind);
        grammar_say(work, "AND");
        grammar_value(work, kind);
        break;
    case 4:
        grammar_expression(work, kind);
        grammar_say(work, grammar_chance(work, 60) ? "IN (" : "NOT IN (");
        grammar_value(work, kind);
        grammar_say(work, ",");
        grammar_value(work, kind);
        grammar_say(work, ")");
        break;
    case 5:
        grammar_say(work, "NOT (");
        grammar_expression(work, condition);
        grammar_say(work, ")");
        break;
    default:
        grammar_say(work, "(");
        grammar_expression(work, kind);
        grammar_say(work, grammar_chance(work, 50) ? ") = (" : ") <> (");
        grammar_expression(work, kind);
        grammar_say(work, ")");
        break;
    }
}

static void subquery(struct making *work, int kind)
{
    static const char *const forms[] = {"EXISTS (", "NOT EXISTS ("};
    const struct scope *before = work->scope;
    bool exists =
        kind == vocabulary_kind(work->words, "bool") && grammar_chance(work, 50);
    struct word_column *column = arena_array(work->arena, 1, sizeof *column);
    *column = (struct word_column){"x", kind};
    if (exists) {
        PICK(work, forms);
    } else {
        grammar_say(work, "(");
    }
    grammar_query(work, column, 1);
    grammar_say(work, exists || grammar_chance(work, 10) ? ")" : "LIMIT 1 )");
    work->scope = before;
}

void grammar_expression(struct making *work, int kind)
{
    bool leaf = work->depth >= DEPTH_MOST || work->budget <= 0;
    if (kind == KIND_OTHER) {
        kind = grammar_any_kind(work);
    }
    if (kind >= work->words->any_count && grammar_chance(work, 95)) {
        grammar_value(work, kind);
        return;
    }
    if (dice_roll(work->dice, 1000) < work->odd) {
        work->depth++;
        grammar_odd(work, kind);
        work->depth--;
        return;
    }
    uint32_t roll = dice_roll(work->dice, 100);
    bool group = !leaf && grammar_chance(work, 30);
    work->depth++;
    if (group) {
        grammar_say(work, "(");
    }
    if (leaf || roll < 30) {
        grammar_column(work, kind);
    } else if (roll < 40) {
        grammar_value(work, kind);
    } else if (roll < 72) {
        call(work, kind);
    } else if (roll < 80 && kind == vocabulary_kind(work->words, "bool")) {
        comparison(work);
    } else if (roll < 86) {
        cast(work, kind);
    } else if (roll < 95) {
        choice(work, kind);
    } else {
        subquery(work, kind);
    }
    if (grammar_is(work, DIALECT_CLICKHOUSE) && group && grammar_chance(work, 4)) {
        grammar_clickhouse_alias(work);
    }
    if (group) {
        grammar_say(work, ")");
    }
    if (work->odd > 0 && dice_roll(work->dice, 100) == 0) {
        grammar_postfix(work);
    }
    work->depth--;
}
