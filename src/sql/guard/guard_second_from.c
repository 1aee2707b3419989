/*
 * The second judge: queries and what stands in their FROM, with the rules of PostgreSQL
 * for what each place sees: a subquery sees its neighbours only with LATERAL, a function
 * always does, and a join's condition sees what is joined.
 */
#include "sql/guard/guard_second_state.h"

#include "base/str.h"

static void add_relation(struct second *second, struct second_relations *out,
                         struct second_relation relation)
{
    if (out->count < GUARD_MAX_RELATIONS) {
        VEC_PUSH(second->guard->arena, out, relation);
    } else {
        (void)second_refuse(second, NULL, "The query names too many tables or columns.");
    }
}

static void add_relations(struct second *second, struct second_relations *out,
                          const struct second_relations *more)
{
    for (size_t i = 0; more && i < more->count; i++) {
        add_relation(second, out, more->items[i]);
    }
}

/* Adds the relation under its alias, whose list may call its columns otherwise. */
static void add_aliased(struct second *second, struct second_relations *out,
                        json_t *alias, const struct second_columns *columns)
{
    add_relation(second, out,
                 (struct second_relation){
                     .alias = json_text_at(alias, "aliasname"),
                     .columns = second_renamed(second, columns,
                                               json_object_get(alias, "colnames"))});
}

void second_table(struct second *second, json_t *range, struct second_relations *out)
{
    const char *name = json_text_at(range, "relname");
    const char *schema = json_text_at(range, "schemaname");
    json_t *alias = json_object_get(range, "alias");
    const struct second_columns *columns = second_table_columns(second, schema, name);
    if (alias) {
        add_aliased(second, out, alias, columns);
    } else {
        add_relation(
            second, out,
            (struct second_relation){
                .alias = name, .table = name, .schema = schema, .columns = columns});
    }
}

static bool from_name(struct second *second, json_t *range, const struct second_cte *ctes,
                      struct second_relations *out)
{
    const char *name = json_text_at(range, "relname");
    bool bare = !json_text_at(range, "schemaname");
    for (const struct second_cte *cte = ctes; bare && cte; cte = cte->outer) {
        if (str_equal(cte->name, name)) {
            json_t *alias = json_object_get(range, "alias");
            if (alias) {
                add_aliased(second, out, alias, cte->columns);
            } else {
                add_relation(
                    second, out,
                    (struct second_relation){.alias = name, .columns = cte->columns});
            }
            return true;
        }
    }
    second_table(second, range, out);
    return true;
}

static bool second_from(struct second *second, json_t *item, struct second_place outer,
                        const struct second_relations *left,
                        struct second_relations *out);

static bool from_join(struct second *second, json_t *join, struct second_place outer,
                      const struct second_relations *left, struct second_relations *out)
{
    struct second_relations joined = {0};
    struct second_relations before = {0};
    if (!second_from(second, json_object_get(join, "larg"), outer, left, &joined)) {
        return false;
    }
    add_relations(second, &before, left);
    add_relations(second, &before, &joined);
    if (!second_from(second, json_object_get(join, "rarg"), outer, &before, &joined)) {
        return false;
    }
    struct second_level level = {.outer = outer.level, .relations = &joined};
    struct second_place inside = {.level = &level, .ctes = outer.ctes};
    if (!second_expressions(second, json_object_get(join, "quals"), inside)) {
        return false;
    }
    json_t *alias = json_object_get(join, "alias");
    if (!alias) {
        add_relations(second, out, &joined);
        return true;
    }
    struct second_columns *all = ARENA_NEW(second->guard->arena, struct second_columns);
    *all = (struct second_columns){0};
    for (size_t i = 0; i < joined.count; i++) {
        second_add_all(second, all, joined.items[i].columns);
    }
    add_aliased(second, out, alias, all);
    return true;
}

/* Adds the relations of one item; `left` are those before it. */
static bool second_from(struct second *second, json_t *item, struct second_place outer,
                        const struct second_relations *left, struct second_relations *out)
{
    json_t *sample = json_object_get(item, "RangeTableSample");
    item = sample ? json_object_get(sample, "relation") : item;
    struct second_level beside = {.outer = outer.level, .relations = left};
    struct second_place seeing = {.level = &beside, .ctes = outer.ctes};
    json_t *node;
    if ((node = json_object_get(item, "RangeVar"))) {
        return from_name(second, node, outer.ctes, out);
    }
    if ((node = json_object_get(item, "JoinExpr"))) {
        return from_join(second, node, outer, left, out);
    }
    json_t *alias;
    if ((node = json_object_get(item, "RangeSubselect"))) {
        bool lateral = json_is_true(json_object_get(node, "lateral"));
        const struct second_columns *columns = second_query(
            second, json_object_get(json_object_get(node, "subquery"), "SelectStmt"),
            lateral ? seeing : outer);
        if (columns) {
            add_aliased(second, out, json_object_get(node, "alias"), columns);
        }
        return columns != NULL;
    }
    if ((node = json_object_get(item, "RangeFunction"))) {
        alias = json_object_get(node, "alias");
        json_t *functions = json_object_get(node, "functions");
        json_t *list = json_object_get(json_array_get(functions, 0), "List");
        json_t *call = json_object_get(json_array_get(json_object_get(list, "items"), 0),
                                       "FuncCall");
        json_t *names = json_object_get(call, "funcname");
        const char *name = json_text_at(alias, "aliasname");
        const struct second_columns *columns =
            second_function_columns(second, node, name, seeing);
        add_relation(
            second, out,
            (struct second_relation){
                .alias = name ? name : second_part(names, json_array_size(names) - 1),
                .columns =
                    second_renamed(second, columns, json_object_get(alias, "colnames"))});
        return second_expressions(second, functions, seeing);
    }
    return second_refuse(second, item, "This cannot stand in FROM.");
}

