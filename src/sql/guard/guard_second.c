/*
 * The second judge of PostgreSQL's SQL: the tree of its own parser against a list of what
 * may be in it. It knows nothing of how the guard reads text, so a trick would have to
 * work on both.
 */
#include "sql/guard/guard_second_state.h"

#include <ctype.h>
#include <stdarg.h>
#include <string.h>

#include "base/str.h"
#include "base/utf8.h"
#include "sql/guard/pg_parser.h"

bool second_refuse(struct second *second, json_t *node, const char *format, ...)
{
    if (second->refused) {
        return false;
    }
    second->refused = true;
    va_list args;
    va_start(args, format);
    guard_refuse(second->guard, NULL, "%s",
                 arena_vformat(second->guard->arena, format, args));
    va_end(args);
    int64_t at = json_int_at(node, "location", -1); /* in bytes */
    if (at >= 0 && at < (int64_t)strlen(second->sql)) {
        second->guard->out->position = second->offset + (int)at;
    }
    return false;
}

static bool in_list(const char *const *list, size_t count, const char *word)
{
    for (size_t i = 0; i < count; i++) {
        if (str_equal(list[i], word)) {
            return true;
        }
    }
    return false;
}

#define IN_LIST(list, word) in_list(list, sizeof(list) / sizeof *(list), word)

const char *second_part(json_t *list, size_t index)
{
    json_t *string = json_object_get(json_array_get(list, index), "String");
    return json_text_at(string, "sval");
}

/* Functions that the parser itself writes for SQL's own words. */
static bool written_by_parser(const char *name)
{
    static const char *const names[] = {
        "extract",  "timezone",    "position",  "overlay",      "substring",
        "btrim",    "ltrim",       "rtrim",     "date_part",    "similar_to_escape",
        "overlaps", "like_escape", "normalize", "is_normalized"};
    return IN_LIST(names, name);
}

static bool check_function(struct second *second, json_t *node)
{
    json_t *names = json_object_get(node, "funcname");
    size_t count = json_array_size(names);
    const char *name = second_part(names, count ? count - 1 : 0);
    bool own = count == 2 && str_equal(second_part(names, 0), "pg_catalog");
    if (!name || count == 0 || count > 2 || (count == 2 && !own)) {
        return second_refuse(second, node,
                             "Functions of another schema are not allowed.");
    }
    for (const char *c = name; *c; c++) {
        if (isupper((unsigned char)*c)) { /* "Lower" is not lower */
            return second_refuse(second, node, "The function %.60s is not known.", name);
        }
    }
    const char *why = function_danger(name);
    bool listed =
        own ? written_by_parser(name) : function_find(DIALECT_POSTGRES, name) != NULL;
    if (listed && !function_kind(name)) {
        return true;
    }
    return second_refuse(second, node, "The function %.60s is not allowed%s%s.", name,
                         why ? ": " : "", why ? why : "");
}

static bool check_operator(struct second *second, json_t *node, const char *key)
{
    static const char *const operators[] = {
        "+",   "-",  "*",  "/",  "%",   "^",   "=",   "<",   ">",    "<=", ">=",  "<>",
        "||",  "~",  "~*", "!~", "!~*", "~~",  "~~*", "!~~", "!~~*", "->", "->>", "#>",
        "#>>", "@>", "<@", "?",  "?|",  "?&",  "&&",  "@@",  "@?",   "|/", "||/", "@",
        "&",   "|",  "#",  "<<", ">>",  "<->", "-|-", "^@",  "#-"};
    static const char *const kinds[] = {"BETWEEN", "NOT BETWEEN", "BETWEEN SYMMETRIC",
                                        "NOT BETWEEN SYMMETRIC"};
    json_t *names = json_object_get(node, key);
    const char *name = second_part(names, 0);
    if (!names) {
        return true;
    }
    if (json_array_size(names) == 1 && name &&
        (IN_LIST(operators, name) || IN_LIST(kinds, name))) {
        return true;
    }
    return second_refuse(second, node, "The operator %.20s is not allowed.",
                         name ? name : "");
}

static bool check_value_function(struct second *second, json_t *node)
{
    static const char *const times[] = {
        "SVFOP_CURRENT_DATE",      "SVFOP_CURRENT_TIME",        "SVFOP_CURRENT_TIME_N",
        "SVFOP_CURRENT_TIMESTAMP", "SVFOP_CURRENT_TIMESTAMP_N", "SVFOP_LOCALTIME",
        "SVFOP_LOCALTIME_N",       "SVFOP_LOCALTIMESTAMP",      "SVFOP_LOCALTIMESTAMP_N"};
    const char *op = json_text_at(node, "op");
    return (op && IN_LIST(times, op)) ||
           second_refuse(second, node,
                         "A word is not allowed: it describes the session.");
}

