/* Finds the LIMIT of the whole query and sees to it that it is small enough. */
#include "sql/limit.h"

#include <inttypes.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "sql/lexer.h"

/* What a walk over the top level of a query found. */
struct limit_place {
    const struct token
        *count;     /* the number that bounds the rows; NULL when there is none */
    bool uncertain; /* there is a bound, but not one that can be rewritten */
    bool offset;
};

static int depth_change(const struct token *token)
{
    if (token->kind != TOKEN_PUNCT || token->text[1] != '\0') {
        return 0;
    }
    return (strchr("([{", token->text[0]) != NULL) -
           (strchr(")]}", token->text[0]) != NULL);
}

static bool is_set_operation(const struct token *token)
{
    return token->keyword == KEYWORD_union || token->keyword == KEYWORD_intersect ||
           token->keyword == KEYWORD_except;
}

/* After LIMIT: n, n OFFSET m, m, n. Returns the token to go on from. */
static const struct token *read_limit(const struct token *at, enum dialect dialect,
                                      struct limit_place *place)
{
    const struct token *count = at;
    if (at->kind != TOKEN_NUMBER) {
        place->uncertain = true;
        return at;
    }
    at++;
    if (token_is_punct(at, ",") && at[1].kind == TOKEN_NUMBER) {
        count = at + 1;
        at += 2;
    }
    if (at->keyword == KEYWORD_by && dialect == DIALECT_CLICKHOUSE) {
        return at; /* so many of each, which bounds nothing */
    }
    if (place->count) {
        place->uncertain = true;
    }
    place->count = count;
    bool clear = at->kind == TOKEN_END || at->keyword == KEYWORD_offset;
    place->uncertain = place->uncertain || !clear;
    return at;
}

/* After FETCH: FIRST n ROWS ONLY. */
static const struct token *read_fetch(const struct token *at, struct limit_place *place)
{
    bool clear = (at->keyword == KEYWORD_first || token_is(at, "next")) &&
                 at[1].kind == TOKEN_NUMBER && at[3].keyword == KEYWORD_only &&
                 at[4].kind == TOKEN_END && !place->count;
    if (!clear) {
        place->uncertain = true;
        return at;
    }
    place->count = at + 1;
    return at + 4;
}

static void find_place(const struct tokens *tokens, enum dialect dialect,
                       struct limit_place *place)
{
    int depth = 0;
    for (const struct token *at = tokens->items; at->kind != TOKEN_END;) {
        const struct token *token = at++;
        depth += depth_change(token);
        if (depth > 0) {
            continue;
        }
        if (token->keyword == KEYWORD_limit) {
            at = read_limit(at, dialect, place);
        } else if (token->keyword == KEYWORD_fetch) {
            at = read_fetch(at, place);
        } else if (token->keyword == KEYWORD_offset) {
            place->offset = true;
        } else if (token->keyword == KEYWORD_top && at->kind == TOKEN_NUMBER &&
                   dialect == DIALECT_ODBC) {
            place->count = at;
        } else if (is_set_operation(token) && (place->count || place->uncertain)) {
            place->uncertain = true; /* it bounds only a part */
        } else if (token->kind == TOKEN_BAD) {
            place->uncertain = true;
        }
    }
}

static bool is_query(const struct token *first)
{
    return first->keyword == KEYWORD_select || first->keyword == KEYWORD_with ||
           first->keyword == KEYWORD_values || first->keyword == KEYWORD_from ||
           token_is_punct(first, "(");
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

static void replace_count(struct arena *arena, const char *sql, const struct token *count,
                          int64_t limit, struct limit_result *out)
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

void limit_apply(struct arena *arena, enum dialect dialect, const char *sql,
                 int64_t default_rows, int64_t max_rows, struct limit_result *out)
{
    max_rows = max_rows > 0 ? max_rows : 1;
    if (default_rows <= 0 || default_rows > max_rows) {
        default_rows = max_rows;
    }
    *out = (struct limit_result){.sql = sql, .limit = -1};
    struct tokens tokens = {0};
    lexer_run(arena, dialect, sql, strlen(sql), &tokens);
    while (tokens.count && token_is_punct(&tokens.items[tokens.count - 1], ";")) {
        tokens.items[--tokens.count].kind = TOKEN_END;
    }
    if (tokens.count == 0 || !is_query(tokens.items)) {
        return;
    }
    /* cut what stands after the last token, a comment for instance */
    char *text = arena_copy(arena, sql, tokens.items[tokens.count - 1].end);
    struct limit_place place = {0};
    find_place(&tokens, dialect, &place);
    const struct token *first = tokens.items;
    int64_t count = 0;
    bool plain = first->keyword != KEYWORD_values && !token_is_punct(first, "(");
    if (place.count && !place.uncertain && str_to_int(place.count->text, &count)) {
        out->sql = text;
        out->limit = count;
        if (count > max_rows) {
            replace_count(arena, text, place.count, max_rows, out);
        }
    } else if (dialect == DIALECT_ODBC) {
        out->sql = text; /* no way to say LIMIT that every server knows */
        out->limit = default_rows;
    } else if (place.count || place.uncertain || !plain) {
        wrap(arena, text, place.count || place.uncertain ? max_rows : default_rows, out);
    } else if (place.offset) {
        wrap(arena, text, default_rows, out);
    } else {
        append(arena, text, default_rows, out);
    }
}
