/* The second judge: what the columns of tables, queries and functions are called. */
#include "sql/guard/guard_second_state.h"

#include <string.h>

#include "base/str.h"

const struct second_column *second_column_named(const struct second_columns *columns,
                                                const char *name)
{
    for (size_t i = 0; i < columns->count; i++) {
        if (columns->items[i].name && str_equal(columns->items[i].name, name)) {
            return &columns->items[i];
        }
    }
    return NULL;
}

static const char *last_part(json_t *list)
{
    for (size_t i = json_array_size(list); i > 0; i--) {
        const char *text = second_part(list, i - 1);
        if (text) {
            return text;
        }
    }
    return NULL;
}

/* Nodes that hand on the name of what they hold. */
static const struct through {
    const char *node;
    const char *holds;
} through[] = {
    {"TypeCast", "arg"},
    {"CollateClause", "arg"},
};

static const struct fixed {
    const char *node;
    const char *name;
} fixed_names[] = {
    {"CoalesceExpr", "coalesce"},
    {"GroupingFunc", "grouping"},
    {"A_ArrayExpr", "array"},
    {"RowExpr", "row"},
};

const char *second_name_of(json_t *value)
{
    json_t *column = json_object_get(value, "ColumnRef");
    if (column) {
        json_t *fields = json_object_get(column, "fields");
        return second_part(fields, json_array_size(fields) - 1);
    }
    json_t *field = json_object_get(value, "A_Indirection");
    if (field) {
        const char *name = last_part(json_object_get(field, "indirection"));
        return name ? name : second_name_of(json_object_get(field, "arg"));
    }
    json_t *call = json_object_get(value, "FuncCall");
    if (call) {
        return last_part(json_object_get(call, "funcname"));
    }
    json_t *least = json_object_get(value, "MinMaxExpr");
    if (least) {
        return str_equal(json_text_at(least, "op"), "IS_LEAST") ? "least" : "greatest";
    }
    json_t *compared = json_object_get(value, "A_Expr");
    if (str_equal(json_text_at(compared, "kind"), "AEXPR_NULLIF")) {
        return "nullif";
    }
    json_t *today = json_object_get(value, "SQLValueFunction");
    if (str_equal(json_text_at(today, "op"), "SVFOP_CURRENT_DATE")) {
        return "current_date";
    }
    for (size_t i = 0; i < sizeof through / sizeof *through; i++) {
        json_t *node = json_object_get(value, through[i].node);
        if (node) {
            return second_name_of(json_object_get(node, through[i].holds));
        }
    }
    for (size_t i = 0; i < sizeof fixed_names / sizeof *fixed_names; i++) {
        if (json_object_get(value, fixed_names[i].node)) {
            return fixed_names[i].name;
        }
    }
    return NULL;
}

/* Columns that every table has, but no view and no foreign table. */
static void add_system_columns(struct second *second, struct second_columns *columns)
{
    static const char *const names[] = {"ctid", "xmin", "xmax", "tableoid"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        VEC_PUSH(second->guard->arena, columns,
                 ((struct second_column){.name = names[i]}));
    }
}

static const struct table *find_table(const struct schema *schema, const char *space,
                                      const char *name, struct arena *arena)
{
    if (space) {
        const struct table *table =
            schema_table(schema, arena_format(arena, "%s.%s", space, name));
        if (table) {
            return table;
        }
    }
    const struct table *table = schema_table(schema, name);
    bool plain = table && str_empty(table->namespace);
    const char *home = schema->home ? schema->home : "public";
    return !space || (plain && str_equal(space, home)) ? table : NULL;
}

const struct second_columns *second_table_columns(struct second *second,
                                                  const char *schema, const char *name)
{
    struct arena *arena = second->guard->arena;
    struct second_columns *columns = ARENA_NEW(arena, struct second_columns);
    *columns = (struct second_columns){.starred = true};
    if (!second->guard->schema) {
        columns->open = true;
        return columns;
    }
    const struct table *table = find_table(second->guard->schema, schema, name, arena);
    for (size_t i = 0; table && i < table->columns.count; i++) {
        const struct column *column = &table->columns.items[i];
        VEC_PUSH(arena, columns,
                 ((struct second_column){.name = column->name,
                                         .type = column->type,
                                         .fields = &column->fields}));
    }
    if (table && !table->is_view) {
        add_system_columns(second, columns);
    }
    return columns;
}

void second_add_all(struct second *second, struct second_columns *to,
                    const struct second_columns *from)
{
    for (size_t i = 0; i < from->count && to->count < GUARD_MAX_NAMES; i++) {
        VEC_PUSH(second->guard->arena, to, from->items[i]);
    }
    to->open = to->open || from->open;
    to->starred = true;
}

const struct second_columns *
second_renamed(struct second *second, const struct second_columns *columns, json_t *names)
{
    size_t count = json_array_size(names);
    if (count == 0) {
        return columns;
    }
    struct arena *arena = second->guard->arena;
    struct second_columns *renamed = ARENA_NEW(arena, struct second_columns);
    *renamed =
        (struct second_columns){.open = columns->open, .starred = columns->starred};
    for (size_t i = 0; i < count || (i < columns->count && !columns->starred); i++) {
        struct second_column column = {0};
        if (!columns->starred && i < columns->count) {
            column = columns->items[i];
        }
        column.name = i < count ? second_part(names, i) : column.name;
        VEC_PUSH(arena, renamed, column);
    }
    return renamed;
}

