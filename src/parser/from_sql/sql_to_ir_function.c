/* Functions of SQL, by name: aggregates, numbers, texts, dates. */
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"
#include "model/schema.h"
#include "parser/ir/ir_schema.h"
#include "parser/from_sql/sql_to_ir_state.h"

static void read_arguments(struct sql_reading *reading, const struct sql_node *call,
                           struct ir_nodes *args)
{
    const struct sql_node *list = call->children[CALL_ARGUMENTS];
    for (size_t i = 0; i < list->count; i++) {
        VEC_PUSH(reading->arena, args, sql_read_value(reading, list->children[i]));
    }
}

/* Never empty: counting it is counting rows. */
static bool is_always_there(const struct sql_reading *reading, const struct ir_node *node)
{
    if (!ir_node_is_column(node) || node->outer || reading->scope->has_left) {
        return false;
    }
    const struct ir_column *column = &reading->schema->columns[node->token.index];
    return column->unique || (column->source && !column->source->nullable);
}

static bool is_condition(const struct ir_node *node)
{
    return node->kind == IR_NODE_CALL && node->keyword >= IR_AND &&
           node->keyword <= IR_UNTIL;
}

static struct ir_node *star(struct sql_reading *reading)
{
    return ir_node_column(reading->arena, 0, false);
}

/* count if condition then * */
static struct ir_node *count_if(struct sql_reading *reading, struct ir_node *condition)
{
    return sql_call(reading, IR_COUNT, sql_call(reading, IR_IF, condition, star(reading)),
                    NULL);
}

/* sum(if c then 1 else 0) counts; sum(if c then x else 0) needs no else. */
static struct ir_node *make_sum_if(struct sql_reading *reading, struct ir_node *arg)
{
    struct ir_node *then = arg->args.items[1];
    bool zero = arg->args.count == 2 || sql_is_number(arg->args.items[2], 0);
    if (zero && sql_is_number(then, 1)) {
        struct ir_node *count = count_if(reading, arg->args.items[0]);
        return strchr(then->text, '.') ? sql_make_real(reading, count) : count;
    }
    if (zero) {
        arg->args.count = 2;
    }
    return sql_call(reading, IR_SUM, arg, NULL);
}

static struct ir_node *make_average_if(struct sql_reading *reading, struct ir_node *arg)
{
    struct ir_node *then = arg->args.items[1];
    bool whole = arg->args.count > 2 && sql_is_number(arg->args.items[2], 0);
    if (whole && (sql_is_number(then, 1) || sql_is_number(then, 100))) {
        return sql_call(reading, sql_is_number(then, 1) ? IR_RATIO : IR_PERCENT,
                        count_if(reading, arg->args.items[0]),
                        sql_call(reading, IR_COUNT, star(reading), NULL));
    }
    return sql_call(reading, IR_AVG, arg, NULL);
}

static struct ir_node *sql_make_aggregate(struct sql_reading *reading,
                                          enum ir_keyword keyword, struct ir_node *arg)
{
    if (is_condition(arg)) { /* SQLite counts a true condition as 1 */
        arg = sql_call(reading, IR_IF, arg, sql_number(reading, "1"));
        VEC_PUSH(reading->arena, &arg->args, sql_number(reading, "0"));
    }
    if (keyword == IR_COUNT && (sql_is_number(arg, 1) || is_always_there(reading, arg))) {
        return sql_call(reading, IR_COUNT, star(reading), NULL);
    }
    if (keyword == IR_COUNT_DISTINCT && reading->scope->entries.count == 1 &&
        is_always_there(reading, arg) &&
        reading->schema->columns[arg->token.index].unique) {
        return sql_call(reading, IR_COUNT, star(reading), NULL);
    }
    if (!ir_node_is(arg, IR_IF)) {
        return sql_call(reading, keyword, arg, NULL);
    }
    if (keyword == IR_SUM) {
        return make_sum_if(reading, arg);
    }
    if (keyword == IR_AVG) {
        return make_average_if(reading, arg);
    }
    if (keyword == IR_COUNT && arg->args.count == 2 &&
        (arg->args.items[1]->kind == IR_NODE_TEXT ||
         is_always_there(reading, arg->args.items[1]))) {
        return count_if(reading, arg->args.items[0]);
    }
    return sql_call(reading, keyword, arg, NULL);
}

