/* Values and operators as SQL, with parentheses where they matter. */
#include "sql/tree/print/print_state.h"

#include <string.h>

/* How an operator stands to others, in all dialects alike; what is not listed is OTHER.
 */
enum rank {
    RANK_ATOM,
    RANK_OR,
    RANK_AND,
    RANK_COMPARE,
    RANK_ADD,
    RANK_MULTIPLY,
    RANK_OTHER
};

static enum rank operator_rank(const char *text)
{
    static const struct {
        const char *text;
        enum rank rank;
    } ranks[] = {
        {"OR", RANK_OR},      {"AND", RANK_AND},    {"=", RANK_COMPARE},
        {"<>", RANK_COMPARE}, {"<", RANK_COMPARE},  {">", RANK_COMPARE},
        {"<=", RANK_COMPARE}, {">=", RANK_COMPARE}, {"+", RANK_ADD},
        {"-", RANK_ADD},      {"*", RANK_MULTIPLY}, {"/", RANK_MULTIPLY},
        {"%", RANK_MULTIPLY},
    };
    for (size_t i = 0; i < sizeof ranks / sizeof *ranks; i++) {
        if (strcmp(ranks[i].text, text) == 0) {
            return ranks[i].rank;
        }
    }
    return RANK_OTHER;
}

static enum rank rank_of(const struct sql_node *node)
{
    switch (node->kind) {
    case SQL_BINARY:
        return operator_rank(node->text);
    case SQL_UNARY: {
        const struct sql_node *value = node->children[SINGLE_VALUE];
        bool number = value->kind == SQL_NUMBER && strcmp(node->text, "-") == 0;
        return number ? RANK_ATOM : RANK_OTHER;
    }
    case SQL_IS:
    case SQL_IN:
    case SQL_LIKE:
    case SQL_BETWEEN:
        return RANK_COMPARE;
    case SQL_TERNARY:
    case SQL_COLLATE:
    case SQL_AT_TIME_ZONE:
    case SQL_LAMBDA:
        return RANK_OTHER;
    default:
        return RANK_ATOM;
    }
}

/* May the child stand beside an operator of this rank without parentheses? */
static bool stands_bare(enum rank parent, enum rank child, bool left)
{
    if (child == RANK_ATOM) {
        return true;
    }
    if (child == RANK_OTHER || parent == RANK_OTHER) {
        return false;
    }
    if (child == parent) {
        return left && parent != RANK_COMPARE;
    }
    return child > parent;
}

static void operand(struct print *print, enum rank parent, const struct sql_node *node,
                    bool left)
{
    /* MySQL's -> binds tighter than the sign of a number */
    bool sign = node->kind == SQL_UNARY && left && parent == RANK_OTHER;
    bool bare = !sign && stands_bare(parent, rank_of(node), left);
    print_around(print, bare ? "" : "(", node, bare ? "" : ")");
}

/* A value on which something hangs: only what is one piece stands bare. */
static void base(struct print *print, const struct sql_node *node)
{
    bool bare = node->kind == SQL_COLUMN || node->kind == SQL_SUBSCRIPT ||
                node->kind == SQL_SLICE || node->kind == SQL_FIELD ||
                (node->kind == SQL_CALL && !print_dialect(print, "p"));
    print_around(print, bare ? "" : "(", node, bare ? "" : ")");
}

static void literal(struct print *print, const struct sql_node *node)
{
    print_text(print, node->text);
}

static void string(struct print *print, const struct sql_node *node)
{
    if (sql_has(node, FLAG_RAW)) {
        print_text(print, node->text);
    } else {
        print_string(print, node->text);
    }
}

static void constant(struct print *print, const struct sql_node *node)
{
    print_text(print, node->text);
    print_around(print, "(", node->children[SINGLE_VALUE], ")");
}

static void typed_string(struct print *print, const struct sql_node *node)
{
    print_around(print, "", node->children[PAIR_LEFT], " ");
    print_node(print, node->children[PAIR_RIGHT]);
}

static void interval(struct print *print, const struct sql_node *node)
{
    static const char digits[] = "0123456789";
    const struct sql_node *value = node->children[SINGLE_VALUE];
    bool whole = value->kind == SQL_NUMBER && !value->text[strspn(value->text, digits)];
    bool bare = value->kind == SQL_STRING || whole ||
                (value->kind == SQL_NUMBER && !print_dialect(print, "d")) ||
                value->kind == SQL_TUPLE; /* MySQL's function INTERVAL(23, 1, 15) */
    print_text(print, value->kind == SQL_TUPLE ? "INTERVAL"
                      : bare                   ? "INTERVAL "
                                               : "INTERVAL (");
    print_around(print, "", value, bare ? "" : ")");
    if (node->text) {
        print_text(print, " ");
        print_text(print, node->text);
    }
}

