/* Queries of a grammar over the small shop: everything that a query that reads may hold.
 */
#include <stdio.h>
#include <string.h>

#include "grammar.h"

enum { DEPTH_MOST = 4 };

static const struct relation relations[] = {
    {.numbers = {"id"}, .texts = {"name", "city", "email"}},
    {.numbers = {"id", "customer_id", "total"},
     .texts = {"status"},
     .dates = {"ordered_on"}},
    {.numbers = {"x"}, .texts = {"y"}}, /* a query of ours */
};

static void query(struct making *work, bool derived);
static void expression(struct making *work, char kind);

/* A column of this kind that is in reach; a literal when there is none. */
static void column(struct making *work, char kind)
{
    const struct scope *scope = work->scope;
    if (scope && scope->outer && grammar_chance(work, 15)) {
        scope = scope->outer;
    }
    int which = scope && scope->relation[1] >= 0 ? (int)dice_roll(work->dice, 2) : 0;
    if (!scope || scope->relation[which] < 0) {
        grammar_literal(work, kind);
        return;
    }
    const struct relation *relation = &relations[scope->relation[which]];
    const char *const *names = kind == 'T'   ? relation->texts
                               : kind == 'D' ? relation->dates
                                             : relation->numbers;
    uint32_t count = 0;
    while (names[count]) {
        count++;
    }
    if (count == 0 || strchr("BOL", kind)) {
        grammar_literal(work, kind);
        return;
    }
    char name[40];
    (void)snprintf(name, sizeof name, "%c%d.%s", which ? 'b' : 'a', scope->level,
                   names[dice_roll(work->dice, count)]);
    grammar_say(work, name);
}

static void window(struct making *work)
{
    static const char *const frames[] = {
        "", "", "ROWS BETWEEN 2 PRECEDING AND CURRENT ROW",
        "ROWS BETWEEN UNBOUNDED PRECEDING AND 1 FOLLOWING"};
    grammar_say(work, "OVER (");
    if (grammar_chance(work, 50)) {
        grammar_say(work, "PARTITION BY");
        column(work, 'T');
    }
    grammar_say(work, "ORDER BY");
    column(work, 'N');
    PICK(work, frames);
    grammar_say(work, ")");
}

/* DuckDB has a function for whole numbers and none for others, more often than not; and
 * a text that is no JSON fails the statement. */
static void argument(struct making *work, char kind, bool json)
{
    static const char *const documents[] = {"'[1,2,3]'", "'{\"a\":1}'", "'\"a\"'",
                                            "NULL"};
    bool plain = work->dialect == DIALECT_DUCKDB && grammar_chance(work, 92);
    if (json && kind == 'T' && grammar_chance(work, 90)) {
        PICK(work, documents);
    } else if (kind == 'L' && grammar_chance(work, 95)) {
        grammar_literal(work, kind);
    } else if (plain && kind == 'N') {
        grammar_say(work, "CAST(");
        if (grammar_chance(work, 60)) {
            grammar_say(work, grammar_chance(work, 50) ? "2" : "1");
        } else {
            expression(work, kind);
        }
        grammar_say(work, "AS INTEGER)");
    } else if (plain && kind == 'D') {
        grammar_literal(work, kind);
    } else {
        expression(work, kind);
    }
}

/* Columns must stand in an aggregate where DuckDB groups. */
static bool strict(const struct making *work)
{
    return work->dialect == DIALECT_DUCKDB && work->scope && work->scope->aggregate;
}

static void lone_value(struct making *work, char kind)
{
    (strict(work) ? grammar_literal : column)(work, kind);
}

static const struct shape *some_shape(struct making *work, char kind)
{
    const struct shapes *shapes = &work->corpus->shapes[shape_kind(kind)];
    bool reach = work->scope && work->scope->aggregate;
    for (int i = 0; i < 60 && shapes->count > 0; i++) {
        const struct shape *one =
            &shapes->items[dice_roll(work->dice, (uint32_t)shapes->count)];
        bool fits =
            strict(work) ? one->aggregate : reach || (!one->aggregate && !one->window);
        if (fits || grammar_chance(work, 1)) {
            return one;
        }
    }
    return NULL;
}

/* A call whose result is of this kind, of the shapes that the engine was seen to take. */
static void call(struct making *work, char kind)
{
    const struct shape *shape = some_shape(work, kind);
    if (!shape) {
        lone_value(work, kind);
        return;
    }
    struct scope inner;
    const struct scope *before = work->scope;
    bool over =
        shape->window || (shape->aggregate && !strict(work) && grammar_chance(work, 10));
    bool json = strncmp(shape->name, "json", 4) == 0;
    if (shape->aggregate && before) { /* no aggregate inside another */
        inner = *before;
        inner.aggregate = false;
        work->scope = &inner;
    }
    (void)buf_text(work->out, shape->name);
    (void)buf_char(work->out, '(');
    for (const char *at = shape->arguments; *at; at++) {
        if (at != shape->arguments) {
            grammar_say(work, ",");
        }
        argument(work, *at, json && at == shape->arguments);
    }
    grammar_say(work, ")");
    if (shape->aggregate && grammar_chance(work, 10)) {
        grammar_say(work, "FILTER (WHERE");
        expression(work, 'B');
        grammar_say(work, ")");
    }
    if (over) {
        window(work);
    }
    work->scope = before;
}

