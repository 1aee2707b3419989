/* Finds the LIMIT of the whole query and sees to it that it is small enough. */
#include "sql/limit.h"

#include <inttypes.h>

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

static void append(struct arena *arena, const char *sql, int64_t limit,
                   struct limit_result *out)
{
    out->sql = arena_format(arena, "%s LIMIT %" PRId64, sql, limit);
    out->limit = limit;
    out->added = true;
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
        append(arena, text, default_rows, out);
    }
}
