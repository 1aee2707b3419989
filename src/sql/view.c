/* The query that defines a view, as people and models may read it. */
#include "sql/view.h"

#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "model/schema.h"
#include "sql/guard.h"
#include "sql/lexer.h"
#include "sql/statement.h"

enum { VIEW_MOST = 16 * 1024 }; /* bytes of a definition; a longer one explains nothing */

const char *view_query(struct arena *arena, enum dialect dialect, const char *definition)
{
    struct tokens tokens = {0};
    lexer_run(arena, dialect, definition, strlen(definition), &tokens);
    bool made = tokens.count && token_is(tokens.items, "create");
    for (size_t i = 0; made && i < tokens.count; i++) {
        if (tokens.items[i].keyword == KEYWORD_as) {
            return definition + tokens.items[i].end;
        }
    }
    return definition;
}

/* NULL: it is not shown. */
static const char *tidied(struct arena *scratch, const struct schema *schema,
                          enum dialect dialect, const struct table *view)
{
    if (!view->is_view || str_empty(view->definition) ||
        strlen(view->definition) > VIEW_MOST) {
        return NULL;
    }
    const char *query = view_query(scratch, dialect, view->definition);
    struct sql_statement statement;
    struct guard_result guard = {0};
    if (!sql_statement_read(scratch, dialect, query, strlen(query), &statement)) {
        return NULL;
    }
    guard_check_statement(scratch, &statement, schema, &guard);
    if (guard.verdict != GUARD_READ || guard.unknown.count) {
        return NULL;
    }
    return str_squeeze(scratch, sql_statement_print(scratch, dialect, statement.root));
}

void view_tidy(struct schema *schema, enum dialect dialect)
{
    struct arena *scratch = arena_new();
    for (size_t i = 0; i < schema->tables.count; i++) {
        struct table *view = &schema->tables.items[i];
        view->definition =
            arena_text(schema->arena, tidied(scratch, schema, dialect, view));
        arena_reset(scratch);
    }
    arena_free(scratch);
}

const char *view_outline(struct arena *arena, enum dialect dialect, const char *query)
{
    static const bool shown[] = {
        [TOKEN_WORD] = true, [TOKEN_NAME] = true, [TOKEN_PUNCT] = true};
    struct tokens tokens = {0};
    struct buf out;
    size_t from = 0;
    buf_init(&out, (size_t)VIEW_MOST * 4);
    lexer_run(arena, dialect, query, strlen(query), &tokens);
    for (size_t i = 0; i < tokens.count; i++) {
        const struct token *token = &tokens.items[i];
        if ((size_t)token->kind >= sizeof shown || !shown[token->kind]) {
            (void)buf_add(&out, query + from, token->start - from);
            (void)buf_char(&out, '?');
            from = token->end;
        }
    }
    (void)buf_text(&out, query + from);
    const char *text = buf_clone(&out, arena);
    buf_release(&out);
    return text;
}
