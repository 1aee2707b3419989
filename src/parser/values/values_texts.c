/* Text of the question that may be a value though no cell says so. */
#include <string.h>

#include "base/map.h"
#include "parser/words/lexicon.h"
#include "parser/values/values_state.h"

enum { NAME_MOST = 12 }; /* tokens */

static const struct token *token_at(const struct finding *finding, size_t at)
{
    static const struct token none = {.text = "", .stem = "", .kind = TOKEN_MARK};
    return at < finding->tokens->count ? &finding->tokens->items[at] : &none;
}

static void add_span(struct finding *finding, enum candidate_kind kind, size_t first,
                     size_t end)
{
    (void)values_add(finding, kind, values_span(finding, first, end), true, first, end);
}

/* What stands between two quotes; returns where to go on. */
static size_t take_quoted(struct finding *finding, size_t at)
{
    size_t end = at + 1;
    while (end < finding->tokens->count && token_at(finding, end)->kind != TOKEN_QUOTE) {
        end++;
    }
    if (end < finding->tokens->count && end > at + 1) {
        add_span(finding, CANDIDATE_QUOTED, at + 1, end);
        return end;
    }
    return at;
}

/* Words that hold a name together: "Bank of America", "O'Brien", "A & B". */
static bool joins_names(const struct token *token)
{
    static const char *const words[] = {"of", "the", "and",  "de",  "la",  "van", "von",
                                        "'",  "&",   "-",    ".",   "for", "in",  "on",
                                        "a",  "to",  "with", "del", "di"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcmp(token->text, words[i]) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_capital(const struct finding *finding, size_t at)
{
    const struct token *token = token_at(finding, at);
    return token->kind == TOKEN_WORD && token->capital && !token->quoted;
}

/* The first word of a question is written large whatever it is. */
static bool first_is_name(const struct finding *finding)
{
    const struct token *token = token_at(finding, 0);
    const struct token *next = token_at(finding, 1);
    bool followed = is_capital(finding, 1) || strcmp(next->text, "'") == 0;
    int word = lexicon_find(finding->request->lexicon, token->text, strlen(token->text));
    return followed && !token_is_common(token->text) &&
           lexicon_weight(finding->request->lexicon, word) == 0;
}

/* After a full stop any word is written large. */
static bool starts_sentence(const struct finding *finding, size_t at)
{
    const struct token *token = token_at(finding, at);
    const char *before = at > 0 ? token_at(finding, at - 1)->text : "";
    int word = lexicon_find(finding->request->lexicon, token->text, strlen(token->text));
    return (strcmp(before, ".") == 0 || strcmp(before, "?") == 0 ||
            strcmp(before, "!") == 0 || strcmp(before, ":") == 0) &&
           lexicon_weight(finding->request->lexicon, word) > 0 &&
           !values_touch(finding, at);
}

static bool is_name(const struct finding *finding, size_t at)
{
    if (!is_capital(finding, at) || finding->timed[at] ||
        (at == 0 && !first_is_name(finding))) {
        return false;
    }
    const struct token *token = token_at(finding, at);
    bool alone = !is_capital(finding, at + 1);
    bool grammar = token_is_grammar(token->text) && token->end - token->start > 1;
    return !alone || (!grammar && !starts_sentence(finding, at));
}

/* As long as capitals follow, then further over joining words and numbers. */
static size_t take_name(struct finding *finding, size_t at)
{
    size_t end = at + 1;
    while (is_capital(finding, end)) {
        end++;
    }
    add_span(finding, CANDIDATE_NAME, at, end);
    size_t longer = end;
    for (;;) {
        size_t next = longer;
        while (next < longer + 3 && joins_names(token_at(finding, next))) {
            next++;
        }
        bool number = token_at(finding, next)->kind == TOKEN_NUMBER && next == longer;
        if (next - at >= NAME_MOST || (!is_capital(finding, next) && !number)) {
            break;
        }
        longer = next + 1;
    }
    if (longer > end) {
        add_span(finding, CANDIDATE_NAME, at, longer);
    }
    return end - 1;
}

static bool marks_value(const struct finding *finding, size_t at)
{
    static const char *const words[] = {
        "word",      "words",      "substring", "letter", "letters", "contain",
        "contains",  "containing", "phrase",    "text",   "string",  "called",
        "named",     "titled",     "like",      "equals", "code",    "symbol",
        "character", "prefix",     "suffix",    "=",      "include", "includes",
        "including", "labeled",
    };
    static const char *const verbs[] = {"start", "starts", "starting",
                                        "begin", "begins", "beginning",
                                        "end",   "ends",   "ending"};
    if (at == 0) {
        return false;
    }
    const char *before = token_at(finding, at - 1)->text;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcmp(before, words[i]) == 0) {
            return true;
        }
    }
    for (size_t i = 0; at > 1 && i < sizeof verbs / sizeof *verbs; i++) {
        if ((strcmp(before, "with") == 0 || strcmp(before, "in") == 0) &&
            strcmp(token_at(finding, at - 2)->text, verbs[i]) == 0) {
            return true;
        }
    }
    return false;
}

