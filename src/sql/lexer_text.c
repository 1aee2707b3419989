/* Strings, quoted names and operators: where the dialects differ most. */
#include <ctype.h>
#include <string.h>

#include "base/utf8.h"
#include "sql/character.h"
#include "sql/lexer_state.h"

/* How one quoted thing is written. */
struct quoting {
    enum token_kind kind;
    char close;
    bool doubled;   /* a doubled quote stands for itself */
    bool backslash; /* a backslash escapes what follows */
    bool triple;    /* ends at three quotes (BigQuery) */
    bool raw;       /* the backslash stays in the text */
};

static char unescape(unsigned char c)
{
    switch (c) {
    case 'n':
        return '\n';
    case 't':
        return '\t';
    case 'r':
        return '\r';
    default:
        return (char)c;
    }
}

/* Escapes for single bytes stay as written, because the value of the byte is not
 * needed here. */
static size_t copy_escape(struct lexer *lexer, const struct quoting *how, char *to)
{
    unsigned char c = lexer_peek(lexer, 1);
    size_t written = 0;
    if (how->raw || isdigit(c) || c == 'x' || c == 'u' || c == 'U') {
        to[written++] = '\\';
    }
    to[written++] = how->raw ? (char)c : unescape(c);
    lexer->at += 2;
    return written;
}

static bool closes(const struct lexer *lexer, const struct quoting *how)
{
    unsigned char close = (unsigned char)how->close;
    return lexer_peek(lexer, 0) == close &&
           (!how->triple ||
            (lexer_peek(lexer, 1) == close && lexer_peek(lexer, 2) == close));
}

/*
 * A backslash before a quote means two different things in two settings of the same
 * server (or, over ODBC, in two servers): text that depends on it is refused.
 */
static bool ambiguous(const struct lexer *lexer, const struct quoting *how)
{
    if (lexer->dialect == DIALECT_POSTGRES && lexer->out->count &&
        token_is(&lexer->out->items[lexer->out->count - 1], "escape") &&
        lexer_peek(lexer, 1) == '\'' && lexer->sql[lexer->at - 1] == '\'') {
        return false; /* ESCAPE '\', which sessions of dragoman's read in one way */
    }
    return lexer_peek(lexer, 0) == '\\' && !how->backslash && how->kind == TOKEN_STRING &&
           (lexer->dialect == DIALECT_ODBC ||
            (lexer->dialect == DIALECT_POSTGRES && lexer_peek(lexer, 1) == '\''));
}

/* Reads from after the opening quote to after the closing one. */
static bool read_quoted(struct lexer *lexer, size_t start, const struct quoting *how)
{
    char *text = lexer->pool;
    size_t size = 0;
    while (lexer->at < lexer->size) {
        unsigned char c = lexer_peek(lexer, 0);
        if (ambiguous(lexer, how)) {
            lexer_bad(lexer, start, "a backslash whose meaning depends on the server");
            return true;
        }
        if (how->backslash && c == '\\' && lexer->at + 1 < lexer->size) {
            size += copy_escape(lexer, how, text + size);
        } else if (how->doubled && c == (unsigned char)how->close &&
                   lexer_peek(lexer, 1) == c) {
            text[size++] = (char)c;
            lexer->at += 2;
        } else if (closes(lexer, how)) {
            lexer->at += how->triple ? 3 : 1;
            lexer->pool += size + 1;
            lexer_add(lexer, how->kind, text, start);
            return true;
        } else {
            text[size++] = (char)c;
            lexer->at++;
        }
    }
    lexer_bad(lexer, start,
              how->kind == TOKEN_NAME ? "a quoted name that does not end"
                                      : "a text that does not end");
    return true;
}

static void check_name(struct lexer *lexer)
{
    if (lexer->stopped) {
        return;
    }
    struct token *token = &lexer->out->items[lexer->out->count - 1];
    size_t size = strlen(token->text);
    if (size == 0) {
        lexer_bad(lexer, token->start, "an empty name");
    }
    for (size_t at = 0; at < size && !lexer->stopped;) {
        uint32_t code;
        at += utf8_next(token->text + at, size - at, &code);
        if (character_hidden(code) || code == '\n' || code == '\r') {
            lexer_bad(lexer, token->start, "invisible characters in a name");
        }
    }
}

static bool read_name(struct lexer *lexer, char close)
{
    bool backslash =
        lexer->dialect == DIALECT_BIGQUERY || lexer->dialect == DIALECT_CLICKHOUSE;
    const struct quoting how = {.kind = TOKEN_NAME,
                                .close = close,
                                .doubled =
                                    close != ']' && lexer->dialect != DIALECT_BIGQUERY,
                                .backslash = backslash};
    size_t start = lexer->at++;
    read_quoted(lexer, start, &how);
    check_name(lexer);
    return true;
}

