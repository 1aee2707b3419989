/* One slip of the fingers: a letter too many, too few, another one, or two turned. */
#include "parser/words/spelling.h"

#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "base/str.h"
#include "knowledge/value_index/value_index.h"
#include "knowledge/words/abbreviations.h"
#include "parser/words/lexicon.h"
#include "parser/words/names.h"
#include "knowledge/words/stem.h"
#include "parser/words/tokens.h"

enum {
    LETTERS_LEAST = 4,
    LETTERS_MOST = 20,
    LETTERS_SURE = 6, /* fewer, and too many words of a dictionary are near */
    WEIGHT_SURE = 5,  /* of a word that only the dictionary knows */
    SLIP = 3,         /* letters left out, turned or doubled: likelier than others, */
    REPLACED = 1,     /* and one for another likelier than one too many */
    MENDED_MOST = 4,  /* words in a question */
    RELATIONS = 1,
    PART_LEAST = 4,
    PART_WEIGHT = 5,
    QUESTION_MOST = 32768,
};

static const char LETTERS[] = "abcdefghijklmnopqrstuvwxyz";

/* Who knows a word, the surest first. */
enum rank { RANK_SCHEMA, RANK_GRAMMAR, RANK_CUE, RANK_DICTIONARY, RANK_NONE };

struct search {
    const struct spelling_request *request;
    enum rank worst; /* that will do */
    int least;       /* likewise, of how likely the slip is */
    enum rank rank;
    int score;
    bool doubtful; /* another word is just as good */
    char best[LETTERS_MOST + 2];
};

/* No slips: written so by many, but in no dictionary. Sorted. */
static const char *const written_so[] = {
    "admin",     "admins",      "aint",         "arent",    "bestsellers", "blog",
    "blogs",     "cant",        "capex",        "checkin",  "checkins",    "checkout",
    "checkouts", "couldnt",     "covid",        "csat",     "dashboards",  "didnt",
    "doesnt",    "doing",       "dont",         "dropoff",  "emails",      "freelancers",
    "goes",      "going",       "hadnt",        "hasnt",    "havent",      "homepage",
    "hows",      "isnt",        "lets",         "logins",   "mustnt",      "offline",
    "onboarded", "onboarding",  "online",       "ontime",   "opex",        "opps",
    "renewals",  "reqs",        "shouldnt",     "signups",  "skus",        "startups",
    "suvs",      "thats",       "theirs",       "theres",   "theyre",      "timestamp",
    "todays",    "unsubscribe", "unsubscribes", "upsell",   "upsells",     "usernames",
    "vlog",      "wasnt",       "webinar",      "webinars", "werent",      "weve",
    "whats",     "wheres",      "whos",         "wifi",     "wont",        "wouldnt",
    "youre",
};

static bool is_written_so(const char *word)
{
    return token_is_among(word, written_so, sizeof written_so / sizeof *written_so);
}

static bool is_of_schema(const struct spelling_request *request, const char *word)
{
    char stem[STEM_SIZE];
    (void)stem_word(stem, word);
    return map_has(request->words, word) || map_has(request->words, stem);
}

static int weight_of(const struct lexicon *lexicon, const char *word)
{
    struct lexicon_senses senses;
    int weight = 0;
    lexicon_senses(lexicon, word, &senses);
    for (size_t i = 0; i < senses.count; i++) {
        int one = lexicon_weight(lexicon, senses.words[i]);
        weight = one > weight ? one : weight;
    }
    return weight;
}

/* Who does it: "funder" of fund, "inviters" of invite. */
static bool is_doer(const struct lexicon *lexicon, const char *word)
{
    size_t size = strlen(word);
    size -= size > 0 && word[size - 1] == 's';
    return size > LETTERS_LEAST && strncmp(word + size - 2, "er", 2) == 0 &&
           (lexicon_find(lexicon, word, size - 2) >= 0 ||
            lexicon_find(lexicon, word, size - 1) >= 0);
}

/* Two words run together: "birthdates". */
static bool is_compound(const struct lexicon *lexicon, const char *word)
{
    size_t size = strlen(word);
    for (size_t at = PART_LEAST; at + PART_LEAST <= size; at++) {
        int first = lexicon_find(lexicon, word, at);
        if (lexicon_weight(lexicon, first) >= PART_WEIGHT &&
            weight_of(lexicon, word + at) >= PART_WEIGHT) {
            return true;
        }
    }
    return false;
}

