/* What an expression is, as far as the schema, literals and well-known functions tell. */
#include <ctype.h>
#include <string.h>

#include "model/schema.h"
#include "sql/dialects/translate.h"

enum { CLASS_MAX_DEPTH = 12, ISO_DATE = 10 };

/* ------------------------------------------------------------------ types */

enum value_class class_of_type(const char *type)
{
    static const struct {
        const char *begin;
        enum value_class class;
    } names[] = {
        {"interval", CLASS_OTHER},      {"point", CLASS_OTHER},
        {"int", CLASS_INTEGER},         {"bigint", CLASS_INTEGER},
        {"smallint", CLASS_INTEGER},    {"tinyint", CLASS_INTEGER},
        {"mediumint", CLASS_INTEGER},   {"hugeint", CLASS_INTEGER},
        {"serial", CLASS_INTEGER},      {"bigserial", CLASS_INTEGER},
        {"uint", CLASS_INTEGER},        {"ubigint", CLASS_INTEGER},
        {"signed", CLASS_INTEGER},      {"unsigned", CLASS_INTEGER},
        {"real", CLASS_REAL},           {"float", CLASS_REAL},
        {"double", CLASS_REAL},         {"decimal", CLASS_REAL},
        {"numeric", CLASS_REAL},        {"number", CLASS_REAL},
        {"money", CLASS_REAL},          {"bignumeric", CLASS_REAL},
        {"text", CLASS_TEXT},           {"varchar", CLASS_TEXT},
        {"char", CLASS_TEXT},           {"character", CLASS_TEXT},
        {"nvarchar", CLASS_TEXT},       {"string", CLASS_TEXT},
        {"clob", CLASS_TEXT},           {"bpchar", CLASS_TEXT},
        {"longtext", CLASS_TEXT},       {"mediumtext", CLASS_TEXT},
        {"fixedstring", CLASS_TEXT},    {"datetime", CLASS_TIMESTAMP},
        {"timestamp", CLASS_TIMESTAMP}, {"date", CLASS_DATE},
        {"bool", CLASS_BOOLEAN},        {"json", CLASS_OTHER},
        {"blob", CLASS_OTHER},          {"time", CLASS_OTHER},
    };
    if (!type || !*type) {
        return CLASS_UNKNOWN;
    }
    if (str_starts_nocase(type, "Nullable(") ||
        str_starts_nocase(type, "LowCardinality(")) {
        return class_of_type(strchr(type, '(') + 1);
    }
    if (str_starts_nocase(type, "decimal(") || str_starts_nocase(type, "numeric(")) {
        return strstr(type, ",0)") || !strchr(type, ',') ? CLASS_UNKNOWN : CLASS_REAL;
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (str_starts_nocase(type, names[i].begin)) {
            return names[i].class;
        }
    }
    return CLASS_UNKNOWN;
}

/* ------------------------------------------------------------------ columns */

/* 2024-01-31, 2024-01-31 10:00:00: how SQLite's functions read dates */
static enum value_class class_of_sample(const char *text)
{
    static const char form[] = "dddd-dd-dd";
    for (size_t i = 0; i < ISO_DATE; i++) {
        bool fits =
            form[i] == 'd' ? isdigit((unsigned char)text[i]) != 0 : text[i] == form[i];
        if (!fits) {
            return CLASS_OTHER;
        }
    }
    return !text[ISO_DATE]                                  ? CLASS_DATE
           : text[ISO_DATE] == ' ' || text[ISO_DATE] == 'T' ? CLASS_TIMESTAMP
                                                            : CLASS_OTHER;
}

/* SQLite's dates are texts: what is in the column says more than its type. */
static enum value_class class_of_texts(const struct column *column,
                                       enum value_class class)
{
    enum value_class found = CLASS_UNKNOWN;
    for (size_t i = 0; i < column->samples.count + 2; i++) {
        const char *text = i < column->samples.count    ? column->samples.items[i]
                           : i == column->samples.count ? column->least
                                                        : column->greatest;
        if (!text || !*text) {
            continue;
        }
        enum value_class one = class_of_sample(text);
        found = found == CLASS_UNKNOWN || found == one ? one : CLASS_OTHER;
        if (found == CLASS_OTHER) {
            return class == CLASS_TEXT || class == CLASS_UNKNOWN ? CLASS_TEXT
                                                                 : CLASS_OTHER;
        }
    }
    return found == CLASS_UNKNOWN ? class : found;
}

static enum value_class class_of_column(const struct translation *translation,
                                        const struct column *column)
{
    enum value_class class = class_of_type(column->type);
    bool text = class == CLASS_TEXT || class == CLASS_DATE || class == CLASS_TIMESTAMP ||
                class == CLASS_UNKNOWN;
    return translate_to(translation, "s") && text ? class_of_texts(column, class) : class;
}

