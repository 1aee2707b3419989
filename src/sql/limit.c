/* Finds the LIMIT of the whole query and sees to it that it is small enough. */
#include "sql/limit.h"

#include <inttypes.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "sql/statement.h"

/* What bounds the rows of the whole query. */
struct bound {
    const struct sql_node *count; /* a number that can be replaced; NULL: there is none */
    bool uncertain;               /* there is a bound, but not one that can be replaced */
    bool closed;                  /* LIMIT cannot be written behind the query */
};

static bool is_number(const struct sql_statement *statement, const struct sql_node *node)
{
    /* FETCH FIRST ROW ONLY has a 1 that is not in the text */
    return node->kind == SQL_NUMBER && statement->text[node->start] >= '0' &&
           statement->text[node->start] <= '9';
}

/* LIMIT ALL says nothing, so the tree does not have it. */
static bool ends_in_limit_all(const struct sql_statement *statement)
{
    const struct tokens *tokens = &statement->tokens;
    const struct token *last = tokens->items + tokens->count;
    return tokens->count > 2 && last[-1].keyword == KEYWORD_all &&
           last[-2].keyword == KEYWORD_limit;
}

static struct bound find_bound(const struct sql_statement *statement)
{
    const struct sql_node *query = statement->root;
    bool clickhouse = statement->dialect == DIALECT_CLICKHOUSE;
    while (clickhouse && !query->children[QUERY_LIMIT] &&
           query->children[QUERY_BODY]->kind == SQL_QUERY) {
        query = query->children[QUERY_BODY]; /* WITH … SELECT … LIMIT */
    }
    const struct sql_node *body = query->children[QUERY_BODY];
    const struct sql_node *limit = query->children[QUERY_LIMIT];
    const struct sql_node *top =
        body->kind == SQL_SELECT ? body->children[SELECT_TOP] : NULL;
    struct bound bound = {.count = limit ? limit : top};
    bound.closed = token_is_punct(statement->tokens.items, "(") ||
                   body->kind == SQL_VALUES || query->children[QUERY_OFFSET] ||
                   /* there LIMIT belongs to the last SELECT */
                   (clickhouse && body->kind == SQL_SET_OPERATION);
    if (token_is_punct(statement->tokens.items, "(")) {
        bound.count = NULL; /* it may bound only a part */
        return bound;
    }
    bound.uncertain = ends_in_limit_all(statement) || (limit && top) ||
                      sql_has(query, FLAG_PERCENT | FLAG_WITH_TIES) ||
                      (bound.count && !is_number(statement, bound.count));
    return bound;
}

static void wrap(struct arena *arena, const char *sql, int64_t limit,
                 struct limit_result *out)
{
    /* on lines of its own: the query may end in a comment */
    out->sql = arena_format(
        arena, "SELECT * FROM (\n%s\n) AS dragoman_limited LIMIT %" PRId64, sql, limit);
    out->limit = limit;
    out->added = true;
}

static void replace_count(struct arena *arena, const char *sql,
                          const struct sql_node *count, int64_t limit,
                          struct limit_result *out)
{
    out->sql = arena_format(arena, "%.*s%" PRId64 "%s", (int)count->start, sql, limit,
                            sql + count->end);
    out->limit = limit;
    out->lowered = true;
}

/* The same tree with a LIMIT, and the tokens with two more: what is below the root is
 * shared. */
static const struct sql_statement *with_limit(struct arena *arena,
                                              const struct sql_statement *statement,
                                              const char *sql, size_t written)
{
    const struct tokens *tokens = &statement->tokens;
    const char *number = strrchr(sql, ' ') + 1;
    size_t size = strlen(sql);
    struct sql_statement *made = ARENA_NEW(arena, struct sql_statement);
    struct sql_node *root = ARENA_NEW(arena, struct sql_node);
    struct sql_node *count = sql_node(arena, SQL_NUMBER, number);
    count->start = (uint32_t)(number - sql);
    count->end = (uint32_t)size;
    *root = *statement->root;
    root->children = arena_array(arena, root->count, sizeof *root->children);
    memcpy(root->children, statement->root->children,
           root->count * sizeof *root->children);
    root->capacity = root->count;
    root->children[QUERY_LIMIT] = count;
    root->end = count->end;
    *made = *statement;
    made->text = sql;
    made->size = size;
    made->root = root;
    made->tokens.count = tokens->count + 2;
    made->tokens.capacity = made->tokens.count + LEXER_ENDS;
    struct token *items = arena_array(arena, made->tokens.capacity, sizeof *items);
    memcpy(items, tokens->items, tokens->count * sizeof *items);
    items[tokens->count] = (struct token){.kind = TOKEN_WORD,
                                          .keyword = KEYWORD_limit,
                                          .text = "LIMIT",
                                          .start = written + 1,
                                          .end = written + 6};
    items[tokens->count + 1] = (struct token){
        .kind = TOKEN_NUMBER, .text = number, .start = count->start, .end = count->end};
    for (size_t i = made->tokens.count; i < made->tokens.capacity; i++) {
        items[i] =
            (struct token){.kind = TOKEN_END, .text = "", .start = size, .end = size};
    }
    made->tokens.items = items;
    return made;
}

static void append(struct arena *arena, const struct sql_statement *statement,
                   const char *sql, int64_t limit, struct limit_result *out)
{
    const struct tokens *tokens = &statement->tokens;
    out->sql = arena_format(arena, "%s LIMIT %" PRId64, sql, limit);
    out->limit = limit;
    out->added = true;
    if (statement->dialect != DIALECT_CLICKHOUSE &&
        !token_is_punct(&tokens->items[tokens->count - 1], ";")) {
        out->statement = with_limit(arena, statement, out->sql, strlen(sql));
    }
}

void limit_apply(struct arena *arena, const struct sql_statement *statement,
                 int64_t default_rows, int64_t max_rows, struct limit_result *out)
{
    max_rows = max_rows > 0 ? max_rows : 1;
    if (default_rows <= 0 || default_rows > max_rows) {
        default_rows = max_rows;
    }
    *out = (struct limit_result){.sql = statement->text, .limit = -1};
    if (!sql_is(statement->root, SQL_QUERY)) {
        return;
    }
    /* cut what stands after the last token, a comment for instance */
    const struct tokens *tokens = &statement->tokens;
    char *text = arena_copy(arena, statement->text, tokens->items[tokens->count - 1].end);
    struct bound bound = find_bound(statement);
    int64_t count = 0;
    if (bound.count && !bound.uncertain && str_to_int(bound.count->text, &count)) {
        out->sql = text;
        out->limit = count;
        if (count > max_rows) {
            replace_count(arena, text, bound.count, max_rows, out);
        }
    } else if (statement->dialect == DIALECT_ODBC) {
        out->sql = text; /* no way to say LIMIT that every server knows */
        out->limit = default_rows;
    } else if (bound.count || bound.uncertain) {
        wrap(arena, text, max_rows, out);
    } else if (bound.closed) {
        wrap(arena, text, default_rows, out);
    } else {
        append(arena, statement, text, default_rows, out);
    }
    if (!out->statement && str_equal(out->sql, statement->text)) {
        out->statement = statement;
    }
}
