/* SQL text into tokens: white space, comments, words, numbers and placeholders. */
#include "sql/lexer.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "sql/character.h"
#include "sql/lexer_state.h"

unsigned char lexer_peek(const struct lexer *lexer, size_t ahead)
{
    size_t at = lexer->at + ahead;
    return at < lexer->size ? (unsigned char)lexer->sql[at] : 0;
}

static bool lexer_is_word_start(unsigned char c)
{
    return c == '_' || c >= 0x80 || isalpha(c);
}

void lexer_add(struct lexer *lexer, enum token_kind kind, const char *text, size_t start)
{
    struct token *token = VEC_ADD(lexer->arena, lexer->out);
    token->kind = kind;
    token->text = text;
    token->start = start;
    token->end = lexer->at;
}

void lexer_bad(struct lexer *lexer, size_t start, const char *why)
{
    lexer->stopped = true;
    lexer_add(lexer, TOKEN_BAD, why, start);
}

/*
 * Line comments end where every reader agrees: a lone CR ends them in some engines and
 * not in others, so code could hide behind one.
 */
static void skip_line_comment(struct lexer *lexer)
{
    size_t start = lexer->at;
    while (lexer->at < lexer->size && lexer->sql[lexer->at] != '\n') {
        if (lexer->sql[lexer->at] == '\r' && lexer_peek(lexer, 1) != '\n' &&
            lexer->at + 1 < lexer->size) {
            lexer_bad(lexer, start, "a comment with a lone carriage return");
            return;
        }
        lexer->at++;
    }
}

/* Comments that some server runs as code or as a command to its planner. */
static bool comment_is_code(const struct lexer *lexer)
{
    unsigned char first = lexer_peek(lexer, 2);
    bool versioned =
        first == '!' || (tolower(first) == 'm' && lexer_peek(lexer, 3) == '!');
    bool strict = lexer->info->versioned_comments || lexer->dialect == DIALECT_ODBC;
    return (versioned && strict) ||
           (first == '+' && (strict || lexer->dialect == DIALECT_POSTGRES));
}

static void skip_block_comment(struct lexer *lexer)
{
    size_t start = lexer->at;
    if (comment_is_code(lexer)) {
        lexer_bad(lexer, start, "a comment that the server would run");
        return;
    }
    bool nests = lexer->info->nested_comments;
    bool unsure = lexer->dialect == DIALECT_CLICKHOUSE ||
                  lexer->dialect == DIALECT_BIGQUERY || lexer->dialect == DIALECT_ODBC;
    size_t depth = 0;
    while (lexer->at < lexer->size) {
        unsigned char c = lexer_peek(lexer, 0);
        unsigned char next = lexer_peek(lexer, 1);
        if (c == '/' && next == '*' && depth > 0 && unsure) {
            lexer_bad(lexer, start, "a comment inside a comment");
            return;
        }
        if (c == '/' && next == '*' && (nests || depth == 0)) {
            depth++;
            lexer->at += 2;
        } else if (c == '*' && next == '/') {
            lexer->at += 2;
            if (--depth == 0) {
                return;
            }
        } else {
            lexer->at++;
        }
    }
    lexer_bad(lexer, start, "a comment that does not end");
}

static void check_comment(struct lexer *lexer, size_t start)
{
    for (size_t at = start; at < lexer->at && !lexer->stopped;) {
        uint32_t code;
        at += utf8_next(lexer->sql + at, lexer->at - at, &code);
        if (character_hidden(code)) {
            lexer_bad(lexer, start, "invisible characters in a comment");
        }
    }
}

/* True when white space or a comment was passed. */
static bool skip_blank(struct lexer *lexer)
{
    unsigned char c = lexer_peek(lexer, 0);
    unsigned char next = lexer_peek(lexer, 1);
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f') {
        lexer->at++;
        return true;
    }
    size_t start = lexer->at;
    bool spaced = lexer->at + 2 >= lexer->size || isspace(lexer_peek(lexer, 2));
    if (c == '-' && next == '-') {
        if (lexer->dialect == DIALECT_ODBC && !spaced) {
            lexer_bad(lexer, start, "'--' without a space after it");
        } else if (lexer->info->dash_needs_space && !spaced) {
            return false;
        } else {
            skip_line_comment(lexer);
        }
    } else if (c == '#' && lexer->info->hash_comments) {
        skip_line_comment(lexer);
    } else if (c == '/' && next == '*') {
        skip_block_comment(lexer);
    } else {
        return false;
    }
    check_comment(lexer, start);
    return true;
}