struct finding {
    struct translation *translation;
    const char *qualifier; /* or NULL */
    const char *name;
    const struct column *column;
    struct sql_node *item; /* of this name, in a subquery or the list */
    bool several;
};

/* Is the column of this table, and of no other with another type? */
static void find_table(struct finding *finding, const struct sql_node *node)
{
    const struct sql_node *path = node->children[TABLE_PATH];
    const struct sql_node *alias = node->children[TABLE_ALIAS];
    const char *name = path->count ? path->children[path->count - 1]->text : "";
    const char *called = alias && alias->text ? alias->text : name;
    if (finding->qualifier && !str_equal_nocase(called, finding->qualifier)) {
        return;
    }
    const struct schema *schema = finding->translation->schema;
    for (size_t i = 0; i < schema->tables.count; i++) {
        const struct table *table = &schema->tables.items[i];
        const struct column *column = str_equal_nocase(table->bare_name, name)
                                          ? table_column(table, finding->name)
                                          : NULL;
        if (column) {
            finding->several |= finding->column &&
                                (!str_equal_nocase(finding->column->type, column->type) ||
                                 class_of_column(finding->translation, finding->column) !=
                                     class_of_column(finding->translation, column));
            finding->column = column;
        }
    }
}

static bool find_visit(void *context, struct sql_node *node)
{
    struct finding *finding = context;
    if (node->kind == SQL_TABLE && finding->translation->schema) {
        find_table(finding, node);
    } else if (node->kind == SQL_ITEM && node->text &&
               str_equal_nocase(node->text, finding->name)) {
        finding->several |= finding->item && !sql_equal(finding->item, node);
        finding->item = node;
    }
    return true;
}

static struct finding classes_find(struct translation *translation,
                                   const struct sql_node *node)
{
    struct finding finding = {.translation = translation};
    finding.name = node->children[node->count - 1]->text;
    finding.qualifier = node->count > 1 ? node->children[node->count - 2]->text : NULL;
    sql_walk(translation->root, find_visit, &finding);
    return finding;
}

static const struct column *class_column(struct translation *translation,
                                         const struct sql_node *node)
{
    if (!sql_is(node, SQL_COLUMN)) {
        return NULL;
    }
    struct finding finding = classes_find(translation, node);
    return finding.several ? NULL : finding.column;
}

/* ------------------------------------------------------------------ expressions */

static enum value_class class_of_call(struct translation *translation,
                                      const struct sql_node *node)
{
    static const struct {
        const char *name;
        enum value_class class; /* CLASS_OTHER: as its first argument */
    } calls[] = {
        {"count", CLASS_INTEGER},
        {"sum", CLASS_OTHER},
        {"min", CLASS_OTHER},
        {"max", CLASS_OTHER},
        {"avg", CLASS_REAL},
        {"abs", CLASS_OTHER},
        {"coalesce", CLASS_OTHER},
        {"ifnull", CLASS_OTHER},
        {"nullif", CLASS_OTHER},
        {"length", CLASS_INTEGER},
        {"char_length", CLASS_INTEGER},
        {"row_number", CLASS_INTEGER},
        {"rank", CLASS_INTEGER},
        {"dense_rank", CLASS_INTEGER},
        {"upper", CLASS_TEXT},
        {"lower", CLASS_TEXT},
        {"trim", CLASS_TEXT},
        {"substr", CLASS_TEXT},
        {"substring", CLASS_TEXT},
        {"replace", CLASS_TEXT},
        {"concat", CLASS_TEXT},
        {"left", CLASS_TEXT},
        {"right", CLASS_TEXT},
        {"strftime", CLASS_TEXT},
        {"to_char", CLASS_TEXT},
        {"date_format", CLASS_TEXT},
        {"random", CLASS_REAL},
        {"rand", CLASS_REAL},
        {"now", CLASS_TIMESTAMP},
        {"getdate", CLASS_TIMESTAMP},
        {"curdate", CLASS_DATE},
        {"today", CLASS_DATE},
        {"date", CLASS_DATE},
        {"todate", CLASS_DATE},
        {"datetime", CLASS_TIMESTAMP},
        {"date_trunc", CLASS_OTHER},
        {"round", CLASS_REAL},
        {"sqrt", CLASS_REAL},
        {"year", CLASS_INTEGER},
        {"month", CLASS_INTEGER},
        {"day", CLASS_INTEGER},
        {"datediff", CLASS_INTEGER},
        {"last_day", CLASS_DATE},
        {"lag", CLASS_OTHER},
        {"lead", CLASS_OTHER},
        {"first_value", CLASS_OTHER},
        {"last_value", CLASS_OTHER},
        {"date_part", CLASS_REAL},
        {"tostartofmonth", CLASS_DATE},
        {"tostartofyear", CLASS_DATE},
        {"tomonday", CLASS_DATE},
        {"tostartofquarter", CLASS_DATE},
        {"to_date", CLASS_DATE},
        {"make_date", CLASS_DATE},
    };
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        if (!str_equal_nocase(calls[i].name, node->text)) {
            continue;
        }
        if (calls[i].class != CLASS_OTHER) {
            return calls[i].class;
        }
        size_t at = str_equal_nocase(node->text, "date_trunc") &&
                    !translate_from(translation, "b");
        return class_of(translation, call_argument(node, at));
    }
    return CLASS_UNKNOWN;
}

