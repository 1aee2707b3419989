/* Cells that were mistyped, or named by some of their words only. */
#include <string.h>

#include "base/map.h"
#include "parser/words/lexicon.h"
#include "parser/values/values_state.h"

enum {
    RUN_MOST = 4,
    LOOKS_MOST = 16, /* near looks per question: each walks over many cells */
    MATCHES_MOST = 3,
    NEAR_LETTERS = 5,
    PART_LETTERS = 3,
    INSIDE_LETTERS = 4,
    INSIDE_MOST = 3, /* candidates of this kind per question */
    PLACES_MOST = 8,
};

/* May the token be a cell in another spelling? Words that are known are what they say,
 * unless they are written as a name. */
static bool may_be_cell(const struct finding *finding, size_t at)
{
    const struct token *token = &finding->tokens->items[at];
    if (token->kind != TOKEN_WORD || finding->covered[at] ||
        token_is_grammar(token->text) || map_has(finding->request->words, token->text) ||
        map_has(finding->request->words, token->stem)) {
        return false;
    }
    struct lexicon_senses senses;
    lexicon_senses(finding->request->lexicon, token->text, &senses);
    int weight = 0;
    for (size_t i = 0; i < senses.count; i++) {
        int one = lexicon_weight(finding->request->lexicon, senses.words[i]);
        weight = one > weight ? one : weight;
    }
    bool name = (token->capital && at > 0) || token->quoted;
    return senses.count == 0 || (name && weight < 8);
}

static bool add_all(struct finding *finding, const struct value_matches *matches,
                    enum candidate_kind kind, size_t first, size_t end)
{
    for (size_t i = 0; i < matches->count; i++) {
        struct candidate *candidate =
            values_add(finding, kind, matches->items[i].text, true, first, end);
        if (candidate) {
            values_add_places(finding, candidate, &matches->items[i]);
        }
    }
    return matches->count > 0;
}

/* "San Jose State": capitals throughout, though some of them are a cell already. */
static bool is_name(const struct finding *finding, size_t first, size_t end)
{
    bool covered = true;
    for (size_t i = first; i < end; i++) {
        const struct token *token = &finding->tokens->items[i];
        if (token->kind != TOKEN_WORD || !token->capital || i == 0) {
            return false;
        }
        covered = covered && finding->covered[i];
    }
    return !covered && end - first > 1;
}

/* Longest runs first; what is found covers its tokens. */
void values_near(struct finding *finding)
{
    const struct tokens *tokens = finding->tokens;
    int looks = 0;
    for (size_t size = RUN_MOST; finding->request->index && size > 0; size--) {
        for (size_t i = 0; i + size <= tokens->count && looks < LOOKS_MOST; i++) {
            const struct token *first = &tokens->items[i];
            const struct token *last = &tokens->items[i + size - 1];
            bool fits = is_name(finding, i, i + size) ||
                        (last->kind == TOKEN_WORD && may_be_cell(finding, i) &&
                         (size == 1 || may_be_cell(finding, i + size - 1)));
            size_t length = last->end - first->start;
            if (!fits || length < PART_LETTERS) {
                continue;
            }
            struct value_matches near = {0};
            struct value_matches part = {0};
            const char *text = tokens->text + first->start;
            looks++;
            if (length >= NEAR_LETTERS) {
                value_index_near(finding->request->index, finding->arena, text, length,
                                 MATCHES_MOST, &near);
            }
            value_index_part(finding->request->index, finding->arena, text, length,
                             MATCHES_MOST, &part);
            bool found = add_all(finding, &near, CANDIDATE_NEAR, i, i + size);
            found = add_all(finding, &part, CANDIDATE_PART, i, i + size) || found;
            for (size_t j = i; found && j < i + size; j++) {
                finding->covered[j] = true;
            }
        }
    }
}

static bool add_inside(struct finding *finding, struct candidate *candidate,
                       const char *text, size_t size)
{
    struct value_place places[PLACES_MOST];
    struct value_match match = {.places = places};
    match.place_count =
        value_index_inside(finding->request->index, text, size, places, PLACES_MOST);
    if (candidate && match.place_count) {
        values_add_places(finding, candidate, &match);
    }
    return match.place_count > 0;
}

/* Which columns hold the text of a candidate among other words, and words that nothing
 * else explains but that stand in some cells: "guide pages". */
void values_inside(struct finding *finding)
{
    const struct tokens *tokens = finding->tokens;
    if (!finding->request->index) {
        return;
    }
    for (size_t i = 0; i < finding->out->count; i++) {
        struct candidate *candidate = &finding->out->items[i];
        bool text = candidate->kind >= CANDIDATE_QUOTED && candidate->value.is_text;
        if (text && candidate->column_count == 0) {
            (void)add_inside(finding, candidate, candidate->value.text,
                             strlen(candidate->value.text));
        }
    }
    int added = 0;
    for (size_t i = 0; i < tokens->count && added < INSIDE_MOST; i++) {
        const struct token *token = &tokens->items[i];
        size_t size = token->end - token->start;
        if (token->kind != TOKEN_WORD || finding->covered[i] || size < INSIDE_LETTERS ||
            token_is_grammar(token->text) ||
            map_has(finding->request->words, token->stem) ||
            map_has(finding->request->words, token->text)) {
            continue;
        }
        const char *text = arena_copy(finding->arena, tokens->text + token->start, size);
        struct candidate *candidate = NULL;
        if (add_inside(finding, NULL, text, size)) {
            candidate = values_add(finding, CANDIDATE_INSIDE, text, true, i, i + 1);
            if (candidate && candidate->kind == CANDIDATE_INSIDE) {
                (void)add_inside(finding, candidate, text, size);
                added++;
            }
        }
    }
}
