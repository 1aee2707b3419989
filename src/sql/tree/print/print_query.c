/* Queries and writes as SQL. */
#include "sql/tree/print/print_state.h"

#include <string.h>

static void query_limit(struct print *print, const struct sql_node *query)
{
    const struct sql_node *limit = query->children[QUERY_LIMIT];
    const struct sql_node *offset = query->children[QUERY_OFFSET];
    bool ties = sql_has(query, FLAG_WITH_TIES);
    if (sql_has(query, FLAG_FETCH)) {
        bool bare = !offset || offset->kind == SQL_NUMBER;
        print_around(print, bare ? " OFFSET " : " OFFSET (", offset,
                     bare ? " ROWS" : ") ROWS");
        bool number = limit && limit->kind == SQL_NUMBER;
        print_around(print, number ? " FETCH FIRST " : " FETCH FIRST (", limit,
                     number ? " ROWS" : ") ROWS");
        print_text(print, !limit ? "" : ties ? " WITH TIES" : " ONLY");
        return;
    }
    bool bare = !limit || limit->kind == SQL_NUMBER || !print_dialect(print, "d");
    /* DuckDB reads LIMIT 50 % a as 50 percent */
    print_around(print, bare ? " LIMIT " : " LIMIT (", limit,
                 sql_has(query, FLAG_PERCENT) ? "%"
                 : bare                       ? ""
                                              : ")");
    print_around(print, " OFFSET ", offset, "");
    print_text(print, ties ? " WITH TIES" : "");
}

static bool has_tail(const struct sql_node *query)
{
    return query->children[QUERY_ORDER] || query->children[QUERY_LIMIT_BY] ||
           query->children[QUERY_LIMIT] || query->children[QUERY_OFFSET];
}

/* ClickHouse counts ORDER BY and LIMIT to the SELECT before them, which makes that a query
 * inside of the one with WITH or UNION. Behind WITH it takes no parentheses. */
static bool is_bare_query(const struct print *print, const struct sql_node *node)
{
    return print_dialect(print, "c") && node->kind == SQL_QUERY && has_tail(node) &&
           !node->children[QUERY_WITH];
}

static void query(struct print *print, const struct sql_node *node)
{
    if (node->children[QUERY_WITH]) {
        print_text(print, sql_has(node, FLAG_RECURSIVE) ? "WITH RECURSIVE " : "WITH ");
        print_list(print, node->children[QUERY_WITH], ", ");
        print_text(print, " ");
    }
    bool nested = node->children[QUERY_BODY]->kind == SQL_QUERY &&
                  !(node->children[QUERY_WITH] && !has_tail(node) &&
                    is_bare_query(print, node->children[QUERY_BODY]));
    print_around(print, nested ? "(" : "", node->children[QUERY_BODY], nested ? ")" : "");
    print_around(print, " ORDER BY ", node->children[QUERY_ORDER], "");
    print_around(print, " LIMIT ", node->children[QUERY_LIMIT_BY], "");
    query_limit(print, node);
}

static void list(struct print *print, const struct sql_node *node)
{
    if (sql_has(node, FLAG_GROUP_ALL)) {
        print_text(print, "ALL");
    }
    print_list(print, node, ", ");
    if (node->text) { /* GROUP BY a WITH ROLLUP */
        print_text(print, " WITH ");
        print_text(print, node->text);
    }
}

static void select_options(struct print *print, const struct sql_node *node)
{
    print_text(print, sql_has(node, FLAG_DISTINCT) ? " DISTINCT" : "");
    print_around(print, " ON (", node->children[SELECT_DISTINCT_ON], ")");
    print_around(print, " TOP ", node->children[SELECT_TOP], "");
    print_text(print, sql_has(node, FLAG_AS_STRUCT)  ? " AS STRUCT"
                      : sql_has(node, FLAG_AS_VALUE) ? " AS VALUE"
                                                     : "");
}