static void cast(struct making *work, char kind)
{
    static const char *const numbers[] = {"INTEGER", "REAL", "BIGINT", "DOUBLE"};
    bool date = kind == 'D' && work->dialect == DIALECT_DUCKDB;
    grammar_say(work, "CAST(");
    expression(work, date ? 'D' : kind == 'N' ? 'N' : 'T');
    grammar_say(work, "AS");
    if (kind == 'N') {
        PICK(work, numbers);
    } else {
        grammar_say(work, date ? "DATE" : "VARCHAR");
    }
    grammar_say(work, ")");
}

static void conditional(struct making *work, char kind)
{
    kind = kind == 'O' ? 'N' : kind; /* others are of no one type */
    grammar_say(work, "CASE WHEN");
    expression(work, 'B');
    grammar_say(work, "THEN");
    expression(work, kind);
    grammar_say(work, "ELSE");
    expression(work, kind);
    grammar_say(work, "END");
}

static void comparison(struct making *work)
{
    static const char *const operators[] = {"=", "<>", "<", ">=", "IS", "IS NOT"};
    static const char *const between[] = {"AND", "OR"};
    char kind = "NTD"[dice_roll(work->dice, 3)];
    switch (dice_roll(work->dice, 6)) {
    case 0:
        expression(work, 'T');
        grammar_say(work, grammar_chance(work, 50) ? "LIKE" : "NOT LIKE");
        grammar_literal(work, 'T');
        break;
    case 1:
        expression(work, 'B');
        PICK(work, between);
        expression(work, 'B');
        break;
    case 2:
        expression(work, kind);
        grammar_say(work, grammar_chance(work, 70) ? "IS NULL" : "IS NOT NULL");
        break;
    case 3:
        column(work, 'N');
        grammar_say(work, "BETWEEN");
        grammar_literal(work, 'N');
        grammar_say(work, "AND");
        grammar_literal(work, 'N');
        break;
    case 4:
        column(work, 'T');
        grammar_say(work, grammar_chance(work, 60) ? "IN ( 'paid', 'Rome', NULL )"
                                                   : "NOT IN ( 'x' )");
        break;
    default:
        expression(work, kind);
        grammar_pick(work, operators, work->dialect == DIALECT_DUCKDB ? 4 : 6);
        expression(work, kind);
        break;
    }
}

static void binary(struct making *work, char kind)
{
    static const char *const arithmetic[] = {"+", "-", "*", "/", "%"};
    if (kind == 'B') {
        comparison(work);
        return;
    }
    bool date = kind == 'D' && work->dialect == DIALECT_DUCKDB;
    expression(work, kind == 'T' || date ? kind : 'N');
    if (date) {
        grammar_say(work, grammar_chance(work, 50) ? "+ 1" : "- 30");
        return;
    }
    if (kind == 'T') {
        grammar_say(work, "||");
    } else {
        PICK(work, arithmetic);
    }
    expression(work, kind == 'T' ? 'T' : 'N');
}

static void subquery(struct making *work, char kind)
{
    if (kind == 'B') {
        grammar_say(work, grammar_chance(work, 50) ? "EXISTS" : "NOT EXISTS");
    }
    grammar_say(work, "( SELECT");
    int level = work->scope ? work->scope->level + 1 : 1;
    struct scope scope = {.relation = {(int)dice_roll(work->dice, 2), -1},
                          .level = level,
                          .outer = work->scope};
    const struct scope *before = work->scope;
    work->scope = &scope;
    char alias[16];
    column(work, kind);
    (void)snprintf(alias, sizeof alias, "AS a%d", level);
    grammar_say(work, scope.relation[0] ? "FROM orders" : "FROM customers");
    grammar_say(work, alias);
    if (grammar_chance(work, 50)) {
        grammar_say(work, "WHERE");
        expression(work, 'B');
    }
    grammar_say(work, "LIMIT 1 )");
    work->scope = before;
}

static void expression(struct making *work, char kind)
{
    uint32_t roll = dice_roll(work->dice, 100);
    work->depth++;
    if (work->dialect == DIALECT_DUCKDB ? dice_roll(work->dice, 200) == 0
                                        : grammar_chance(work, 3)) {
        kind = grammar_any_kind(work);
    }
    bool leaf = work->depth > DEPTH_MOST || work->budget <= 0;
    bool group = !leaf && grammar_chance(work, 25);
    if (group) {
        grammar_say(work, "(");
    }
    if (leaf || roll < 25) {
        column(work, kind);
    } else if (roll < 35) {
        grammar_literal(work, kind);
    } else if (roll < 70) {
        call(work, kind);
    } else if (roll < 85) {
        binary(work, kind);
    } else if (roll < 90) {
        conditional(work, kind);
    } else if (roll < 95) {
        cast(work, kind);
    } else {
        subquery(work, kind);
    }
    if (group) {
        grammar_say(work, ")");
    }
    work->depth--;
}