static enum value_class class_of_binary(struct translation *translation,
                                        const struct sql_node *node)
{
    static const char *const truths[] = {"AND", "OR", "=", "<>", "<", ">", "<=", ">="};
    for (size_t i = 0; i < sizeof truths / sizeof *truths; i++) {
        if (strcmp(node->text, truths[i]) == 0) {
            return CLASS_BOOLEAN;
        }
    }
    if (strcmp(node->text, "||") == 0) {
        return CLASS_TEXT;
    }
    if (strlen(node->text) != 1 || !strchr("+-*/%", node->text[0])) {
        return CLASS_UNKNOWN;
    }
    enum value_class left = class_of(translation, node->children[PAIR_LEFT]);
    enum value_class right = class_of(translation, node->children[PAIR_RIGHT]);
    if (left == CLASS_DATE || left == CLASS_TIMESTAMP) {
        return right == CLASS_INTEGER ? left
               : right == CLASS_OTHER ? left /* an interval */
                                      : CLASS_UNKNOWN;
    }
    bool whole = left == CLASS_INTEGER && right == CLASS_INTEGER;
    if (whole && node->text[0] == '/' && translate_from(translation, "dmcb")) {
        return CLASS_REAL;
    }
    bool real = left == CLASS_REAL || right == CLASS_REAL;
    return whole ? CLASS_INTEGER : real ? CLASS_REAL : CLASS_UNKNOWN;
}

static enum value_class class_of_case(struct translation *translation,
                                      const struct sql_node *node)
{
    const struct sql_node *whens = node->children[CASE_WHENS];
    enum value_class all = CLASS_UNKNOWN;
    for (size_t i = 0; i <= whens->count; i++) {
        const struct sql_node *value = i < whens->count
                                           ? whens->children[i]->children[PAIR_RIGHT]
                                           : node->children[CASE_ELSE];
        if (!value || (sql_is(value, SQL_CONSTANT) && str_equal(value->text, "NULL"))) {
            continue;
        }
        enum value_class one = class_of(translation, value);
        bool numbers = (one == CLASS_REAL && all == CLASS_INTEGER) ||
                       (one == CLASS_INTEGER && all == CLASS_REAL);
        all = all == CLASS_UNKNOWN || all == one ? one
              : numbers                          ? CLASS_REAL
                                                 : CLASS_OTHER;
        if (all == CLASS_OTHER || one == CLASS_UNKNOWN) {
            return CLASS_UNKNOWN;
        }
    }
    return all;
}

static enum value_class class_of_name(struct translation *translation,
                                      const struct sql_node *node)
{
    struct finding finding = classes_find(translation, node);
    if (finding.several) {
        return CLASS_UNKNOWN;
    }
    if (finding.column) {
        return class_of_column(translation, finding.column);
    }
    return finding.item ? class_of(translation, finding.item->children[SINGLE_VALUE])
                        : CLASS_UNKNOWN;
}

static enum value_class class_of_constant(const struct sql_node *node)
{
    return str_equal(node->text, "CURRENT_DATE") ? CLASS_DATE
           : str_equal(node->text, "CURRENT_TIMESTAMP") ||
                   str_equal(node->text, "LOCALTIMESTAMP")
               ? CLASS_TIMESTAMP
           : str_equal(node->text, "TRUE") || str_equal(node->text, "FALSE")
               ? CLASS_BOOLEAN
               : CLASS_UNKNOWN;
}

