/*
 * What ClickHouse understood of a statement. EXPLAIN AST shows it as it was read: every
 * kind of part and every function must be known, every table must stand where the guard
 * saw one. EXPLAIN QUERY TREE shows it with all names looked up: which tables are read
 * behind IN, what an alias, a star or APPLY stands for.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "clickhouse_judge.h"

enum { NAME_MOST = 100 };

/* Parts that only queries have. A part that is not here is a finding until somebody has
 * looked at it: Set are settings, QueryParameter is {name:Type}. */
static const char *const parts[] = {"SelectWithUnionQuery",
                                    "SelectIntersectExceptQuery",
                                    "SelectQuery",
                                    "ExpressionList",
                                    "Subquery",
                                    "WithElement",
                                    "Identifier",
                                    "Literal",
                                    "Asterisk",
                                    "QualifiedAsterisk",
                                    "ColumnsRegexpMatcher",
                                    "ColumnsListMatcher",
                                    "QualifiedColumnsRegexpMatcher",
                                    "QualifiedColumnsListMatcher",
                                    "ColumnsTransformerList",
                                    "ColumnsExceptTransformer",
                                    "ColumnsReplaceTransformer",
                                    "ColumnsReplaceTransformer::Replacement",
                                    "ColumnsApplyTransformer",
                                    "TablesInSelectQuery",
                                    "TablesInSelectQueryElement",
                                    "TableExpression",
                                    "TableIdentifier",
                                    "TableJoin",
                                    "ArrayJoin",
                                    "OrderByElement",
                                    "WindowDefinition",
                                    "WindowListElement",
                                    "SampleRatio",
                                    "InterpolateElement",
                                    "Function"};

/* What operators and words of SQL are called, besides the functions of the guard's list.
 */
static const char *const others[] = {"lambda",
                                     "tuple",
                                     "array",
                                     "map",
                                     "plus",
                                     "minus",
                                     "multiply",
                                     "divide",
                                     "modulo",
                                     "intDiv",
                                     "negate",
                                     "equals",
                                     "notEquals",
                                     "less",
                                     "greater",
                                     "lessOrEquals",
                                     "greaterOrEquals",
                                     "isNotDistinctFrom",
                                     "isDistinctFrom",
                                     "and",
                                     "or",
                                     "not",
                                     "xor",
                                     "like",
                                     "notLike",
                                     "ilike",
                                     "notILike",
                                     "match",
                                     "in",
                                     "notIn",
                                     "globalIn",
                                     "globalNotIn",
                                     "nullIn",
                                     "notNullIn",
                                     "globalNullIn",
                                     "globalNotNullIn",
                                     "exists",
                                     "isNull",
                                     "isNotNull",
                                     "concat",
                                     "arrayElement",
                                     "tupleElement",
                                     "CAST",
                                     "_CAST",
                                     "if",
                                     "multiIf",
                                     "caseWithExpression",
                                     "toIntervalSecond",
                                     "toIntervalMinute",
                                     "toIntervalHour",
                                     "toIntervalDay",
                                     "toIntervalWeek",
                                     "toIntervalMonth",
                                     "toIntervalQuarter",
                                     "toIntervalYear",
                                     "toIntervalMillisecond",
                                     "toIntervalMicrosecond",
                                     "toIntervalNanosecond",
                                     "trimBoth",
                                     "trimLeft",
                                     "trimRight",
                                     "singleValueOrNull",
                                     "values",
                                     "SQLStandardValues",
                                     "toTimeZone",
                                     "localtime"}; /* the clock, as a word */

/* What the engine puts into a tree for itself: nothingNull, nothingNullMap … stand for
 * aggregates of what has no values. */
static bool is_engines_own(const char *name)
{
    return str_equal(name, "__getScalar") || str_equal(name, "nested") ||
           str_starts(name, "nothing");
}

