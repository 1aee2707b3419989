/* Words of the question that are cells of the database, longest runs first. */
#include <string.h>
#include <strings.h>

#include "knowledge/words/abbreviations.h"
#include "knowledge/words/fold.h"
#include "parser/ir/ir_schema.h"
#include "parser/words/lexicon.h"
#include "parser/words/names.h"
#include "parser/values/values_state.h"

enum {
    RUN_MOST = 10,   /* tokens */
    SPAN_MOST = 200, /* bytes */
    ALIAS_MOST = 4,  /* tokens: "u.s" is three */
    FORM_LEAST = 4,  /* letters */
    FORMS_MOST = 16,
    SQUASH_LEAST = 3, /* letters, to be the same without its signs */
};

/* Is it spelled as in the question, but for capitals? Accents count. */
static bool is_spelled(const struct value_match *match, const char *text, size_t size)
{
    return match->exact && strlen(match->text) == size &&
           strncasecmp(match->text, text, size) == 0;
}

static bool stands_in(const struct value_match *match, const struct value_place *place)
{
    for (size_t i = 0; i < match->place_count; i++) {
        if (match->places[i].table == place->table &&
            match->places[i].column == place->column) {
            return true;
        }
    }
    return false;
}

/* Without the columns that have it just as the question writes it: "Gdansk" where "Gdańsk" is asked for. */
static bool leave_spelled(struct finding *finding, const struct value_matches *matches,
                          const char *text, size_t size, struct value_match *match)
{
    struct value_place *kept =
        arena_array(finding->arena, match->place_count + 1, sizeof *kept);
    size_t count = 0;
    for (size_t k = 0; k < match->place_count; k++) {
        bool outdone = false;
        for (size_t i = 0; i < matches->count && !outdone; i++) {
            outdone = is_spelled(&matches->items[i], text, size) &&
                      stands_in(&matches->items[i], &match->places[k]);
        }
        if (!outdone) {
            kept[count++] = match->places[k];
        }
    }
    match->places = kept;
    match->place_count = count;
    return count > 0;
}

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

static void values_cells_look(struct finding *finding, enum candidate_kind kind,
                              const char *text, size_t size, size_t first, size_t end)
{
    char squashed[SPAN_MOST + 1];
    struct value_matches matches;
    value_index_find(finding->request->index, finding->arena, text, size, &matches);
    bool loose = matches.count &&
                 fold_squash(squashed, sizeof squashed, text, size) >= SQUASH_LEAST;
    struct value_matches kept = {0};
    for (size_t i = 0; i < matches.count; i++) {
        struct value_match match = matches.items[i];
        if (is_spelled(&match, text, size) ||
            leave_spelled(finding, &matches, text, size, &match)) {
            VEC_PUSH(finding->arena, &kept, match);
        }
    }
    add_matches(finding, &kept, kind, first, end, loose);
}

/* A cell in the singular for a plural in the question, and the other way round. */
static void look_number(struct finding *finding, const char *text, size_t size,
                        size_t first, size_t end)
{
    char other[SPAN_MOST + 2];
    if (size < 3 || size > SPAN_MOST) {
        return;
    }
    memcpy(other, text, size);
    if ((text[size - 1] | 32) != 's') {
        other[size] = 's';
        if (end - first == 1) {
            values_cells_look(finding, CANDIDATE_ALIAS, other, size + 1, first, end);
        }
        return;
    }
    values_cells_look(finding, CANDIDATE_ALIAS, other, size - 1, first, end);
    if (size > 5 && (text[size - 2] | 32) == 'e') {
        values_cells_look(finding, CANDIDATE_ALIAS, other, size - 2, first, end);
        other[size - 3] = 'y';
        values_cells_look(finding, CANDIDATE_ALIAS, other, size - 2, first, end);
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
    values_cells_look(at->finding, CANDIDATE_ALIAS, alias, strlen(alias), at->first,
                      at->end);
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

/* A word and its regular past: "hire" for the cell Hired. */
static void look_past(struct finding *finding, const char *word, size_t at)
{
    char past[LEXICON_WORD + 4];
    size_t size = strlen(word);
    values_cells_look(finding, CANDIDATE_ALIAS, word, size, at, at + 1);
    bool y = size > 2 && word[size - 1] == 'y' && !strchr("aeiou", word[size - 2]);
    size_t stem = y || word[size - 1] == 'e' ? size - 1 : size;
    memcpy(past, word, stem);
    memcpy(past + stem, y ? "ied" : "ed", y ? 4 : 3);
    values_cells_look(finding, CANDIDATE_ALIAS, past, strlen(past), at, at + 1);
    if (stem == size && size > 2 && strchr("aeiou", word[size - 2]) &&
        !strchr("aeiouwxy", word[size - 1])) {
        past[size] = word[size - 1]; /* ship, shipped */
        memcpy(past + size + 1, "ed", 3);
        values_cells_look(finding, CANDIDATE_ALIAS, past, size + 3, at, at + 1);
    }
}

/* "rained" for the cell Rain, "successful" for Success, "win" for Won. */
static void look_forms(struct finding *finding, size_t at)
{
    static const enum lexicon_kind kinds[] = {LEXICON_RELATED, LEXICON_FORMED};
    const struct lexicon *lexicon = finding->request->lexicon;
    const struct token *token = &finding->tokens->items[at];
    struct lexicon_senses senses;
    if (token->kind != TOKEN_WORD || finding->covered[at] ||
        token->end - token->start < FORM_LEAST || token_is_grammar(token->text)) {
        return;
    }
    lexicon_senses(lexicon, token->text, &senses);
    for (size_t i = 0; i < senses.count; i++) {
        char word[LEXICON_WORD];
        lexicon_text(lexicon, senses.words[i], word);
        look_past(finding, word, at);
        for (size_t j = 0; j < sizeof kinds / sizeof *kinds; j++) {
            int related[FORMS_MOST];
            size_t count =
                lexicon_list(lexicon, senses.words[i], kinds[j], related, FORMS_MOST);
            for (size_t k = 0; k < count; k++) {
                lexicon_text(lexicon, related[k], word);
                look_past(finding, word, at);
            }
        }
    }
}

/* "professor" for the cell PROF. */
static void look_brief(struct finding *finding, size_t at)
{
    const struct token *token = &finding->tokens->items[at];
    const char *brief = NULL;
    size_t row = 0;
    while (token->kind == TOKEN_WORD && !finding->covered[at] &&
           (brief = abbreviation_of(token->stem, &row))) {
        values_cells_look(finding, CANDIDATE_ALIAS, brief, strlen(brief), at, at + 1);
    }
}

static void look_word(struct finding *finding, size_t at)
{
    const struct token *token = &finding->tokens->items[at];
    size_t size = token->end - token->start;
    bool letter = size == 1 && token->kind == TOKEN_WORD;
    bool large = letter && token->capital && at > 0; /* "a grade of A" */
    bool small = letter && !token->quoted && !large && strchr("asi", token->text[0]);
    bool common = token_is_common(token->text) && !token->quoted && !large;
    if (token->kind == TOKEN_QUOTE || (token->kind == TOKEN_MARK && !token->quoted) ||
        common || (size == 1 && !letter) || small) {
        return;
    }
    const char *text = finding->tokens->text + token->start;
    values_cells_look(finding, CANDIDATE_CELL, text, size, at, at + 1);
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
    values_cells_look(finding, CANDIDATE_CELL, text, size, first, end);
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
    for (size_t i = 0; i < count; i++) {
        look_forms(finding, i);
        look_brief(finding, i);
    }
}
