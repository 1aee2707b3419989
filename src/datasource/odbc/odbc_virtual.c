/*
 * Virtual tables of SQLite behind ODBC: the standard lists them, and the tables in which they
 * keep their rows, as ordinary ones.
 */
#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/str.h"
#include "datasource/odbc/odbc_driver.h"
#include "datasource/profile/profile.h"
#include "sql/virtual_table.h"

static const char question[] = "SELECT name, sql FROM sqlite_master WHERE type = 'table'"
                               " AND sql LIKE 'CREATE VIRTUAL%'";

struct asking {
    struct schema *schema;
    struct arena *scratch;
};

/* "notes_content" of "notes" */
static bool keeps_rows_of(const struct table *table, const char *name)
{
    size_t size = strlen(name);
    return strncasecmp(table->name, name, size) == 0 && table->name[size] == '_';
}

static bool virtual_row(void *context, const struct value *cells)
{
    struct asking *asking = context;
    struct schema *schema = asking->schema;
    const char *name = str_or_empty(profile_cell(asking->scratch, &cells[0]));
    const char *definition = profile_cell(asking->scratch, &cells[1]);
    for (size_t i = 0; *name && i < schema->tables.count; i++) {
        struct table *table = &schema->tables.items[i];
        if (str_equal_nocase(table->name, name)) {
            table->shows = virtual_table_shows(schema->arena, definition);
        } else if (!table->shows && keeps_rows_of(table, name)) {
            table->shows = arena_text(schema->arena, name);
        }
    }
    return true;
}

bool odbc_virtual(struct odbc_session *session, struct schema *schema, struct err *err)
{
    struct asking asking = {.schema = schema};
    if (session->state->product->dialect != DIALECT_SQLITE) {
        return true;
    }
    asking.scratch = arena_new();
    bool ok = odbc_ask(session, question, 0, virtual_row, &asking, err);
    arena_free(asking.scratch);
    return ok;
}