struct look {
    const struct guard_result *judged;
    char *what;
    const struct texts *real; /* names of listed functions; NULL: as they are written */
    bool *used; /* places of the guard's that were seen; NULL: not counted */
    const struct texts *all_types; /* of the engine */
};

static void wrong(struct look *look, const char *what, const char *name)
{
    if (!look->what[0]) {
        (void)snprintf(look->what, WHAT_SIZE, "%s %s", what, name);
    }
}

static bool among(const char *const *texts, size_t count, const char *text)
{
    for (size_t i = 0; i < count; i++) {
        if (str_equal(texts[i], text)) {
            return true;
        }
    }
    return false;
}

/* Without the database: names of other databases stay as they are. */
static const char *home_name(const char *name)
{
    return str_starts(name, "shop.") ? name + strlen("shop.") : name;
}

/* From `from` to the end given, or the end of the line. */
static void name_cut(const char *from, const char *end, char out[NAME_MOST])
{
    const char *stop = strstr(from, end);
    const char *line = strchr(from, '\n');
    size_t size = stop && (!line || stop < line) ? (size_t)(stop - from)
                  : line                         ? (size_t)(line - from)
                                                 : strlen(from);
    (void)snprintf(out, NAME_MOST, "%.*s", (int)(size < NAME_MOST ? size : NAME_MOST - 1),
                   from);
}

/* f(DISTINCT x) is read as fDistinct(x), and fIf(DISTINCT x) understood as fDistinctIf.
 */
static bool distinct_listed(const struct look *look, const char *name)
{
    static const char ending[] = "Distinct";
    char plain[NAME_MOST];
    const char *at = strstr(name, ending);
    if (!at || at == name) {
        return false;
    }
    (void)snprintf(plain, sizeof plain, "%.*s%s", (int)(at - name), name,
                   at + strlen(ending));
    return vocabulary_listed(DIALECT_CLICKHOUSE, plain) ||
           (look->real && among(look->real->items, look->real->count, plain));
}

static void call_check(struct look *look, const char *name)
{
    /* f(SELECT (x)), a query to the guard, is read as a call of a function of this name,
     * and so is COLUMNS(): neither is there, so neither is called */
    bool nothing = str_equal_nocase(name, "select") || str_equal_nocase(name, "columns");
    if ((!look->real && nothing) || among(others, sizeof others / sizeof *others, name) ||
        vocabulary_listed(DIALECT_CLICKHOUSE, name) || distinct_listed(look, name) ||
        (look->real &&
         (is_engines_own(name) || among(look->real->items, look->real->count, name)))) {
        return;
    }
    wrong(look, "calls the function", name);
}

/* The guard does not mind the case of a name; what the engine looked up must be it. */
static bool same_table(const struct look *look, const char *told, const char *name)
{
    return look->real ? str_equal(home_name(told), home_name(name))
                      : str_equal_nocase(home_name(told), home_name(name));
}

/* A place of the guard's for this table; where they are counted, each is found once. */
static bool place_find(struct look *look, const char *name, bool set)
{
    const struct guard_places *places = &look->judged->places;
    for (size_t i = 0; i < places->count; i++) {
        if (same_table(look, places->items[i].name, name) &&
            places->items[i].set == set && !(look->used && look->used[i])) {
            if (look->used) {
                look->used[i] = true;
            }
            return true;
        }
    }
    return false;
}

/* ------------------------------------------------------------------ as it was read */

static void part_check(struct look *look, const char *at)
{
    char kind[NAME_MOST];
    char name[NAME_MOST];
    const char *rest = strpbrk(at, " \n");
    (void)snprintf(kind, sizeof kind, "%.*s", (int)(rest ? rest - at : 0), at);
    if (!among(parts, sizeof parts / sizeof *parts, kind)) {
        wrong(look, "has a part of the kind", kind);
        return;
    }
    name_cut(rest + (*rest == ' '), " (", name);
    if (str_equal(kind, "Function")) {
        call_check(look, name);
    } else if (str_equal(kind, "TableIdentifier") &&
               !among(look->judged->ctes.items, look->judged->ctes.count, name) &&
               !place_find(look, name, false)) {
        wrong(look, "reads, at a place that the guard did not see, the table", name);
    }
}