/* The middle is the median; 0.9, or 90 / 100.0, is the percentile 90. */
static struct ir_node *sql_make_percentile(struct sql_reading *reading,
                                           struct ir_node *value,
                                           struct ir_node *fraction)
{
    double number = 0;
    bool parts = fraction->kind == IR_NODE_CALL && fraction->args.count == 2 &&
                 fraction->args.items[0]->kind == IR_NODE_TEXT &&
                 sql_is_number(fraction->args.items[1], 100);
    const struct ir_node *text = parts ? fraction->args.items[0] : fraction;
    if (text->kind != IR_NODE_TEXT || !str_to_real(text->text, &number)) {
        return sql_fail(reading, "A percentile of unknown size.");
    }
    number = parts ? number : number * 100;
    if (number > 49.999 && number < 50.001) {
        return sql_call(reading, IR_MEDIAN, value, NULL);
    }
    return sql_call(reading, IR_PERCENTILE, value,
                    sql_number(reading, arena_format(reading->arena, "%g", number)));
}

static struct ir_node *make_filtered(struct sql_reading *reading, enum ir_keyword keyword,
                                     struct ir_node *arg, struct ir_node *condition)
{
    if (keyword == IR_COUNT && ir_node_is_star(arg)) {
        return count_if(reading, condition);
    }
    return sql_make_aggregate(reading, keyword, sql_call(reading, IR_IF, condition, arg));
}

static bool aggregate_find(const char *name, enum ir_keyword *keyword)
{
    static const struct {
        const char *name;
        enum ir_keyword keyword;
    } rows[] = {{"count", IR_COUNT},
                {"sum", IR_SUM},
                {"avg", IR_AVG},
                {"min", IR_MIN},
                {"max", IR_MAX},
                {"total", IR_SUM},
                {"median", IR_MEDIAN},
                {"stddev", IR_DEVIATION},
                {"stddev_samp", IR_DEVIATION},
                {"stddevSamp", IR_DEVIATION},
                {"stdev", IR_DEVIATION},
                {"variance", IR_VARIANCE},
                {"var_samp", IR_VARIANCE},
                {"varSamp", IR_VARIANCE}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (str_equal_nocase(name, rows[i].name)) {
            *keyword = rows[i].keyword;
            return true;
        }
    }
    return false;
}

static struct ir_node *read_aggregate(struct sql_reading *reading,
                                      const struct sql_node *call,
                                      enum ir_keyword keyword)
{
    struct ir_nodes args = {0};
    bool distinct = sql_has(call, FLAG_DISTINCT);
    const struct sql_node *filter = call->children[CALL_FILTER];
    read_arguments(reading, call, &args);
    if (args.count != 1 || reading->failed) {
        return sql_fail(reading, "An aggregate of %zu things.", args.count);
    }
    if (distinct && keyword == IR_COUNT) {
        keyword = IR_COUNT_DISTINCT;
    } else if (distinct && (keyword == IR_SUM || keyword == IR_AVG)) {
        return sql_fail(reading, "%s of distinct values.", call->text);
    }
    if (filter) {
        return call->children[CALL_OVER]
                   ? sql_fail(reading, "A window over a part of the rows.")
                   : make_filtered(reading, keyword, args.items[0],
                                   sql_read_value(reading, filter));
    }
    if (call->children[CALL_OVER]) {
        return sql_read_over(reading, call, &args);
    }
    return sql_make_aggregate(reading, keyword, args.items[0]);
}

/* year('…') and its like; the value is the name of a function of one argument. */
static const struct unary {
    const char *name;
    enum ir_keyword keyword;
} unaries[] = {
    {"abs", IR_ABS},           {"length", IR_LENGTH},
    {"len", IR_LENGTH},        {"char_length", IR_LENGTH},
    {"year", IR_YEAR},         {"quarter", IR_QUARTER_OF},
    {"month", IR_MONTH_OF},    {"day", IR_DAY_OF},
    {"dayofmonth", IR_DAY_OF}, {"hour", IR_HOUR_OF},
    {"lower", IR_PAD},         {"upper", IR_PAD},
    {"trim", IR_PAD},          {"date_part", IR_PAD},
};

