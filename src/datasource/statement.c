/* Statements that are put inside of another one. */
#include <string.h>

#include "base/arena.h"
#include "datasource/driver.h"

const char *statement_bare(struct arena *arena, const char *sql)
{
    size_t size = strlen(sql);
    while (size && strchr("; \t\r\n", sql[size - 1])) {
        size--;
    }
    return sql[size] ? arena_copy(arena, sql, size) : sql;
}
