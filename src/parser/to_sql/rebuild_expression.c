/* Expressions: columns, arithmetic, aggregates, CASE. */
#include <string.h>

#include "parser/to_sql/rebuild_state.h"

/* How tight operators bind; an operand that binds less goes into brackets. */
enum { BINDS_SUM = 1, BINDS_PRODUCT, BINDS_ALL = REBUILD_BINDS_ALL };

static int precedence_of(const struct rebuilding *rebuilding, const struct ir_node *node)
{
    if (node->kind != IR_NODE_CALL) {
        return BINDS_ALL;
    }
    switch (node->keyword) {
    case IR_PLUS:
    case IR_MINUS:
    case IR_CHANGE:
        return BINDS_SUM;
    case IR_TIMES:
    case IR_DIVIDE:
        return BINDS_PRODUCT;
    case IR_RATIO:
    case IR_PERCENT:
    case IR_SHARE:
    case IR_GROWTH:
    case IR_HOURS:
    case IR_DAYS:
    case IR_SHIFT:
    case IR_CUMULATIVE:
    case IR_YEAR_CHANGE:
    case IR_YEAR_GROWTH:
    case IR_DEVIATION:
    case IR_VARIANCE:
    case IR_QUARTER_OF:
    case IR_WEEKDAY_OF:
        return BINDS_SUM; /* written with operators in some dialect: brackets are safe */
    case IR_CONCAT:
    case IR_QUARTER:
        return rebuilding->dialect == DIALECT_MYSQL ? BINDS_ALL : BINDS_SUM;
    default:
        return BINDS_ALL;
    }
}

void rebuild_operand(struct rebuilding *rebuilding, const struct ir_node *node,
                     int precedence)
{
    bool brackets = precedence_of(rebuilding, node) < precedence;
    if (brackets) {
        buf_char(&rebuilding->out, '(');
    }
    rebuild_expression(rebuilding, node);
    if (brackets) {
        buf_char(&rebuilding->out, ')');
    }
}

void rebuild_list(struct rebuilding *rebuilding, const struct ir_nodes *nodes)
{
    for (size_t i = 0; i < nodes->count; i++) {
        buf_text(&rebuilding->out, i ? ", " : "");
        rebuild_expression(rebuilding, nodes->items[i]);
    }
}

/* A fraction: SQLite and MySQL give nothing for a division by zero by themselves. */
static void write_ratio(struct rebuilding *rebuilding, const struct ir_node *node)
{
    bool percent = node->keyword == IR_PERCENT;
    bool safe =
        rebuilding->dialect == DIALECT_SQLITE || rebuilding->dialect == DIALECT_MYSQL;
    struct buf *out = &rebuilding->out;
    if (rebuilding->dialect == DIALECT_BIGQUERY) {
        buf_text(out, percent ? "100 * SAFE_DIVIDE(" : "SAFE_DIVIDE(");
        rebuild_expression(rebuilding, node->args.items[0]);
        buf_text(out, ", ");
        rebuild_expression(rebuilding, node->args.items[1]);
        buf_char(out, ')');
        return;
    }
    buf_text(out, percent ? "100.0 * " : "1.0 * ");
    rebuild_operand(rebuilding, node->args.items[0], BINDS_ALL);
    buf_text(out, " / ");
    if (safe) {
        rebuild_operand(rebuilding, node->args.items[1], BINDS_ALL);
    } else {
        buf_text(out, "NULLIF(");
        rebuild_expression(rebuilding, node->args.items[1]);
        buf_text(out, ", 0)");
    }
}

static void write_binary(struct rebuilding *rebuilding, const struct ir_node *node)
{
    static const char *const words[] = {
        [IR_PLUS] = " + ", [IR_MINUS] = " - ", [IR_TIMES] = " * ", [IR_DIVIDE] = " / "};
    bool sum = node->keyword == IR_PLUS || node->keyword == IR_MINUS;
    bool chain = ir_node_is(node->args.items[0], IR_PLUS) ||
                 ir_node_is(node->args.items[0], IR_MINUS);
    rebuild_operand(rebuilding, node->args.items[0], sum && chain ? 0 : BINDS_PRODUCT);
    buf_text(&rebuilding->out, words[node->keyword]);
    rebuild_operand(rebuilding, node->args.items[1], sum ? BINDS_PRODUCT : BINDS_ALL);
}

