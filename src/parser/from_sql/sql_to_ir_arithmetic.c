/* Arithmetic as written into what it is for: ratios, percentages, differences of dates.
 */
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"
#include "parser/ir/ir_schema.h"
#include "parser/from_sql/sql_to_ir_state.h"

/* `1.0 * x` and CAST(x AS REAL): kept until a division shows their purpose. */
struct ir_node *sql_make_real(struct sql_reading *reading, struct ir_node *node)
{
    if (node->kind != IR_NODE_CALL && node->kind != IR_NODE_TOKEN &&
        node->kind != IR_NODE_ITEM && node->kind != IR_NODE_QUERY) {
        return node;
    }
    struct ir_node *real = sql_call(reading, IR_TIMES, sql_number(reading, "1.0"), node);
    real->text = "real";
    return real;
}

static bool is_real(const struct ir_node *node)
{
    return ir_node_is(node, IR_TIMES) && node->text && strcmp(node->text, "real") == 0;
}

struct ir_node *sql_drop_real(struct ir_node *node)
{
    while (is_real(node)) {
        node = node->args.items[1];
    }
    return node;
}

/* Takes `100 *` and `1.0 *` off the front of a division. */
static struct ir_node *take_factors(struct ir_node *node, bool *hundred, bool *real)
{
    for (;;) {
        if (is_real(node)) {
            *real = true;
            node = node->args.items[1];
        } else if (ir_node_is(node, IR_TIMES) && !*hundred &&
                   (sql_is_number(node->args.items[0], 100) ||
                    sql_is_number(node->args.items[1], 100))) {
            *hundred = true;
            node = node->args.items[sql_is_number(node->args.items[0], 100) ? 1 : 0];
        } else {
            return node;
        }
    }
}

/* Has a fraction whatever the database makes of whole numbers. */
static bool has_fraction(const struct sql_reading *reading, const struct ir_node *node)
{
    if (ir_node_is_column(node)) {
        const struct ir_column *column = &reading->schema->columns[node->token.index];
        return column->type == IR_TYPE_NUMBER && !column->integer;
    }
    if (node->kind != IR_NODE_CALL || ir_node_is(node, IR_COUNT) ||
        ir_node_is(node, IR_COUNT_DISTINCT)) {
        return false;
    }
    if (ir_node_is(node, IR_AVG) || ir_node_is(node, IR_RATIO) ||
        ir_node_is(node, IR_PERCENT)) {
        return true;
    }
    bool passes = ir_node_is(node, IR_SUM) || ir_node_is(node, IR_MIN) ||
                  ir_node_is(node, IR_MAX) || ir_node_is(node, IR_PLUS) ||
                  ir_node_is(node, IR_MINUS) || ir_node_is(node, IR_TIMES) ||
                  ir_node_is(node, IR_PREVIOUS) || ir_node_is(node, IR_CHANGE);
    for (size_t i = 0; passes && i < node->args.count; i++) {
        if (has_fraction(reading, node->args.items[i])) {
            return true;
        }
    }
    return false;
}

static struct ir_node *make_percent(struct sql_reading *reading, struct ir_node *a,
                                    struct ir_node *b)
{
    if (sql_is_total(b) && ir_node_same(b->args.items[0], a)) {
        return sql_call(reading, IR_SHARE, a, NULL);
    }
    if (sql_is_total(b) && sql_is_cumulative(a) &&
        ir_node_same(a->args.items[0], b->args.items[0])) {
        return sql_call(reading, IR_CUMULATIVE, a->args.items[0], NULL);
    }
    if (ir_node_is(a, IR_YEAR_CHANGE) && ir_node_is(b, IR_YEAR_AGO) &&
        ir_node_same(a->args.items[0], b->args.items[0])) {
        return sql_call(reading, IR_YEAR_GROWTH, a->args.items[0], NULL);
    }
    if (ir_node_is(a, IR_CHANGE) && ir_node_is(b, IR_PREVIOUS) &&
        ir_node_same(a->args.items[0], b->args.items[0])) {
        return sql_call(reading, IR_GROWTH, a->args.items[0], NULL);
    }
    return sql_call(reading, IR_PERCENT, a, b);
}

/* (month + 2) / 3 */
static struct ir_node *make_quarter(struct sql_reading *reading, struct ir_node *a,
                                    struct ir_node *b)
{
    if (sql_is_number(b, 3) && ir_node_is(a, IR_PLUS) &&
        sql_is_number(a->args.items[1], 2) && ir_node_is(a->args.items[0], IR_MONTH_OF)) {
        return sql_call(reading, IR_QUARTER_OF, a->args.items[0]->args.items[0], NULL);
    }
    return NULL;
}

static struct ir_node *make_duration(struct sql_reading *reading, struct ir_node *a,
                                     struct ir_node *b)
{
    double number;
    if (!ir_node_is(a, IR_DAYS) || b->kind != IR_NODE_TEXT ||
        !str_to_real(b->text, &number)) {
        return NULL;
    }
    if (number >= 365 && number <= 366) {
        return sql_call(reading, IR_YEARS, a->args.items[0], a->args.items[1]);
    }
    if (number >= 30 && number < 31) {
        return sql_call(reading, IR_MONTHS, a->args.items[0], a->args.items[1]);
    }
    return NULL;
}