/* [name] over ODBC may be something else behind it: only plain words are taken. */
static bool read_bracket_name(struct lexer *lexer)
{
    if (lexer->dialect == DIALECT_ODBC) {
        for (size_t i = 1; lexer_peek(lexer, i) != ']'; i++) {
            unsigned char c = lexer_peek(lexer, i);
            if (c != '_' && c != ' ' && !isalnum(c)) {
                lexer_bad(lexer, lexer->at, "a bracket that may mean several things");
                return true;
            }
        }
    }
    return read_name(lexer, ']');
}

/* $$…$$ and $tag$…$tag$ */
static bool read_dollar(struct lexer *lexer)
{
    size_t tag = 1;
    while (lexer_peek(lexer, tag) == '_' || lexer_peek(lexer, tag) >= 0x80 ||
           isalpha(lexer_peek(lexer, tag)) ||
           (tag > 1 && isdigit(lexer_peek(lexer, tag)))) {
        tag++;
    }
    if (lexer_peek(lexer, tag) != '$') {
        return false;
    }
    tag++;
    size_t start = lexer->at;
    const char *open = lexer->sql + start;
    const char *body = open + tag;
    const char *end = memmem(body, lexer->size - start - tag, open, tag);
    if (!end) {
        lexer_bad(lexer, start, "a text that does not end");
        return true;
    }
    char *text = lexer->pool;
    memcpy(text, body, (size_t)(end - body));
    lexer->pool += end - body + 1;
    lexer->at = (size_t)(end - lexer->sql) + tag;
    lexer_add(lexer, TOKEN_STRING, text, start);
    return true;
}

/* Letters before a quote that change what the quote holds. */
static const struct prefix {
    const char *letters; /* lower case */
    const char *dialects;
    enum token_kind kind;
    bool backslash;
    bool raw;
} prefixes[] = {
    {"x", "sdpmo", TOKEN_BLOB, false, false}, {"b", "dpm", TOKEN_BLOB, false, false},
    {"e", "dp", TOKEN_STRING, true, false},   {"n", "pmo", TOKEN_STRING, false, false},
    {"u&", "p", TOKEN_STRING, false, true},   {"r", "b", TOKEN_STRING, true, true},
    {"b", "b", TOKEN_BLOB, true, false},      {"rb", "b", TOKEN_BLOB, true, true},
    {"br", "b", TOKEN_BLOB, true, true},
};

static const char dialect_letters[DIALECT_COUNT + 1] = "sdpmcbo";

static bool read_string(struct lexer *lexer, size_t start, enum token_kind kind,
                        bool backslash, bool raw)
{
    unsigned char quote = lexer_peek(lexer, 0);
    bool bigquery = lexer->dialect == DIALECT_BIGQUERY;
    struct quoting how = {.kind = kind,
                          .close = (char)quote,
                          .doubled = !bigquery,
                          .backslash = backslash,
                          .raw = raw,
                          .triple = bigquery && lexer_peek(lexer, 1) == quote &&
                                    lexer_peek(lexer, 2) == quote};
    lexer->at += how.triple ? 3 : 1;
    return read_quoted(lexer, start, &how);
}

static bool is_quote(const struct lexer *lexer, unsigned char c)
{
    return c == '\'' || (c == '"' && lexer->info->double_quote_is_string);
}

static bool read_prefixed(struct lexer *lexer)
{
    char letter = dialect_letters[lexer->dialect];
    unsigned char after[] = {lexer_peek(lexer, 1), lexer_peek(lexer, 2)};
    if (after[0] != '\'' && after[0] != '"' && after[1] != '\'' && after[1] != '"') {
        return false; /* most words: no need to look through the table */
    }
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        const struct prefix *prefix = &prefixes[i];
        size_t size = strlen(prefix->letters);
        bool same = strchr(prefix->dialects, letter) != NULL;
        for (size_t j = 0; j < size && same; j++) {
            same = tolower(lexer_peek(lexer, j)) == prefix->letters[j];
        }
        if (same && is_quote(lexer, lexer_peek(lexer, size))) {
            size_t start = lexer->at;
            bool backslash = prefix->backslash || (lexer->dialect == DIALECT_MYSQL &&
                                                   prefix->kind == TOKEN_STRING);
            lexer->at += size;
            return read_string(lexer, start, prefix->kind, backslash, prefix->raw);
        }
    }
    if (lexer->dialect == DIALECT_POSTGRES && tolower(lexer_peek(lexer, 0)) == 'u' &&
        lexer_peek(lexer, 1) == '&' && lexer_peek(lexer, 2) == '"') {
        lexer_bad(lexer, lexer->at, "a name written in Unicode escapes");
        return true;
    }
    return false;
}

