/* Words of a question against the words of names. */
#include <string.h>

#include "base/arena.h"
#include "base/hash.h"
#include "base/str.h"
#include "parser/ir/ir_schema.h"
#include "parser/link/linker_state.h"
#include "knowledge/words/abbreviations.h"
#include "knowledge/words/stem.h"
#include "parser/words/tokens.h"

enum {
    RUN_MOST = 7, /* tokens of a name in a question, signs between them included */
    RUN_BYTES = 512,
    PREFIX = 5,
    CUT_LEAST = 3,
    TYPO_LETTERS = 5,
    TYPO_TWO = 8,
    CODE_UNKNOWN = 255, /* not computed yet */
};

/* A run of tokens that may be a name. */
struct run {
    bool turned; /* "date of birth" for "birth date" */
    uint64_t joined;
    uint16_t first;
    uint16_t end;
};

struct runs {
    struct run *items;
    size_t count;
    size_t capacity;
    uint32_t *slots; /* hash -> run plus one */
    size_t slot_count;
};

/* A word of the question, prepared. */
struct asked {
    const struct token *token;
    struct lexicon_senses senses;
    struct texts full; /* stems of what it is short for */
    bool common;       /* only our own list of meanings counts */
    bool mistyped;     /* in no dictionary and no name: may be a typing error */
};

struct linking {
    const struct linker *linker;
    struct arena *arena;
    const struct tokens *tokens;
    struct asked *asked;
    const struct selection *selection;
    struct runs runs;
    uint8_t *word_codes; /* token × word; a row is filled when its token is linked */
    uint8_t *codes;      /* token × item, names that are runs of words already marked */
    size_t stride;
    bool *linked; /* the tokens whose row is complete */
};

enum link_code link_of_relation(int relation)
{
    if (relation >= RELATION_QC_EXACT && relation <= RELATION_QC_HYPERNYM) {
        return (enum link_code)(LINK_EXACT + relation - RELATION_QC_EXACT);
    }
    if (relation >= RELATION_QT_EXACT && relation <= RELATION_QT_HYPERNYM) {
        return (enum link_code)(LINK_EXACT + relation - RELATION_QT_EXACT);
    }
    return LINK_NONE;
}

/* Signs inside a name do not count: "e-mail", "order_date". */
static bool is_glue(const struct token *token)
{
    return token->kind == TOKEN_MARK && strchr("-_.'/", token->text[0]) != NULL;
}

/* "date of birth" is what a schema calls birth_date, "name of the city" city_name. */
static void run_turned(struct linking *linking, size_t at)
{
    const struct tokens *tokens = linking->tokens;
    size_t of = at + 1;
    size_t second = of + 1;
    if (second >= tokens->count || strcmp(tokens->items[of].text, "of") != 0 ||
        tokens->items[at].kind != TOKEN_WORD) {
        return;
    }
    static const char *const articles[] = {"the", "a", "an", "each", "every", "all"};
    for (size_t i = 0; i < sizeof articles / sizeof *articles; i++) {
        if (second + 1 < tokens->count &&
            strcmp(tokens->items[second].text, articles[i]) == 0) {
            second++;
            break;
        }
    }
    const char *first = tokens->items[at].stem;
    const char *last = tokens->items[second].stem;
    char joined[RUN_BYTES];
    size_t used = strlen(last);
    if (tokens->items[second].kind != TOKEN_WORD ||
        used + strlen(first) > sizeof joined) {
        return;
    }
    memcpy(joined, last, used);
    memcpy(joined + used, first, strlen(first));
    used += strlen(first);
    VEC_PUSH(linking->arena, &linking->runs,
             ((struct run){true, hash_of(joined, used), (uint16_t)at,
                           (uint16_t)(second + 1)}));
}

static void runs_make(struct linking *linking)
{
    struct runs *runs = &linking->runs;
    const struct tokens *tokens = linking->tokens;
    for (size_t i = 0; i < tokens->count; i++) {
        char joined[RUN_BYTES];
        size_t used = 0;
        for (size_t j = i; j < tokens->count && j < i + RUN_MOST; j++) {
            const struct token *token = &tokens->items[j];
            size_t size = strlen(token->stem);
            bool word = token->kind == TOKEN_WORD || token->kind == TOKEN_NUMBER;
            if ((!word && (j == i || !is_glue(token))) || used + size > sizeof joined) {
                break;
            }
            if (word) {
                memcpy(joined + used, token->stem, size);
                used += size;
                VEC_PUSH(linking->arena, runs,
                         ((struct run){false, hash_of(joined, used), (uint16_t)i,
                                       (uint16_t)(j + 1)}));
            }
        }
        run_turned(linking, i);
    }
    runs->slot_count = 16;
    while (runs->slot_count < runs->count * 2) {
        runs->slot_count *= 2;
    }
    runs->slots = arena_array(linking->arena, runs->slot_count, sizeof *runs->slots);
    for (size_t i = 0; i < runs->count; i++) {
        size_t at = (size_t)runs->items[i].joined & (runs->slot_count - 1);
        while (runs->slots[at]) {
            at = (at + 1) & (runs->slot_count - 1);
        }
        runs->slots[at] = (uint32_t)i + 1;
    }
}

