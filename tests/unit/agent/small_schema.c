/* Schemas for the unit tests. */
#include "unit/agent/small_schema.h"

#include <string.h>

#include "base/arena.h"
#include "base/str.h"

static void add_key(struct schema *schema, struct table *table, const char *column,
                    const char *to)
{
    const char *dot = strchr(to, '.');
    struct foreign_key *key = VEC_ADD(schema->arena, &table->foreign_keys);
    key->table = arena_copy(schema->arena, to, (size_t)(dot - to));
    key->confidence = 1;
    VEC_PUSH(schema->arena, &key->columns, arena_text(schema->arena, column));
    VEC_PUSH(schema->arena, &key->references, arena_text(schema->arena, dot + 1));
}

/* "customer_id INTEGER -> customers.id" or "id* INTEGER" */
static void add_column(struct schema *schema, struct table *table, const char *text)
{
    struct texts words = {0};
    str_split(schema->arena, text, ' ', &words);
    char *name = arena_text(schema->arena, words.items[0]);
    size_t size = strlen(name);
    bool primary = size && name[size - 1] == '*';
    if (primary) {
        name[size - 1] = '\0';
    }
    struct column *column =
        table_add_column(schema, table, name, words.count > 1 ? words.items[1] : "TEXT");
    column->primary = primary;
    if (words.count == 4) {
        add_key(schema, table, name, words.items[3]);
    }
}

struct schema *small_schema(const char *const *tables, size_t count)
{
    struct schema *schema = schema_new();
    for (size_t i = 0; i < count; i++) {
        const char *open = strchr(tables[i], '(');
        struct texts columns = {0};
        char *inside = arena_copy(schema->arena, open + 1, strlen(open) - 2);
        struct table *table = schema_add_table(
            schema, arena_copy(schema->arena, tables[i], (size_t)(open - tables[i])));
        str_split(schema->arena, inside, ',', &columns);
        for (size_t c = 0; c < columns.count; c++) {
            add_column(schema, table, str_trim(schema->arena, columns.items[c]));
        }
    }
    schema_normalize(schema);
    return schema;
}