/* Types that look names up in the catalog, open files or hold state. */
static bool check_type(struct second *second, json_t *node)
{
    static const char *const refused[] = {"xml", "oid", "refcursor", "name", "cstring"};
    json_t *names = json_object_get(node, "names");
    size_t count = json_array_size(names);
    const char *name = count ? second_part(names, count - 1) : NULL;
    bool own = count < 2 || str_equal(second_part(names, 0), "pg_catalog");
    if (!name || !own || str_starts(name, "reg") || str_starts(name, "pg_") ||
        IN_LIST(refused, name)) {
        return second_refuse(second, node, "The type '%.60s' is not allowed in a cast.",
                             name ? name : "");
    }
    return true;
}

static bool in_texts(const struct texts *texts, const char *name)
{
    for (size_t i = 0; i < texts->count; i++) {
        const char *dot = strrchr(texts->items[i], '.');
        if (str_equal_nocase(texts->items[i], name) ||
            (dot && str_equal_nocase(dot + 1, name))) {
            return true;
        }
    }
    return false;
}

/* Both parsers must find the same tables: a table that only one of them finds would
 * bypass the policy. */
static bool check_relation(struct second *second, json_t *node)
{
    static const char *const schemas[] = {"pg_catalog", "information_schema", "pg_toast"};
    const char *schema = json_text_at(node, "schemaname");
    const char *name = json_text_at(node, "relname");
    if (!name || (schema && IN_LIST(schemas, schema)) ||
        (schema && str_starts(schema, "pg_"))) {
        return second_refuse(second, node, "The table '%.80s' is not allowed.",
                             name ? name : "");
    }
    if (in_texts(&second->guard->out->tables, name) ||
        (!schema && in_texts(&second->ctes, name))) {
        return true;
    }
    return second_refuse(second, node,
                         "The table '%.80s' stands where no table is expected.", name);
}

static bool check_sample(struct second *second, json_t *node)
{
    json_t *names = json_object_get(node, "method");
    const char *name = second_part(names, 0);
    bool known = json_array_size(names) == 1 &&
                 (str_equal(name, "bernoulli") || str_equal(name, "system"));
    return known || second_refuse(second, node, "This kind of sampling is not allowed.");
}

static bool check_expression(struct second *second, json_t *node)
{
    return check_operator(second, node, "name");
}

static bool check_sublink(struct second *second, json_t *node)
{
    return check_operator(second, node, "operName");
}

static bool check_delete(struct second *second, json_t *node)
{
    return !json_object_get(node, "usingClause") ||
           second_refuse(second, node, "Only a plain DELETE can be approved.");
}

/* The nodes that may be in the tree; those with a check need more than to be here. */
static const struct node_rule {
    const char *name;
    bool (*check)(struct second *second, json_t *node);
    bool write; /* only in a write that is to be approved */
} rules[] = {
    {"A_ArrayExpr", NULL, false},
    {"A_Const", NULL, false},
    {"A_Expr", check_expression, false},
    {"A_Indices", NULL, false},
    {"A_Indirection", NULL, false},
    {"A_Star", NULL, false},
    {"BitString", NULL, false},
    {"BoolExpr", NULL, false},
    {"Boolean", NULL, false},
    {"BooleanTest", NULL, false},
    {"CaseExpr", NULL, false},
    {"CaseWhen", NULL, false},
    {"CoalesceExpr", NULL, false},
    {"CollateClause", NULL, false},
    {"ColumnDef", NULL, false},
    {"ColumnRef", NULL, false},
    {"CommonTableExpr", NULL, false},
    {"DeleteStmt", check_delete, true},
    {"Float", NULL, false},
    {"FuncCall", check_function, false},
    {"GroupingFunc", NULL, false},
    {"GroupingSet", NULL, false},
    {"InsertStmt", NULL, true},
    {"Integer", NULL, false},
    {"JoinExpr", NULL, false},
    {"List", NULL, false},
    {"MinMaxExpr", NULL, false},
    {"NamedArgExpr", NULL, false},
    {"NullTest", NULL, false},
    {"RangeFunction", NULL, false},
    {"RangeSubselect", NULL, false},
    {"RangeTableSample", check_sample, false},
    {"RangeVar", check_relation, false},
    {"ResTarget", NULL, false},
    {"RowExpr", NULL, false},
    {"SQLValueFunction", check_value_function, false},
    {"SelectStmt", NULL, false},
    {"SetToDefault", NULL, true},
    {"SortBy", NULL, false},
    {"String", NULL, false},
    {"SubLink", check_sublink, false},
    {"TypeCast", NULL, false},
    {"TypeName", check_type, false},
    {"UpdateStmt", NULL, true},
    {"WindowDef", NULL, false},
};

