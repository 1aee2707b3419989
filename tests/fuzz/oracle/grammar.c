/* Queries of a grammar over the small shop: everything that a query that reads may hold.
 */
#include <stdio.h>
#include <string.h>

#include "oracle.h"

enum { SOURCES_MOST = 2, DEPTH_MOST = 4 };

/* What a relation's columns are called, by kind; NULL-ended. */
struct relation {
    const char *numbers[4];
    const char *texts[5];
    const char *dates[2];
};

static const struct relation relations[] = {
    {.numbers = {"id"}, .texts = {"name", "city", "email"}},
    {.numbers = {"id", "customer_id", "total"},
     .texts = {"status"},
     .dates = {"ordered_on"}},
    {.numbers = {"x"}, .texts = {"y"}}, /* a query of ours */
};

struct scope {
    int relation[SOURCES_MOST]; /* -1: none */
    int level;                  /* a2 and b2 are the aliases of level 2 */
    bool aggregate;             /* aggregates may be called now */
    const struct scope *outer;
};

struct making {
    struct dice *dice;
    enum dialect dialect;
    const struct corpus *corpus;
    struct buf *out;
    const struct scope *scope;
    int depth;
    int budget; /* parts that may still be written */
};

static void query(struct making *work, bool derived);
static void expression(struct making *work, char kind);

static bool chance(struct making *work, uint32_t of_hundred)
{
    return dice_roll(work->dice, 100) < of_hundred;
}

static void say(struct making *work, const char *text)
{
    (void)buf_text(work->out, text);
    (void)buf_char(work->out, ' ');
    work->budget--;
}

static void pick(struct making *work, const char *const *texts, uint32_t count)
{
    say(work, texts[dice_roll(work->dice, count)]);
}
#define PICK(work, texts) pick(work, texts, (uint32_t)(sizeof(texts) / sizeof *(texts)))

static char any_kind(struct making *work)
{
    return "NTDBO"[dice_roll(work->dice, 5)];
}

static void literal(struct making *work, char kind)
{
    static const char *const numbers[] = {
        "1", "0", "-1", "2.5", "NULL", "7", "1e10", "100", "3", "9223372036854775807"};
    static const char *const texts[] = {
        "'Rome'", "''",           "'%a%'",       "'paid'",      "'é日'",
        "'$.a'",  "'[1,2,3]'",    "'{\"a\":1}'", "'%Y'",        "'day'",
        "'a_c'",  "'canary.csv'", "'SELECT 1'",  "'2024-01-31'"};
    static const char *const dates[] = {"'2024-01-31'", "'1999-12-31'", "NULL"};
    static const char *const booleans[] = {"TRUE", "FALSE", "NULL", "(1 = 1)"};
    static const char *const others[] = {"NULL", "x'00ff'", "[1, 2]", "INTERVAL '1' DAY"};
    switch (kind) {
    case 'T':
        PICK(work, texts);
        break;
    case 'D':
        if (work->dialect == DIALECT_DUCKDB) {
            (void)buf_text(work->out, "DATE ");
        }
        pick(work, dates, 2);
        break;
    case 'B':
        PICK(work, booleans);
        break;
    case 'O':
        PICK(work, others);
        break;
    case 'L':
        say(work, "[1, 2, 3]");
        break;
    default:
        PICK(work, numbers);
        break;
    }
}

/* A column of this kind that is in reach; a literal when there is none. */
static void column(struct making *work, char kind)
{
    const struct scope *scope = work->scope;
    if (scope && scope->outer && chance(work, 15)) {
        scope = scope->outer;
    }
    int which = scope && scope->relation[1] >= 0 ? (int)dice_roll(work->dice, 2) : 0;
    if (!scope || scope->relation[which] < 0) {
        literal(work, kind);
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
        literal(work, kind);
        return;
    }
    char name[40];
    (void)snprintf(name, sizeof name, "%c%d.%s", which ? 'b' : 'a', scope->level,
                   names[dice_roll(work->dice, count)]);
    say(work, name);
}

static void window(struct making *work)
{
    static const char *const frames[] = {
        "", "", "ROWS BETWEEN 2 PRECEDING AND CURRENT ROW",
        "ROWS BETWEEN UNBOUNDED PRECEDING AND 1 FOLLOWING"};
    say(work, "OVER (");
    if (chance(work, 50)) {
        say(work, "PARTITION BY");
        column(work, 'T');
    }
    say(work, "ORDER BY");
    column(work, 'N');
    PICK(work, frames);
    say(work, ")");
}

/* DuckDB has a function for whole numbers and none for others, more often than not. */
static void argument(struct making *work, char kind)
{
    bool plain = work->dialect == DIALECT_DUCKDB && chance(work, 80);
    if (kind == 'L' && chance(work, 95)) {
        literal(work, kind);
    } else if (plain && kind == 'N') {
        say(work, "CAST(");
        if (chance(work, 60)) {
            say(work, chance(work, 50) ? "2" : "1");
        } else {
            expression(work, kind);
        }
        say(work, "AS INTEGER)");
    } else if (plain && kind == 'D') {
        literal(work, kind);
    } else {
        expression(work, kind);
    }
}

