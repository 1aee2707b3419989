/*
 * The tree is walked with what its surroundings want: a number, a date, either, or the
 * text as it is. What stands inside of text functions is left alone: the author reads the
 * text already.
 */
#include "sql/kept/kept_sql.h"

#include <ctype.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/str.h"
#include "sql/counting/build.h"
#include "sql/kept/kept_form.h"

enum wants { WANTS_TEXT, WANTS_NUMBER, WANTS_DATE, WANTS_EITHER };

struct keeping {
    struct arena *arena;
    struct sql_statement *statement;
    const struct sql_resolved *resolved;
    struct kept_uses *uses;
    bool changed;
};

static const struct {
    const char *name;
    enum wants wants;
} calls[] = {
    {"sum", WANTS_NUMBER},         {"avg", WANTS_NUMBER},
    {"total", WANTS_NUMBER},       {"median", WANTS_NUMBER},
    {"stddev", WANTS_NUMBER},      {"variance", WANTS_NUMBER},
    {"round", WANTS_NUMBER},       {"abs", WANTS_NUMBER},
    {"min", WANTS_EITHER},         {"max", WANTS_EITHER},
    {"strftime", WANTS_DATE},      {"date", WANTS_DATE},
    {"datetime", WANTS_DATE},      {"julianday", WANTS_DATE},
    {"unixepoch", WANTS_DATE},     {"date_trunc", WANTS_DATE},
    {"date_part", WANTS_DATE},     {"year", WANTS_DATE},
    {"quarter", WANTS_DATE},       {"month", WANTS_DATE},
    {"day", WANTS_DATE},           {"week", WANTS_DATE},
    {"dayofweek", WANTS_DATE},     {"weekday", WANTS_DATE},
    {"dayname", WANTS_DATE},       {"monthname", WANTS_DATE},
    {"datediff", WANTS_DATE},      {"date_diff", WANTS_DATE},
    {"date_format", WANTS_DATE},   {"to_char", WANTS_DATE},
    {"date_add", WANTS_DATE},      {"date_sub", WANTS_DATE},
    {"timestampdiff", WANTS_DATE}, {"last_day", WANTS_DATE},
    {"age", WANTS_DATE},           {"isodow", WANTS_DATE},
};

static enum wants wants_of_call(const struct sql_node *call, enum wants around)
{
    static const char *const passing[] = {"coalesce", "ifnull", "nullif"};
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        if (str_equal_nocase(call->text, calls[i].name)) {
            return calls[i].wants;
        }
    }
    for (size_t i = 0; i < sizeof passing / sizeof *passing; i++) {
        if (str_equal_nocase(call->text, passing[i])) {
            return around;
        }
    }
    return WANTS_TEXT;
}

static bool is_number_text(const char *text)
{
    double real;
    return str_to_real(text, &real);
}

static enum wants wants_of_type(const char *type)
{
    static const char *const numbers[] = {"int", "real", "doub", "dec", "num", "float"};
    static const char *const dates[] = {"date", "time"};
    for (size_t i = 0; type && i < sizeof numbers / sizeof *numbers; i++) {
        if (str_contains_nocase(type, numbers[i])) {
            return WANTS_NUMBER;
        }
    }
    for (size_t i = 0; type && i < sizeof dates / sizeof *dates; i++) {
        if (str_contains_nocase(type, dates[i])) {
            return WANTS_DATE;
        }
    }
    return WANTS_TEXT;
}

static bool is_arithmetic(const struct sql_node *node)
{
    return sql_is(node, SQL_BINARY) && strlen(node->text) == 1 &&
           strchr("+-*/%", node->text[0]);
}

static bool is_comparison(const struct sql_node *node)
{
    static const char *const operators[] = {"=", "<", ">", "<=", ">=", "<>", "!=", "=="};
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
        if (str_equal(node->text, operators[i])) {
            return true;
        }
    }
    return false;
}

/* What a value that is compared with another makes of that one. */
static enum wants wants_of_value(const struct sql_node *value)
{
    if (!value) {
        return WANTS_TEXT;
    }
    switch ((int)value->kind) {
    case SQL_NUMBER:
        return WANTS_NUMBER;
    case SQL_UNARY:
        return wants_of_value(value->children[SINGLE_VALUE]);
    case SQL_STRING:
        return is_number_text(value->text)           ? WANTS_NUMBER
               : clock_begins_with_date(value->text) ? WANTS_DATE
                                                     : WANTS_TEXT;
    case SQL_TYPED_STRING:
    case SQL_INTERVAL:
        return WANTS_DATE;
    case SQL_CAST:
        return wants_of_type(value->children[PAIR_RIGHT]->text);
    case SQL_CALL:
        return wants_of_call(value, WANTS_TEXT);
    case SQL_SUBQUERY:
    case SQL_BINARY:
        return !sql_is(value, SQL_BINARY) || is_arithmetic(value) ? WANTS_EITHER
                                                                  : WANTS_TEXT;
    default:
        return WANTS_TEXT;
    }
}