static void print_query_select(struct print *print, const struct sql_node *node)
{
    static const struct {
        const char *before;
        size_t slot;
    } clauses[] = {
        {" FROM ", SELECT_FROM},       {" PREWHERE ", SELECT_PREWHERE},
        {" WHERE ", SELECT_WHERE},     {" GROUP BY ", SELECT_GROUP},
        {" HAVING ", SELECT_HAVING},   {" WINDOW ", SELECT_WINDOWS},
        {" QUALIFY ", SELECT_QUALIFY},
    };
    print_text(print, "SELECT");
    select_options(print, node);
    print_text(print, node->children[SELECT_ITEMS]->count ? " " : "");
    print_node(print, node->children[SELECT_ITEMS]);
    for (size_t i = 0; i < sizeof clauses / sizeof *clauses; i++) {
        if (clauses[i].slot == SELECT_WINDOWS && node->children[SELECT_WINDOWS]) {
            const struct sql_node *windows = node->children[SELECT_WINDOWS];
            for (size_t j = 0; j < windows->count; j++) {
                print_text(print, j ? ", " : clauses[i].before);
                print_named(print, windows->children[j]);
                print_around(print, " AS ", windows->children[j], "");
            }
        } else {
            print_around(print, clauses[i].before, node->children[clauses[i].slot], "");
        }
    }
    const struct sql_node *sample = node->children[SELECT_SAMPLE];
    if (sample) {
        const char *unit = sql_has(sample, FLAG_PERCENT) ? "%" : " ROWS";
        print_text(print, " USING SAMPLE ");
        print_text(print, sample->text ? sample->text : "");
        print_around(print, sample->text ? "(" : "", sample->children[SINGLE_VALUE],
                     unit);
        print_text(print, sample->text ? ")" : "");
    }
}

static void values(struct print *print, const struct sql_node *node)
{
    print_text(print, "VALUES ");
    for (size_t i = 0; i < node->count; i++) {
        print_text(print, i ? ", (" : "(");
        print_list(print, node->children[i], ", ");
        print_text(print, ")");
    }
}

static bool is_intersect(const struct sql_node *node)
{
    return strcmp(node->text, "INTERSECT") == 0;
}

static void set_operand(struct print *print, const struct sql_node *parent, size_t side)
{
    const struct sql_node *node = parent->children[side];
    bool tighter = node->kind == SQL_SET_OPERATION && is_intersect(node) &&
                   !is_intersect(parent) && !print_dialect(print, "s");
    bool same =
        node->kind == SQL_SET_OPERATION && side == PAIR_LEFT &&
        (print_dialect(print, "s") || !is_intersect(parent) || is_intersect(node));
    bool bare = node->kind == SQL_SELECT || node->kind == SQL_VALUES || tighter || same ||
                (side == PAIR_LEFT && is_bare_query(print, node));
    print_around(print, bare ? "" : "(", node, bare ? "" : ")");
}

static void set_operation(struct print *print, const struct sql_node *node)
{
    set_operand(print, node, PAIR_LEFT);
    print_text(print, " ");
    print_text(print, node->text);
    print_text(print, sql_has(node, FLAG_ALL)        ? " ALL"
                      : sql_has(node, FLAG_DISTINCT) ? " DISTINCT"
                                                     : "");
    print_text(print, sql_has(node, FLAG_BY_NAME) ? " BY NAME " : " ");
    set_operand(print, node, PAIR_RIGHT);
}

static void cte(struct print *print, const struct sql_node *node)
{
    print_named(print, node);
    print_around(print, " (", node->children[CTE_COLUMNS], ")");
    print_text(print, " AS ");
    if (sql_has(node, FLAG_MATERIALIZED)) {
        print_text(print,
                   sql_has(node, FLAG_NOT) ? "NOT MATERIALIZED " : "MATERIALIZED ");
    }
    print_around(print, "(", node->children[CTE_BODY], ")");
}

static void cte_value(struct print *print, const struct sql_node *node)
{
    print_node(print, node->children[SINGLE_VALUE]);
    print_text(print, " AS ");
    print_named(print, node);
}

static void item(struct print *print, const struct sql_node *node)
{
    print_node(print, node->children[SINGLE_VALUE]);
    if (node->text) {
        print_text(print, " AS ");
        if (sql_has(node, FLAG_RAW)) {
            print_string(print, node->text);
        } else {
            print_named(print, node);
        }
    }
}

