/*
 * The second judge: names with a dot. PostgreSQL reads x.f as the call f(x) when the
 * relation x has no column f, and (x).f when the value x has no field f. So each must be
 * found, by the rules of PostgreSQL, in what the tree says stands in FROM.
 */
#include "sql/guard/guard_second_state.h"

#include <stdio.h>
#include <string.h>

#include "base/str.h"

static bool refuse_column(struct second *second, json_t *node, const char *owner,
                          const char *name)
{
    return second_refuse(
        second, node,
        "'%.80s.%.80s' is not certain to be a column: it could be a call "
        "of a function.",
        owner ? owner : "", name ? name : "");
}

/* schema.table.column: any table of that name without an alias may be meant. */
static bool check_long_name(struct second *second, json_t *node, json_t *fields,
                            size_t count, const struct second_level *level)
{
    const char *name = second_part(fields, count - 1);
    const char *table = second_part(fields, count - 2);
    bool found = false;
    for (; level; level = level->outer) {
        for (size_t i = 0; i < level->relations->count; i++) {
            const struct second_relation *relation = &level->relations->items[i];
            if (!relation->table || !str_equal(relation->table, table)) {
                continue;
            }
            if (!relation->columns->open &&
                !second_column_named(relation->columns, name)) {
                return refuse_column(second, node, table, name);
            }
            found = true;
        }
    }
    return found || refuse_column(second, node, table, name);
}

static bool check_column(struct second *second, json_t *node, struct second_place place)
{
    json_t *fields = json_object_get(node, "fields");
    size_t count = json_array_size(fields);
    if (count < 2 || json_object_get(json_array_get(fields, count - 1), "A_Star")) {
        return true; /* a bare name is never a call */
    }
    if (count > 2) {
        return check_long_name(second, node, fields, count, place.level);
    }
    const char *owner = second_part(fields, 0);
    const char *name = second_part(fields, 1);
    for (const struct second_level *level = place.level; level; level = level->outer) {
        for (size_t i = 0; i < level->relations->count; i++) {
            const struct second_relation *relation = &level->relations->items[i];
            if (relation->alias && owner && str_equal(relation->alias, owner)) {
                return relation->columns->open ||
                       (name && second_column_named(relation->columns, name)) ||
                       refuse_column(second, node, owner, name);
            }
        }
    }
    return refuse_column(second, node, owner, name);
}

/* What is certain of a column's fields. */
enum knowledge { NO_COLUMN, ROW_OF_TABLE, ANY_FIELDS, THESE_FIELDS };

static enum knowledge column_fields(json_t *names, const struct second_level *level,
                                    const struct texts **fields)
{
    size_t count = json_array_size(names);
    const char *owner = count == 2 ? second_part(names, 0) : NULL;
    const char *name = count ? second_part(names, count - 1) : NULL;
    enum knowledge known = NO_COLUMN;
    *fields = NULL;
    for (; name && count <= 2 && level && known == NO_COLUMN; level = level->outer) {
        bool row = false;
        for (size_t i = 0; i < level->relations->count; i++) {
            const struct second_relation *relation = &level->relations->items[i];
            row = row || (!owner && relation->alias && str_equal(relation->alias, name));
            if (owner && !(relation->alias && str_equal(relation->alias, owner))) {
                continue;
            }
            const struct second_column *column =
                second_column_named(relation->columns, name);
            if (column) {
                *fields = column->fields;
                known = THESE_FIELDS;
            } else if (relation->columns->open && known == NO_COLUMN) {
                known = ANY_FIELDS;
            }
        }
        known = row && known != THESE_FIELDS ? ROW_OF_TABLE : known;
    }
    return known;
}

/* Fields and indexes as the schema writes them: "[].city", "geo.lat". */
struct path {
    const char *all;   /* NULL: a slice or a star is in it */
    const char *field; /* up to the last field; NULL: there is none, or it is not clear */
};