static struct ir_node *make_round(struct sql_reading *reading, struct ir_nodes *args)
{
    bool whole = args->count == 1 || sql_is_number(args->items[1], 0);
    return sql_call(reading, whole ? IR_ROUND0 : IR_ROUND, sql_drop_real(args->items[0]),
                    NULL);
}

static struct ir_node *make_coalesce(struct sql_reading *reading, struct ir_nodes *args)
{
    if (args->count == 2 && sql_is_number(args->items[1], 0)) {
        return ir_node_is(args->items[0], IR_COUNT)
                   ? args->items[0]
                   : sql_call(reading, IR_OR_ZERO, args->items[0], NULL);
    }
    return sql_fail(reading, "COALESCE with something but 0.");
}

static struct ir_node *make_nullif(struct sql_reading *reading, struct ir_nodes *args)
{
    if (args->count == 2 && sql_is_number(args->items[1], 0)) {
        return args->items[0]; /* a ratio handles that itself */
    }
    return sql_fail(reading, "NULLIF with something but 0.");
}

static struct ir_node *make_iif(struct sql_reading *reading, struct ir_nodes *args)
{
    if (args->count < 2 || args->count > 3) {
        return sql_fail(reading, "IF with %zu parts.", args->count);
    }
    struct ir_node *node = sql_call(reading, IR_IF, args->items[0], args->items[1]);
    if (args->count == 3) {
        VEC_PUSH(reading->arena, &node->args, args->items[2]);
    }
    return node;
}

static struct ir_node *make_days(struct sql_reading *reading, struct ir_nodes *args)
{
    return args->count == 2 ? sql_call(reading, IR_DAYS, args->items[0], args->items[1])
                            : sql_fail(reading, "Days between %zu dates.", args->count);
}

/* A point in days; only a difference of two makes sense. */
static struct ir_node *make_julian(struct sql_reading *reading, struct ir_nodes *args)
{
    struct ir_node *node = sql_call(reading, IR_DAY, sql_make_date(reading, args), NULL);
    if (ir_node_is(node->args.items[0], IR_DAY)) {
        node = node->args.items[0];
    }
    node->text = "julian";
    return node;
}

static bool is_date_like(const struct sql_reading *reading, const struct ir_node *node)
{
    if (sql_is_time(reading, node) || !ir_node_is_column(node)) {
        return true;
    }
    const struct column *column = reading->schema->columns[node->token.index].source;
    return !column || column->samples.count == 0;
}

/* substr(x, 1, instr(x, '@') - 1) and substr(x, instr(x, '@') + 1) */
static struct ir_node *make_piece(struct sql_reading *reading, struct ir_nodes *args)
{
    bool first = args->count == 3 && sql_is_number(args->items[1], 1);
    const struct ir_node *at = first ? args->items[2] : args->items[1];
    enum ir_keyword sign = first ? IR_MINUS : IR_PLUS;
    if (at->kind == IR_NODE_TEXT && first) {
        return sql_call(reading, IR_LEFT_OF, args->items[0], args->items[2]);
    }
    if (args->count == 2 && at->kind == IR_NODE_TEXT && *at->text == '-') {
        return sql_call(reading, IR_RIGHT_OF, args->items[0],
                        sql_number(reading, at->text + 1));
    }
    bool found = (first || args->count == 2) && ir_node_is(at, sign) &&
                 ir_node_is(at->args.items[0], IR_BEFORE_SIGN) &&
                 at->args.items[0]->text &&
                 ir_node_same(at->args.items[0]->args.items[0], args->items[0]);
    if (!found) {
        return sql_fail(reading, "A part of a text.");
    }
    return sql_call(reading, first ? IR_BEFORE_SIGN : IR_AFTER_SIGN, args->items[0],
                    at->args.items[0]->args.items[1]);
}

