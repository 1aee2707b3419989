/* Metrics into the tables of a schema: each must be a plain expression over columns. */
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/str.h"
#include "datasource/dictionary_state.h"
#include "sql/guard.h"
#include "sql/lexer.h"

/* The names of columns in an expression. False: it is none, with the reason. */
static bool names_in(struct arena *arena, enum dialect dialect, const char *expression,
                     struct texts *names, const char **why)
{
    struct tokens tokens = {0};
    int depth = 0;
    if (strstr(expression, "--") || strstr(expression, "/*")) {
        *why = "it holds a comment";
        return false;
    }
    lexer_run(arena, dialect, expression, strlen(expression), &tokens);
    for (size_t i = 0; i < tokens.count; i++) {
        const struct token *token = &tokens.items[i];
        bool name = token->kind == TOKEN_NAME ||
                    (token->kind == TOKEN_WORD && token->keyword == KEYWORD_NONE);
        depth += token_is_punct(token, "(") - token_is_punct(token, ")");
        if (token->kind == TOKEN_BAD || token->kind == TOKEN_PARAM || depth < 0 ||
            token_is_punct(token, ";") || token_is(token, "select")) {
            *why = "it is not an expression over columns";
            return false;
        }
        if (name && !token_is_punct(&tokens.items[i + 1], "(") &&
            !token_is_punct(&tokens.items[i + 1], ".")) {
            VEC_PUSH(arena, names, token->text);
        }
    }
    *why = depth ? "a bracket is not closed" : "it names no column";
    return depth == 0 && names->count > 0;
}

static bool has_all(const struct table *table, const struct texts *names)
{
    for (size_t i = 0; i < names->count; i++) {
        if (!table_column(table, names->items[i])) {
            return false;
        }
    }
    return true;
}

/* The table it says, else the first that has all its columns. */
static struct table *table_of(struct schema *schema, const char *said,
                              const struct texts *names)
{
    if (said) {
        return schema_table(schema, said);
    }
    for (size_t i = 0; i < schema->tables.count; i++) {
        if (has_all(&schema->tables.items[i], names)) {
            return &schema->tables.items[i];
        }
    }
    return NULL;
}

/* The guard has the last word on what may stand in a query. */
static bool passes(struct arena *arena, enum dialect dialect, const struct schema *schema,
                   const struct table *table, const char *expression)
{
    struct buf sql;
    struct guard_result guard = {0};
    buf_init(&sql, 4096);
    (void)buf_format(&sql, "SELECT (%s) FROM ", expression);
    if (!str_empty(table->namespace)) {
        dialect_quote(&sql, dialect, table->namespace, true);
        (void)buf_char(&sql, '.');
    }
    dialect_quote(&sql, dialect, table->bare_name, false);
    if (!sql.full) {
        guard_check(arena, dialect, buf_get(&sql), sql.size, schema, &guard);
    }
    bool ok = !sql.full && guard.verdict == GUARD_READ && guard.unknown.count == 0;
    buf_release(&sql);
    return ok;
}

static const char *merge_metric(struct arena *scratch, struct schema *schema,
                                const struct dictionary_metric *metric)
{
    struct texts names = {0};
    const char *why = NULL;
    enum dialect dialect = DIALECT_SQLITE;
    (void)dialect_find(schema->dialect, &dialect);
    if (!names_in(scratch, dialect, metric->metric.expression, &names, &why)) {
        return why;
    }
    struct table *table = table_of(schema, metric->table, &names);
    if (!table) {
        return metric->table ? "its table does not exist"
                             : "no table has all its columns; say which one is meant";
    }
    for (size_t i = 0; i < names.count; i++) {
        if (!table_column(table, names.items[i])) {
            return arena_format(scratch, "'%s' has no column '%.100s'", table->name,
                                names.items[i]);
        }
    }
    if (!passes(scratch, dialect, schema, table, metric->metric.expression)) {
        return "it is not an expression that only reads";
    }
    struct metric *added = VEC_ADD(schema->arena, &table->metrics);
    added->name = arena_text(schema->arena, metric->metric.name);
    added->expression = arena_text(schema->arena, metric->metric.expression);
    added->comment = arena_text(schema->arena, metric->metric.comment);
    for (size_t i = 0; i < metric->metric.synonyms.count; i++) {
        dictionary_synonym_add(schema->arena, &added->synonyms,
                               metric->metric.synonyms.items[i]);
    }
    return NULL;
}

void dictionary_metrics_merge(const struct dictionary *dictionary, struct schema *schema,
                              void (*warn)(void *context, const char *text),
                              void *context)
{
    for (size_t i = 0; i < dictionary->metrics.count; i++) {
        const struct dictionary_metric *metric = &dictionary->metrics.items[i];
        struct arena *scratch = arena_new();
        const char *why = merge_metric(scratch, schema, metric);
        if (why) {
            warn(context,
                 arena_format(scratch, "The dictionary's metric '%s' was left out: %s.",
                              metric->metric.name, why));
        }
        arena_free(scratch);
    }
}
