/* Calls, windows, lists, structs and types as SQL. */
#include "sql/tree/print/print_state.h"

#include <string.h>

static bool is_word(const struct sql_node *argument)
{
    return argument->kind == SQL_ARGUMENT && sql_has(argument, FLAG_KEYWORD);
}

/* position(x IN y): PostgreSQL takes no AND, OR, NOT, IS, IN or LIKE on either side. */
static void sought(struct print *print, const struct sql_node *value)
{
    static const bool operators[SQL_KIND_COUNT] = {
        [SQL_BINARY] = true,  [SQL_UNARY] = true,       [SQL_IS] = true,
        [SQL_IN] = true,      [SQL_LIKE] = true,        [SQL_BETWEEN] = true,
        [SQL_COLLATE] = true, [SQL_AT_TIME_ZONE] = true};
    bool bare = !operators[value->kind];
    print_around(print, bare ? "" : "(", value, bare ? "" : ")");
}

static void arguments(struct print *print, const struct sql_node *list)
{
    bool seeks = list->count == 2 && list->children[0]->kind != SQL_ARGUMENT &&
                 is_word(list->children[1]) && strcmp(list->children[1]->text, "IN") == 0;
    if (seeks) {
        sought(print, list->children[0]);
        print_text(print, " IN ");
        sought(print, list->children[1]->children[SINGLE_VALUE]);
        return;
    }
    for (size_t i = 0; i < list->count; i++) {
        const struct sql_node *one = list->children[i];
        print_text(print, !i ? "" : is_word(one) ? " " : ", ");
        print_node(print, one);
    }
}

static void argument(struct print *print, const struct sql_node *node)
{
    bool word = sql_has(node, FLAG_KEYWORD);
    const struct sql_node *value = node->children[SINGLE_VALUE];
    print_name(print, node->text, sql_has(node, FLAG_QUOTED));
    print_around(print,
                 word                        ? " "
                 : print_dialect(print, "d") ? " := "
                                             : " => ",
                 value, "");
}

static void over(struct print *print, const struct sql_node *node)
{
    print_around(print, " OVER ", node, "");
}

static void call(struct print *print, const struct sql_node *node)
{
    print_text(print, sql_has(node, FLAG_SAFE) ? "SAFE." : "");
    print_named(print, node);
    if (node->children[CALL_PARAMETERS]) {
        print_text(print, "(");
        arguments(print, node->children[CALL_PARAMETERS]);
        print_text(print, ")");
    }
    print_text(print, sql_has(node, FLAG_DISTINCT) ? "(DISTINCT " : "(");
    arguments(print, node->children[CALL_ARGUMENTS]);
    bool inside = print_dialect(print, "bd");
    const char *nulls = sql_has(node, FLAG_IGNORE_NULLS)    ? " IGNORE NULLS"
                        : sql_has(node, FLAG_RESPECT_NULLS) ? " RESPECT NULLS"
                                                            : "";
    print_text(print, inside ? nulls : "");
    const struct sql_node *having = node->children[CALL_HAVING];
    if (having) {
        print_text(print, " HAVING ");
        print_text(print, having->text);
        print_around(print, " ", having->children[SINGLE_VALUE], "");
    }
    print_around(print, " ORDER BY ", node->children[CALL_ORDER], "");
    print_around(print, " SEPARATOR ", node->children[CALL_SEPARATOR], "");
    print_around(print, " LIMIT ", node->children[CALL_LIMIT], "");
    print_around(print, " RETURNING ", node->children[CALL_RETURNING], "");
    print_text(print, ")");
    print_around(print, " WITHIN GROUP (ORDER BY ", node->children[CALL_WITHIN], ")");
    print_around(print, " FILTER (WHERE ", node->children[CALL_FILTER], ")");
    print_text(print, inside ? "" : nulls);
    over(print, node->children[CALL_OVER]);
}

static void window(struct print *print, const struct sql_node *node)
{
    static const struct {
        const char *before;
        size_t slot;
    } parts[] = {{"", WINDOW_BASE},
                 {"PARTITION BY ", WINDOW_PARTITION},
                 {"ORDER BY ", WINDOW_ORDER},
                 {"", WINDOW_FRAME}};
    bool first = true;
    print_text(print, "(");
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (node->children[parts[i].slot]) {
            print_text(print, first ? "" : " ");
            print_around(print, parts[i].before, node->children[parts[i].slot], "");
            first = false;
        }
    }
    print_text(print, ")");
}

static void frame(struct print *print, const struct sql_node *node)
{
    static const char *const excludes[] = {"", " EXCLUDE CURRENT ROW", " EXCLUDE GROUP",
                                           " EXCLUDE TIES", " EXCLUDE NO OTHERS"};
    const struct sql_node *end = node->children[FRAME_END];
    print_text(print, node->text);
    print_around(print, end ? " BETWEEN " : " ", node->children[FRAME_START], "");
    print_around(print, " AND ", end, "");
    print_text(print, excludes[node->variant]);
}

static void frame_bound(struct print *print, const struct sql_node *node)
{
    const struct sql_node *value = node->children[SINGLE_VALUE];
    /* others could begin with a column that is called unbounded */
    bool bare = !value || value->kind == SQL_NUMBER || value->kind == SQL_STRING ||
                value->kind == SQL_INTERVAL || value->kind == SQL_COLUMN ||
                value->kind == SQL_TYPED_STRING || value->kind == SQL_CONSTANT;
    print_around(print, bare ? "" : "(", value, bare ? " " : ") ");
    print_text(print, node->text);
}