static void star(struct print *print, const struct sql_node *node)
{
    const struct sql_node *of = node->children[STAR_OF];
    bool number = sql_is(of, SQL_FIELD) && of->text[0] >= '0' && of->text[0] <= '9';
    bool bare =
        (sql_is(of, SQL_COLUMN) && !node->variant) || (sql_is(of, SQL_FIELD) && !number);
    print_around(print, bare ? "" : "(", of, bare ? "." : ").");
    print_text(print, "*");
    const struct sql_node *options = node->children[STAR_OPTIONS];
    for (size_t i = 0; options && i < options->count; i++) {
        const struct sql_node *option = options->children[i];
        print_text(print, option->kind == SQL_STAR_REPLACE  ? " REPLACE ("
                          : option->kind == SQL_STAR_RENAME ? " RENAME ("
                          : print_dialect(print, "d")       ? " EXCLUDE ("
                                                            : " EXCEPT (");
        print_list(print, option, ", ");
        print_text(print, ")");
    }
}

static void order_item(struct print *print, const struct sql_node *node)
{
    print_around(print, "", node->children[ORDER_VALUE], "");
    print_text(print, sql_has(node, FLAG_ALL) ? "ALL" : "");
    print_text(print, sql_has(node, FLAG_DESC) ? " DESC" : "");
    print_text(print, sql_has(node, FLAG_NULLS_FIRST)  ? " NULLS FIRST"
                      : sql_has(node, FLAG_NULLS_LAST) ? " NULLS LAST"
                                                       : "");
    print_around(print, " WITH FILL", node->children[ORDER_FILL], "");
}

static void fill(struct print *print, const struct sql_node *node)
{
    print_around(print, " FROM ", node->children[FILL_FROM], "");
    print_around(print, " TO ", node->children[FILL_TO], "");
    print_around(print, " STEP ", node->children[FILL_STEP], "");
}

static void grouping_sets(struct print *print, const struct sql_node *node)
{
    print_text(print, "GROUPING SETS (");
    print_list(print, node, ", ");
    print_text(print, ")");
}

static void limit_by(struct print *print, const struct sql_node *node)
{
    print_around(print, "", node->children[LIMIT_BY_OFFSET], ", ");
    print_node(print, node->children[LIMIT_BY_COUNT]);
    print_around(print, " BY ", node->children[LIMIT_BY_VALUES], "");
}

static void insert(struct print *print, const struct sql_node *node)
{
    print_around(print, "INSERT INTO ", node->children[INSERT_TABLE], "");
    print_around(print, " (", node->children[INSERT_COLUMNS], ")");
    print_around(print, " ", node->children[INSERT_SOURCE], "");
}

static void update(struct print *print, const struct sql_node *node)
{
    print_around(print, "UPDATE ", node->children[UPDATE_TABLE], " SET ");
    print_node(print, node->children[UPDATE_ASSIGNMENTS]);
    print_around(print, " WHERE ", node->children[UPDATE_WHERE], "");
}

static void delete_rows(struct print *print, const struct sql_node *node)
{
    print_around(print, "DELETE FROM ", node->children[DELETE_TABLE], "");
    print_around(print, " WHERE ", node->children[DELETE_WHERE], "");
}

static void assignment(struct print *print, const struct sql_node *node)
{
    print_around(print, "", node->children[PAIR_LEFT], " = ");
    print_node(print, node->children[PAIR_RIGHT]);
}

static void default_value(struct print *print, const struct sql_node *node)
{
    (void)node;
    print_text(print, "DEFAULT");
}

print_function *const print_query_kinds[SQL_KIND_COUNT] = {
    [SQL_QUERY] = query,
    [SQL_SELECT] = print_query_select,
    [SQL_VALUES] = values,
    [SQL_SET_OPERATION] = set_operation,
    [SQL_INSERT] = insert,
    [SQL_UPDATE] = update,
    [SQL_DELETE] = delete_rows,
    [SQL_ASSIGNMENT] = assignment,
    [SQL_DEFAULT] = default_value,
    [SQL_LIST] = list,
    [SQL_CTE] = cte,
    [SQL_CTE_VALUE] = cte_value,
    [SQL_ITEM] = item,
    [SQL_STAR] = star,
    [SQL_ORDER_ITEM] = order_item,
    [SQL_FILL] = fill,
    [SQL_GROUPING_SETS] = grouping_sets,
    [SQL_LIMIT_BY] = limit_by,
};