static struct ir_node *make_quotient(struct sql_reading *reading, struct ir_node *a,
                                     struct ir_node *b)
{
    bool hundred = false;
    bool real = false;
    bool ignored = true; /* a hundred below the line is a plain factor */
    a = take_factors(a, &hundred, &real);
    b = take_factors(b, &ignored, &real);
    struct ir_node *special = make_quarter(reading, a, b);
    special = special ? special : make_duration(reading, a, b);
    if (special) {
        return special;
    }
    if (hundred) {
        return make_percent(reading, a, b);
    }
    if (b->kind == IR_NODE_TEXT && strchr(b->text, '.')) {
        real = true;
    }
    if (real || has_fraction(reading, a) || has_fraction(reading, b)) {
        return sql_call(reading, IR_RATIO, a, b);
    }
    return sql_call(reading, IR_DIVIDE, a, b);
}

static struct ir_node *make_product(struct sql_reading *reading, struct ir_node *a,
                                    struct ir_node *b)
{
    struct ir_node *number = a->kind == IR_NODE_TEXT ? a : b;
    struct ir_node *other = a->kind == IR_NODE_TEXT ? b : a;
    struct ir_node *plain = sql_drop_real(other);
    if (sql_is_number(number, 1) && strchr(number->text, '.')) {
        return sql_make_real(reading, other);
    }
    if (sql_is_number(number, 24) && ir_node_is(plain, IR_DAYS)) {
        return sql_call(reading, IR_HOURS, plain->args.items[0], plain->args.items[1]);
    }
    if (sql_is_number(number, 100) &&
        (ir_node_is(plain, IR_RATIO) || ir_node_is(plain, IR_DIVIDE))) {
        return make_percent(reading, plain->args.items[0], plain->args.items[1]);
    }
    return sql_call(reading, IR_TIMES, a, b);
}

static bool is_julian(const struct ir_node *node)
{
    return ir_node_is(node, IR_DAY) && node->text;
}

static struct ir_node *make_difference(struct sql_reading *reading, struct ir_node *a,
                                       struct ir_node *b)
{
    if (is_julian(a) && is_julian(b)) {
        return sql_call(reading, IR_DAYS, a->args.items[0], b->args.items[0]);
    }
    struct ir_node *plain = sql_drop_real(a);
    bool year = ir_node_is(b, IR_YEAR_AGO);
    if ((year || ir_node_is(b, IR_PREVIOUS)) && ir_node_same(plain, b->args.items[0])) {
        struct ir_node *change =
            sql_call(reading, year ? IR_YEAR_CHANGE : IR_CHANGE, plain, NULL);
        return is_real(a) ? sql_make_real(reading, change) : change;
    }
    return sql_call(reading, IR_MINUS, a, b);
}

struct ir_node *sql_make_binary(struct sql_reading *reading, enum ir_keyword keyword,
                                struct ir_node *a, struct ir_node *b)
{
    switch (keyword) {
    case IR_DIVIDE:
        return make_quotient(reading, a, b);
    case IR_TIMES:
        return make_product(reading, a, b);
    case IR_MINUS:
        return make_difference(reading, a, b);
    default:
        return sql_call(reading, keyword, a, b);
    }
}

/* A literal without letters or digits only holds the parts apart. */
static bool is_separator(const struct ir_node *node)
{
    return node->kind == IR_NODE_TEXT && node->is_text &&
           strspn(node->text, " ,-_/.") == strlen(node->text);
}

static bool is_quarter_text(const struct ir_nodes *parts)
{
    return parts->count == 3 && ir_node_is(parts->items[0], IR_YEAR) &&
           parts->items[1]->kind == IR_NODE_TEXT &&
           ir_node_is(parts->items[2], IR_QUARTER_OF) &&
           ir_node_same(parts->items[0]->args.items[0], parts->items[2]->args.items[0]);
}

struct ir_node *sql_make_concat(struct sql_reading *reading, struct ir_nodes *parts)
{
    struct ir_node *node = NULL;
    if (is_quarter_text(parts)) {
        return sql_call(reading, IR_QUARTER, parts->items[0]->args.items[0], NULL);
    }
    struct ir_node *modifier = sql_make_modifier(reading, parts);
    if (modifier) {
        return modifier;
    }
    for (size_t i = 0; i < parts->count; i++) {
        struct ir_node *part = parts->items[i];
        if (is_separator(part)) {
            continue;
        }
        if (part->kind == IR_NODE_TEXT) {
            return sql_fail(reading, "A text made of more than columns.");
        }
        node = node ? sql_call(reading, IR_CONCAT, node, part) : part;
    }
    return node ? node : sql_fail(reading, "A text made of nothing.");
}