bool lexer_quoted(struct lexer *lexer)
{
    unsigned char c = lexer_peek(lexer, 0);
    if (is_quote(lexer, c)) {
        return read_string(lexer, lexer->at, TOKEN_STRING, lexer->info->backslash_escapes,
                           false);
    }
    if (isalpha(c)) {
        return read_prefixed(lexer);
    }
    if (c == '"') {
        return read_name(lexer, '"');
    }
    if (c == '`' && lexer->info->backtick_names) {
        return read_name(lexer, '`');
    }
    if (c == '[' && lexer->info->bracket_names) {
        return read_bracket_name(lexer);
    }
    return c == '$' && lexer->info->dollar_quotes && read_dollar(lexer);
}

/*
 * Operators, longest first. PostgreSQL lets anybody define operators, and an operator
 * runs a function: so only these are read, and the rest is refused.
 */
static const struct punct {
    const char *text;
    const char *dialects;
} puncts[] = {
    {"!~~*", "dp"},    {"!~~", "dp"},     {"~~*", "dp"},     {"~~~", "d"},
    {"!~*", "dp"},     {"->>", "sdpm"},   {"#>>", "p"},      {"-|-", "p"},
    {"||/", "p"},      {"<=>", "mdc"},    {"<->", "p"},      {"!~", "dp"},
    {"~*", "dp"},      {"~~", "dp"},      {"->", "sdpmc"},   {"#>", "p"},
    {"@>", "dp"},      {"<@", "dp"},      {"@@", "p"},       {"@?", "p"},
    {"&&", "dpm"},     {"|/", "p"},       {"?|", "p"},       {"?&", "p"},
    {"#-", "p"},       {"^@", "dp"},      {"**", "d"},       {"//", "d"},
    {"::", "dpc"},     {":=", "dm"},      {"=>", "dpb"},     {"==", "sdc"},
    {"<=", "sdpmcbo"}, {">=", "sdpmcbo"}, {"<>", "sdpmcbo"}, {"!=", "sdpmcbo"},
    {"||", "sdpmcbo"}, {"<<", "sdpmb"},   {">>", "sdpmb"},   {"(", "sdpmcbo"},
    {")", "sdpmcbo"},  {",", "sdpmcbo"},  {";", "sdpmcbo"},  {".", "sdpmcbo"},
    {"+", "sdpmcbo"},  {"-", "sdpmcbo"},  {"*", "sdpmcbo"},  {"/", "sdpmcbo"},
    {"%", "sdpmco"},   {"=", "sdpmcbo"},  {"<", "sdpmcbo"},  {">", "sdpmcbo"},
    {"&", "sdpmb"},    {"|", "sdpmb"},    {"~", "sdpmb"},    {"^", "dpmb"},
    {"#", "dp"},       {"!", "dm"},       {"@", "dp"},       {"?", "pc"},
    {":", "dpc"},      {"[", "dpcb"},     {"]", "dpcb"},     {"{", "dc"},
    {"}", "dc"},
};

/* PostgreSQL's rule: take all operator characters, give back a sign at the end. */
static size_t operator_run(const struct lexer *lexer)
{
    size_t size = 0;
    bool special = false;
    for (unsigned char c; (c = lexer_peek(lexer, size)); size++) {
        unsigned char next = lexer_peek(lexer, size + 1);
        if (!strchr("+-*/<>=~!@#%^&|`?", c) || (c == '-' && next == '-') ||
            (c == '/' && next == '*')) {
            break;
        }
        special = special || strchr("~!@#%^&|`?", c);
    }
    while (size > 1 && !special && strchr("+-", lexer_peek(lexer, size - 1))) {
        size--;
    }
    return size;
}

bool lexer_operator(struct lexer *lexer)
{
    char letter = dialect_letters[lexer->dialect];
    bool munch = lexer->dialect == DIALECT_POSTGRES || lexer->dialect == DIALECT_DUCKDB;
    size_t run = munch ? operator_run(lexer) : 0;
    size_t left = lexer->size - lexer->at;
    for (size_t i = 0; i < sizeof puncts / sizeof *puncts; i++) {
        if (puncts[i].text[0] != lexer->sql[lexer->at]) {
            continue;
        }
        size_t size = strlen(puncts[i].text);
        if (size <= left && (run == 0 || run == size) &&
            strchr(puncts[i].dialects, letter) &&
            memcmp(puncts[i].text, lexer->sql + lexer->at, size) == 0) {
            size_t start = lexer->at;
            lexer->at += size;
            lexer_add(lexer, TOKEN_PUNCT, puncts[i].text, start);
            return true;
        }
    }
    if (run > 1) {
        lexer_bad(lexer, lexer->at, "an operator that dragoman does not know");
        return true;
    }
    return false;
}
