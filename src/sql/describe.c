/* A statement as one sentence. */
#include "sql/describe.h"

#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "sql/describe_memory.h"
#include "sql/describe_sentence.h"

enum { NESTING_MOST = 200 };

/* SET a = 1, b = 2 -> ": sets a to 1, b to 2" */
static void add_settings(struct sentence *sentence, struct span span)
{
    const struct token *set = span_find(span, KEYWORD_set);
    const struct token *end = set;
    while (end < span.to && end->keyword != KEYWORD_where &&
           end->keyword != KEYWORD_from && !token_is(end, "returning")) {
        end = span_skip(end, span.to);
    }
    struct span rest = {set + 1, end};
    struct span item;
    const char *gap = ": sets ";
    while (set < span.to && span_next_item(&rest, &item)) {
        const struct token *equals = item.from;
        while (equals < item.to && !token_is_punct(equals, "=")) {
            equals++;
        }
        if (equals + 1 >= item.to || equals == item.from) {
            continue;
        }
        buf_format(sentence->out, "%s%s to %s", gap,
                   sentence_piece(sentence, (struct span){item.from, equals}, false),
                   sentence_piece(sentence, (struct span){equals + 1, item.to}, false));
        gap = ", ";
    }
}

static void add_write(struct sentence *sentence, struct span span)
{
    const struct token *first = span.from;
    const char *verb = first->keyword == KEYWORD_insert   ? "Adds rows to"
                       : first->keyword == KEYWORD_update ? "Changes rows of"
                                                          : "Deletes rows of";
    const struct token *at = first + 1;
    while (at < span.to && !describe_is_name(at)) {
        at++;
    }
    buf_format(sentence->out, "%s %s", verb, at < span.to ? at->text : "a table");
    (void)sentence_cut(sentence, span);
    struct span where = sentence->parts[PART_WHERE];
    if (first->keyword == KEYWORD_update) {
        add_settings(sentence, span);
    }
    if (where.from && first->keyword != KEYWORD_insert) {
        buf_format(sentence->out, ", where %s", sentence_piece(sentence, where, true));
    } else if (first->keyword != KEYWORD_insert) {
        buf_text(sentence->out, ", all of them");
    }
}

/* Words are made by functions that call themselves: bound how often. */
static bool too_deep(const struct tokens *tokens)
{
    int depth = 0;
    int deepest = 0;
    for (size_t i = 0; i < tokens->count; i++) {
        const struct token *token = &tokens->items[i];
        depth += token_is_punct(token, "(") || token->keyword == KEYWORD_case;
        depth -= token_is_punct(token, ")") || token->keyword == KEYWORD_end;
        deepest = depth > deepest ? depth : deepest;
    }
    return deepest > NESTING_MOST;
}

static char *describe(struct arena *arena, enum dialect dialect, const char *sql)
{
    struct tokens tokens = {0};
    lexer_run(arena, dialect, sql, strlen(sql), &tokens);
    while (tokens.count && token_is_punct(&tokens.items[tokens.count - 1], ";")) {
        tokens.count--;
    }
    if (tokens.count == 0 || tokens.items[tokens.count - 1].kind == TOKEN_BAD ||
        too_deep(&tokens)) {
        return arena_text(arena, "Not a query.");
    }
    struct buf out;
    buf_init(&out, DESCRIBE_MOST);
    struct sentence sentence = {.out = &out};
    sentence.names = (struct describe_names){.arena = arena, .dialect = dialect};
    struct span span = {tokens.items, tokens.items + tokens.count};
    enum keyword first = span.from->keyword;
    if (first == KEYWORD_insert || first == KEYWORD_update || first == KEYWORD_delete) {
        add_write(&sentence, span);
    } else if (first == KEYWORD_values) {
        buf_text(&out, "Shows fixed values");
    } else if (first == KEYWORD_select || first == KEYWORD_with ||
               first == KEYWORD_from || token_is_punct(span.from, "(")) {
        sentence_add_query(&sentence, span);
    } else {
        buf_text(&out, "Not a query");
    }
    char *text = arena_format(arena, "%s%s", buf_get(&out), out.full ? "…" : ".");
    buf_release(&out);
    return str_squeeze(arena, text);
}

char *describe_sql(struct arena *arena, enum dialect dialect, const char *sql)
{
    char *said = describe_recall(arena, dialect, sql);
    if (!said) {
        said = describe(arena, dialect, sql);
        describe_remember(dialect, sql, said);
    }
    return said;
}