static enum value_class class_of_kind(struct translation *translation,
                                      const struct sql_node *node)
{
    switch (node->kind) {
    case SQL_NUMBER:
        return strpbrk(node->text, ".eE") && !str_starts_nocase(node->text, "0x")
                   ? CLASS_REAL
                   : CLASS_INTEGER;
    case SQL_STRING:
        return CLASS_TEXT;
    case SQL_CONSTANT:
        return class_of_constant(node);
    case SQL_TYPED_STRING:
        return class_of_type(node->children[PAIR_LEFT]->text);
    case SQL_CAST:
        return class_of_type(node->children[PAIR_RIGHT]->text);
    case SQL_INTERVAL:
        return CLASS_OTHER;
    case SQL_COLUMN:
        return class_of_name(translation, node);
    case SQL_UNARY:
        return strcmp(node->text, "NOT") == 0
                   ? CLASS_BOOLEAN
                   : class_of(translation, node->children[SINGLE_VALUE]);
    case SQL_BINARY:
        return class_of_binary(translation, node);
    case SQL_CASE:
        return class_of_case(translation, node);
    case SQL_CALL:
        return class_of_call(translation, node);
    case SQL_EXTRACT:
        return translate_from(translation, "po") ? CLASS_REAL : CLASS_INTEGER;
    case SQL_IS:
    case SQL_IN:
    case SQL_LIKE:
    case SQL_BETWEEN:
    case SQL_EXISTS:
        return CLASS_BOOLEAN;
    default:
        return CLASS_UNKNOWN;
    }
}

enum value_class class_of(struct translation *translation, const struct sql_node *node)
{
    if (!node || translation->depth > CLASS_MAX_DEPTH * 40) {
        return CLASS_UNKNOWN;
    }
    int depth = translation->depth;
    translation->depth += 40; /* an alias may name itself */
    enum value_class class = class_of_kind(translation, node);
    translation->depth = depth;
    return class;
}

bool class_is_date(struct translation *translation, const struct sql_node *node)
{
    enum value_class class = class_of(translation, node);
    if (sql_is(node, SQL_STRING)) {
        return class_of_sample(node->text) != CLASS_OTHER || str_equal(node->text, "now");
    }
    bool texts = translate_to(translation, "s") || !translation->schema;
    return class == CLASS_DATE || class == CLASS_TIMESTAMP || class == CLASS_UNKNOWN ||
           (class == CLASS_TEXT && texts && !class_column(translation, node));
}

static bool outer_visit(void *context, struct sql_node *node)
{
    bool *outer = context;
    *outer |= node->kind == SQL_JOIN && node->variant != JOIN_INNER &&
              node->variant != JOIN_CROSS;
    return !*outer;
}

/* A function that is NULL only when its arguments are. Aggregates are of the rows of a
 * group, and there is at least one. */
static bool call_keeps(const char *name)
{
    static const char *const names[] = {
        "lower",       "upper",     "length",      "char_length", "substr",
        "substring",   "trim",      "round",       "abs",         "date",
        "date_trunc",  "to_char",   "date_format", "strftime",    "year",
        "month",       "day",       "datetime",    "quarter",     "hour",
        "left",        "right",     "concat",      "sum",         "avg",
        "min",         "max",       "len",         "todate",      "tostartofmonth",
        "format_date", "monthname", "dayname",     "datediff"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (str_equal_nocase(names[i], name)) {
            return true;
        }
    }
    return false;
}

static bool call_never_null(struct translation *translation, const struct sql_node *node)
{
    static const char *const never[] = {"count",  "row_number", "rank", "dense_rank",
                                        "random", "rand",       "now"};
    for (size_t i = 0; i < sizeof never / sizeof *never; i++) {
        if (str_equal_nocase(never[i], node->text)) {
            return true;
        }
    }
    const struct sql_node *list = node->children[CALL_ARGUMENTS];
    bool all = call_keeps(node->text) && !node->children[CALL_FILTER];
    bool any = false;
    for (size_t i = 0; i < list->count; i++) {
        bool one = class_never_null(translation, list->children[i]);
        all = all && one;
        any = any || one;
    }
    return all || (any && str_equal_nocase(node->text, "coalesce"));
}

static bool column_never_null(struct translation *translation,
                              const struct sql_node *node)
{
    bool outer = false;
    sql_walk(translation->root, outer_visit, &outer);
    const struct column *column = outer ? NULL : class_column(translation, node);
    return column && (!column->nullable || column->primary);
}

bool class_never_null(struct translation *translation, const struct sql_node *node)
{
    switch (node->kind) {
    case SQL_NUMBER:
    case SQL_STRING:
    case SQL_EXISTS:
        return true;
    case SQL_CONSTANT:
        return !str_equal(node->text, "NULL");
    case SQL_CAST:
        return !sql_has(node, FLAG_SAFE) &&
               class_never_null(translation, node->children[PAIR_LEFT]);
    case SQL_EXTRACT:
    case SQL_UNARY:
        return class_never_null(translation, node->children[SINGLE_VALUE]);
    case SQL_BINARY:
        return !strchr("/%", node->text[0]) &&
               class_never_null(translation, node->children[PAIR_LEFT]) &&
               class_never_null(translation, node->children[PAIR_RIGHT]);
    case SQL_CALL:
        return call_never_null(translation, node);
    case SQL_COLUMN:
        return column_never_null(translation, node);
    default:
        return false;
    }
}
