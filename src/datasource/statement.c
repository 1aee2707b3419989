/* Statements that are put inside of another one. */
#include <string.h>

#include "base/arena.h"
#include "datasource/driver.h"
#include "sql/lexer.h"

const char *statement_bare(struct arena *arena, enum dialect dialect, const char *sql)
{
    struct tokens tokens = {0};
    lexer_run(arena, dialect, sql, strlen(sql), &tokens);
    size_t last = tokens.count;
    while (last > 0 && token_is_punct(&tokens.items[last - 1], ";")) {
        last--;
    }
    return last < tokens.count ? arena_copy(arena, sql, tokens.items[last].start) : sql;
}