/* A call whose result is of this kind, of the shapes that the engine was seen to take. */
static void call(struct making *work, char kind)
{
    const struct shapes *shapes = &work->corpus->shapes[shape_kind(kind)];
    const struct shape *shape = NULL;
    for (int i = 0; i < 8 && shapes->count > 0; i++) {
        const struct shape *one =
            &shapes->items[dice_roll(work->dice, (uint32_t)shapes->count)];
        bool reach = work->scope && work->scope->aggregate;
        if ((!one->aggregate && !one->window) || reach) {
            shape = one;
            break;
        }
    }
    if (!shape) {
        column(work, kind);
        return;
    }
    struct scope inner;
    const struct scope *before = work->scope;
    if (shape->aggregate && before) { /* no aggregate inside another */
        inner = *before;
        inner.aggregate = false;
        work->scope = &inner;
    }
    (void)buf_text(work->out, shape->name);
    (void)buf_char(work->out, '(');
    for (const char *at = shape->arguments; *at; at++) {
        if (at != shape->arguments) {
            say(work, ",");
        }
        argument(work, *at);
    }
    say(work, ")");
    if (shape->aggregate && chance(work, 10)) {
        say(work, "FILTER (WHERE");
        expression(work, 'B');
        say(work, ")");
    }
    if (shape->window || (shape->aggregate && chance(work, 10))) {
        window(work);
    }
    work->scope = before;
}

static void cast(struct making *work, char kind)
{
    static const char *const numbers[] = {"INTEGER", "REAL", "BIGINT", "DOUBLE"};
    bool date = kind == 'D' && work->dialect == DIALECT_DUCKDB;
    say(work, "CAST(");
    expression(work, date ? 'D' : kind == 'N' ? 'N' : 'T');
    say(work, "AS");
    if (kind == 'N') {
        PICK(work, numbers);
    } else {
        say(work, date ? "DATE" : "VARCHAR");
    }
    say(work, ")");
}

static void conditional(struct making *work, char kind)
{
    say(work, "CASE WHEN");
    expression(work, 'B');
    say(work, "THEN");
    expression(work, kind);
    say(work, "ELSE");
    expression(work, kind);
    say(work, "END");
}