/* Types that hold nothing but data. What others are read from a text with is code of the
 * engine that nobody has looked at: the inside of an aggregate, say. */
static const char *const types[] = {
    "Array",    "BFloat16",  "BIGINT",     "BINARY",     "BIT",        "BLOB",
    "Bool",     "Boolean",   "BYTE",       "BYTEA",      "CHAR",       "CHARACTER",
    "CLOB",     "Date",      "Date32",     "DateTime",   "DateTime32", "DateTime64",
    "DEC",      "Decimal",   "Decimal128", "Decimal256", "Decimal32",  "Decimal64",
    "DOUBLE",   "Enum",      "Enum16",     "Enum8",      "FIXED",      "FixedString",
    "FLOAT",    "Float32",   "Float64",    "GEOMETRY",   "INT",        "INT1",
    "Int128",   "Int16",     "Int256",     "Int32",      "Int64",      "Int8",
    "INTEGER",  "IPv4",      "IPv6",       "JSON",       "LONGTEXT",   "LowCardinality",
    "Map",      "MEDIUMINT", "MEDIUMTEXT", "NCHAR",      "Nullable",   "NUMERIC",
    "NVARCHAR", "REAL",      "SIGNED",     "SMALLINT",   "String",     "TEXT",
    "Time",     "Time64",    "TIMESTAMP",  "TINYINT",    "TINYTEXT",   "Tuple",
    "UInt128",  "UInt16",    "UInt256",    "UInt32",     "UInt64",     "UInt8",
    "UNSIGNED", "UUID",      "VARBINARY",  "VARCHAR",    "VARCHAR2",   "Variant",
    "YEAR"};

/* Of what is no type at all the engine says so. */
static bool type_known(const struct look *look, const char *name)
{
    bool real = false;
    for (size_t i = 0; i < look->all_types->count && !real; i++) {
        real = str_equal_nocase(look->all_types->items[i], name);
    }
    for (size_t i = 0; i < sizeof types / sizeof *types && real; i++) {
        real = !str_equal_nocase(types[i], name);
    }
    return !real;
}

/* \'Enum(\\'a\\' = 1)\': words of it, but for those in quotes and names of fields. */
static void type_check(struct look *look, const char *at)
{
    static const char letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    while (*at && *at != '\'' && *at != '\n') {
        if (str_starts(at, "\\'")) { /* a text in it, up to its end */
            const char *end = strstr(at + 2, "\\'");
            at = end ? end + 2 : at + 2;
            continue;
        }
        char name[NAME_MOST];
        size_t size = strspn(at, letters);
        (void)snprintf(name, sizeof name, "%.*s", (int)size, at);
        bool number = *at >= '0' && *at <= '9';
        bool field = at[size] == ' ' && strspn(at + size + 1, letters) > 0;
        if (size && !number && !field && !type_known(look, name)) {
            wrong(look, "casts to the type", name);
        }
        at += size ? size : 1;
    }
}

/* The last argument of a function whose line this is: it stands two levels deeper. */
static const char *last_argument(const char *line)
{
    size_t depth = strspn(line, " ");
    const char *last = NULL;
    while ((line = strchr(line, '\n'))) {
        line++;
        size_t own = strspn(line, " ");
        if (own > 0 && own <= depth) {
            break;
        }
        last = own == depth + 2 ? line + own : last;
    }
    return last;
}