/* Those of nested indirections, the innermost first; returns the value they are of. */
static json_t *flatten(struct second *second, json_t *node, struct path *path)
{
    struct arena *arena = second->guard->arena;
    json_t *value = json_object_get(node, "arg");
    json_t *inner = json_object_get(value, "A_Indirection");
    *path = (struct path){.all = ""};
    if (inner) {
        value = flatten(second, inner, path);
    }
    json_t *list = json_object_get(node, "indirection");
    for (size_t i = 0; i < json_array_size(list); i++) {
        json_t *index = json_object_get(json_array_get(list, i), "A_Indices");
        const char *name = second_part(list, i);
        bool slice = json_is_true(json_object_get(index, "is_slice"));
        if (!path->all || slice || (!index && (!name || strpbrk(name, ".[")))) {
            path->all = NULL;
            path->field = index ? path->field : NULL;
        } else if (index) {
            path->all = str_ends(path->all, "[]")
                            ? path->all
                            : arena_format(arena, "%s[]", path->all);
        } else {
            path->all =
                arena_format(arena, "%s%s%s", path->all, path->all[0] ? "." : "", name);
            path->field = path->all;
        }
    }
    return value;
}

/* f1, f2 … of ROW(a, b) */
static bool is_field_of_row(json_t *row, const char *name)
{
    json_t *values = json_object_get(row, "args");
    for (size_t i = 0; name && i < json_array_size(values); i++) {
        char known[24];
        (void)snprintf(known, sizeof known, "f%zu", i + 1);
        json_t *column = json_object_get(json_array_get(values, i), "ColumnRef");
        json_t *fields = json_object_get(column, "fields");
        size_t last = json_array_size(fields);
        if (last && json_object_get(json_array_get(fields, last - 1), "A_Star")) {
            return false; /* as many as a table has columns */
        }
        if (str_equal(name, known)) {
            return true;
        }
    }
    return false;
}

static bool has_field(json_t *node)
{
    json_t *list = json_object_get(node, "indirection");
    for (size_t i = 0; i < json_array_size(list); i++) {
        if (!json_object_get(json_array_get(list, i), "A_Indices")) {
            return true;
        }
    }
    return false;
}

static bool check_field(struct second *second, json_t *node, struct second_place place)
{
    struct path taken;
    if (!has_field(node)) {
        return true;
    }
    json_t *value = flatten(second, node, &taken);
    const char *path = taken.field;
    if (is_field_of_row(json_object_get(value, "RowExpr"), path)) {
        return true;
    }
    json_t *column = json_object_get(value, "ColumnRef");
    const struct texts *fields = NULL;
    enum knowledge known =
        column ? column_fields(json_object_get(column, "fields"), place.level, &fields)
               : NO_COLUMN;
    bool open = !second->guard->schema &&
                (known == ANY_FIELDS || (known == THESE_FIELDS && fields));
    bool proven = false;
    for (size_t i = 0; path && known == THESE_FIELDS && fields && i < fields->count;
         i++) {
        proven = proven || str_equal(fields->items[i], path);
    }
    return proven || (open && path) ||
           second_refuse(second, column,
                         "A field can be taken only of a column of a composite type: it "
                         "could be a call of a function.");
}

bool second_expressions(struct second *second, json_t *value, struct second_place place)
{
    const char *key;
    json_t *item;
    json_object_foreach(value, key, item)
    {
        if (str_equal(key, "SelectStmt")) {
            if (!second_query(second, item, place)) {
                return false;
            }
            continue;
        }
        if ((str_equal(key, "ColumnRef") && !check_column(second, item, place)) ||
            (str_equal(key, "A_Indirection") && !check_field(second, item, place)) ||
            !second_expressions(second, item, place)) {
            return false;
        }
    }
    for (size_t i = 0; i < json_array_size(value); i++) {
        if (!second_expressions(second, json_array_get(value, i), place)) {
            return false;
        }
    }
    return true;
}

bool second_names(struct second *second, json_t *statement)
{
    static const char *const writes[] = {"InsertStmt", "UpdateStmt", "DeleteStmt"};
    struct second_place place = {0};
    json_t *query = json_object_get(statement, "SelectStmt");
    if (query) {
        return second_query(second, query, place) != NULL;
    }
    for (size_t i = 0; i < sizeof writes / sizeof *writes; i++) {
        json_t *write = json_object_get(statement, writes[i]);
        if (write) {
            struct second_relations changed = {0};
            struct second_level level = {.relations = &changed};
            second_table(second, json_object_get(write, "relation"), &changed);
            place.level = str_equal(writes[i], "InsertStmt") ? NULL : &level;
            return second_expressions(second, write, place);
        }
    }
    return second_refuse(second, statement, "This is not a query.");
}
