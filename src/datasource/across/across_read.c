/* What a query needs of each table, from the engine's own syntax tree. */
#include <string.h>

#include "base/arena.h"
#include "base/json.h"
#include "base/map.h"
#include "base/str.h"
#include "datasource/across/across_state.h"

/* A place in the query where a table stands. */
struct use {
    size_t need;
    const char *alias; /* or the table's own name */
};

struct uses {
    struct use *items;
    size_t count;
    size_t capacity;
};

struct reading {
    struct across_scope scope;
    struct map names;    /* columns without their table; or what has fields */
    struct map pairs;    /* "o.total" */
    struct map singles;  /* references of one part: a column, or a whole row */
    struct map ctes;     /* names that a WITH gives */
    struct map others;   /* names of what is no table of a source */
    struct texts wholes; /* "t.*" */
    bool all;            /* "*" somewhere, or what cannot be told apart */
    struct uses uses;
    const char *unclear; /* a table without a source, or of none */
    bool bare;
    int position;
};

/* Every object of the tree, from the outside in. */
static void walk(struct reading *reading, const json_t *node,
                 void (*visit)(struct reading *reading, const json_t *node))
{
    size_t index;
    const json_t *item;
    if (json_is_array(node)) {
        json_array_foreach(node, index, item)
        {
            walk(reading, item, visit);
        }
        return;
    }
    if (!json_is_object(node)) {
        return;
    }
    visit(reading, node);
    json_t *object = (json_t *)(uintptr_t)node; /* its walkers take no const */
    for (void *at = json_object_iter(object); at;
         at = json_object_iter_next(object, at)) {
        walk(reading, json_object_iter_value(at), visit);
    }
}

static void cte_read(struct reading *reading, const json_t *node)
{
    size_t index;
    const json_t *item;
    json_array_foreach(json_array_at(json_object_at(node, "cte_map"), "map"), index, item)
    {
        const char *name = json_text_at(item, "key");
        if (name) {
            (void)map_set(&reading->ctes, name, reading);
        }
    }
}

static struct across_need *need_of(struct reading *reading,
                                   const struct across_table *table, size_t *index)
{
    struct across_needs *needs = reading->scope.needs;
    for (*index = 0; *index < needs->count; ++*index) {
        if (needs->items[*index].table == table) {
            return &needs->items[*index];
        }
    }
    struct across_need *need = VEC_ADD(reading->scope.arena, needs);
    *need = (struct across_need){.table = table, .limit = -1};
    need->columns = arena_array(reading->scope.arena, table->table->columns.count + 1,
                                sizeof *need->columns);
    return need;
}

static void table_read(struct reading *reading, const json_t *node)
{
    const char *namespace = json_text_at(node, "schema_name");
    const char *name = json_text_at(node, "table_name");
    const char *alias = json_text_at(node, "alias");
    bool bare = str_empty(namespace);
    if (!name || (bare && map_has(&reading->ctes, name))) {
        (void)map_set(&reading->others, str_or_empty(name), reading);
        (void)map_set(&reading->others, str_or_empty(alias), reading);
        return;
    }
    const struct across_table *table =
        across_table_find(reading->scope.across, namespace, name);
    if (!table || bare || !str_empty(json_text_at(node, "catalog_name"))) {
        if (!reading->unclear) {
            reading->unclear =
                table  ? table->name
                : bare ? name
                       : arena_format(reading->scope.arena, "%s.%s", namespace, name);
            reading->bare = bare;
            reading->position = (int)json_int_at(node, "query_location", -1);
        }
        return;
    }
    size_t index;
    need_of(reading, table, &index)->uses++;
    VEC_PUSH(reading->scope.arena, &reading->uses,
             ((struct use){index, str_empty(alias) ? table->bare : alias}));
}

static void column_read(struct reading *reading, const json_t *node)
{
    const json_t *parts = json_array_at(node, "column_names");
    size_t index;
    const json_t *item;
    const char *before = NULL;
    json_array_foreach(parts, index, item)
    {
        const char *name = str_or_empty(json_string_value(item));
        if (!before) {
            (void)map_set(&reading->names, name, reading);
        } else {
            (void)map_set(&reading->pairs,
                          arena_format(reading->scope.arena, "%s.%s", before, name),
                          reading);
        }
        if (json_array_size(parts) == 1) {
            (void)map_set(&reading->singles, name, reading);
        }
        before = name;
    }
}

static void node_read(struct reading *reading, const json_t *node)
{
    const char *class = str_or_empty(json_text_at(node, "class"));
    const char *type = str_or_empty(json_text_at(node, "type"));
    const char *relation = json_text_at(node, "relation_name");
    size_t index;
    const json_t *item;
    if (strcmp(class, "COLUMN_REF") == 0) {
        column_read(reading, node);
    } else if (strcmp(class, "STAR") == 0 && !str_empty(relation)) {
        VEC_PUSH(reading->scope.arena, &reading->wholes, relation);
    } else if (strcmp(class, "STAR") == 0 || strcmp(class, "POSITIONAL_REFERENCE") == 0 ||
               strcmp(type, "PIVOT") == 0 ||
               str_equal(json_text_at(node, "ref_type"), "NATURAL")) {
        reading->all = true;
    } else if (strcmp(type, "BASE_TABLE") == 0) {
        table_read(reading, node);
    }
    if (strcmp(type, "BASE_TABLE") != 0 && !str_empty(json_text_at(node, "alias"))) {
        (void)map_set(&reading->others, json_text_at(node, "alias"), reading);
    }
    json_array_foreach(json_array_at(node, "using_columns"), index, item)
    {
        if (json_is_string(item)) {
            (void)map_set(&reading->names, json_string_value(item), reading);
        }
    }
}