static bool dollar_in_words(enum dialect dialect)
{
    return dialect != DIALECT_BIGQUERY && dialect != DIALECT_CLICKHOUSE &&
           dialect != DIALECT_ODBC;
}

static bool read_word(struct lexer *lexer)
{
    if (!lexer_is_word_start(lexer_peek(lexer, 0))) {
        return false;
    }
    size_t start = lexer->at;
    bool latin = false;
    bool alike = false;
    while (lexer->at < lexer->size) {
        unsigned char c = lexer_peek(lexer, 0);
        if (c < 0x80) {
            bool dollar = c == '$' && dollar_in_words(lexer->dialect);
            if (c != '_' && !isalnum(c) && !dollar) {
                break;
            }
            latin = latin || isalpha(c);
            lexer->at++;
            continue;
        }
        uint32_t code;
        size_t bytes = utf8_next(lexer->sql + lexer->at, lexer->size - lexer->at, &code);
        if (!character_in_word(code)) {
            lexer_bad(lexer, lexer->at, "a character that does not belong in SQL");
            return true;
        }
        alike = alike || character_looks_latin(code);
        lexer->at += bytes;
    }
    if (latin && alike) {
        lexer_bad(lexer, start, "a word that mixes look-alike letters of two alphabets");
        return true;
    }
    if (lexer->dialect == DIALECT_MYSQL && lexer->sql[start] == '_' &&
        lexer_peek(lexer, 0) == '\'') {
        lexer_bad(lexer, start, "a text in a character set of its own");
        return true;
    }
    size_t size = lexer->at - start;
    char *text = lexer->pool;
    memcpy(text, lexer->sql + start, size);
    lexer->pool += size + 1;
    lexer_add(lexer, TOKEN_WORD, text, start);
    lexer->out->items[lexer->out->count - 1].keyword = keyword_find(text, size);
    return true;
}

/* 1_000 is a number to some, a name or a number with an alias to others. */
static bool gaps_in_numbers(enum dialect dialect)
{
    return dialect == DIALECT_DUCKDB || dialect == DIALECT_CLICKHOUSE;
}

static void skip_digits(struct lexer *lexer, bool hex)
{
    for (;;) {
        unsigned char c = lexer_peek(lexer, 0);
        bool digit = hex ? isxdigit(c) : isdigit(c);
        bool gap =
            c == '_' && isalnum(lexer_peek(lexer, 1)) && gaps_in_numbers(lexer->dialect);
        if (!digit && !gap) {
            return;
        }
        lexer->at++;
    }
}

/* `t.1` is a part of a tuple in ClickHouse, not a fraction. */
static bool after_value(const struct lexer *lexer)
{
    if (lexer->dialect != DIALECT_CLICKHOUSE || lexer->out->count == 0) {
        return false;
    }
    const struct token *last = &lexer->out->items[lexer->out->count - 1];
    return last->end == lexer->at &&
           (last->kind == TOKEN_WORD || last->kind == TOKEN_NAME ||
            token_is_punct(last, ")") || token_is_punct(last, "]"));
}

static void read_fraction(struct lexer *lexer)
{
    skip_digits(lexer, false);
    if (lexer_peek(lexer, 0) == '.') {
        lexer->at++;
        skip_digits(lexer, false);
    }
    unsigned char sign = lexer_peek(lexer, 1);
    if (tolower(lexer_peek(lexer, 0)) == 'e' &&
        (isdigit(sign) ||
         ((sign == '+' || sign == '-') && isdigit(lexer_peek(lexer, 2))))) {
        lexer->at += 2;
        skip_digits(lexer, false);
    }
}