static void extract(struct print *print, const struct sql_node *node)
{
    print_text(print, "EXTRACT(");
    print_text(print, node->text);
    print_around(print, " FROM ", node->children[SINGLE_VALUE], ")");
}

static void match_against(struct print *print, const struct sql_node *node)
{
    static const char *const modes[] = {" IN NATURAL LANGUAGE MODE", " IN BOOLEAN MODE",
                                        " WITH QUERY EXPANSION"};
    print_around(print, "MATCH (", node->children[PAIR_LEFT], ") AGAINST (");
    print_node(print, node->children[PAIR_RIGHT]);
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        print_text(print, node->variant & (1 << i) ? modes[i] : "");
    }
    print_text(print, ")");
}

static void array(struct print *print, const struct sql_node *node)
{
    if (node->children[ARRAY_TYPE]) {
        print_node(print, node->children[ARRAY_TYPE]);
    } else {
        print_text(print, node->text ? node->text : "");
    }
    print_around(print, "[", node->children[ARRAY_VALUES], "]");
}

static void array_query(struct print *print, const struct sql_node *node)
{
    print_around(print, "ARRAY(", node->children[SINGLE_VALUE], ")");
}

static void comprehension(struct print *print, const struct sql_node *node)
{
    print_text(print, node->text ? node->text : "");
    print_around(print, "[", node->children[COMPREHENSION_VALUE], " FOR ");
    print_around(print, "", node->children[COMPREHENSION_NAME], " IN ");
    print_node(print, node->children[COMPREHENSION_LIST]);
    print_around(print, " IF ", node->children[COMPREHENSION_IF], "");
    print_text(print, "]");
}

static void structure(struct print *print, const struct sql_node *node)
{
    const struct sql_node *entries = node->children[STRUCT_ENTRIES];
    if (!node->text) {
        print_around(print, "{", entries, "}");
        return;
    }
    if (node->children[STRUCT_TYPE]) {
        print_node(print, node->children[STRUCT_TYPE]);
    } else {
        print_text(print, node->text);
    }
    print_text(print, "(");
    for (size_t i = 0; i < entries->count; i++) {
        print_around(print, i ? ", " : "", entries->children[i]->children[PAIR_RIGHT],
                     "");
        print_around(print, " AS ", entries->children[i]->children[PAIR_LEFT], "");
    }
    print_text(print, ")");
}

static void entry(struct print *print, const struct sql_node *node)
{
    print_around(print, "", node->children[PAIR_LEFT], ": ");
    print_node(print, node->children[PAIR_RIGHT]);
}

static void map(struct print *print, const struct sql_node *node)
{
    print_text(print, "MAP {");
    print_list(print, node, ", ");
    print_text(print, "}");
}

/* An arrow stays an arrow: in DuckDB only the function decides whether it is a lambda or
 * takes a field out of JSON. */
static void lambda(struct print *print, const struct sql_node *node)
{
    const struct sql_node *names = node->children[PAIR_LEFT];
    const struct sql_node *body = node->children[PAIR_RIGHT];
    bool word = sql_has(node, FLAG_KEYWORD);
    bool several = names->count > 1 && !word;
    bool bare = word || !print_dialect(print, "d") || body->kind == SQL_STRING ||
                body->kind == SQL_NUMBER || body->kind == SQL_COLUMN ||
                body->kind == SQL_CALL;
    print_around(print, word ? "lambda " : several ? "(" : "", names, several ? ")" : "");
    print_text(print, word ? ": " : " -> ");
    print_around(print, bare ? "" : "(", body, bare ? "" : ")");
}

static void type(struct print *print, const struct sql_node *node)
{
    static const char *const zones[] = {"", " WITH TIME ZONE", " WITHOUT TIME ZONE"};
    const struct sql_node *list = node->children[TYPE_ARGUMENTS];
    const struct sql_node *set = NULL; /* CHARACTER SET x, the last */
    size_t count = list ? list->count : 0;
    if (count && list->children[count - 1]->kind == SQL_ARGUMENT) {
        set = list->children[--count];
    }
    print_named(print, node);
    bool angles =
        count && print_dialect(print, "b") && list->children[0]->kind != SQL_NUMBER;
    for (size_t i = 0; i < count; i++) {
        print_text(print, i ? ", " : angles ? "<" : "(");
        print_node(print, list->children[i]);
    }
    print_text(print, !count ? "" : angles ? ">" : ")");
    print_text(print, zones[node->variant]);
    print_around(print, " CHARACTER SET ", set ? set->children[SINGLE_VALUE] : NULL, "");
    const struct sql_node *sizes = node->children[TYPE_DIMENSIONS];
    for (size_t i = 0; sizes && i < sizes->count; i++) {
        print_text(print, "[");
        print_text(print, sizes->children[i]->text);
        print_text(print, "]");
    }
}

print_function *const print_call_kinds[SQL_KIND_COUNT] = {
    [SQL_CALL] = call,
    [SQL_ARGUMENT] = argument,
    [SQL_WINDOW] = window,
    [SQL_FRAME] = frame,
    [SQL_FRAME_BOUND] = frame_bound,
    [SQL_EXTRACT] = extract,
    [SQL_MATCH_AGAINST] = match_against,
    [SQL_ARRAY] = array,
    [SQL_ARRAY_QUERY] = array_query,
    [SQL_COMPREHENSION] = comprehension,
    [SQL_STRUCT] = structure,
    [SQL_ENTRY] = entry,
    [SQL_MAP] = map,
    [SQL_LAMBDA] = lambda,
    [SQL_TYPE] = type,
};