static void select_read(struct reading *reading, const json_t *node)
{
    if (str_equal(json_text_at(node, "type"), "SELECT_NODE")) {
        across_filters_read(&reading->scope, node);
        across_links_read(&reading->scope, node);
    }
}

static bool column_used(const struct reading *reading, const struct use *use,
                        const char *bare, const char *name)
{
    struct arena *arena = reading->scope.arena;
    return map_has(&reading->names, name) ||
           map_has(&reading->pairs, arena_format(arena, "%s.%s", use->alias, name)) ||
           map_has(&reading->pairs, arena_format(arena, "%s.%s", bare, name));
}

/* Columns by their names, wherever these stand: too many do no harm, one too few would.
 */
static void columns_mark(const struct reading *reading, const struct use *use)
{
    struct across_need *need = &reading->scope.needs->items[use->need];
    const struct columns *columns = &need->table->table->columns;
    bool whole = reading->all || map_has(&reading->singles, use->alias);
    for (size_t i = 0; i < reading->wholes.count; i++) {
        whole = whole || str_equal_nocase(reading->wholes.items[i], use->alias);
    }
    bool any = false;
    for (size_t i = 0; i < columns->count; i++) {
        need->columns[i] =
            need->columns[i] || whole ||
            column_used(reading, use, need->table->bare, columns->items[i].name);
        any = any || need->columns[i];
    }
    need->columns[0] = need->columns[0] || !any; /* rows are counted by something */
}

/* Names that mean one table wherever they stand. */
static void outer_read(struct reading *reading)
{
    const struct uses *uses = &reading->uses;
    for (size_t i = 0; i < uses->count; i++) {
        bool alone = !map_has(&reading->others, uses->items[i].alias);
        for (size_t j = 0; j < uses->count; j++) {
            alone = alone && (i == j || !str_equal_nocase(uses->items[i].alias,
                                                          uses->items[j].alias));
        }
        if (alone) {
            const struct across_need *need =
                &reading->scope.needs->items[uses->items[i].need];
            VEC_PUSH(reading->scope.arena, &reading->scope.outer,
                     ((struct across_relation){uses->items[i].alias, need->table}));
        }
    }
}

static bool unclear_fail(const struct reading *reading, struct err *err)
{
    if (reading->bare && strchr(reading->unclear, '.')) {
        (void)err_set(err, ERR_INVALID_SQL,
                      "Tables of several datasources are written with their source: "
                      "'%s'.",
                      reading->unclear);
    } else {
        (void)err_set(err, ERR_INVALID_SQL, "Table '%s' does not exist.",
                      reading->unclear);
    }
    err->position = reading->position;
    return false;
}

/* "SELECT a, b FROM one.table WHERE … LIMIT 5": the source need not send more. */
static void limit_read(const struct reading *reading, const json_t *statement)
{
    struct across_needs *needs = reading->scope.needs;
    int64_t limit = across_plain_limit(statement);
    if (needs->count == 1 && needs->items[0].uses == 1 && limit >= 0) {
        needs->items[0].limit = limit;
    }
}

bool across_read(const struct across *across, struct arena *arena, const char *tree,
                 struct across_needs *out, struct err *err)
{
    json_t *root = json_parse(arena, tree, strlen(tree), err);
    if (!root) {
        return err_set(err, ERR_INVALID_SQL,
                       "The SQL holds something that is too large.");
    }
    const json_t *statements = json_array_at(root, "statements");
    if (json_bool_at(root, "error", true) || json_array_size(statements) != 1) {
        const char *message = json_text_at(root, "error_message");
        (void)err_set(err, ERR_INVALID_SQL, "The SQL has a syntax error.");
        err->position = (int)json_int_at(root, "position", -1);
        return message ? err_detail(err, "%s", message) : false;
    }
    struct reading reading = {.scope = {.across = across, .arena = arena, .needs = out},
                              .position = -1};
    map_init(&reading.names, true);
    map_init(&reading.pairs, true);
    map_init(&reading.singles, true);
    map_init(&reading.ctes, true);
    map_init(&reading.others, true);
    walk(&reading, statements, cte_read);
    walk(&reading, statements, node_read);
    outer_read(&reading);
    walk(&reading, statements, select_read);
    for (size_t i = 0; i < reading.uses.count; i++) {
        columns_mark(&reading, &reading.uses.items[i]);
    }
    limit_read(&reading, json_array_get(statements, 0));
    across_links_choose(across, out);
    map_release(&reading.names);
    map_release(&reading.pairs);
    map_release(&reading.singles);
    map_release(&reading.ctes);
    map_release(&reading.others);
    return !reading.unclear || unclear_fail(&reading, err);
}