/* Parts of nodes that write, lock or name an operator. */
static const char *const refused_fields[] = {
    "intoClause",       "lockingClause", "returningList", "returningClause",
    "onConflictClause", "useOp",         "is_rowsfrom"};

static bool check_node(struct second *second, const char *name, json_t *node)
{
    bool write = second->guard->out->verdict == GUARD_WRITE;
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        if (str_equal(rules[i].name, name)) {
            if (rules[i].write && !write) {
                break;
            }
            return !rules[i].check || rules[i].check(second, node);
        }
    }
    return second_refuse(second, node, "%.60s is not allowed in a query.", name);
}

static bool walk(struct second *second, json_t *value);

static bool walk_object(struct second *second, json_t *object)
{
    const char *key;
    json_t *value;
    json_object_foreach(object, key, value)
    {
        if (isupper((unsigned char)key[0])) {
            if (!check_node(second, key, value)) {
                return false;
            }
        } else if (IN_LIST(refused_fields, key)) {
            return second_refuse(second, value, "%.60s is not allowed in a query.", key);
        } else if (str_equal(key, "typeName") && !check_type(second, value)) {
            return false; /* stands without its name */
        } else if (str_equal(key, "relation") && json_object_get(value, "relname") &&
                   !check_relation(second, value)) {
            return false; /* what a write changes */
        }
        if (!walk(second, value)) {
            return false;
        }
    }
    return true;
}

static bool walk(struct second *second, json_t *value)
{
    if (json_is_object(value)) {
        return walk_object(second, value);
    }
    for (size_t i = 0; i < json_array_size(value); i++) {
        if (!walk(second, json_array_get(value, i))) {
            return false;
        }
    }
    return true;
}

static void find_ctes(struct second *second, json_t *value)
{
    const char *key;
    json_t *item;
    json_object_foreach(value, key, item)
    {
        if (str_equal(key, "ctename") && json_is_string(item)) {
            guard_note(second->guard, &second->ctes,
                       arena_text(second->guard->arena, json_string_value(item)));
        }
        find_ctes(second, item);
    }
    for (size_t i = 0; i < json_array_size(value); i++) {
        find_ctes(second, json_array_get(value, i));
    }
}

/* Characters from 1, as the parser counts them, into bytes from 0. */
static int byte_of(const char *sql, int character)
{
    size_t size = strlen(sql);
    size_t at = 0;
    for (int i = 1; i < character && at < size; i++) {
        uint32_t code;
        at += utf8_next(sql + at, size - at, &code);
    }
    return character > 0 && at < size ? (int)at : -1;
}

static void judge(void *context, const struct pg_parse *parse)
{
    struct second *second = context;
    struct guard_result *out = second->guard->out;
    if (!parse->tree) {
        guard_refuse(second->guard, NULL,
                     "PostgreSQL's own parser does not accept it: %.200s.",
                     parse->message);
        int at = byte_of(second->sql, parse->position);
        out->position = at < 0 ? at : second->offset + at;
        out->unparsable = true;
        return;
    }
    json_t *statements = json_object_get(parse->tree, "stmts");
    if (json_array_size(statements) != 1) {
        (void)second_refuse(second, NULL, "Only one statement at a time is allowed.");
        return;
    }
    json_t *statement = json_object_get(json_array_get(statements, 0), "stmt");
    bool write = out->verdict == GUARD_WRITE;
    if (!json_object_get(statement, "SelectStmt") && !write) {
        (void)second_refuse(second, NULL, "This is not a query.");
        return;
    }
    find_ctes(second, statement);
    (void)(walk(second, statement) && second_names(second, statement));
}

void guard_second(struct guard *guard, const char *sql, size_t offset)
{
    if (guard->dialect != DIALECT_POSTGRES || !pg_parser_available()) {
        return;
    }
    struct second second = {.guard = guard, .sql = sql, .offset = (int)offset};
    if (strlen(sql) > PG_PARSER_MAX_BYTES) {
        guard_refuse(guard, NULL, "The query is too long: %d bytes are allowed.",
                     PG_PARSER_MAX_BYTES);
    } else if (!pg_parser_run(sql, judge, &second)) {
        guard_refuse(guard, NULL, "The query could not be checked: out of memory.");
    }
}