static bool read_number(struct lexer *lexer)
{
    unsigned char c = lexer_peek(lexer, 0);
    if (!isdigit(c) &&
        !(c == '.' && isdigit(lexer_peek(lexer, 1)) && !after_value(lexer))) {
        return false;
    }
    size_t start = lexer->at;
    unsigned char base = (unsigned char)tolower(lexer_peek(lexer, 1));
    /* 0xFF is 0 with an alias in DuckDB and in older servers of PostgreSQL's family */
    bool bases = lexer->dialect != DIALECT_DUCKDB && lexer->dialect != DIALECT_POSTGRES;
    if (c == '0' && bases && (base == 'x' || base == 'b' || base == 'o')) {
        lexer->at += 2;
        skip_digits(lexer, base == 'x');
    } else {
        read_fraction(lexer);
    }
    unsigned char next = lexer_peek(lexer, 0);
    if (lexer_is_word_start(next) || isdigit(next) || next == '$') {
        lexer_bad(lexer, start, "a number that runs into a word");
        return true;
    }
    size_t size = lexer->at - start;
    char *text = lexer->pool;
    memcpy(text, lexer->sql + start, size);
    lexer->pool += size + 1;
    lexer_add(lexer, TOKEN_NUMBER, text, start);
    return true;
}

static const char *const param_starts[DIALECT_COUNT] = {
    [DIALECT_SQLITE] = "?:@$", [DIALECT_DUCKDB] = "?$",   [DIALECT_POSTGRES] = "$",
    [DIALECT_MYSQL] = "?:@",   [DIALECT_CLICKHOUSE] = "", [DIALECT_BIGQUERY] = "?@",
    [DIALECT_ODBC] = "?:@$",
};

/* `:x` may also be the end of a slice; there a colon follows a value inside brackets. */
static bool read_param(struct lexer *lexer)
{
    unsigned char c = lexer_peek(lexer, 0);
    unsigned char next = lexer_peek(lexer, 1);
    if (!c || !strchr(param_starts[lexer->dialect], c) || (c == ':' && next == ':')) {
        return false;
    }
    size_t start = lexer->at;
    bool named = isalnum(next) || lexer_is_word_start(next);
    if (c != '?' && !named &&
        !(c == '@' && (next == '@' || next == '`' || next == '\''))) {
        return false;
    }
    lexer->at++;
    while (lexer_peek(lexer, 0) == '@') {
        lexer->at++;
    }
    while (isalnum(lexer_peek(lexer, 0)) || lexer_is_word_start(lexer_peek(lexer, 0))) {
        lexer->at++;
    }
    size_t size = lexer->at - start;
    char *text = lexer->pool;
    memcpy(text, lexer->sql + start, size);
    lexer->pool += size + 1;
    lexer_add(lexer, TOKEN_PARAM, text, start);
    return true;
}

void lexer_run(struct arena *arena, enum dialect dialect, const char *sql, size_t size,
               struct tokens *out)
{
    struct lexer lexer = {
        .arena = arena,
        .dialect = dialect,
        .info = dialect_get(dialect),
        .sql = sql,
        .size = size,
        .pool = arena_alloc(arena, 2 * size + 2),
        .out = out,
    };
    out->capacity = size / 4 + 8;
    out->items = arena_array(arena, out->capacity, sizeof *out->items);
    out->count = 0;
    size_t bad = 0;
    if (!utf8_valid(sql, size, &bad)) {
        lexer.at = bad;
        lexer_bad(&lexer, bad,
                  bad < size && sql[bad] == '\0' ? "a zero byte" : "broken UTF-8 text");
    }
    while (!lexer.stopped && lexer.at < size) {
        if (skip_blank(&lexer) || lexer_quoted(&lexer) || read_word(&lexer) ||
            read_number(&lexer) || read_param(&lexer) || lexer_operator(&lexer)) {
            continue;
        }
        lexer_bad(&lexer, lexer.at, "a character that does not belong in SQL");
    }
    size_t count = out->count;
    lexer.at = lexer.stopped ? lexer.at : size;
    for (size_t i = 0; i < LEXER_ENDS; i++) {
        lexer_add(&lexer, TOKEN_END, "", lexer.at);
    }
    out->count = count;
}

bool token_is(const struct token *token, const char *word)
{
    return token->kind == TOKEN_WORD && strcasecmp(token->text, word) == 0;
}

bool token_is_punct(const struct token *token, const char *punct)
{
    return token->kind == TOKEN_PUNCT && strcmp(token->text, punct) == 0;
}
