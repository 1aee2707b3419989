/* A statement read and printed: lexer, parser and printer put together. */
#include "sql/statement.h"

#include "base/arena.h"
#include "base/buf.h"
#include "sql/tree/parse.h"
#include "sql/tree/print.h"

/* Parentheses that the printer adds can make a text longer than the one that was read. */
enum { STATEMENT_PRINT_MAX_BYTES = 4 << 20 };

bool sql_statement_read(struct arena *arena, enum dialect dialect, const char *sql,
                        size_t size, struct sql_statement *out)
{
    *out = (struct sql_statement){.dialect = dialect, .text = sql, .size = size};
    struct sql_parsed parsed;
    sql_parse_tokens(arena, dialect, sql, size, &out->tokens, &parsed);
    out->root = parsed.root;
    out->reason = parsed.reason;
    out->placed = parsed.placed;
    out->position = parsed.position;
    out->malformed = parsed.malformed;
    out->single = parsed.single;
    return out->root;
}

const char *sql_statement_print(struct arena *arena, enum dialect dialect,
                                const struct sql_node *root)
{
    struct buf out;
    buf_init(&out, STATEMENT_PRINT_MAX_BYTES);
    sql_print(&out, dialect, root);
    const char *text = buf_clone(&out, arena);
    buf_release(&out);
    return text;
}
