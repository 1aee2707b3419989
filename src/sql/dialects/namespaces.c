/* The usual namespace of another database before a table: public.stores for SQLite. */
#include <string.h>

#include "base/buf.h"
#include "base/str.h"
#include "base/vec.h"
#include "model/schema.h"
#include "sql/dialects/mend.h"
#include "sql/statement.h"

enum { SQL_MOST = 1 << 20 };

/* Where tables lie in a database that has only one place for them. */
static const char *const usual[] = {"public", "main", "dbo", "default"};

struct cut {
    size_t start;
    size_t end;
};

struct cuts {
    struct cut *items;
    size_t count;
    size_t capacity;
};

struct look {
    struct arena *arena;
    const struct schema *schema;
    struct cuts cuts;
};

static bool is_usual(const char *name)
{
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++) {
        if (str_equal_nocase(usual[i], name)) {
            return true;
        }
    }
    return false;
}

static bool is_namespace(const struct schema *schema, const char *name)
{
    for (size_t i = 0; i < schema->tables.count; i++) {
        if (str_equal_nocase(schema->tables.items[i].namespace, name)) {
            return true;
        }
    }
    return schema->home && str_equal_nocase(schema->home, name);
}

/* Is the table of the last name the only one that can be meant? */
static bool is_spare(const struct look *look, const char *space, const char *name)
{
    const struct table *table = NULL;
    size_t count = 0;
    for (size_t i = 0; i < look->schema->tables.count; i++) {
        const struct table *one = &look->schema->tables.items[i];
        if (str_equal_nocase(one->bare_name, name)) {
            table = one;
            count++;
        }
    }
    return is_usual(space) && !is_namespace(look->schema, space) && count == 1 &&
           table->namespace && !table->namespace[0];
}

static bool look_visit(void *context, struct sql_node *node)
{
    struct look *look = context;
    const struct sql_node *path =
        node->kind == SQL_TABLE ? node->children[TABLE_PATH] : NULL;
    if (node->kind == SQL_COLUMN && node->count == 3) { /* public.stores.id */
        path = node;
    } else if (path && path->count != 2) {
        path = NULL;
    }
    if (path && path->children[0]->end < path->children[1]->start &&
        is_spare(look, path->children[0]->text, path->children[1]->text)) {
        struct cut cut = {path->children[0]->start, path->children[1]->start};
        VEC_PUSH(look->arena, &look->cuts, cut);
    }
    return true;
}

/* The first cut that begins at the place or behind it; NULL: none. */
static const struct cut *next_cut(const struct cuts *cuts, size_t from)
{
    const struct cut *next = NULL;
    for (size_t i = 0; i < cuts->count; i++) {
        const struct cut *cut = &cuts->items[i];
        if (cut->start >= from && (!next || cut->start < next->start)) {
            next = cut;
        }
    }
    return next;
}

const char *mend_namespaces(struct arena *arena, const struct sql_statement *statement,
                            const struct schema *schema)
{
    struct look look = {.arena = arena, .schema = schema};
    if (!statement->root || !schema) {
        return NULL;
    }
    sql_walk(statement->root, look_visit, &look);
    if (!look.cuts.count) {
        return NULL;
    }
    struct buf out;
    buf_init(&out, SQL_MOST);
    size_t copied = 0;
    for (const struct cut *cut = NULL; (cut = next_cut(&look.cuts, copied));
         copied = cut->end) {
        (void)buf_add(&out, statement->text + copied, cut->start - copied);
    }
    (void)buf_add(&out, statement->text + copied, statement->size - copied);
    const char *sql = out.full ? NULL : buf_clone(&out, arena);
    buf_release(&out);
    return sql;
}