static void comparison(struct making *work)
{
    static const char *const operators[] = {"=", "<>", "<", ">=", "IS", "IS NOT"};
    static const char *const between[] = {"AND", "OR"};
    char kind = "NTD"[dice_roll(work->dice, 3)];
    switch (dice_roll(work->dice, 6)) {
    case 0:
        expression(work, 'T');
        say(work, chance(work, 50) ? "LIKE" : "NOT LIKE");
        literal(work, 'T');
        break;
    case 1:
        expression(work, 'B');
        PICK(work, between);
        expression(work, 'B');
        break;
    case 2:
        expression(work, kind);
        say(work, chance(work, 70) ? "IS NULL" : "IS NOT NULL");
        break;
    case 3:
        column(work, 'N');
        say(work, "BETWEEN");
        literal(work, 'N');
        say(work, "AND");
        literal(work, 'N');
        break;
    case 4:
        column(work, 'T');
        say(work, chance(work, 60) ? "IN ( 'paid', 'Rome', NULL )" : "NOT IN ( 'x' )");
        break;
    default:
        expression(work, kind);
        pick(work, operators, work->dialect == DIALECT_DUCKDB ? 4 : 6);
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
    expression(work, kind == 'T' ? 'T' : 'N');
    if (kind == 'T') {
        say(work, "||");
    } else {
        PICK(work, arithmetic);
    }
    expression(work, kind == 'T' ? 'T' : 'N');
}

static void subquery(struct making *work, char kind)
{
    if (kind == 'B') {
        say(work, chance(work, 50) ? "EXISTS" : "NOT EXISTS");
    }
    say(work, "( SELECT");
    int level = work->scope ? work->scope->level + 1 : 1;
    struct scope scope = {.relation = {(int)dice_roll(work->dice, 2), -1},
                          .level = level,
                          .outer = work->scope};
    const struct scope *before = work->scope;
    work->scope = &scope;
    char alias[16];
    column(work, kind);
    (void)snprintf(alias, sizeof alias, "AS a%d", level);
    say(work, scope.relation[0] ? "FROM orders" : "FROM customers");
    say(work, alias);
    if (chance(work, 50)) {
        say(work, "WHERE");
        expression(work, 'B');
    }
    say(work, "LIMIT 1 )");
    work->scope = before;
}

static void expression(struct making *work, char kind)
{
    uint32_t roll = dice_roll(work->dice, 100);
    work->depth++;
    if (chance(work, 3)) {
        kind = any_kind(work);
    }
    bool leaf = work->depth > DEPTH_MOST || work->budget <= 0;
    bool group = !leaf && chance(work, 25);
    if (group) {
        say(work, "(");
    }
    if (leaf || roll < 25) {
        column(work, kind);
    } else if (roll < 35) {
        literal(work, kind);
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
        say(work, ")");
    }
    work->depth--;
}

static void source(struct making *work, const struct scope *scope, int which)
{
    static const char *const rare[] = {"main.orders",        "\"orders\"", "vault",
                                       "json_each('[1,2]')", "range(4)",   "c"};
    const struct scope *before = work->scope;
    work->scope = NULL;
    if (chance(work, 2)) {
        PICK(work, rare);
    } else if (scope->relation[which] == 2) {
        say(work, "(");
        work->depth++;
        query(work, true);
        work->depth--;
        say(work, ")");
    } else {
        say(work, scope->relation[which] == 1 ? "orders" : "customers");
    }
    work->scope = before;
    char alias[16];
    (void)snprintf(alias, sizeof alias, "AS %c%d", which ? 'b' : 'a', scope->level);
    say(work, alias);
}

static void from(struct making *work, const struct scope *scope)
{
    static const char *const joins[] = {"JOIN", "LEFT JOIN", "INNER JOIN"};
    say(work, "FROM");
    source(work, scope, 0);
    if (scope->relation[1] >= 0 && chance(work, 20)) {
        say(work, ",");
        source(work, scope, 1);
    } else if (scope->relation[1] >= 0) {
        PICK(work, joins);
        source(work, scope, 1);
        say(work, "ON");
        expression(work, 'B');
    }
}

static void tail(struct making *work, struct scope *scope, bool grouped)
{
    scope->aggregate = false;
    if (chance(work, 35)) {
        say(work, "WHERE");
        expression(work, 'B');
    }
    if (grouped) {
        say(work, "GROUP BY 1");
        scope->aggregate = true;
        if (chance(work, 20)) {
            say(work, "HAVING count(*) >= 1");
        }
    }
    if (chance(work, 25)) {
        say(work, chance(work, 50) ? "ORDER BY 1 DESC" : "ORDER BY 1");
    }
    if (chance(work, 25)) {
        say(work, chance(work, 60) ? "LIMIT 5" : "LIMIT 3 OFFSET 1");
    }
}

static int some_relation(struct making *work)
{
    return work->depth < 2 && work->budget > 15 && chance(work, 12)
               ? 2
               : (int)dice_roll(work->dice, 2);
}

/* derived: with a number x and a text y, for whoever stands around it. */
static void query(struct making *work, bool derived)
{
    static const char *const sets[] = {"UNION", "UNION ALL", "INTERSECT", "EXCEPT"};
    struct scope scope = {.level = work->depth, .outer = NULL};
    scope.relation[0] = some_relation(work);
    scope.relation[1] = chance(work, 25) ? some_relation(work) : -1;
    bool grouped = chance(work, 15);
    bool lone = !grouped && chance(work, 15); /* aggregates over everything */
    work->scope = &scope;
    say(work, chance(work, 8) && !grouped ? "SELECT DISTINCT" : "SELECT");
    if (derived) {
        expression(work, 'N');
        say(work, "AS x ,");
        expression(work, 'T');
        say(work, "AS y");
    } else if (chance(work, 4)) {
        say(work, "*");
        grouped = false;
    } else {
        uint32_t columns = 1 + dice_roll(work->dice, 3);
        for (uint32_t i = 0; i < columns; i++) {
            if (i > 0) {
                say(work, ",");
            }
            scope.aggregate = (grouped && i > 0) || lone;
            if (scope.aggregate) {
                call(work, "NTD"[dice_roll(work->dice, 3)]);
            } else {
                expression(work, any_kind(work));
            }
        }
    }
    from(work, &scope);
    tail(work, &scope, grouped && !derived);
    work->scope = NULL;
    if (!derived && work->budget > 0 && chance(work, 3)) {
        PICK(work, sets);
        query(work, false);
    }
}

void grammar_statement(struct dice *dice, enum dialect dialect,
                       const struct corpus *corpus, struct buf *out)
{
    struct making work = {
        .dice = dice, .dialect = dialect, .corpus = corpus, .out = out, .budget = 40};
    if (chance(&work, 8)) {
        say(&work, "WITH c AS (");
        query(&work, true);
        say(&work, ")");
        if (chance(&work, 40)) {
            say(&work, "SELECT * FROM c");
            return;
        }
    } else if (chance(&work, 3)) {
        say(&work, "WITH RECURSIVE r(k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM r"
                   " WHERE k < 20) SELECT sum(k) FROM r UNION");
    }
    query(&work, false);
}
