/* The query that shows what a LIMIT cuts off among equals. */
#include "sql/counting/tie.h"

#include "base/arena.h"
#include "base/str.h"
#include "sql/counting/build.h"

enum { LIMIT_MOST = 20, VALUES_MOST = 4 };

/* ORDER BY 2 and ORDER BY sold mean an item; anything else itself. */
static const struct sql_node *ordered_value(const struct sql_resolved *resolved,
                                            const struct sql_node *items,
                                            const struct sql_node *value)
{
    int64_t number = 0;
    if (value->kind == SQL_NUMBER) {
        bool place = str_to_int(value->text, &number) && number >= 1 &&
                     (size_t)number <= items->count;
        return place ? items->children[number - 1]->children[SINGLE_VALUE] : NULL;
    }
    const struct sql_reference *reference =
        value->kind == SQL_COLUMN ? sql_reference_of(resolved, value) : NULL;
    if (reference && reference->state == REFERENCE_OUTPUT) {
        for (size_t i = 0; i < items->count; i++) {
            if (reference->output && reference->output->item == items->children[i]) {
                return items->children[i]->children[SINGLE_VALUE];
            }
        }
        return NULL;
    }
    return value;
}

static bool is_item(const struct sql_node *items, size_t shown,
                    const struct sql_node *value)
{
    for (size_t i = 0; i < shown; i++) {
        if (sql_equal(items->children[i]->children[SINGLE_VALUE], value)) {
            return true;
        }
    }
    return false;
}

static bool small_limit(const struct sql_node *root, int64_t *limit)
{
    const struct sql_node *node = root->children[QUERY_LIMIT];
    return sql_is(node, SQL_NUMBER) && !root->children[QUERY_OFFSET] &&
           !root->children[QUERY_LIMIT_BY] && !sql_has(root, FLAG_WITH_TIES) &&
           str_to_int(node->text, limit) && *limit >= 1 && *limit <= LIMIT_MOST;
}

bool tie_find(struct arena *arena, const struct sql_statement *statement,
              const struct sql_resolved *resolved, size_t more, struct tie *out)
{
    int64_t limit = 0;
    const struct sql_node *from = statement->root;
    if (!sql_is(from, SQL_QUERY) || !sql_is(from->children[QUERY_BODY], SQL_SELECT) ||
        !from->children[QUERY_ORDER] || !small_limit(from, &limit)) {
        return false;
    }
    struct sql_node *root = sql_clone(arena, from);
    struct sql_node *items = root->children[QUERY_BODY]->children[SELECT_ITEMS];
    const struct sql_node *written = from->children[QUERY_BODY]->children[SELECT_ITEMS];
    const struct sql_node *order = from->children[QUERY_ORDER];
    bool distinct = sql_has(from->children[QUERY_BODY], FLAG_DISTINCT);
    size_t shown = items->count;
    if (order->count > VALUES_MOST) {
        return false;
    }
    for (size_t i = 0; i < order->count; i++) {
        const struct sql_node *item = order->children[i];
        const struct sql_node *value =
            sql_is(item, SQL_ORDER_ITEM)
                ? ordered_value(resolved, written, item->children[ORDER_VALUE])
                : NULL;
        if (!value || (distinct && !is_item(items, shown, value))) {
            return false;
        }
        sql_add(arena, items,
                build_item(arena, sql_clone(arena, value),
                           arena_format(arena, "ordered_by_%zu", i + 1)));
    }
    root->children[QUERY_LIMIT] =
        sql_node(arena, SQL_NUMBER,
                 arena_format(arena, "%lld", (long long)limit + (long long)more));
    *out = (struct tie){.limit = (size_t)limit,
                        .values = order->count,
                        .sql = sql_statement_print(arena, statement->dialect, root)};
    return out->sql != NULL;
}
