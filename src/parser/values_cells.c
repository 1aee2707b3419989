/* Words of the question that are cells of the database, longest runs first. */
#include <string.h>

#include "knowledge/fold.h"
#include "parser/ir_schema.h"
#include "parser/values_state.h"

enum {
    RUN_MOST = 10,    /* tokens */
    SPAN_MOST = 200,  /* bytes */
    ALIAS_MOST = 4,   /* tokens: "u.s" is three */
    SQUASH_LEAST = 4, /* letters, to be the same without its signs */
};

static void add_matches(struct finding *finding, const struct value_matches *matches,
                        enum candidate_kind kind, size_t first, size_t end, bool loose)
{
    for (size_t i = 0; i < matches->count; i++) {
        const struct value_match *match = &matches->items[i];
        if (!match->exact && !loose) {
            continue;
        }
        struct candidate *candidate =
            values_add(finding, kind, match->text, true, first, end);
        if (candidate) {
            values_add_places(finding, candidate, match);
            for (size_t j = first; j < end; j++) {
                finding->covered[j] = true;
            }
        }
    }
}

static void look(struct finding *finding, enum candidate_kind kind, const char *text,
                 size_t size, size_t first, size_t end)
{
    char squashed[SPAN_MOST + 1];
    struct value_matches matches;
    value_index_find(finding->request->index, finding->arena, text, size, &matches);
    bool loose = matches.count &&
                 fold_squash(squashed, sizeof squashed, text, size) >= SQUASH_LEAST;
    add_matches(finding, &matches, kind, first, end, loose);
}

/* A cell in the singular for a plural in the question, and the other way round. */
static void look_number(struct finding *finding, const char *text, size_t size,
                        size_t first, size_t end)
{
    char other[SPAN_MOST + 2];
    if (size < 4 || size > SPAN_MOST) {
        return;
    }
    memcpy(other, text, size);
    if ((text[size - 1] | 32) != 's') {
        other[size] = 's';
        if (end - first == 1) {
            look(finding, CANDIDATE_ALIAS, other, size + 1, first, end);
        }
        return;
    }
    look(finding, CANDIDATE_ALIAS, other, size - 1, first, end);
    if (size > 5 && (text[size - 2] | 32) == 'e') {
        look(finding, CANDIDATE_ALIAS, other, size - 2, first, end);
        other[size - 3] = 'y';
        look(finding, CANDIDATE_ALIAS, other, size - 2, first, end);
    }
}

struct alias_look {
    struct finding *finding;
    size_t first;
    size_t end;
};

static void look_alias(void *context, const char *alias)
{
    struct alias_look *at = context;
    look(at->finding, CANDIDATE_ALIAS, alias, strlen(alias), at->first, at->end);
}

static void look_aliases(struct finding *finding, size_t first, size_t end)
{
    char text[SPAN_MOST + 1];
    const struct token *items = finding->tokens->items;
    struct alias_look at = {finding, first, end};
    if (items[first].kind == TOKEN_WORD) {
        (void)fold_text(text, sizeof text, finding->tokens->text + items[first].start,
                        items[end - 1].end - items[first].start);
        values_aliases(text, end - first == 1 && items[first].upper, look_alias, &at);
    }
}

static void look_word(struct finding *finding, size_t at)
{
    const struct token *token = &finding->tokens->items[at];
    size_t size = token->end - token->start;
    bool letter = size == 1 && token->kind == TOKEN_WORD;
    bool small = letter && !token->quoted && strchr("asi", token->text[0]);
    if (token->kind == TOKEN_QUOTE || (token->kind == TOKEN_MARK && !token->quoted) ||
        (token_is_common(token->text) && !token->quoted) || (size == 1 && !letter) ||
        small) {
        return;
    }
    const char *text = finding->tokens->text + token->start;
    look(finding, CANDIDATE_CELL, text, size, at, at + 1);
    if (token->kind == TOKEN_WORD) {
        look_number(finding, text, size, at, at + 1);
    }
}

static void look_run(struct finding *finding, size_t first, size_t end)
{
    const struct token *items = finding->tokens->items;
    const char *text = finding->tokens->text + items[first].start;
    size_t size = items[end - 1].end - items[first].start;
    bool quoted = items[first].quoted && items[end - 1].quoted;
    bool marks = items[first].kind == TOKEN_MARK || items[end - 1].kind == TOKEN_MARK;
    if (size > SPAN_MOST || items[first].kind == TOKEN_QUOTE ||
        items[end - 1].kind == TOKEN_QUOTE || (marks && !quoted)) {
        return;
    }
    look(finding, CANDIDATE_CELL, text, size, first, end);
    if (items[end - 1].kind == TOKEN_WORD) {
        look_number(finding, text, size, first, end);
    }
}

void values_cells(struct finding *finding)
{
    size_t count = finding->tokens->count;
    if (!finding->request->index) {
        return;
    }
    for (size_t size = RUN_MOST; size > 1; size--) {
        for (size_t i = 0; i + size <= count; i++) {
            look_run(finding, i, i + size);
        }
    }
    for (size_t i = 0; i < count; i++) {
        look_word(finding, i);
    }
    for (size_t size = ALIAS_MOST; size > 0; size--) {
        for (size_t i = 0; i + size <= count; i++) {
            look_aliases(finding, i, i + size);
        }
    }
}
