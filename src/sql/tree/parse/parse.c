/* The reader's front: one statement, and the small tools of its files. */
#include "sql/tree/parse/parse.h"

#include <ctype.h>
#include <string.h>

#include "sql/tree/parse/parse_state.h"

static const char dialect_letters[DIALECT_COUNT + 1] = "sdpmcbo";

struct sql_node *parse_fail(struct parse *parse, const struct token *token,
                            const char *reason)
{
    if (!parse->out->reason) {
        parse->out->reason = reason;
        parse->out->placed = token != NULL;
        parse->out->position = token ? token->start : 0;
    }
    return NULL;
}

struct sql_node *parse_malformed(struct parse *parse, const struct token *token,
                                 const char *reason)
{
    parse->out->malformed = parse->out->malformed || !parse->out->reason;
    return parse_fail(parse, token, reason);
}

struct sql_node *parse_unexpected(struct parse *parse)
{
    const struct token *token = parse->at;
    if (token->kind == TOKEN_END) {
        return parse_malformed(parse, token, "The query ends too early.");
    }
    if (token->kind == TOKEN_PARAM || token_is_punct(token, ":")) {
        return parse_fail(parse, token,
                          "Placeholders and variables are not allowed: write the value.");
    }
    return parse_malformed(parse, token,
                           arena_format(parse->arena,
                                        "The query could not be read at '%.60s'.",
                                        token->text));
}

bool parse_enter(struct parse *parse)
{
    if (parse->depth >= PARSE_MAX_DEPTH) {
        parse_fail(parse, parse->at, SQL_TOO_DEEP);
        return false;
    }
    parse->depth++;
    return true;
}

bool parse_hang(struct parse *parse)
{
    bool entered = parse_enter(parse);
    return entered && parse_enter(parse); /* two levels */
}

bool parse_chain(struct parse *parse, size_t *length)
{
    return ++*length <= PARSE_MAX_CHAIN || parse_fail(parse, parse->at, SQL_TOO_DEEP);
}

bool parse_dialect(const struct parse *parse, const char *letters)
{
    return strchr(letters, parse->letter) != NULL;
}

bool parse_at(const struct parse *parse, enum keyword keyword)
{
    return parse->at->keyword == keyword;
}

bool parse_next_is(const struct parse *parse, enum keyword keyword)
{
    return parse->at->kind != TOKEN_END && parse->at[1].keyword == keyword;
}

bool parse_take(struct parse *parse, enum keyword keyword)
{
    bool here = parse->at->keyword == keyword;
    parse->at += here;
    return here;
}

static bool is_char(const struct token *token, char c)
{
    return token->kind == TOKEN_PUNCT && token->text[0] == c && token->text[1] == '\0';
}

bool parse_at_char(const struct parse *parse, char c)
{
    return is_char(parse->at, c);
}

bool parse_next_char(const struct parse *parse, char c)
{
    return parse->at->kind != TOKEN_END && is_char(parse->at + 1, c);
}

bool parse_take_char(struct parse *parse, char c)
{
    bool here = is_char(parse->at, c);
    parse->at += here;
    return here;
}

bool parse_expect_char(struct parse *parse, char c)
{
    return parse_take_char(parse, c) || parse_unexpected(parse);
}

bool parse_at_text(const struct parse *parse, const char *word)
{
    return token_is(parse->at, word);
}

bool parse_take_text(struct parse *parse, const char *word)
{
    bool here = token_is(parse->at, word);
    parse->at += here;
    return here;
}

bool parse_at_name(const struct parse *parse)
{
    return parse->at->kind == TOKEN_NAME ||
           (parse->at->kind == TOKEN_WORD && !keyword_reserved(parse->at->keyword));
}

struct sql_node *parse_node(struct parse *parse, enum sql_kind kind, const char *text,
                            const struct token *from)
{
    struct sql_node *node = sql_node(parse->arena, kind, text);
    node->start = (uint32_t)from->start;
    return node;
}

struct sql_node *parse_end(const struct parse *parse, struct sql_node *node)
{
    node->end = (uint32_t)parse->at[-1].end;
    return node;
}

bool parse_text_names(const struct token *token)
{
    return *token->text && !strpbrk(token->text, "\n\r\t");
}