/* A position: only a piece of a text that ends or begins there has a word. */
static struct ir_node *make_position(struct sql_reading *reading, struct ir_nodes *args)
{
    if (args->count != 2 || args->items[1]->kind != IR_NODE_TEXT) {
        return sql_fail(reading, "A position in a text.");
    }
    struct ir_node *node =
        sql_call(reading, IR_BEFORE_SIGN, args->items[0], args->items[1]);
    node->text = "position";
    return node;
}

static struct ir_node *make_split(struct sql_reading *reading, struct ir_nodes *args)
{
    bool first = args->count == 3 && sql_is_number(args->items[2], 1);
    bool second = args->count == 3 &&
                  (sql_is_number(args->items[2], 2) || sql_is_number(args->items[2], -1));
    return first || second ? sql_call(reading, first ? IR_BEFORE_SIGN : IR_AFTER_SIGN,
                                      args->items[0], args->items[1])
                           : sql_fail(reading, "A part of a text.");
}

static struct ir_node *make_right(struct sql_reading *reading, struct ir_nodes *args)
{
    return args->count == 2
               ? sql_call(reading, IR_RIGHT_OF, args->items[0], args->items[1])
               : sql_fail(reading, "A part of a text.");
}

static struct ir_node *make_left(struct sql_reading *reading, struct ir_nodes *args)
{
    return args->count == 2
               ? sql_call(reading, IR_LEFT_OF, args->items[0], args->items[1])
               : sql_fail(reading, "A part of a text.");
}

/* quantile_disc(x, 0.9) */
static struct ir_node *make_quantile(struct sql_reading *reading, struct ir_nodes *args)
{
    return args->count == 2 ? sql_make_percentile(reading, args->items[0], args->items[1])
                            : sql_fail(reading, "A quantile of many.");
}

/* substr(d, 1, 4) of a date is its year. */
static struct ir_node *make_substring(struct sql_reading *reading, struct ir_nodes *args)
{
    static const struct {
        double start;
        double size;
        enum ir_keyword keyword;
    } rows[] = {{1, 4, IR_YEAR}, {1, 7, IR_MONTH}, {1, 10, IR_DAY}, {6, 2, IR_MONTH_OF}};
    bool date = is_date_like(reading, args->items[0]);
    for (size_t i = 0; date && args->count == 3 && i < sizeof rows / sizeof *rows; i++) {
        if (sql_is_number(args->items[1], rows[i].start) &&
            sql_is_number(args->items[2], rows[i].size)) {
            return sql_call(reading, rows[i].keyword, args->items[0], NULL);
        }
    }
    return args->count > 1 ? make_piece(reading, args)
                           : sql_fail(reading, "A part of a text.");
}

static struct ir_node *make_truncated(struct sql_reading *reading, struct ir_nodes *args)
{
    static const struct {
        const char *unit;
        enum ir_keyword keyword;
    } rows[] = {{"year", IR_YEAR},
                {"quarter", IR_QUARTER},
                {"month", IR_MONTH},
                {"week", IR_WEEK},
                {"day", IR_DAY}};
    for (size_t i = 0; args->count == 2 && i < sizeof rows / sizeof *rows; i++) {
        if (sql_is_text(args->items[0], rows[i].unit)) {
            return sql_call(reading, rows[i].keyword, args->items[1], NULL);
        }
    }
    return sql_fail(reading, "A date cut in an unknown way.");
}

static struct ir_node *make_concat(struct sql_reading *reading, struct ir_nodes *args)
{
    return sql_make_concat(reading, args);
}

static const struct function {
    const char *name;
    struct ir_node *(*make)(struct sql_reading *reading, struct ir_nodes *args);
} functions[] = {
    {"round", make_round},
    {"coalesce", make_coalesce},
    {"ifnull", make_coalesce},
    {"nullif", make_nullif},
    {"iif", make_iif},
    {"if", make_iif},
    {"datediff", make_days},
    {"julianday", make_julian},
    {"substr", make_substring},
    {"substring", make_substring},
    {"instr", make_position},
    {"strpos", make_position},
    {"split_part", make_split},
    {"substring_index", make_split},
    {"right", make_right},
    {"left", make_left},
    {"quantile_disc", make_quantile},
    {"date_trunc", make_truncated},
    {"concat", make_concat},
    {"strftime", sql_make_strftime},
    {"date", sql_make_date},
    {"datetime", sql_make_date},
};