static void column(struct print *print, const struct sql_node *node)
{
    print_list(print, node, ".");
}

static void unary(struct print *print, const struct sql_node *node)
{
    const struct sql_node *value = node->children[SINGLE_VALUE];
    bool binary = strcmp(node->text, "BINARY") == 0;
    bool word = binary || strcmp(node->text, "NOT") == 0;
    bool bare = rank_of(value) == RANK_ATOM && value->kind != SQL_UNARY &&
                (!binary || value->kind == SQL_COLUMN || value->kind == SQL_STRING);
    print_text(print, node->text);
    print_text(print, word ? " " : "");
    print_around(print, bare ? "" : "(", value, bare ? "" : ")");
}

static void binary(struct print *print, const struct sql_node *node)
{
    enum rank rank = operator_rank(node->text);
    operand(print, rank, node->children[PAIR_LEFT], true);
    print_text(print, " ");
    print_text(print, node->text);
    print_text(print, " ");
    operand(print, rank, node->children[PAIR_RIGHT], false);
}

static void ternary(struct print *print, const struct sql_node *node)
{
    operand(print, RANK_OTHER, node->children[TRIPLE_FIRST], true);
    print_text(print, " ? ");
    operand(print, RANK_OTHER, node->children[TRIPLE_SECOND], true);
    print_text(print, " : ");
    operand(print, RANK_OTHER, node->children[TRIPLE_THIRD], true);
}

static void is(struct print *print, const struct sql_node *node)
{
    operand(print, RANK_COMPARE, node->children[PAIR_LEFT], false);
    print_text(print, sql_has(node, FLAG_NOT) ? " IS NOT " : " IS ");
    print_text(print, sql_has(node, FLAG_DISTINCT) ? "DISTINCT FROM " : "");
    operand(print, RANK_COMPARE, node->children[PAIR_RIGHT], false);
}

static void in(struct print *print, const struct sql_node *node)
{
    operand(print, RANK_COMPARE, node->children[PAIR_LEFT], false);
    print_text(print, sql_has(node, FLAG_GLOBAL) ? " GLOBAL" : "");
    print_text(print, sql_has(node, FLAG_NOT) ? " NOT IN " : " IN ");
    const struct sql_node *right = node->children[PAIR_RIGHT];
    if (right->kind == SQL_TUPLE) {
        print_text(print, "(");
        print_list(print, right, ", ");
        print_text(print, ")");
    } else {
        operand(print, RANK_COMPARE, right, false);
    }
}

static void like(struct print *print, const struct sql_node *node)
{
    operand(print, RANK_COMPARE, node->children[TRIPLE_FIRST], false);
    print_text(print, sql_has(node, FLAG_NOT) ? " NOT " : " ");
    print_text(print, node->text);
    print_text(print, " ");
    operand(print, RANK_COMPARE, node->children[TRIPLE_SECOND], false);
    const struct sql_node *escape = node->children[TRIPLE_THIRD];
    bool bare = sql_is(escape, SQL_STRING) || sql_is(escape, SQL_COLUMN) ||
                sql_is(escape, SQL_CONSTANT);
    print_around(print, bare ? " ESCAPE " : " ESCAPE (", escape, bare ? "" : ")");
}

static void between(struct print *print, const struct sql_node *node)
{
    operand(print, RANK_COMPARE, node->children[TRIPLE_FIRST], false);
    print_text(print, sql_has(node, FLAG_NOT) ? " NOT BETWEEN " : " BETWEEN ");
    print_text(print, sql_has(node, FLAG_SYMMETRIC) ? "SYMMETRIC " : "");
    operand(print, RANK_COMPARE, node->children[TRIPLE_SECOND], false);
    print_text(print, " AND ");
    operand(print, RANK_COMPARE, node->children[TRIPLE_THIRD], false);
}

static void exists(struct print *print, const struct sql_node *node)
{
    print_around(print, "EXISTS (", node->children[SINGLE_VALUE], ")");
}

static void quantified(struct print *print, const struct sql_node *node)
{
    const struct sql_node *value = node->children[SINGLE_VALUE];
    print_text(print, node->text);
    print_around(print, value->kind == SQL_SUBQUERY ? " " : " (", value,
                 value->kind == SQL_SUBQUERY ? "" : ")");
}

static void subquery(struct print *print, const struct sql_node *node)
{
    print_around(print, "(", node->children[SINGLE_VALUE], ")");
}

static void tuple(struct print *print, const struct sql_node *node)
{
    print_text(print, "(");
    print_list(print, node, ", ");
    print_text(print, ")");
}