/* The fields of a column that is handed on as it is; an empty list when nothing is known
 * of any, as without a schema. */
static const struct texts *handed_fields(json_t *fields,
                                         const struct second_relations *from)
{
    static const struct texts unknown = {0};
    const struct texts *found = NULL;
    size_t count = json_array_size(fields);
    const char *owner = count == 2 ? second_part(fields, 0) : NULL;
    for (size_t i = 0; count && count <= 2 && i < from->count; i++) {
        const struct second_relation *relation = &from->items[i];
        if (owner && !str_equal(relation->alias, owner)) {
            continue;
        }
        const struct second_column *column =
            second_column_named(relation->columns, second_part(fields, count - 1));
        if (column) {
            return column->fields;
        }
        found = relation->columns->open ? &unknown : found;
    }
    return found;
}

/* The columns of the select list, stars written out. */
static const struct second_columns *select_columns(struct second *second, json_t *list,
                                                   const struct second_relations *from)
{
    struct arena *arena = second->guard->arena;
    struct second_columns *columns = ARENA_NEW(arena, struct second_columns);
    *columns = (struct second_columns){0};
    for (size_t i = 0; i < json_array_size(list); i++) {
        json_t *item = json_object_get(json_array_get(list, i), "ResTarget");
        json_t *value = json_object_get(item, "val");
        json_t *fields = json_object_get(json_object_get(value, "ColumnRef"), "fields");
        size_t count = json_array_size(fields);
        bool star = count && json_object_get(json_array_get(fields, count - 1), "A_Star");
        const char *of = star && count > 1 ? second_part(fields, count - 2) : NULL;
        const char *name = json_text_at(item, "name");
        for (size_t k = 0; star && k < from->count; k++) {
            if (!of || str_equal(from->items[k].alias, of)) {
                second_add_all(second, columns, from->items[k].columns);
            }
        }
        if (!star) {
            VEC_PUSH(arena, columns,
                     ((struct second_column){.name = name ? name : second_name_of(value),
                                             .fields = handed_fields(fields, from)}));
        }
    }
    return columns;
}

/* WITH: each query sees those before it, with RECURSIVE itself and those behind, too. */
static bool with_clause(struct second *second, json_t *with, struct second_place *place)
{
    static const struct second_columns none = {0};
    struct arena *arena = second->guard->arena;
    json_t *list = json_object_get(with, "ctes");
    bool recursive = json_is_true(json_object_get(with, "recursive"));
    struct second_cte *made = arena_array(arena, json_array_size(list) + 1, sizeof *made);
    for (size_t i = 0; i < json_array_size(list); i++) {
        json_t *node = json_object_get(json_array_get(list, i), "CommonTableExpr");
        made[i] = (struct second_cte){.name = json_text_at(node, "ctename"),
                                      .columns = &none,
                                      .outer = i ? &made[i - 1] : place->ctes};
    }
    for (size_t i = 0; i < json_array_size(list); i++) {
        json_t *node = json_object_get(json_array_get(list, i), "CommonTableExpr");
        json_t *query = json_object_get(json_object_get(node, "ctequery"), "SelectStmt");
        json_t *names = json_object_get(node, "aliascolnames");
        struct second_place inside = {.level = place->level,
                                      .ctes = recursive ? &made[json_array_size(list) - 1]
                                                        : made[i].outer};
        json_t *first = json_object_get(query, "larg");
        if (recursive && first) { /* it names the columns of the rest */
            const struct second_columns *columns = second_query(second, first, inside);
            made[i].columns = columns ? second_renamed(second, columns, names) : &none;
        }
        const struct second_columns *columns = second_query(second, query, inside);
        if (!columns) {
            return false;
        }
        made[i].columns = second_renamed(second, columns, names);
    }
    place->ctes = json_array_size(list) ? &made[json_array_size(list) - 1] : place->ctes;
    return true;
}

/* Parts of a SELECT whose expressions see all of its FROM. */
static const char *const parts[] = {
    "distinctClause", "targetList",  "whereClause", "groupClause", "havingClause",
    "windowClause",   "valuesLists", "sortClause",  "limitOffset", "limitCount"};

const struct second_columns *second_query(struct second *second, json_t *query,
                                          struct second_place place)
{
    struct second_relations from = {0};
    json_t *left = json_object_get(query, "larg");
    if (!query || !with_clause(second, json_object_get(query, "withClause"), &place)) {
        (void)second_refuse(second, query, "This is not a query.");
        return NULL;
    }
    const struct second_columns *columns = NULL;
    if (left) { /* UNION and its like: the first one names the columns */
        columns = second_query(second, left, place);
        if (!columns || !second_query(second, json_object_get(query, "rarg"), place)) {
            return NULL;
        }
    }
    json_t *items = json_object_get(query, "fromClause");
    for (size_t i = 0; i < json_array_size(items); i++) {
        struct second_relations more = {0};
        if (!second_from(second, json_array_get(items, i), place, &from, &more)) {
            return NULL;
        }
        add_relations(second, &from, &more);
    }
    struct second_level level = {.outer = place.level, .relations = &from};
    struct second_place inside = {.level = &level, .ctes = place.ctes};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (!second_expressions(second, json_object_get(query, parts[i]), inside)) {
            return NULL;
        }
    }
    json_t *rows = json_object_get(query, "valuesLists");
    return columns ? columns
           : rows  ? second_values_columns(second, rows)
                   : select_columns(second, json_object_get(query, "targetList"), &from);
}