/* A plural that nobody writes: "orderes", "birthdaies". */
static bool is_odd(const struct lexicon *lexicon, const char *word)
{
    size_t size = strlen(word);
    bool plural = size > 4 && strcmp(word + size - 2, "es") == 0 &&
                  lexicon_find(lexicon, word, size - 1) < 0 &&
                  lexicon_find(lexicon, word, size - 2) >= 0;
    int form[RELATIONS];
    int one = word[size - 1] == 's' ? lexicon_find(lexicon, word, size - 1) : -1;
    if (one >= 0 && lexicon_list(lexicon, one, LEXICON_FORM, form, RELATIONS)) {
        return true; /* "longests", "writtens" */
    }
    bool ies = size > 4 && strcmp(word + size - 3, "ies") == 0 &&
               strchr("aeou", word[size - 4]) != NULL;
    return ies || (plural && !strchr("sxzho", word[size - 3]));
}

/* The word or its plural stands in a name. */
static bool names_schema(const struct spelling_request *request, const char *word)
{
    char other[LETTERS_MOST + 3];
    size_t size = strlen(word);
    memcpy(other, word, size);
    memcpy(other + size, "s", 2);
    if (map_has(request->words, word) || map_has(request->words, other)) {
        return true;
    }
    if (word[size - 1] != 's') {
        return false;
    }
    other[size - 1] = '\0';
    if (map_has(request->words, other)) {
        return true;
    }
    bool ies = strcmp(word + size - 3, "ies") == 0;
    memcpy(other + size - 3, "y", 2);
    return ies && map_has(request->words, other);
}

static bool has_cue(const struct lexicon *lexicon, int word)
{
    int other[RELATIONS];
    return lexicon_list(lexicon, word, LEXICON_SAME, other, RELATIONS) ||
           lexicon_list(lexicon, word, LEXICON_CUE, other, RELATIONS);
}

static enum rank rank_of(const struct search *search, const char *word, int *weight)
{
    const struct lexicon *lexicon = search->request->lexicon;
    struct lexicon_senses senses;
    bool cue = false;
    lexicon_senses(lexicon, word, &senses);
    *weight = weight_of(lexicon, word);
    for (size_t i = 0; i < senses.count; i++) {
        cue = cue || has_cue(lexicon, senses.words[i]);
    }
    if (senses.count == 0 || is_odd(lexicon, word)) {
        return token_is_grammar(word) ? RANK_GRAMMAR : RANK_NONE;
    }
    return names_schema(search->request, word) ? RANK_SCHEMA
           : token_is_grammar(word)            ? RANK_GRAMMAR
           : cue                               ? RANK_CUE
           : *weight >= WEIGHT_SURE            ? RANK_DICTIONARY
                                               : RANK_NONE;
}

static bool same_stem(const char *a, const char *b)
{
    char one[STEM_SIZE];
    char other[STEM_SIZE];
    (void)stem_word(one, a);
    (void)stem_word(other, b);
    return strcmp(one, other) == 0;
}

static void consider(struct search *search, const char *word, int bonus)
{
    int weight = 0;
    if (strlen(word) < LETTERS_LEAST || bonus < search->least) {
        return;
    }
    enum rank rank = rank_of(search, word, &weight);
    int score = weight + bonus;
    if (rank > search->worst || rank > search->rank ||
        (rank == search->rank && score < search->score)) {
        return;
    }
    bool tie = rank == search->rank && score == search->score && *search->best &&
               !same_stem(word, search->best);
    search->doubtful = tie;
    search->rank = rank;
    search->score = score;
    memcpy(search->best, word, strlen(word) + 1);
}