static void case_expression(struct print *print, const struct sql_node *node)
{
    print_text(print, "CASE");
    print_around(print, " ", node->children[CASE_VALUE], "");
    const struct sql_node *whens = node->children[CASE_WHENS];
    for (size_t i = 0; i < whens->count; i++) {
        print_around(print, " WHEN ", whens->children[i]->children[PAIR_LEFT], " THEN ");
        print_node(print, whens->children[i]->children[PAIR_RIGHT]);
    }
    print_around(print, " ELSE ", node->children[CASE_ELSE], "");
    print_text(print, " END");
}

static void cast(struct print *print, const struct sql_node *node)
{
    const struct sql_node *to = node->children[PAIR_RIGHT];
    if (to->kind == SQL_NAME) {
        print_around(print, "CONVERT(", node->children[PAIR_LEFT], " USING ");
        print_around(print, "", to, ")");
        return;
    }
    print_text(print, !sql_has(node, FLAG_SAFE)   ? "CAST("
                      : print_dialect(print, "b") ? "SAFE_CAST("
                                                  : "TRY_CAST(");
    print_around(print, "", node->children[PAIR_LEFT],
                 to->kind == SQL_STRING ? ", " : " AS ");
    print_node(print, to);
    if (node->text) {
        print_text(print, " FORMAT ");
        print_string(print, node->text);
    }
    print_text(print, ")");
}

static void collate(struct print *print, const struct sql_node *node)
{
    operand(print, RANK_OTHER, node->children[PAIR_LEFT], true);
    print_text(print, " COLLATE ");
    print_list(print, node->children[PAIR_RIGHT], ".");
}

static void at_time_zone(struct print *print, const struct sql_node *node)
{
    operand(print, RANK_OTHER, node->children[PAIR_LEFT], true);
    print_text(print, " AT TIME ZONE ");
    operand(print, RANK_OTHER, node->children[PAIR_RIGHT], false);
}

static void field(struct print *print, const struct sql_node *node)
{
    const struct sql_node *value = node->children[SINGLE_VALUE];
    bool bare = print_dialect(print, "dcb") && value->kind != SQL_COLUMN;
    if (bare || node->text[0] < '0' || node->text[0] > '9' || value->kind != SQL_COLUMN) {
        bool number = value->kind == SQL_FIELD && value->text[0] >= '0' &&
                      value->text[0] <= '9'; /* a.0.b would be read as a, 0. and b */
        bool open = (value->kind == SQL_FIELD && !number) || value->kind == SQL_SUBSCRIPT;
        print_around(print, open ? "" : "(", value, open ? "" : ")");
    } else {
        print_node(print, value); /* ClickHouse: t.1 */
    }
    print_text(print, ".");
    print_named(print, node);
}

static void subscript(struct print *print, const struct sql_node *node)
{
    base(print, node->children[PAIR_LEFT]);
    print_around(print, "[", node->children[PAIR_RIGHT], "]");
}

static void slice(struct print *print, const struct sql_node *node)
{
    base(print, node->children[SLICE_VALUE]);
    print_text(print, "[");
    print_around(print, "", node->children[SLICE_FROM], "");
    print_text(print, ":");
    print_around(print, "", node->children[SLICE_TO], "");
    print_text(print, !node->children[SLICE_TO] && node->children[SLICE_STEP] ? " " : "");
    print_around(print, ":", node->children[SLICE_STEP], "");
    print_text(print, "]");
}

print_function *const print_expression_kinds[SQL_KIND_COUNT] = {
    [SQL_NUMBER] = literal,
    [SQL_BLOB] = literal,
    [SQL_STRING] = string,
    [SQL_CONSTANT] = constant,
    [SQL_TYPED_STRING] = typed_string,
    [SQL_INTERVAL] = interval,
    [SQL_COLUMN] = column,
    [SQL_UNARY] = unary,
    [SQL_BINARY] = binary,
    [SQL_TERNARY] = ternary,
    [SQL_IS] = is,
    [SQL_IN] = in,
    [SQL_LIKE] = like,
    [SQL_BETWEEN] = between,
    [SQL_EXISTS] = exists,
    [SQL_QUANTIFIED] = quantified,
    [SQL_SUBQUERY] = subquery,
    [SQL_TUPLE] = tuple,
    [SQL_CASE] = case_expression,
    [SQL_CAST] = cast,
    [SQL_COLLATE] = collate,
    [SQL_AT_TIME_ZONE] = at_time_zone,
    [SQL_FIELD] = field,
    [SQL_SUBSCRIPT] = subscript,
    [SQL_SLICE] = slice,
};
