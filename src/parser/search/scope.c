/* Words that ask for more than a query. */
#include "parser/search/scope.h"

#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "parser/ir/ir.h"
#include "parser/link/features/features.h"
#include "parser/words/lexicon.h"
#include "parser/link/linker.h"

enum {
    PHRASE_WORDS = 3,
    WORD_LEAST = 3,
    STRANGE_LEAST = 3,  /* words of no dictionary */
    FOREIGN_LEAST = 2,  /* words of another language */
    STRANGER_LEAST = 4, /* words that have nothing to do with the schema */
    NAMED_MOST = 2,
};

/* Phrases of folded words; `*` at the end of a word: however it goes on. */
static const struct {
    const char *words[PHRASE_WORDS];
    const char *reason;
    enum ir_keyword word; /* a network that knows this one can say it; IR_PAD: none can */
} phrases[] = {
    {{"forecast*"}, "forecast", IR_PAD},
    {{"predict*"}, "predict", IR_PAD},
    {{"extrapolat*"}, "forecast", IR_PAD},
    {{"correlat*"}, "correlate", IR_PAD},
    {{"regression*"}, "fit a regression", IR_PAD},
    {{"cluster*"}, "find clusters", IR_PAD},
    {{"anomal*"}, "find anomalies", IR_PAD},
    {{"outlier*"}, "find outliers", IR_PAD},
    {{"median*"}, "compute a median", IR_MEDIAN},
    {{"percentile*"}, "compute percentiles", IR_PERCENTILE},
    {{"quartile*"}, "compute quartiles", IR_PERCENTILE},
    {{"standard", "deviation*"}, "compute a standard deviation", IR_DEVIATION},
    {{"stddev"}, "compute a standard deviation", IR_DEVIATION},
    {{"variance"}, "compute a variance", IR_VARIANCE},
    {{"cohort*"}, "follow cohorts", IR_EARLIEST},
    {{"retention"}, "compute a retention", IR_PAD},
    {{"churn*"}, "compute a churn", IR_PAD},
    {{"sentiment*"}, "judge a sentiment", IR_PAD},
    {{"summari*"}, "summarise text", IR_PAD},
    {{"translate*"}, "translate", IR_PAD},
    {{"recommend*"}, "recommend", IR_PAD},
    {{"why"}, "say why", IR_PAD},
    {{"what", "if"}, "answer what would be", IR_PAD},
    {{"suppose"}, "answer what would be", IR_PAD},
    {{"assuming"}, "answer what would be", IR_PAD},
    {{"hypothetical*"}, "answer what would be", IR_PAD},
    {{"moving", "average*"}, "compute a moving average", IR_MOVING},
    {{"rolling", "average*"}, "compute a moving average", IR_MOVING},
};

static bool word_fits(const char *pattern, const char *word)
{
    size_t size = strlen(pattern);
    return pattern[size - 1] == '*' ? strncmp(pattern, word, size - 1) == 0
                                    : strcmp(pattern, word) == 0;
}

/* Is the word linked to something of this schema at least that strongly, or has it that
 * other relation? */
static bool is_linked(const struct features *features, size_t token,
                      enum link_code weakest, enum relation other)
{
    for (size_t i = 0; i < features->relations.count; i++) {
        const struct feature_relation *relation = &features->relations.items[i];
        enum link_code code = link_of_relation(relation->code);
        if (relation->row == token && ((code != LINK_NONE && code <= weakest) ||
                                       relation->code == (uint8_t)other)) {
            return true;
        }
    }
    return false;
}

/* Does the word name something of this schema? Then it means that. */
static bool is_named(const struct features *features, size_t token)
{
    return is_linked(features, token, LINK_PARTIAL, RELATION_WORD_IS_CELL);
}

static const char *phrase_at(const struct features *features, size_t at, size_t keywords)
{
    const struct tokens *tokens = &features->tokens;
    for (size_t i = 0; i < sizeof phrases / sizeof *phrases; i++) {
        size_t size = 0;
        bool fits = true;
        for (; fits && size < PHRASE_WORDS && phrases[i].words[size]; size++) {
            fits = at + size < tokens->count && !tokens->items[at + size].quoted &&
                   word_fits(phrases[i].words[size], tokens->items[at + size].text);
        }
        bool said = phrases[i].word != IR_PAD && (size_t)phrases[i].word < keywords;
        if (fits && !said && !is_named(features, at)) {
            return phrases[i].reason;
        }
    }
    return NULL;
}

/* Small words of other languages that are none of English, folded. */
static const char *const foreign_words[] = {
    "alle",    "avec",    "bei",      "bitte",   "combien", "como",    "cual",
    "cuales",  "cuanto",  "cuantos",  "cuantas", "dans",    "dei",     "della",
    "delle",   "des",     "donde",    "durch",   "een",     "ein",     "eine",
    "einen",   "esta",    "est",      "estan",   "fur",     "fuer",    "gli",
    "haben",   "hay",     "het",      "hoeveel", "ist",     "jede",    "jeden",
    "jeder",   "kein",    "keine",    "las",     "les",     "los",     "liste",
    "mit",     "montre",  "moi",      "nach",    "nicht",   "ohne",    "oder",
    "par",     "parmi",   "pour",     "qual",    "quais",   "quale",   "quali",
    "quanti",  "quante",  "quanto",   "quantos", "quantas", "quel",    "quelle",
    "quelles", "quels",   "sind",     "sont",    "sono",    "tous",    "toutes",
    "todos",   "todas",   "tutti",    "tutte",   "und",     "una",     "van",
    "viele",   "voor",    "von",      "welche",  "welcher", "welches", "welke",
    "wie",     "wieviel", "wieviele", "wir",     "wurde",   "wurden",  "zeig",
    "zeige",   "zijn",    "muestra",  "mostra",  "mostre",  "dame",    "donne",
};