/* All words one slip away that begin alike; two letters turned may be the first. */
static void search_near(struct search *search, const char *word)
{
    size_t size = strlen(word);
    char other[LETTERS_MOST + 2];
    for (size_t i = 0; i + 1 < size; i++) {
        memcpy(other, word, size + 1);
        other[i] = word[i + 1];
        other[i + 1] = word[i];
        consider(search, other, SLIP);
    }
    for (size_t i = 1; i < size; i++) {
        memcpy(other, word, i);
        memcpy(other + i, word + i + 1, size - i);
        consider(search, other, word[i] == word[i - 1] ? SLIP : 0);
    }
    for (size_t i = 1; i <= size; i++) {
        for (const char *c = LETTERS; *c; c++) {
            memcpy(other, word, i);
            other[i] = *c;
            memcpy(other + i + 1, word + i, size - i + 1);
            consider(search, other, SLIP);
            if (i < size && *c != word[i]) {
                memcpy(other, word, size + 1);
                other[i] = *c;
                consider(search, other, REPLACED);
            }
        }
    }
}

/* Parts of codes, addresses and numbers are no words. */
static bool stands_alone(const struct tokens *tokens, size_t at)
{
    const struct token *token = &tokens->items[at];
    bool left = at > 0 && token[-1].end == token->start && token[-1].text[0] != '(';
    bool right = at + 2 < tokens->count && token->end == token[1].start &&
                 token[1].end == token[2].start && token[2].kind != TOKEN_MARK;
    bool digits = at + 1 < tokens->count && token->end == token[1].start &&
                  token[1].kind != TOKEN_MARK;
    return !left && !right && !digits;
}

static bool is_unknown(const struct spelling_request *request, size_t at)
{
    const struct token *token = &request->tokens->items[at];
    size_t size = strlen(token->text);
    struct lexicon_senses senses;
    if (token->kind != TOKEN_WORD || token->quoted || (token->capital && at > 0) ||
        size < LETTERS_LEAST || size > LETTERS_MOST ||
        strspn(token->text, LETTERS) != size || !stands_alone(request->tokens, at) ||
        token_is_grammar(token->text) || is_of_schema(request, token->text) ||
        is_written_so(token->text) || abbreviation_full(token->text, true)) {
        return false;
    }
    lexicon_senses(request->lexicon, token->text, &senses);
    return senses.count == 0 && !is_compound(request->lexicon, token->text) &&
           !is_doer(request->lexicon, token->text);
}

/* After these a value is named: "in kazan" may be a town that the database lacks. */
static bool follows_place(const struct tokens *tokens, size_t at)
{
    static const char *const words[] = {"in", "from", "named", "called", "at", "is"};
    for (size_t i = 0; at > 0 && i < sizeof words / sizeof *words; i++) {
        if (strcmp(tokens->items[at - 1].text, words[i]) == 0) {
            return true;
        }
    }
    return false;
}

/* The word that is meant, or NULL. */
static const char *meant(struct arena *arena, const struct spelling_request *request,
                         size_t at)
{
    const struct token *token = &request->tokens->items[at];
    size_t size = strlen(token->text);
    struct search search = {.request = request, .rank = RANK_NONE};
    search.worst = size < LETTERS_SURE || follows_place(request->tokens, at)
                       ? RANK_CUE
                       : RANK_DICTIONARY;
    search.least = size == LETTERS_LEAST ? SLIP : 0;
    struct value_matches cells = {0};
    if (request->index) {
        value_index_find(request->index, arena, token->text, size, &cells);
        if (cells.count == 0) {
            value_index_part(request->index, arena, token->text, size, 1, &cells);
        }
        if (cells.count) {
            return NULL;
        }
        value_index_near(request->index, arena, token->text, size, 1, &cells);
        search.worst = cells.count ? RANK_SCHEMA : search.worst;
    }
    search_near(&search, token->text);
    return *search.best && !search.doubtful ? arena_text(arena, search.best) : NULL;
}

const char *spelling_mend(struct arena *arena, const struct spelling_request *request)
{
    const struct tokens *tokens = request->tokens;
    struct buf buf;
    size_t from = 0;
    size_t mended = 0;
    buf_init(&buf, 2 * QUESTION_MOST);
    for (size_t i = 0; i < tokens->count && mended < MENDED_MOST; i++) {
        const char *word = is_unknown(request, i) ? meant(arena, request, i) : NULL;
        if (word) {
            buf_add(&buf, tokens->text + from, tokens->items[i].start - from);
            buf_text(&buf, word);
            from = tokens->items[i].end;
            mended++;
        }
    }
    buf_text(&buf, tokens->text + from);
    const char *out = mended ? arena_text(arena, buf_get(&buf)) : NULL;
    buf_release(&buf);
    return out;
}
