/*
 * ClickHouse: `user`, `database` and `schema` call the functions of these names where
 * nothing else is called so. Which columns a subquery has is not tracked there, so each
 * such name must be a column of a table that is read, or be given in the statement.
 */
#include "sql/guard/guard_state.h"

#include "base/str.h"

static const char *const names[] = {"user", "database", "schema"};

struct session_look {
    struct guard *guard;
    const struct sql_node *candidate;
    bool inside;
    const struct sql_node *column; /* that could be such a call */
    const char *name;
    bool given;
};

static bool find_self(void *context, struct sql_node *node)
{
    struct session_look *look = context;
    look->inside = look->inside || node == look->candidate;
    return !look->inside;
}

/* SELECT user AS user: an alias does not give the name that it is made of. */
static bool holds_candidate(struct session_look *look, struct sql_node *node)
{
    look->inside = false;
    sql_walk(node, find_self, look);
    return look->inside;
}

/* An alias, a parameter of a lambda, a common table expression … ClickHouse minds the
 * case of names. */
static bool find_giver(void *context, struct sql_node *node)
{
    struct session_look *look = context;
    bool value = node->kind == SQL_COLUMN || node->kind == SQL_STRING ||
                 node->kind == SQL_CALL || node->kind == SQL_FIELD;
    if (!look->given && !value && node->text && str_equal(node->text, look->name)) {
        look->given = !holds_candidate(look, node);
    }
    return !look->given && node->kind != SQL_COLUMN;
}

static bool table_gives(const struct guard *guard, const char *name)
{
    const struct texts *tables = &guard->out->tables;
    for (size_t i = 0; i < tables->count; i++) {
        const struct table *table = schema_table(guard->schema, tables->items[i]);
        const struct column *column = table ? table_column(table, name) : NULL;
        if (column && str_equal(column->name, name)) {
            return true;
        }
    }
    return false;
}

static bool find_call(void *context, struct sql_node *node)
{
    struct session_look *look = context;
    bool plain = node->kind == SQL_COLUMN && node->count == 1;
    for (size_t i = 0; plain && !look->column && i < sizeof names / sizeof *names; i++) {
        look->name = node->children[0]->text;
        look->given = !str_equal_nocase(names[i], look->name) ||
                      table_gives(look->guard, look->name);
        look->candidate = node;
        if (!look->given) {
            sql_walk(look->guard->statement->root, find_giver, look);
        }
        look->column = look->given ? NULL : node;
    }
    return !look->column;
}

bool guard_session(struct guard *guard)
{
    struct session_look look = {.guard = guard};
    if (!guard->schema || !guard_dialect(guard, "c")) {
        return true; /* without a schema no column is known */
    }
    sql_walk(guard->statement->root, find_call, &look);
    return !look.column ||
           guard_refuse(guard, guard_first(guard, look.column),
                        "%.60s is no column here, and a function that describes the "
                        "session.",
                        look.name);
}