static void write_concat(struct rebuilding *rebuilding, const struct ir_node *node)
{
    bool function = rebuilding->dialect == DIALECT_MYSQL ||
                    rebuilding->dialect == DIALECT_BIGQUERY ||
                    rebuilding->dialect == DIALECT_CLICKHOUSE;
    buf_text(&rebuilding->out, function ? "CONCAT(" : "");
    rebuild_expression(rebuilding, node->args.items[0]);
    buf_text(&rebuilding->out, function ? ", ' ', " : " || ' ' || ");
    rebuild_expression(rebuilding, node->args.items[1]);
    buf_text(&rebuilding->out, function ? ")" : "");
}

static void write_round(struct rebuilding *rebuilding, const struct ir_node *node)
{
    bool cast = rebuilding->dialect == DIALECT_POSTGRES; /* no round(double, digits) */
    buf_text(&rebuilding->out, cast ? "ROUND(CAST(" : "ROUND(");
    rebuild_expression(rebuilding, node->args.items[0]);
    buf_text(&rebuilding->out, cast ? " AS NUMERIC)" : "");
    buf_text(&rebuilding->out, node->keyword == IR_ROUND ? ", 2)" : ", 0)");
}

static void write_length(struct rebuilding *rebuilding, const struct ir_node *node)
{
    buf_text(&rebuilding->out, rebuilding->dialect == DIALECT_MYSQL ? "CHAR_LENGTH("
                               : rebuilding->dialect == DIALECT_CLICKHOUSE ? "lengthUTF8("
                                                                           : "LENGTH(");
    rebuild_expression(rebuilding, node->args.items[0]);
    buf_char(&rebuilding->out, ')');
}

static void write_call(struct rebuilding *rebuilding, const char *name,
                       const struct ir_node *node, const char *after)
{
    buf_text(&rebuilding->out, name);
    rebuild_expression(rebuilding, node->args.items[0]);
    buf_text(&rebuilding->out, after);
}

/* `*` after THEN is the row itself. */
static void write_then(struct rebuilding *rebuilding, const struct ir_node *node,
                       enum ir_type beside)
{
    if (ir_node_is_star(node)) {
        buf_char(&rebuilding->out, '1');
    } else if (ir_node_is_value(node)) {
        rebuild_value(rebuilding, node, beside);
    } else {
        rebuild_expression(rebuilding, node);
    }
}

static void write_if(struct rebuilding *rebuilding, const struct ir_node *node,
                     const char *otherwise)
{
    struct buf *out = &rebuilding->out;
    buf_text(out, "CASE");
    for (;;) {
        buf_text(out, " WHEN ");
        rebuild_condition(rebuilding, node->args.items[0]);
        buf_text(out, " THEN ");
        write_then(rebuilding, node->args.items[1], IR_TYPE_OTHER);
        if (node->args.count < 3 || !ir_node_is(node->args.items[2], IR_IF)) {
            break;
        }
        node = node->args.items[2];
    }
    if (node->args.count > 2) {
        buf_text(out, " ELSE ");
        write_then(rebuilding, node->args.items[2], IR_TYPE_OTHER);
    } else {
        buf_text(out, otherwise);
    }
    buf_text(out, " END");
}

static void write_average_age(struct rebuilding *rebuilding, const struct ir_node *node)
{
    struct ir_node days = *node;
    days.keyword = IR_DAYS;
    buf_char(&rebuilding->out, '(');
    rebuild_expression(rebuilding, &days);
    buf_text(&rebuilding->out, node->keyword == IR_YEARS ? ") / 365.25" : ") / 30.4375");
}

/* The type in which yes and no can be added up, or NULL where they are numbers already.
 */
static const char *number_for_flag(const struct rebuilding *rebuilding,
                                   const struct ir_node *node)
{
    static const char *const types[DIALECT_COUNT] = {
        [DIALECT_DUCKDB] = "INTEGER",
        [DIALECT_POSTGRES] = "INTEGER",
        [DIALECT_BIGQUERY] = "INT64",
        [DIALECT_ODBC] = "INTEGER",
    };
    return rebuild_type(rebuilding, node) == IR_TYPE_BOOLEAN ? types[rebuilding->dialect]
                                                             : NULL;
}

