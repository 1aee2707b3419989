/* A statement read and printed: lexer, parser and printer put together. */
#include "sql/statement.h"

#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "sql/tree/parse/parse.h"
#include "sql/tree/print/print.h"

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

struct sql_statement sql_statement_copy(struct arena *arena,
                                        const struct sql_statement *statement)
{
    struct sql_statement copy = *statement;
    copy.root = sql_clone(arena, statement->root);
    return copy;
}

bool sql_statement_ordered(const struct sql_statement *statement)
{
    const struct sql_node *node = statement->root;
    while (sql_is(node, SQL_QUERY) && !node->children[QUERY_ORDER]) {
        node = node->children[QUERY_BODY]; /* (SELECT … ORDER BY …) in parentheses */
    }
    return sql_is(node, SQL_QUERY);
}

/* Whose names differ when their case does: tables of MySQL, everything in ClickHouse. */
static const bool keeps_case[DIALECT_COUNT] = {
    [DIALECT_MYSQL] = true, [DIALECT_CLICKHOUSE] = true, [DIALECT_BIGQUERY] = true};

static bool same_text(enum dialect dialect, const struct sql_node *a,
                      const struct sql_node *b)
{
    bool word = a->kind == SQL_CALL || a->kind == SQL_TYPE;
    bool exact = a->kind == SQL_STRING || a->kind == SQL_BLOB ||
                 sql_has(a, FLAG_QUOTED) ||
                 (keeps_case[dialect] && (!word || dialect == DIALECT_CLICKHOUSE));
    return exact ? str_equal(a->text, b->text) : str_equal_nocase(a->text, b->text);
}

static bool same_node(enum dialect dialect, const struct sql_node *a,
                      const struct sql_node *b)
{
    if (!a || !b) {
        return a == b;
    }
    bool same = a->kind == b->kind && a->flags == b->flags && a->variant == b->variant &&
                a->count == b->count && !a->text == !b->text &&
                (!a->text || same_text(dialect, a, b));
    for (size_t i = 0; same && i < a->count; i++) {
        same = same_node(dialect, a->children[i], b->children[i]);
    }
    return same;
}

static size_t words_of(const struct sql_statement *statement)
{
    size_t count = statement->tokens.count;
    while (count && token_is_punct(&statement->tokens.items[count - 1], ";")) {
        count--;
    }
    return count;
}

/* What cannot be read has no tree, but words. */
static bool same_words(const struct sql_statement *a, const struct sql_statement *b)
{
    size_t count = words_of(a);
    bool same = count == words_of(b);
    for (size_t i = 0; same && i < count; i++) {
        const struct token *one = &a->tokens.items[i];
        const struct token *two = &b->tokens.items[i];
        size_t size = one->end - one->start;
        const char *left = a->text + one->start;
        const char *right = b->text + two->start;
        same = one->kind == two->kind && size == two->end - two->start &&
               (one->kind == TOKEN_STRING ? memcmp(left, right, size) == 0
                                          : strncasecmp(left, right, size) == 0);
    }
    return same;
}

bool sql_statement_same(const struct sql_statement *a, const struct sql_statement *b)
{
    if (a->dialect != b->dialect) {
        return false;
    }
    return a->root && b->root ? same_node(a->dialect, a->root, b->root)
                              : same_words(a, b);
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