/* Marks every token of every run that is this name. A weaker code does not overwrite. */
static void mark_runs(const struct linking *linking, uint64_t joined, enum link_code code,
                      uint8_t *codes, size_t stride)
{
    const struct runs *runs = &linking->runs;
    size_t at = (size_t)joined & (runs->slot_count - 1);
    for (; runs->slots[at]; at = (at + 1) & (runs->slot_count - 1)) {
        const struct run *run = &runs->items[runs->slots[at] - 1];
        enum link_code found = run->turned ? LINK_OWN : code;
        for (size_t i = run->first; run->joined == joined && i < run->end; i++) {
            uint8_t *cell = &codes[i * stride];
            bool word = linking->tokens->items[i].kind == TOKEN_WORD ||
                        linking->tokens->items[i].kind == TOKEN_NUMBER;
            bool between = run->turned && i > run->first && i + 1 < run->end;
            if (word && !between && (*cell == LINK_NONE || *cell > found)) {
                *cell = (uint8_t)found;
            }
        }
    }
}

/* "2024" speaks of a date, as "year" does. */
static bool is_year(const struct token *token)
{
    return token->kind == TOKEN_NUMBER && strlen(token->text) == 4 &&
           strspn(token->text, "0123456789") == 4 &&
           (strncmp(token->text, "19", 2) == 0 || strncmp(token->text, "20", 2) == 0);
}

static void linker_link_ask(struct linking *linking, size_t at)
{
    const struct token *token = &linking->tokens->items[at];
    struct asked *asked = &linking->asked[at];
    asked->token = token;
    asked->common = token_is_common(token->text) && !token_is_naming(token->text);
    bool year = is_year(token);
    asked->common = asked->common || year;
    lexicon_senses(&linking->linker->names.lexicon, year ? "year" : token->text,
                   &asked->senses);
    const char *full = abbreviation_full(token->text, true);
    struct texts words = {0};
    if (full) {
        str_split(linking->arena, full, ' ', &words);
    }
    for (size_t i = 0; i < words.count; i++) {
        char stem[STEM_SIZE];
        size_t size = stem_word(stem, words.items[i]);
        VEC_PUSH(linking->arena, &asked->full, arena_copy(linking->arena, stem, size));
    }
    asked->mistyped = asked->senses.count == 0 && !full &&
                      strlen(token->text) >= TYPO_LETTERS &&
                      !map_has(&linking->linker->known, token->text) &&
                      !map_has(&linking->linker->known, token->stem);
}

static bool share_prefix(const struct asked *asked, const struct linker_word *word)
{
    /* "count" asks for a number, not for a country */
    return strlen(asked->token->text) >= PREFIX && strlen(word->text) >= PREFIX &&
           strncmp(asked->token->text, word->text, PREFIX) == 0 &&
           strcmp(asked->token->stem, "count") != 0;
}

/* A name that is no word may be the beginning of one, vowels left out or not: "enr" of
 * enrollment, "dst" of destination. */
static bool is_cut(const struct asked *asked, const struct linker_word *word)
{
    const char *whole = asked->token->text;
    size_t size = strlen(word->text);
    if (word->senses.count || size < CUT_LEAST || strlen(whole) < size + 2 ||
        asked->token->kind != TOKEN_WORD) {
        return false;
    }
    if (strncmp(whole, word->text, size) == 0) {
        return true;
    }
    const char *left = word->text;
    for (const char *c = whole; *c && *left; c++) {
        if (*c == *left) {
            left++;
        } else if (!strchr("aeiou", *c)) {
            return false;
        }
    }
    return *left == '\0' && whole[0] == word->text[0] && !strpbrk(word->text, "aeiou");
}

static bool is_partial(const struct asked *asked, const struct linker_word *word)
{
    const struct token *token = asked->token;
    if (strcmp(token->stem, word->stem) == 0) {
        return token->stem[1] != '\0';
    }
    for (size_t i = 0; i < asked->full.count; i++) {
        if (strcmp(asked->full.items[i], word->stem) == 0) {
            return true;
        }
    }
    if (share_prefix(asked, word) || is_cut(asked, word)) {
        return true;
    }
    size_t size = strlen(token->text);
    return asked->mistyped && token->text[0] == word->text[0] &&
           strlen(word->text) >= TYPO_LETTERS - 1 &&
           str_distance(token->text, word->text, 2) <= (size >= TYPO_TWO ? 2U : 1U);
}

