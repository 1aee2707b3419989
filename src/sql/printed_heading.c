/* Columns keep the names that an engine made from the text of the query. */
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "sql/printed_state.h"

enum { HEADING_MAX = 64 /* bytes of a name in MySQL */ };

struct headings {
    struct printed *printed;
    bool write; /* else only look whether one is needed */
    bool needed;
    const struct sql_node *select; /* the query that the ORDER BY below belongs to */
    struct sql_node *order;
};

/* Does the engine make names of columns from the text of the query? */
static bool names_from_text(enum dialect dialect)
{
    return dialect == DIALECT_SQLITE || dialect == DIALECT_MYSQL;
}

static bool has_own_name(const struct sql_node *value)
{
    return value->kind == SQL_COLUMN || value->kind == SQL_STAR ||
           value->kind == SQL_STRING;
}

static bool printed_heading_is_plain(const char *text, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if (text[i] < ' ' || text[i] > '~' || text[i] == '\\') {
            return false;
        }
    }
    return true;
}

struct search {
    const char *name;
    bool found;
};

static bool look_for(void *context, struct sql_node *node)
{
    struct search *search = context;
    if (node->kind == SQL_COLUMN && node->count == 1) {
        search->found =
            search->found || str_equal_nocase(node->children[0]->text, search->name);
    }
    return !search->found;
}

/* Does a clause that sees the names of the result ask for this one? Today it means a column
 * of a table; it would then mean the result. */
static bool is_asked_for(const struct headings *headings, const struct sql_node *select,
                         const char *name)
{
    static const size_t slots[] = {SELECT_WHERE, SELECT_GROUP, SELECT_HAVING,
                                   SELECT_WINDOWS, SELECT_QUALIFY};
    struct search search = {.name = name};
    for (size_t i = 0; i < sizeof slots / sizeof *slots; i++) {
        sql_walk(select->children[slots[i]], look_for, &search);
    }
    if (headings->select == select) {
        sql_walk(headings->order, look_for, &search);
    }
    return search.found;
}

/* What an item without a name is called by the engine, when that is not what it would be
 * called as we print it; else NULL. */
static const char *heading_of(const struct printed *printed, const struct sql_node *item)
{
    size_t size = item->end - item->start;
    if (item->kind != SQL_ITEM || item->text || size == 0 || size > HEADING_MAX ||
        has_own_name(item->children[SINGLE_VALUE])) {
        return NULL;
    }
    const char *written = arena_copy(printed->arena, printed->text + item->start, size);
    bool comment = strstr(written, "/*") || strstr(written, "--") || strchr(written, '#');
    bool same = str_equal(printed_one(printed->arena, printed->dialect, item), written);
    return comment || same || !printed_heading_is_plain(written, size) ? NULL : written;
}

/* SELECT a+b is a column "a+b", and other parts of the statement may ask for that name.
 * Printed it would be "a + b": it gets the name it had. */
static bool keep_headings(void *context, struct sql_node *node)
{
    struct headings *headings = context;
    if (node->kind == SQL_QUERY) {
        headings->select = node->children[QUERY_BODY];
        headings->order = node->children[QUERY_ORDER];
    }
    if (node->kind != SQL_SELECT) {
        return true;
    }
    const struct sql_node *items = node->children[SELECT_ITEMS];
    for (size_t i = 0; i < items->count; i++) {
        struct sql_node *item = items->children[i];
        const char *heading = heading_of(headings->printed, item);
        if (heading && !is_asked_for(headings, node, heading)) {
            headings->needed = true;
            item->text = headings->write ? heading : item->text;
            item->flags |= headings->write ? FLAG_QUOTED : 0;
        }
    }
    return true;
}

void printed_headings(struct printed *printed)
{
    struct headings headings = {.printed = printed};
    if (!names_from_text(printed->dialect)) {
        return;
    }
    sql_walk(printed->root, keep_headings, &headings);
    if (headings.needed) { /* the tree is the caller's: ours is a copy of it */
        printed->root = sql_clone(printed->arena, printed->root);
        headings = (struct headings){.printed = printed, .write = true};
        sql_walk(printed->root, keep_headings, &headings);
    }
}
