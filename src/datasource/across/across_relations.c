/* What stands behind FROM, and which of it a column belongs to. */
#include <string.h>

#include "base/arena.h"
#include "base/json.h"
#include "base/str.h"
#include "datasource/across/across_state.h"

void across_relations_read(const struct across_scope *scope, const json_t *from,
                           struct across_relations *out)
{
    const char *type = str_or_empty(json_text_at(from, "type"));
    const char *alias = json_text_at(from, "alias");
    if (strcmp(type, "JOIN") == 0) {
        const char *join = str_or_empty(json_text_at(from, "join_type"));
        const char *reference = str_or_empty(json_text_at(from, "ref_type"));
        out->outer = out->outer || strcmp(join, "INNER") != 0;
        out->strange = out->strange || strcmp(reference, "ASOF") == 0 ||
                       strcmp(reference, "POSITIONAL") == 0;
        across_relations_read(scope, json_object_at(from, "left"), out);
        across_relations_read(scope, json_object_at(from, "right"), out);
        return;
    }
    const struct across_table *table = NULL;
    const char *namespace = json_text_at(from, "schema_name");
    if (strcmp(type, "BASE_TABLE") == 0 && !str_empty(namespace)) {
        table = across_table_find(scope->across, namespace,
                                  str_or_empty(json_text_at(from, "table_name")));
    }
    out->strange = out->strange || json_object_at(from, "sample");
    VEC_PUSH(scope->arena, out,
             ((struct across_relation){!str_empty(alias) ? alias
                                       : table           ? table->bare
                                                         : "",
                                       table}));
}

const struct across_relation *across_relation_of(const struct across_relations *relations,
                                                 const json_t *reference,
                                                 const struct column **column)
{
    const json_t *parts = json_array_at(reference, "column_names");
    size_t count = json_array_size(parts);
    const struct across_relation *found = NULL;
    const char *name = count ? json_string_value(json_array_get(parts, count - 1)) : NULL;
    const char *owner = count == 2 ? json_string_value(json_array_get(parts, 0)) : NULL;
    if (!name || count > 2 ||
        !str_equal(json_text_at(reference, "class"), "COLUMN_REF")) {
        return NULL;
    }
    for (size_t i = 0; i < relations->count; i++) {
        const struct across_relation *relation = &relations->items[i];
        if (owner && !str_equal_nocase(relation->alias, owner)) {
            continue;
        }
        if (!relation->table) {
            return NULL; /* who knows which columns it has */
        }
        const struct column *here = table_column(relation->table->table, name);
        if (here && found) {
            return NULL;
        }
        if (here) {
            found = relation;
            *column = here;
        }
    }
    return found;
}

struct across_need *across_need_of(struct across_needs *needs,
                                   const struct across_table *table)
{
    for (size_t i = 0; i < needs->count; i++) {
        if (needs->items[i].table == table) {
            return &needs->items[i];
        }
    }
    return NULL;
}