static void write_aggregate(struct rebuilding *rebuilding, const struct ir_node *node)
{
    static const char *const names[] = {
        [IR_COUNT] = "COUNT(", [IR_COUNT_DISTINCT] = "COUNT(DISTINCT ",
        [IR_SUM] = "SUM(",     [IR_AVG] = "AVG(",
        [IR_MIN] = "MIN(",     [IR_MAX] = "MAX("};
    const struct ir_node *arg = node->args.items[0];
    buf_text(&rebuilding->out, names[node->keyword]);
    if (ir_node_is(arg, IR_IF)) {
        write_if(rebuilding, arg, node->keyword == IR_SUM ? " ELSE 0" : "");
    } else if (node->keyword == IR_AVG &&
               (ir_node_is(arg, IR_YEARS) || ir_node_is(arg, IR_MONTHS))) {
        write_average_age(rebuilding, arg); /* whole years would drag it down */
    } else {
        const char *type = node->keyword == IR_COUNT || node->keyword == IR_COUNT_DISTINCT
                               ? NULL
                               : number_for_flag(rebuilding, arg);
        buf_text(&rebuilding->out, type ? "CAST(" : "");
        rebuild_expression(rebuilding, arg);
        if (type) {
            buf_format(&rebuilding->out, " AS %s)", type);
        }
    }
    buf_char(&rebuilding->out, ')');
}

static void write_item(struct rebuilding *rebuilding, const struct ir_node *node)
{
    const struct rebuild_query *query = rebuilding->current;
    if (!query->item_names || !query->query->from ||
        (size_t)node->item > query->query->from->select.count) {
        rebuild_fail(rebuilding, "The subquery has no result column with this number.");
        return;
    }
    dialect_quote(&rebuilding->out, rebuilding->dialect,
                  query->item_names[node->item - 1], false);
}

static void write_keyword(struct rebuilding *rebuilding, const struct ir_node *node)
{
    switch (node->keyword) {
    case IR_PLUS:
    case IR_MINUS:
    case IR_TIMES:
    case IR_DIVIDE:
        write_binary(rebuilding, node);
        break;
    case IR_RATIO:
    case IR_PERCENT:
        write_ratio(rebuilding, node);
        break;
    case IR_CONCAT:
        write_concat(rebuilding, node);
        break;
    case IR_ROUND:
    case IR_ROUND0:
        write_round(rebuilding, node);
        break;
    case IR_LENGTH:
        write_length(rebuilding, node);
        break;
    case IR_ABS:
        write_call(rebuilding, "ABS(", node, ")");
        break;
    case IR_OR_ZERO:
        write_call(rebuilding, "COALESCE(", node, ", 0)");
        break;
    case IR_IF:
        write_if(rebuilding, node, "");
        break;
    case IR_BUCKET:
        rebuild_bucket(rebuilding, node);
        break;
    default:
        rebuild_fail(rebuilding, "'%s' is no expression.",
                     ir_keyword_text((int)node->keyword));
    }
}

void rebuild_expression(struct rebuilding *rebuilding, const struct ir_node *node)
{
    if (rebuilding->out.full) { /* some templates write an argument twice: stop here */
        rebuild_fail(rebuilding, "The SQL is too long.");
    }
    if (rebuilding->failed) {
        return;
    }
    if (ir_node_is_star(node)) {
        buf_char(&rebuilding->out, '*');
    } else if (ir_node_is_column(node)) {
        rebuild_column(rebuilding, node);
    } else if (ir_node_is_value(node)) {
        rebuild_value(rebuilding, node, IR_TYPE_OTHER);
    } else if (node->kind == IR_NODE_TOKEN) {
        rebuild_table_star(rebuilding, node->token.index);
    } else if (node->kind == IR_NODE_ITEM) {
        write_item(rebuilding, node);
    } else if (node->kind == IR_NODE_QUERY) {
        rebuild_inner(rebuilding, node->query);
    } else if (rebuild_is_statistic(node->keyword)) {
        rebuild_statistic(rebuilding, node);
    } else if (rebuild_is_event(node->keyword)) {
        rebuild_event(rebuilding, node);
    } else if (rebuild_is_piece(node->keyword)) {
        rebuild_piece(rebuilding, node);
    } else if (node->keyword == IR_SHIFT) {
        rebuild_shift(rebuilding, node);
    } else if (ir_is_aggregate(node->keyword)) {
        write_aggregate(rebuilding, node);
    } else if (ir_is_window(node->keyword)) {
        rebuild_window(rebuilding, node);
    } else if (rebuild_is_date_call(node->keyword)) {
        rebuild_date_call(rebuilding, node);
    } else {
        write_keyword(rebuilding, node);
    }
}
