/* Words for what is left, and whether a period follows them. */
#include "parser/words/rest.h"

#include "base/str.h"
#include "parser/words/tokens.h"

static bool is_text(const struct tokens *words, size_t at, const char *text)
{
    return at < words->count && !words->items[at].quoted &&
           str_equal(words->items[at].text, text);
}

static bool is_end(const struct tokens *words, size_t at)
{
    return at >= words->count || words->items[at].kind == TOKEN_MARK;
}

static bool is_period_word(const struct token *token)
{
    static const char *const names[] = {
        "today",   "q",         "tonight", "week",     "month",   "quarter", "year",
        "january", "february",  "march",   "april",    "may",     "june",    "july",
        "august",  "september", "october", "november", "december"};
    bool year = token->kind == TOKEN_NUMBER && str_starts(token->text, "20") &&
                !token->text[4 * (token->text[2] && token->text[3])];
    return !token->quoted && (year || IS_AMONG(token->text, names));
}

/* "this month", "in the current year", "for today" */
static bool period_follows(const struct tokens *words, size_t at)
{
    static const char *const leads[] = {"in",   "for", "during", "of",
                                        "this", "the", "current"};
    enum { LEADS_MOST = 3 };
    for (size_t i = 0; i < LEADS_MOST && at < words->count; i++) {
        at += IS_AMONG(words->items[at].text, leads);
    }
    return at < words->count && is_period_word(&words->items[at]);
}

static bool has_period(const struct tokens *words)
{
    for (size_t i = 0; i < words->count; i++) {
        if (is_period_word(&words->items[i])) {
            return true;
        }
    }
    return false;
}

/* "are left", "do we have left": what "left" somewhere has gone. */
static bool is_left(const struct tokens *words, size_t at)
{
    static const char *const be[] = {"are", "is", "be", "still", "there", "s"};
    static const char *const whose[] = {"we", "i", "you"};
    if (at == 0 || !is_text(words, at, "left")) {
        return false;
    }
    return IS_AMONG(words->items[at - 1].text, be) ||
           (at > 1 && is_text(words, at - 1, "have") &&
            IS_AMONG(words->items[at - 2].text, whose));
}

bool rest_at(const struct tokens *words, size_t at)
{
    static const char *const remain[] = {"remain", "remains"};
    if (is_text(words, at, "rest") && is_text(words, at + 1, "of")) {
        return period_follows(words, at + 1);
    }
    if (IS_AMONG(words->items[at].text, remain) && !words->items[at].quoted) {
        return is_end(words, at + 1) || period_follows(words, at + 1);
    }
    return is_left(words, at) || is_text(words, at, "remaining");
}

bool rest_has_left(const struct tokens *words, size_t at)
{
    return is_text(words, at, "left") && !is_left(words, at) &&
           period_follows(words, at + 1);
}

bool rest_of_period(const struct tokens *words)
{
    for (size_t i = 0; i < words->count; i++) {
        bool noun = is_text(words, i, "remaining");
        if (rest_at(words, i) && has_period(words) &&
            (noun || is_end(words, i + 1) || is_text(words, i, "rest") ||
             period_follows(words, i + 1))) {
            return true;
        }
    }
    return false;
}