/* What numbers end with: "3rd", "1990s", "5k". */
static bool is_ending(const char *text)
{
    static const char *const endings[] = {"s", "st", "nd", "rd", "th", "k", "m", "%"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        if (strcmp(text, endings[i]) == 0) {
            return true;
        }
    }
    return false;
}

/* "AB-12", "a@b.c", "747-8": touching tokens, some of them letters or digits. */
static void take_code(struct finding *finding, size_t at)
{
    size_t end = at + 1;
    bool digits = token_at(finding, at)->kind == TOKEN_NUMBER;
    bool letters = token_at(finding, at)->kind == TOKEN_WORD;
    bool capital = token_at(finding, at)->capital && at > 0;
    bool sign = false;
    while (values_touch(finding, end) && token_at(finding, end)->kind != TOKEN_QUOTE) {
        const struct token *token = token_at(finding, end);
        digits = digits || token->kind == TOKEN_NUMBER;
        letters = letters || token->kind == TOKEN_WORD;
        sign = sign || strchr("@_/#", token->text[0]);
        capital = capital || token->capital;
        end++;
    }
    while (end > at + 1 && token_at(finding, end - 1)->kind == TOKEN_MARK) {
        end--; /* the sentence's own full stop */
    }
    if (end == at + 2 && token_at(finding, at)->kind == TOKEN_NUMBER &&
        is_ending(token_at(finding, at + 1)->text)) {
        return;
    }
    bool mixed = (digits && letters) || sign || (letters && capital);
    if (end >= at + 2 && mixed && !finding->dated[at] && !finding->timed[at]) {
        add_span(finding, CANDIDATE_CODE, at, end);
    }
}

/* A word that nobody knows is probably a name that was written small. */
static bool is_unknown(const struct finding *finding, size_t at)
{
    const struct token *token = token_at(finding, at);
    struct lexicon_senses senses;
    if (token->kind != TOKEN_WORD || strlen(token->text) < 3 || finding->covered[at] ||
        token_is_grammar(token->text) || map_has(finding->request->words, token->text) ||
        map_has(finding->request->words, token->stem)) {
        return false;
    }
    lexicon_senses(finding->request->lexicon, token->text, &senses);
    return senses.count == 0;
}

static void take_single(struct finding *finding, size_t at)
{
    const struct token *token = token_at(finding, at);
    bool alone = !finding->covered[at] && !values_touch(finding, at);
    bool letter = alone && token->kind == TOKEN_WORD && token->end - token->start == 1;
    if (letter && (!strchr("asi", token->text[0]) || marks_value(finding, at))) {
        add_span(finding, CANDIDATE_LETTER, at, at + 1);
    } else if (token->kind == TOKEN_WORD && !finding->covered[at] &&
               !token_is_common(token->text) && marks_value(finding, at)) {
        add_span(finding, CANDIDATE_MARKED, at, at + 1);
    } else if (is_unknown(finding, at)) {
        add_span(finding, CANDIDATE_UNKNOWN, at, at + 1);
    }
}

void values_texts(struct finding *finding)
{
    for (size_t at = 0; at < finding->tokens->count; at++) {
        const struct token *token = token_at(finding, at);
        if (token->kind == TOKEN_QUOTE) {
            at = take_quoted(finding, at);
            continue;
        }
        if (!values_touch(finding, at) && token->kind != TOKEN_MARK) {
            take_code(finding, at);
        }
        if (is_name(finding, at)) {
            at = take_name(finding, at);
        } else {
            take_single(finding, at);
        }
    }
}