static enum link_code compute_code(const struct linking *linking,
                                   const struct asked *asked,
                                   const struct linker_word *word)
{
    static const enum link_code of_kind[] = {
        [LEXICON_SAME] = LINK_SYNONYM,      [LEXICON_SYNONYM] = LINK_SYNONYM,
        [LEXICON_CUE] = LINK_RELATED,       [LEXICON_RELATED] = LINK_RELATED,
        [LEXICON_HYPERNYM] = LINK_HYPERNYM, [LEXICON_FORM] = LINK_SYNONYM,
        [LEXICON_FORMED] = LINK_SYNONYM,    [LEXICON_NONE] = LINK_NONE,
    };
    if (asked->token->kind != TOKEN_WORD && asked->token->kind != TOKEN_NUMBER) {
        return LINK_NONE;
    }
    if (!asked->common && is_partial(asked, word)) {
        return LINK_PARTIAL;
    }
    if (asked->senses.count == 0 || word->senses.count == 0) {
        return LINK_NONE;
    }
    enum lexicon_kind kind =
        lexicon_between(&linking->linker->names.lexicon, &asked->senses, &word->senses);
    if (asked->token->kind == TOKEN_NUMBER) {
        return kind <= LEXICON_CUE ? LINK_RELATED : LINK_NONE;
    }
    if (asked->common && kind != LEXICON_SAME && kind != LEXICON_CUE) {
        return LINK_NONE;
    }
    return of_kind[kind];
}

static uint8_t word_code(struct linking *linking, size_t token, uint32_t word)
{
    uint8_t *code = &linking->word_codes[token * linking->linker->words.count + word];
    if (*code == CODE_UNKNOWN) {
        *code = (uint8_t)compute_code(linking, &linking->asked[token],
                                      &linking->linker->words.items[word]);
    }
    return *code;
}

static void mark_item(const struct linking *linking, const struct linker_item *item,
                      uint8_t *codes)
{
    for (size_t i = 0; i < item->joined_count; i++) {
        mark_runs(linking, item->joined[i], LINK_EXACT, codes, linking->stride);
    }
    for (size_t i = 0; i < item->own_count; i++) {
        mark_runs(linking, item->own[i], LINK_OWN, codes, linking->stride);
    }
}

static void link_item(struct linking *linking, const struct linker_item *item,
                      size_t token, uint8_t *cell)
{
    bool named = *cell == LINK_EXACT || *cell == LINK_OWN;
    for (size_t j = 0; j < item->word_count && !named; j++) {
        uint8_t code = word_code(linking, token, item->words[j]);
        if (code != LINK_NONE && (*cell == LINK_NONE || code < *cell)) {
            *cell = code;
        }
    }
}

/* The item of a column of the codes; NULL: `*`, which no word names. */
static const struct linker_item *item_at(const struct linking *linking, size_t at)
{
    const struct linker *linker = linking->linker;
    const struct selection *selection = linking->selection;
    if (at < selection->table_count) {
        return &linker->items[selection->tables[at]];
    }
    at -= selection->table_count;
    size_t item = (size_t)linker->schema->table_count + (size_t)selection->columns[at];
    return at ? &linker->items[item] : NULL;
}

struct linking *linking_new(const struct linker *linker, struct arena *arena,
                            const struct tokens *tokens,
                            const struct selection *selection)
{
    struct linking *linking = ARENA_NEW(arena, struct linking);
    size_t words = linker->words.count;
    size_t stride = selection->table_count + selection->column_count;
    *linking = (struct linking){.linker = linker,
                                .arena = arena,
                                .tokens = tokens,
                                .selection = selection,
                                .stride = stride};
    linking->codes = arena_array(arena, tokens->count, stride);
    linking->asked = arena_array(arena, tokens->count, sizeof *linking->asked);
    linking->linked = arena_array(arena, tokens->count, sizeof *linking->linked);
    linking->word_codes = arena_array(arena, tokens->count, words);
    runs_make(linking);
    for (size_t i = 0; i < stride; i++) {
        const struct linker_item *item = item_at(linking, i);
        if (item) {
            mark_item(linking, item, linking->codes + i);
        }
    }
    return linking;
}

const uint8_t *linking_row(struct linking *linking, size_t token)
{
    uint8_t *row = linking->codes + token * linking->stride;
    size_t words = linking->linker->words.count;
    if (linking->linked[token]) {
        return row;
    }
    linking->linked[token] = true;
    memset(linking->word_codes + token * words, CODE_UNKNOWN, words);
    linker_link_ask(linking, token);
    for (size_t i = 0; i < linking->stride; i++) {
        const struct linker_item *item = item_at(linking, i);
        if (item) {
            link_item(linking, item, token, &row[i]);
        }
    }
    return row;
}

uint8_t *linker_link(const struct linker *linker, struct arena *arena,
                     const struct tokens *tokens, const struct selection *selection)
{
    struct linking *linking = linking_new(linker, arena, tokens, selection);
    for (size_t i = 0; i < tokens->count; i++) {
        (void)linking_row(linking, i);
    }
    return linking->codes;
}

int linker_overlap(const struct linker *linker, const struct tokens *tokens, size_t item)
{
    int overlap = 0;
    const struct linker_item *at = &linker->items[item];
    for (size_t i = 0; i < tokens->count; i++) {
        const struct token *token = &tokens->items[i];
        if (token->kind != TOKEN_WORD || token_is_common(token->text)) {
            continue;
        }
        for (size_t j = 0; j < at->word_count; j++) {
            if (strcmp(token->stem, linker->words.items[at->words[j]].stem) == 0) {
                overlap++;
                break;
            }
        }
    }
    return overlap;
}