/* CAST(x, 'T'), JSONExtract(x, 'T'): what a type is must not be computed. */
static void cast_check(struct look *look, const char *line, const char *at)
{
    static const char *const casts[] = {"Function CAST ", "Function _CAST ",
                                        "Function JSONExtract "};
    static const char text[] = "Literal '";
    for (size_t i = 0; i < sizeof casts / sizeof *casts; i++) {
        const char *last = str_starts(at, casts[i]) ? last_argument(line) : NULL;
        if (last && str_starts(last, text)) {
            type_check(look, last + strlen(text));
        } else if (last) {
            wrong(look, "casts to", "a computed type");
        }
    }
}

/* x BETWEEN a AND b is read as x >= a AND x <= b, and each SELECT of a UNION gets what
 * WITH says: there a table may stand more often than it is written. */
static bool places_count(const struct guard_result *judged)
{
    return judged->sql && !strcasestr(judged->sql, "between") &&
           !strcasestr(judged->sql, "with");
}

void clickhouse_syntax_check(const char *text, const struct guard_result *judged,
                             const struct texts *all_types, char what[WHAT_SIZE])
{
    struct arena *arena = arena_new();
    struct look look = {.judged = judged, .what = what, .all_types = all_types};
    if (places_count(judged)) {
        look.used = arena_array(arena, judged->places.count + 1, sizeof(bool));
    }
    if (!str_starts(text, "Select")) { /* FORMAT and INTO OUTFILE are EXPLAIN's too */
        wrong(&look, "is no query, or its answer", "goes elsewhere");
    }
    for (const char *line = text; line && *line; line = strchr(line, '\n')) {
        line += *line == '\n';
        const char *at = line + strspn(line, " ");
        /* a name with the end of a line in it goes on at the beginning of the next */
        if (*at && *at != '\n' && (at > line || line == text)) {
            part_check(&look, at);
            cast_check(&look, line, at);
        }
    }
    arena_free(arena);
}

/* ------------------------------------------------------------------ as it was understood
 */

/* Tables behind IN stand in the list of a function's arguments, others in a FROM. */
static void table_check(struct look *look, const char *line, bool argument)
{
    char name[NAME_MOST];
    const char *at = strstr(line, "table_name: ");
    name_cut(at ? at + strlen("table_name: ") : line, ",", name);
    bool nowhere =
        str_equal(name, "system.one") || /* what SELECT without FROM reads */
        str_starts(name, "_temporary_and_external_tables._tmp_"); /* WITH RECURSIVE */
    if (argument ? !place_find(look, name, true)
                 : !nowhere && !place_find(look, name, false)) {
        wrong(look, argument ? "reads behind IN the table" : "reads the table", name);
    }
}

static void node_check(struct look *look, const char *at, bool argument)
{
    static const char called[] = "function_name: ";
    char name[NAME_MOST];
    const char *end = strchr(at, '\n');
    if (str_starts(at, "TABLE id:")) {
        table_check(look, at, argument);
    } else if (str_starts(at, "FUNCTION id:") || str_starts(at, "TABLE_FUNCTION id:")) {
        const char *from = strstr(at, called);
        bool here = from && (!end || from < end);
        name_cut(here ? from + strlen(called) : at, ",", name);
        call_check(look, name);
    } else if (str_starts(at, "SETTINGS")) {
        wrong(look, "has", "settings");
    }
}

void clickhouse_tree_check(const char *text, const struct guard_result *judged,
                           const struct texts *real, char what[WHAT_SIZE])
{
    enum { STEP = 2, DEPTH_MOST = 1000 };
    static bool lists[DEPTH_MOST]; /* by depth: the line around is a list of arguments */
    struct look look = {.judged = judged, .what = what, .real = real};
    for (const char *line = text; line && *line; line = strchr(line, '\n')) {
        line += *line == '\n';
        const char *at = line + strspn(line, " ");
        size_t depth = (size_t)(at - line) / STEP;
        if (depth < DEPTH_MOST) {
            lists[depth] = str_starts(at, "LIST id:");
            node_check(&look, at, depth > 0 && lists[depth - 1]);
        }
    }
}