struct sql_node *parse_name(struct parse *parse)
{
    struct sql_node *name = parse_node(parse, SQL_NAME, parse->at->text, parse->at);
    name->flags = parse->at->kind == TOKEN_WORD ? 0 : FLAG_QUOTED;
    parse->at++;
    return parse_end(parse, name);
}

static struct sql_node *one_name(struct parse *parse)
{
    return parse_at_name(parse) ? parse_name(parse) : parse_unexpected(parse);
}

struct sql_node *parse_names(struct parse *parse)
{
    if (!parse_expect_char(parse, '(')) {
        return NULL;
    }
    struct sql_node *names = parse_list(parse, one_name);
    return names && parse_expect_char(parse, ')') ? names : NULL;
}

const char *parse_upper(struct parse *parse, const char *text)
{
    char *copy = arena_text(parse->arena, text);
    for (char *c = copy; *c; c++) {
        *c = (char)toupper((unsigned char)*c);
    }
    return copy;
}

struct sql_node *parse_list(struct parse *parse,
                            struct sql_node *(*one)(struct parse *parse))
{
    struct sql_node *list = parse_node(parse, SQL_LIST, NULL, parse->at);
    do {
        struct sql_node *child = one(parse);
        if (!child) {
            return NULL;
        }
        sql_add(parse->arena, list, child);
    } while (parse_take_char(parse, ','));
    return parse_end(parse, list);
}

/* Cuts ';' at the end; another one means a second statement. */
static bool one_statement(struct parse *parse, struct tokens *tokens)
{
    while (tokens->count && is_char(&tokens->items[tokens->count - 1], ';')) {
        tokens->count--;
        tokens->items[tokens->count].kind = TOKEN_END;
        tokens->items[tokens->count].text = "";
    }
    for (size_t i = 0; i < tokens->count; i++) {
        if (is_char(&tokens->items[i], ';')) {
            return parse_fail(parse, &tokens->items[i],
                              "Only one statement at a time is allowed.");
        }
    }
    return tokens->count || parse_malformed(parse, NULL, "There is no SQL statement.");
}

static struct sql_node *statement(struct parse *parse)
{
    struct sql_node *root =
        parse_at(parse, KEYWORD_insert) || parse_at(parse, KEYWORD_update) ||
                parse_at(parse, KEYWORD_delete)
            ? parse_write(parse)
        : parse_at_query(parse) || parse_at_char(parse, '(') ? parse_query(parse)
                                                             : parse_unexpected(parse);
    return root && parse->at->kind != TOKEN_END ? parse_unexpected(parse) : root;
}

void sql_parse_tokens(struct arena *arena, enum dialect dialect, const char *sql,
                      size_t size, struct tokens *tokens, struct sql_parsed *out)
{
    *out = (struct sql_parsed){0};
    *tokens = (struct tokens){0};
    struct parse parse = {.arena = arena,
                          .dialect = dialect,
                          .letter = dialect_letters[dialect],
                          .sql = sql,
                          .out = out};
    if (size > PARSE_MAX_BYTES) {
        parse_fail(&parse, NULL, "The query is too long.");
        return;
    }
    lexer_run(arena, dialect, sql, size, tokens);
    const struct token *last = tokens->count ? &tokens->items[tokens->count - 1] : NULL;
    if (last && last->kind == TOKEN_BAD) {
        parse_malformed(
            &parse, last,
            arena_format(arena, "The text is not allowed: it contains %s.", last->text));
        return;
    }
    if (tokens->count > PARSE_MAX_TOKENS) {
        parse_fail(&parse, NULL, "The query is too long.");
        return;
    }
    parse.at = tokens->items;
    out->single = one_statement(&parse, tokens);
    out->root = out->single ? statement(&parse) : NULL;
    if (!out->root && !out->reason) {
        parse_malformed(&parse, parse.at, "The query could not be read.");
    }
}

void sql_parse(struct arena *arena, enum dialect dialect, const char *sql, size_t size,
               struct sql_parsed *out)
{
    struct tokens tokens;
    sql_parse_tokens(arena, dialect, sql, size, &tokens, out);
}