static bool is_foreign_word(const char *word)
{
    for (size_t i = 0; i < sizeof foreign_words / sizeof *foreign_words; i++) {
        if (strcmp(foreign_words[i], word) == 0) {
            return true;
        }
    }
    return false;
}

/* Is this a word of English, a name of the schema, or one of its values? */
static bool is_known(const struct features *features, const struct lexicon *lexicon,
                     size_t at)
{
    const struct token *token = &features->tokens.items[at];
    for (size_t i = 0; i < features->values.count; i++) {
        const struct candidate *value = &features->values.items[i];
        if (value->kind == CANDIDATE_CELL && value->first <= at && at < value->end) {
            return true;
        }
    }
    struct lexicon_senses senses;
    lexicon_senses(lexicon, token->text, &senses);
    return senses.count || token_is_common(token->text) ||
           token_is_grammar(token->text) || is_named(features, at);
}

/* Most words are of no dictionary we have: another language, or none. */
static bool is_foreign(const struct features *features, const struct lexicon *lexicon)
{
    size_t words = 0;
    size_t strange = 0;
    size_t foreign = 0;
    for (size_t i = 0; i < features->tokens.count; i++) {
        const struct token *token = &features->tokens.items[i];
        if (token->kind == TOKEN_WORD && !token->quoted &&
            strlen(token->text) >= WORD_LEAST) {
            words++;
            strange += !is_known(features, lexicon, i);
            foreign += is_foreign_word(token->text);
        }
    }
    return (strange >= STRANGE_LEAST && strange * 2 > words) ||
           (foreign >= FOREIGN_LEAST && foreign * 4 >= words);
}

static bool is_text(const struct tokens *tokens, size_t at, const char *text)
{
    return at < tokens->count && strcmp(tokens->items[at].text, text) == 0;
}

/* "haven" and "t" of "haven't", "s" of "what's": tokens, but no words of their own. */
static bool is_contracted(const struct tokens *tokens, size_t at)
{
    static const char *const ends[] = {"t", "s", "re", "ve", "ll", "d", "m"};
    const char *text = tokens->items[at].text;
    size_t size = strlen(text);
    if (size > 1 && text[size - 1] == 'n' && is_text(tokens, at + 1, "'") &&
        is_text(tokens, at + 2, "t")) {
        return true;
    }
    for (size_t i = 0; at >= 2 && i < sizeof ends / sizeof *ends; i++) {
        if (strcmp(text, ends[i]) == 0 && is_text(tokens, at - 1, "'")) {
            return true;
        }
    }
    return false;
}

/* "th" of "90th" */
static bool is_ordinal(const struct tokens *tokens, size_t at)
{
    static const char *const ends[] = {"st", "nd", "rd", "th"};
    for (size_t i = 0; at > 0 && i < sizeof ends / sizeof *ends; i++) {
        if (strcmp(tokens->items[at].text, ends[i]) == 0 &&
            tokens->items[at - 1].kind == TOKEN_NUMBER) {
            return true;
        }
    }
    return false;
}

/* Does a phrase begin here that the network has a word for? */
static bool is_said(const struct tokens *tokens, size_t at, size_t keywords)
{
    for (size_t i = 0; i < sizeof phrases / sizeof *phrases; i++) {
        if (phrases[i].word != IR_PAD && (size_t)phrases[i].word < keywords &&
            word_fits(phrases[i].words[0], tokens->items[at].text)) {
            return true;
        }
    }
    return false;
}

/* "next week", "upcoming": say when, and are no things. */
static bool says_when(const struct token *token)
{
    static const char *const words[] = {"next",   "upcoming", "coming",  "last",
                                        "past",   "previous", "current", "ago",
                                        "future", "recent",   "latest",  "soon"};
    return str_is_among(token->text, words, sizeof words / sizeof *words);
}

/* Content words that match nothing in this database: with too many of them, the question
 * is about something else. */
static const char *strange_words(struct arena *arena, const struct features *features,
                                 size_t keywords)
{
    const char *named[NAMED_MOST] = {NULL, NULL};
    size_t words = 0;
    size_t strange = 0;
    for (size_t i = 0; i < features->tokens.count; i++) {
        const struct token *token = &features->tokens.items[i];
        bool part = is_contracted(&features->tokens, i) ||
                    is_ordinal(&features->tokens, i) ||
                    is_said(&features->tokens, i, keywords);
        words += token->kind != TOKEN_MARK && !part;
        if (token->kind == TOKEN_WORD && !token->quoted && !part && !says_when(token) &&
            !token_is_grammar(token->text) &&
            !is_linked(features, i, LINK_HYPERNYM, RELATION_WORD_OF_VALUE)) {
            if (strange < NAMED_MOST) {
                named[strange] = token->text;
            }
            strange++;
        }
    }
    if (strange < STRANGER_LEAST && (strange < 2 || strange * 3 < words)) {
        return NULL;
    }
    return arena_format(arena, "find '%s' and '%s'%s in this database", named[0],
                        named[1], strange > NAMED_MOST ? " and the like" : "");
}

const char *scope_beyond(struct arena *arena, const struct features *features,
                         const struct lexicon *lexicon, size_t keywords)
{
    for (size_t i = 0; i < features->tokens.count; i++) {
        const char *reason =
            features->tokens.items[i].quoted ? NULL : phrase_at(features, i, keywords);
        if (reason) {
            return arena_text(arena, reason);
        }
    }
    return is_foreign(features, lexicon) ? "understand languages other than English"
                                         : strange_words(arena, features, keywords);
}