static void note_use(struct keeping *keeping, const struct sql_reference *reference,
                     const struct kept *kept)
{
    keeping->changed = true;
    for (size_t i = 0; i < keeping->uses->count; i++) {
        if (keeping->uses->items[i].column == reference->column) {
            return;
        }
    }
    struct kept_use use = {.table = sql_reference_table(reference, NULL),
                           .column = reference->column,
                           .kept = *kept};
    VEC_PUSH(keeping->arena, keeping->uses, use);
}

/* The node of the value in `SELECT value`. */
static struct sql_node *value_read(struct keeping *keeping, const char *sql)
{
    struct sql_statement read;
    const char *text = arena_format(keeping->arena, "SELECT %s", sql);
    if (!sql_statement_read(keeping->arena, keeping->statement->dialect, text,
                            strlen(text), &read)) {
        return NULL;
    }
    struct sql_node *select = read.root->children[QUERY_BODY];
    return sql_is(select, SQL_SELECT)
               ? select->children[SELECT_ITEMS]->children[0]->children[SINGLE_VALUE]
               : NULL;
}

/* ORDER BY revenue, where that is an item of the SELECT: the column behind it. */
static const struct sql_node *column_behind(struct keeping *keeping,
                                            const struct sql_node *node,
                                            const struct sql_reference *reference)
{
    if (reference->state == REFERENCE_COLUMN) {
        return node;
    }
    const struct sql_output *output = reference->output;
    bool plain = reference->state == REFERENCE_OUTPUT && output && output->relation &&
                 output->inner && output->relation->name;
    return plain ? build_reference(keeping->arena, output->relation, output->inner)
                 : NULL;
}

static const struct column *column_of(const struct sql_reference *reference)
{
    bool output = reference->state == REFERENCE_OUTPUT && reference->output;
    return reference->column ? reference->column
           : output          ? reference->output->column
                             : NULL;
}

static void read_column(struct keeping *keeping, struct sql_node *node, enum wants wants)
{
    const struct sql_reference *reference = sql_reference_of(keeping->resolved, node);
    struct kept kept;
    if (!reference || wants == WANTS_TEXT) {
        return;
    }
    const struct column *column = column_of(reference);
    const struct sql_node *behind =
        column && !reference->fields ? column_behind(keeping, node, reference) : NULL;
    if (!behind) {
        return;
    }
    kept_of(column, &kept);
    if ((kept.form != KEPT_AMOUNT || wants == WANTS_DATE) &&
        (kept.form != KEPT_DATE || wants == WANTS_NUMBER)) {
        return;
    }
    const char *form = kept_form_sql(
        keeping->arena, keeping->statement->dialect, &kept,
        sql_statement_print(keeping->arena, keeping->statement->dialect, behind));
    struct sql_node *value = form ? value_read(keeping, form) : NULL;
    if (value) {
        struct sql_reference noted = *reference;
        noted.column = column;
        note_use(keeping, &noted, &kept);
        *node = *value;
    }
}

/* exact: for "is it the same", where "10115" may be a code. */
static bool is_amount_column(struct keeping *keeping, const struct sql_node *node,
                             bool exact)
{
    const struct sql_reference *reference =
        sql_is(node, SQL_COLUMN) ? sql_reference_of(keeping->resolved, node) : NULL;
    struct kept kept = {.form = KEPT_AS_IS};
    if (reference && reference->column) {
        kept_of(reference->column, &kept);
    }
    return kept.form == KEPT_AMOUNT && !(exact && kept.whole);
}

/* amount > '3000': a number, since the amounts are. */
static void bare_number(struct sql_node *literal)
{
    if (sql_is(literal, SQL_STRING) && is_number_text(literal->text)) {
        literal->kind = SQL_NUMBER;
    }
}

static void visit(struct keeping *keeping, struct sql_node *node, enum wants wants);

static void visit_compared(struct keeping *keeping, const struct sql_node *node)
{
    struct sql_node *left = node->children[PAIR_LEFT];
    struct sql_node *right = node->children[PAIR_RIGHT];
    bool exact = !strpbrk(node->text, "<>") || str_equal(node->text, "<>");
    bool left_amount = is_amount_column(keeping, left, exact);
    bool right_amount = is_amount_column(keeping, right, exact);
    enum wants of_left = wants_of_value(left);
    enum wants of_right = wants_of_value(right);
    if (left_amount && right_amount) {
        of_left = of_right = WANTS_NUMBER;
    }
    if (left_amount) {
        bare_number(right);
    }
    if (right_amount) {
        bare_number(left);
    }
    bool codes = exact && !left_amount && !right_amount;
    visit(keeping, left, codes && of_right == WANTS_NUMBER ? WANTS_TEXT : of_right);
    visit(keeping, right, codes && of_left == WANTS_NUMBER ? WANTS_TEXT : of_left);
}

