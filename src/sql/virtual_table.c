/* What a virtual table of SQLite shows: rows of its own, or those of another table. */
#include "sql/virtual_table.h"

#include <string.h>

#include "base/str.h"
#include "base/vec.h"
#include "sql/lexer.h"

static const char unknown[] = "";

/* One argument of the module: tokens from first to end. */
struct argument {
    const struct token *first;
    const struct token *end;
};

struct arguments {
    struct argument *items;
    size_t count;
    size_t capacity;
};

static bool is_value(const struct token *token)
{
    return token->kind == TOKEN_WORD || token->kind == TOKEN_NAME ||
           token->kind == TOKEN_STRING;
}

static bool is_single(const struct argument *argument)
{
    return argument->end == argument->first + 1 && is_value(argument->first);
}

/* Options that say nothing of where the rows are. */
static bool is_plain_option(const char *key)
{
    static const char *const plain[] = {"columnsize",
                                        "compress",
                                        "content_rowid",
                                        "contentless_delete",
                                        "contentless_unindexed",
                                        "detail",
                                        "languageid",
                                        "locale",
                                        "matchinfo",
                                        "notindexed",
                                        "order",
                                        "prefix",
                                        "tokendata",
                                        "tokenize",
                                        "uncompress"};
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) {
        if (str_equal_nocase(plain[i], key)) {
            return true;
        }
    }
    return false;
}

/* A column, or `key = value`. FTS5 also accepts the beginning of a key, so a key that is
 * not known could be any. False: not known. */
static bool option_read(const struct argument *argument, const char **shows)
{
    const struct token *at = argument->first;
    bool assigns = false;
    for (const struct token *token = at; token < argument->end; token++) {
        assigns =
            assigns || (token->kind == TOKEN_PUNCT && strchr(token->text, '=') != NULL);
    }
    if (!assigns) {
        return true;
    }
    if (at->kind != TOKEN_WORD || !token_is_punct(at + 1, "=")) {
        return false;
    }
    if (!str_equal_nocase(at->text, "content")) {
        return is_plain_option(at->text);
    }
    if (argument->end != at + 3 || !is_value(at + 2) || str_empty(at[2].text)) {
        return false; /* without content of its own it is an index over something else */
    }
    *shows = at[2].text;
    return true;
}

static const char *fts_shows(const struct arguments *arguments)
{
    const char *shows = NULL;
    for (size_t i = 0; i < arguments->count; i++) {
        if (!option_read(&arguments->items[i], &shows)) {
            return unknown;
        }
    }
    return shows;
}

/* fts5vocab(table, type), fts4aux(table): of another database they name more. */
static const char *words_shows(const struct arguments *arguments, size_t count)
{
    return arguments->count == count && is_single(&arguments->items[0])
               ? arguments->items[0].first->text
               : unknown;
}

static const char *vocab_shows(const struct arguments *arguments)
{
    return words_shows(arguments, 2);
}

static const char *aux_shows(const struct arguments *arguments)
{
    return words_shows(arguments, 1);
}

static const char *own_shows(const struct arguments *arguments)
{
    (void)arguments;
    return NULL;
}

static const struct {
    const char *module;
    const char *(*shows)(const struct arguments *arguments);
} modules[] = {
    {"fts3", fts_shows},    {"fts4", fts_shows},        {"fts5", fts_shows},
    {"fts4aux", aux_shows}, {"fts5vocab", vocab_shows}, {"fts3tokenize", own_shows},
    {"geopoly", own_shows}, {"rtree", own_shows},       {"rtree_i32", own_shows},
};

/* Splits "(a, b(c, d))" at its commas. False: it is not in order. */
static bool arguments_read(struct arena *arena, const struct token *at,
                           struct arguments *out)
{
    int depth = 1;
    if (at->kind == TOKEN_END) {
        return true;
    }
    if (!token_is_punct(at++, "(")) {
        return false;
    }
    const struct token *first = at;
    for (; depth && at->kind != TOKEN_END && at->kind != TOKEN_BAD; at++) {
        depth += token_is_punct(at, "(");
        depth -= token_is_punct(at, ")");
        if (depth == 0 || (depth == 1 && token_is_punct(at, ","))) {
            VEC_PUSH(arena, out, ((struct argument){.first = first, .end = at}));
            first = at + 1;
        }
    }
    return depth == 0 && at->kind == TOKEN_END;
}

static bool skip(const struct token **at, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!token_is(*at + i, words[i])) {
            return false;
        }
    }
    *at += count;
    return true;
}

/* The name of the module; NULL: the text is not what it should be. */
static const struct token *module_find(const struct token *at)
{
    static const char *const create[] = {"create", "virtual", "table"};
    static const char *const absent[] = {"if", "not", "exists"};
    static const char *const uses[] = {"using"};
    if (!skip(&at, create, 3)) {
        return NULL;
    }
    (void)skip(&at, absent, 3);
    at += is_value(at);
    if (token_is_punct(at, ".")) {
        at += 1 + is_value(at + 1);
    }
    return skip(&at, uses, 1) && is_value(at) ? at : NULL;
}

const char *virtual_table_shows(struct arena *arena, const char *definition)
{
    struct tokens tokens = {0};
    struct arguments arguments = {0};
    if (str_empty(definition)) {
        return unknown;
    }
    lexer_run(arena, DIALECT_SQLITE, definition, strlen(definition), &tokens);
    const struct token *module = module_find(tokens.items);
    if (!module || !arguments_read(arena, module + 1, &arguments)) {
        return unknown;
    }
    for (size_t i = 0; i < sizeof modules / sizeof *modules; i++) {
        if (str_equal_nocase(modules[i].module, module->text)) {
            return modules[i].shows(&arguments);
        }
    }
    return unknown;
}
