/*
 * Names of columns that an engine makes from the text of an expression. The text of a
 * narrowed subquery holds conditions and the key of masks, so such an expression gets the
 * name that it would have had without the policy.
 */
#include <string.h>

#include "sql/narrow/narrow_state.h"
#include "sql/tree/print/print.h"

enum { NAME_MOST = 60, NAME_BYTES = 1 << 16 };

/* PostgreSQL and BigQuery name such columns without their text. */
static bool names_from_text(enum dialect dialect)
{
    return dialect != DIALECT_POSTGRES && dialect != DIALECT_BIGQUERY;
}

static bool is_query(void *context, struct sql_node *node)
{
    bool *found = context;
    *found = *found || node->kind == SQL_QUERY;
    return !*found;
}

/* The text of the expression, cut where it is long; `number` tells those apart that begin alike. */
static const char *name_of(struct narrowing *work, const struct sql_node *item,
                           size_t number)
{
    struct buf text;
    buf_init(&text, NAME_BYTES);
    sql_print(&text, work->dialect, item->children[SINGLE_VALUE]);
    bool plain = !text.full && text.size > 0;
    for (size_t i = 0; plain && i < text.size; i++) {
        plain = text.data[i] >= ' ' && text.data[i] <= '~' && text.data[i] != '\\';
    }
    const char *name = !plain ? arena_format(work->arena, "expression %zu", number)
                       : text.size > NAME_MOST
                           ? arena_format(work->arena, "%.48s... %zu", text.data, number)
                           : buf_clone(&text, work->arena);
    buf_release(&text);
    return name;
}

static bool name_items(void *context, struct sql_node *node)
{
    struct narrowing *work = context;
    const struct sql_node *items =
        node->kind == SQL_SELECT ? node->children[SELECT_ITEMS] : NULL;
    for (size_t i = 0; items && i < items->count; i++) {
        struct sql_node *item = items->children[i];
        bool nested = false;
        if (item->kind != SQL_ITEM || item->text) {
            continue;
        }
        sql_walk(item->children[SINGLE_VALUE], is_query, &nested);
        if (nested) {
            narrow_add(work, item->end, item->end,
                       arena_format(work->arena, " AS %s",
                                    narrow_quoted(work->arena, work->dialect,
                                                  name_of(work, item, i + 1), false)));
        }
    }
    return true;
}

void narrow_names(struct narrowing *work)
{
    if (names_from_text(work->dialect)) {
        sql_walk(work->statement.root, name_items, work);
    }
}