const struct second_columns *second_values_columns(struct second *second, json_t *rows)
{
    struct arena *arena = second->guard->arena;
    struct second_columns *columns = ARENA_NEW(arena, struct second_columns);
    json_t *first = json_object_get(json_array_get(rows, 0), "List");
    size_t count = json_array_size(json_object_get(first, "items"));
    *columns = (struct second_columns){0};
    for (size_t i = 1; i <= count && i <= GUARD_MAX_NAMES; i++) {
        VEC_PUSH(arena, columns,
                 ((struct second_column){.name = arena_format(arena, "column%zu", i)}));
    }
    return columns;
}

/* Is a type of the list, one of plain values. */
static bool is_plain_type(json_t *type)
{
    const char *name = last_part(json_object_get(type, "names"));
    return name && function_type_known(name);
}

/* A column whose type is a list of plain values. */
static bool is_plain_column(struct second *second, json_t *fields,
                            const struct second_level *level)
{
    size_t count = json_array_size(fields);
    const char *name = count ? second_part(fields, count - 1) : NULL;
    const char *owner = count == 2 ? second_part(fields, 0) : NULL;
    const struct second_relations *all = level ? level->relations : NULL;
    for (size_t i = 0; name && count <= 2 && all && i < all->count; i++) {
        const struct second_column *column =
            !owner || str_equal(all->items[i].alias, owner)
                ? second_column_named(all->items[i].columns, name)
                : NULL;
        if (column && column->type) {
            size_t size = strcspn(column->type, " ([");
            return str_ends(column->type, "[]") &&
                   function_type_known(
                       arena_copy(second->guard->arena, column->type, size));
        }
    }
    return false;
}

/* unnest(x) of a list of rows has the columns of the rows, not the one of its alias. */
static bool is_plain_list(struct second *second, json_t *value,
                          const struct second_level *level)
{
    json_t *list = json_object_get(value, "A_ArrayExpr");
    json_t *cast = json_object_get(value, "TypeCast");
    json_t *call = json_object_get(value, "FuncCall");
    json_t *column = json_object_get(value, "ColumnRef");
    if (cast) {
        return is_plain_type(json_object_get(cast, "typeName"));
    }
    if (column) {
        return is_plain_column(second, json_object_get(column, "fields"), level);
    }
    if (call) {
        const char *name = last_part(json_object_get(call, "funcname"));
        return str_equal(name, "string_to_array") ||
               str_equal(name, "regexp_split_to_array");
    }
    json_t *items = json_object_get(list, "elements");
    for (size_t i = 0; i < json_array_size(items); i++) {
        json_t *item = json_array_get(items, i);
        if (!json_object_get(item, "A_Const") && !is_plain_list(second, item, level)) {
            return false;
        }
    }
    return list != NULL;
}

/* Functions whose columns have names of their own, not that of the alias. */
static const char *own_columns(const char *function)
{
    static const struct {
        const char *ending;
        const char *columns;
    } endings[] = {
        {"_array_elements", "value"}, {"_array_elements_text", "value"},
        {"_each", "key value"},       {"_each_text", "key value"},
        {"_to_record", ""},           {"_to_recordset", ""},
    };
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        if (str_ends(function, endings[i].ending)) {
            return endings[i].columns;
        }
    }
    return NULL;
}

const struct second_columns *second_function_columns(struct second *second, json_t *range,
                                                     const char *alias,
                                                     struct second_place place)
{
    struct arena *arena = second->guard->arena;
    struct second_columns *columns = ARENA_NEW(arena, struct second_columns);
    *columns = (struct second_columns){0};
    json_t *list =
        json_object_get(json_array_get(json_object_get(range, "functions"), 0), "List");
    json_t *call =
        json_object_get(json_array_get(json_object_get(list, "items"), 0), "FuncCall");
    json_t *arguments = json_object_get(call, "args");
    json_t *defined = json_object_get(range, "coldeflist");
    const char *name = last_part(json_object_get(call, "funcname"));
    const char *own = name ? own_columns(name) : "";
    struct texts names = {0};
    str_split(arena, own ? own : "", ' ', &names);
    for (size_t i = 0; own && own[0] && i < names.count; i++) {
        VEC_PUSH(arena, columns, ((struct second_column){.name = names.items[i]}));
    }
    for (size_t i = 0; i < json_array_size(defined); i++) {
        json_t *column = json_object_get(json_array_get(defined, i), "ColumnDef");
        VEC_PUSH(arena, columns,
                 ((struct second_column){.name = json_text_at(column, "colname")}));
    }
    bool list_of_rows =
        str_equal(name, "unnest") &&
        (json_array_size(arguments) != 1 ||
         !is_plain_list(second, json_array_get(arguments, 0), place.level));
    if (!own && !list_of_rows && !json_array_size(defined)) {
        VEC_PUSH(arena, columns, ((struct second_column){.name = alias ? alias : name}));
    }
    if (json_is_true(json_object_get(range, "ordinality"))) {
        VEC_PUSH(arena, columns, ((struct second_column){.name = "ordinality"}));
    }
    return columns;
}
