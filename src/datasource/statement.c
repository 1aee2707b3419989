/* The statement that a driver gets: its tree, and its text without a last semicolon. */
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "datasource/driver.h"
#include "sql/statement.h"

void statement_read(struct arena *arena, enum dialect dialect, const char *sql,
                    const struct datasource_limits *limits, struct sql_statement *out)
{
    const struct sql_statement *given = limits ? limits->statement : NULL;
    if (given && given->dialect == dialect && str_equal(given->text, sql)) {
        *out = *given;
    } else {
        (void)sql_statement_read(arena, dialect, sql, strlen(sql), out);
    }
}

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