static void visit_children(struct keeping *keeping, struct sql_node *node,
                           enum wants wants)
{
    for (size_t i = 0; node && i < node->count; i++) {
        if (node->children[i]) {
            visit(keeping, node->children[i], wants);
        }
    }
}

static void visit_case(struct keeping *keeping, struct sql_node *node, enum wants wants)
{
    const struct sql_node *whens = node->children[CASE_WHENS];
    if (node->children[CASE_VALUE]) {
        visit(keeping, node->children[CASE_VALUE], WANTS_TEXT);
    }
    for (size_t i = 0; i < whens->count; i++) {
        visit(keeping, whens->children[i]->children[PAIR_LEFT], WANTS_TEXT);
        visit(keeping, whens->children[i]->children[PAIR_RIGHT], wants);
    }
    if (node->children[CASE_ELSE]) {
        visit(keeping, node->children[CASE_ELSE], wants);
    }
}

static void visit_call(struct keeping *keeping, struct sql_node *node, enum wants wants)
{
    wants = wants_of_call(node, wants);
    for (size_t i = 0; i < node->count; i++) {
        if (!node->children[i]) {
            continue;
        }
        if (i == CALL_ARGUMENTS) {
            visit_children(keeping, node->children[i], wants);
        } else {
            visit(keeping, node->children[i], WANTS_TEXT);
        }
    }
}

static void visit_in(struct keeping *keeping, struct sql_node *node)
{
    struct sql_node *list = node->children[PAIR_RIGHT];
    struct sql_node *first = list && list->count ? list->children[0] : NULL;
    bool amount = is_amount_column(keeping, node->children[PAIR_LEFT], true);
    enum wants wants = wants_of_value(first);
    for (size_t i = 0; amount && list && i < list->count; i++) {
        bare_number(list->children[i]);
    }
    visit(keeping, node->children[PAIR_LEFT],
          wants == WANTS_NUMBER && !amount ? WANTS_TEXT : wants);
    if (list) {
        visit(keeping, list, WANTS_TEXT);
    }
}

static void visit(struct keeping *keeping, struct sql_node *node, enum wants wants)
{
    switch ((int)node->kind) {
    case SQL_COLUMN:
        read_column(keeping, node, wants);
        return;
    case SQL_CALL:
        visit_call(keeping, node, wants);
        return;
    case SQL_CASE:
        visit_case(keeping, node, wants);
        return;
    case SQL_BINARY:
        if (is_comparison(node)) {
            visit_compared(keeping, node);
        } else {
            visit_children(keeping, node,
                           is_arithmetic(node) ? WANTS_EITHER : WANTS_TEXT);
        }
        return;
    case SQL_BETWEEN:
        visit(keeping, node->children[TRIPLE_FIRST],
              wants_of_value(node->children[TRIPLE_SECOND]));
        if (wants_of_value(node->children[TRIPLE_SECOND]) == WANTS_NUMBER) {
            bare_number(node->children[TRIPLE_SECOND]);
            bare_number(node->children[TRIPLE_THIRD]);
        }
        return;
    case SQL_IN:
        visit_in(keeping, node);
        return;
    case SQL_CAST:
        visit(keeping, node->children[PAIR_LEFT],
              wants_of_type(node->children[PAIR_RIGHT]->text));
        return;
    case SQL_EXTRACT:
        visit_children(keeping, node, WANTS_DATE);
        return;
    case SQL_ORDER_ITEM:
        visit(keeping, node->children[ORDER_VALUE], WANTS_EITHER);
        return;
    case SQL_UNARY:
        visit_children(keeping, node,
                       str_equal(node->text, "-") ? WANTS_NUMBER : WANTS_TEXT);
        return;
    case SQL_ARGUMENT:
        visit_children(keeping, node, wants);
        return;
    default:
        visit_children(keeping, node, WANTS_TEXT);
    }
}

bool kept_is_used(const struct sql_resolved *resolved)
{
    for (size_t i = 0; i < resolved->references.count; i++) {
        const struct column *column = column_of(resolved->references.items[i]);
        struct kept kept = {.form = KEPT_AS_IS};
        if (column) {
            kept_of(column, &kept);
        }
        if (kept.form != KEPT_AS_IS) {
            return true;
        }
    }
    return false;
}

const char *kept_sql(struct arena *arena, struct sql_statement *statement,
                     const struct sql_resolved *resolved, struct kept_uses *uses)
{
    struct keeping keeping = {
        .arena = arena, .statement = statement, .resolved = resolved, .uses = uses};
    visit(&keeping, statement->root, WANTS_TEXT);
    return keeping.changed
               ? sql_statement_print(arena, statement->dialect, statement->root)
               : NULL;
}