static void source(struct making *work, const struct scope *scope, int which)
{
    static const char *const rare[] = {"main.orders",        "\"orders\"", "vault",
                                       "json_each('[1,2]')", "range(4)",   "c"};
    const struct scope *before = work->scope;
    work->scope = NULL;
    if (grammar_chance(work, 2)) {
        PICK(work, rare);
    } else if (scope->relation[which] == 2) {
        grammar_say(work, "(");
        work->depth++;
        query(work, true);
        work->depth--;
        grammar_say(work, ")");
    } else {
        grammar_say(work, scope->relation[which] == 1 ? "orders" : "customers");
    }
    work->scope = before;
    char alias[16];
    (void)snprintf(alias, sizeof alias, "AS %c%d", which ? 'b' : 'a', scope->level);
    grammar_say(work, alias);
}

static void from(struct making *work, const struct scope *scope)
{
    static const char *const joins[] = {"JOIN", "LEFT JOIN", "INNER JOIN"};
    grammar_say(work, "FROM");
    source(work, scope, 0);
    if (scope->relation[1] >= 0 && grammar_chance(work, 20)) {
        grammar_say(work, ",");
        source(work, scope, 1);
    } else if (scope->relation[1] >= 0) {
        PICK(work, joins);
        source(work, scope, 1);
        grammar_say(work, "ON");
        expression(work, 'B');
    }
}

static void tail(struct making *work, struct scope *scope, bool grouped)
{
    scope->aggregate = false;
    if (grammar_chance(work, 35)) {
        grammar_say(work, "WHERE");
        expression(work, 'B');
    }
    if (grouped) {
        grammar_say(work, "GROUP BY 1");
        scope->aggregate = true;
        if (grammar_chance(work, 20)) {
            grammar_say(work, "HAVING count(*) >= 1");
        }
    }
    if (grammar_chance(work, 25)) {
        grammar_say(work, grammar_chance(work, 50) ? "ORDER BY 1 DESC" : "ORDER BY 1");
    }
    if (grammar_chance(work, 25)) {
        grammar_say(work, grammar_chance(work, 60) ? "LIMIT 5" : "LIMIT 3 OFFSET 1");
    }
}

static int some_relation(struct making *work)
{
    return work->depth < 2 && work->budget > 15 && grammar_chance(work, 12)
               ? 2
               : (int)dice_roll(work->dice, 2);
}

/* derived: with a number x and a text y, for whoever stands around it. */
static void query(struct making *work, bool derived)
{
    struct scope scope = {.level = work->depth, .outer = NULL};
    scope.relation[0] = some_relation(work);
    scope.relation[1] = grammar_chance(work, 25) ? some_relation(work) : -1;
    bool grouped = !derived && grammar_chance(work, 15);
    bool lone =
        !derived && !grouped && grammar_chance(work, 15); /* aggregates over everything */
    work->scope = &scope;
    grammar_say(work, grammar_chance(work, 8) && !grouped ? "SELECT DISTINCT" : "SELECT");
    if (derived) {
        expression(work, 'N');
        grammar_say(work, "AS x ,");
        expression(work, 'T');
        grammar_say(work, "AS y");
    } else if (grammar_chance(work, 4)) {
        grammar_say(work, "*");
        grouped = false;
    } else {
        uint32_t columns = 1 + dice_roll(work->dice, 3);
        for (uint32_t i = 0; i < columns; i++) {
            if (i > 0) {
                grammar_say(work, ",");
            }
            scope.aggregate = (grouped && i > 0) || lone;
            if (scope.aggregate) {
                call(work, "NTD"[dice_roll(work->dice, 3)]);
            } else {
                expression(work, grammar_any_kind(work));
            }
        }
    }
    from(work, &scope);
    tail(work, &scope, grouped);
    work->scope = NULL;
}

/* A query in which ORDER BY and LIMIT may stand, as one side of a set operation. */
static void wrapped(struct making *work)
{
    grammar_say(work, "SELECT x, y FROM (");
    query(work, true);
    grammar_say(work, ") AS w");
}

void grammar_statement(struct dice *dice, enum dialect dialect,
                       const struct corpus *corpus, struct buf *out)
{
    static const char *const sets[] = {"UNION", "UNION ALL", "INTERSECT", "EXCEPT"};
    struct making work = {
        .dice = dice, .dialect = dialect, .corpus = corpus, .out = out, .budget = 40};
    if (grammar_chance(&work, 8)) {
        grammar_say(&work, "WITH c AS (");
        query(&work, true);
        grammar_say(&work, ")");
        if (grammar_chance(&work, 40)) {
            grammar_say(&work, "SELECT * FROM c");
            return;
        }
    } else if (grammar_chance(&work, 3)) {
        grammar_say(&work,
                    "WITH RECURSIVE r(k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM r"
                    " WHERE k < 20) SELECT sum(k), 'r' FROM r UNION");
        wrapped(&work);
        return;
    } else if (grammar_chance(&work, 5)) {
        wrapped(&work);
        PICK(&work, sets);
        wrapped(&work);
        return;
    }
    query(&work, false);
}