static struct ir_node *make_named(struct sql_reading *reading, const char *name,
                                  struct ir_nodes *args)
{
    for (size_t i = 0; i < sizeof unaries / sizeof *unaries; i++) {
        if (str_equal_nocase(name, unaries[i].name) && args->count == 1) {
            return unaries[i].keyword == IR_PAD
                       ? args->items[0]
                       : sql_call(reading, unaries[i].keyword, args->items[0], NULL);
        }
    }
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        if (str_equal_nocase(name, functions[i].name) && args->count > 0) {
            return functions[i].make(reading, args);
        }
    }
    if (str_starts_nocase(name, "ir_")) {
        return sql_make_own(reading, name + 3, args);
    }
    return sql_fail(reading, "The function %s.", name);
}

struct ir_node *sql_read_cast(struct sql_reading *reading, const struct sql_node *node)
{
    struct ir_node *value = sql_read_value(reading, node->children[PAIR_LEFT]);
    const char *type = node->children[PAIR_RIGHT]->text;
    bool plain = str_contains_nocase(type, "int") || str_contains_nocase(type, "char") ||
                 str_contains_nocase(type, "text") || str_contains_nocase(type, "date");
    return plain || reading->failed ? value : sql_make_real(reading, value);
}

struct ir_node *sql_read_extract(struct sql_reading *reading, const struct sql_node *node)
{
    struct ir_nodes args = {0};
    VEC_PUSH(reading->arena, &args,
             sql_read_value(reading, node->children[SINGLE_VALUE]));
    return reading->failed ? args.items[0] : make_named(reading, node->text, &args);
}

/* Parts of a call that have no words in the IR. */
static bool call_is_plain(const struct sql_node *call)
{
    for (size_t i = 0; i < CALL_SLOTS; i++) {
        bool known =
            i == CALL_ARGUMENTS || i == CALL_FILTER || i == CALL_OVER || i == CALL_WITHIN;
        if (!known && call->children[i]) {
            return false;
        }
    }
    return !sql_has(call, FLAG_IGNORE_NULLS | FLAG_SAFE);
}

/* percentile_disc(0.9) WITHIN GROUP (ORDER BY x) */
static struct ir_node *read_within(struct sql_reading *reading,
                                   const struct sql_node *call)
{
    const struct sql_node *order = call->children[CALL_WITHIN];
    struct ir_nodes args = {0};
    read_arguments(reading, call, &args);
    bool known = args.count == 1 && order->count == 1 &&
                 order->children[0]->children[ORDER_VALUE] &&
                 !sql_has(order->children[0], FLAG_DESC);
    if (!known || !str_starts_nocase(call->text, "percentile_")) {
        return sql_fail(reading, "The function %s.", call->text);
    }
    return sql_make_percentile(
        reading, sql_read_value(reading, order->children[0]->children[ORDER_VALUE]),
        args.items[0]);
}

struct ir_node *sql_read_call(struct sql_reading *reading, const struct sql_node *call)
{
    enum ir_keyword keyword = IR_PAD;
    struct ir_nodes args = {0};
    bool aggregates = aggregate_find(call->text, &keyword);
    bool special = sql_has(call, FLAG_DISTINCT) || call->children[CALL_FILTER];
    if (!call_is_plain(call) || (special && !aggregates)) {
        return sql_fail(reading, "The function %s.", call->text);
    }
    if (call->children[CALL_WITHIN]) {
        return read_within(reading, call);
    }
    if (aggregates) {
        return read_aggregate(reading, call, keyword);
    }
    read_arguments(reading, call, &args);
    if (reading->failed) {
        return sql_fail(reading, "The function %s.", call->text);
    }
    return call->children[CALL_OVER] ? sql_read_over(reading, call, &args)
                                     : make_named(reading, call->text, &args);
}
