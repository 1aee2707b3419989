/* The query that shows what a LIMIT cuts off among equals. */
#include "sql/counting/tie.h"

#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "sql/counting/build.h"

enum { LIMIT_MOST = 20 };

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

/* Which item is the value; `shown`: none of them. */
static size_t item_of(const struct sql_node *items, size_t shown,
                      const struct sql_node *value)
{
    size_t i = 0;
    while (i < shown && !sql_equal(items->children[i]->children[SINGLE_VALUE], value)) {
        i++;
    }
    return i;
}

static bool small_limit(const struct sql_node *root, int64_t *limit)
{
    const struct sql_node *node = root->children[QUERY_LIMIT];
    return sql_is(node, SQL_NUMBER) && !root->children[QUERY_OFFSET] &&
           !root->children[QUERY_LIMIT_BY] && !sql_has(root, FLAG_WITH_TIES) &&
           str_to_int(node->text, limit) && *limit >= 1 && *limit <= LIMIT_MOST;
}

static bool is_ranking(const struct sql_statement *statement, int64_t *limit)
{
    const struct sql_node *root = statement->root;
    return sql_is(root, SQL_QUERY) && sql_is(root->children[QUERY_BODY], SQL_SELECT) &&
           root->children[QUERY_ORDER] && small_limit(root, limit) &&
           root->children[QUERY_ORDER]->count <= TIE_VALUES_MOST;
}

static const struct sql_node *order_value(const struct sql_resolved *resolved,
                                          const struct sql_node *root, size_t i)
{
    const struct sql_node *item = root->children[QUERY_ORDER]->children[i];
    return sql_is(item, SQL_ORDER_ITEM)
               ? ordered_value(resolved,
                               root->children[QUERY_BODY]->children[SELECT_ITEMS],
                               item->children[ORDER_VALUE])
               : NULL;
}

bool tie_find(struct arena *arena, const struct sql_statement *statement,
              const struct sql_resolved *resolved, size_t more, struct tie *out)
{
    int64_t limit = 0;
    if (!is_ranking(statement, &limit)) {
        return false;
    }
    const struct sql_node *from = statement->root;
    struct sql_node *root = sql_clone(arena, from);
    struct sql_node *items = root->children[QUERY_BODY]->children[SELECT_ITEMS];
    const struct sql_node *order = from->children[QUERY_ORDER];
    bool distinct = sql_has(from->children[QUERY_BODY], FLAG_DISTINCT);
    size_t shown = items->count;
    for (size_t i = 0; i < order->count; i++) {
        const struct sql_node *value = order_value(resolved, from, i);
        if (!value || (distinct && item_of(items, shown, value) == shown)) {
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

/* The tree with another number; what is below the root is shared. Only where the text keeps its length,
 * so that all places in it stay right. */
static const struct sql_statement *with_number(struct arena *arena,
                                               const struct sql_statement *statement,
                                               const char *sql, const char *number)
{
    const struct tokens *tokens = &statement->tokens;
    const struct sql_node *old = statement->root->children[QUERY_LIMIT];
    struct sql_statement *made = ARENA_NEW(arena, struct sql_statement);
    struct sql_node *root = ARENA_NEW(arena, struct sql_node);
    struct sql_node *count = sql_node(arena, SQL_NUMBER, number);
    size_t items = tokens->count + LEXER_ENDS;
    struct token *copied = arena_array(arena, items, sizeof *copied);
    *made = *statement;
    *root = *statement->root;
    made->text = sql;
    made->root = root;
    count->start = old->start;
    count->end = old->end;
    root->children = arena_array(arena, root->count, sizeof *root->children);
    memcpy(root->children, statement->root->children,
           root->count * sizeof *root->children);
    root->capacity = root->count;
    root->children[QUERY_LIMIT] = count;
    memcpy(copied, tokens->items, items * sizeof *copied);
    for (size_t i = 0; i < tokens->count; i++) {
        if (copied[i].start == old->start) {
            copied[i].text = number;
        }
    }
    made->tokens.items = copied;
    made->tokens.capacity = items;
    return made;
}

/* FETCH FIRST ROW ONLY has a 1 that is not in the text. */
static bool is_written(const struct sql_statement *statement, const struct sql_node *node)
{
    return node->end - node->start == strlen(node->text) &&
           strncmp(statement->text + node->start, node->text, strlen(node->text)) == 0;
}

bool tie_next(struct arena *arena, const struct sql_statement *statement,
              const struct sql_resolved *resolved, struct tie_next *out)
{
    int64_t limit = 0;
    *out = (struct tie_next){0};
    if (!is_ranking(statement, &limit) ||
        !is_written(statement, statement->root->children[QUERY_LIMIT])) {
        return false;
    }
    const struct sql_node *root = statement->root;
    const struct sql_node *items = root->children[QUERY_BODY]->children[SELECT_ITEMS];
    out->limit = (size_t)limit;
    out->width = items->count;
    out->values = root->children[QUERY_ORDER]->count;
    for (size_t i = 0; i < out->values; i++) {
        const struct sql_node *value = order_value(resolved, root, i);
        out->columns[i] = value ? item_of(items, out->width, value) : out->width;
        if (out->columns[i] == out->width) {
            return false;
        }
    }
    const struct sql_node *count = root->children[QUERY_LIMIT];
    const char *number = arena_format(arena, "%lld", (long long)limit + 1);
    out->sql = arena_format(arena, "%.*s%s%s", (int)count->start, statement->text, number,
                            statement->text + count->end);
    if (strlen(number) == strlen(count->text)) {
        out->statement = with_number(arena, statement, out->sql, number);
    }
    return true;
}
