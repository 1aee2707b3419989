/* The words for ended and for what goes on. */
#include "parser/words/states.h"

#include <ctype.h>
#include <string.h>

#include "base/str.h"
#include "parser/words/tokens.h"

enum { BASE_LEAST = 4, WORD_MOST = 32, DENIED_WORDS = 3 };

enum state states_word(const char *word)
{
    static const char *const ended[] = {
        "ended",       "expired",  "terminated", "lapsed",       "cancelled",
        "canceled",    "closed",   "former",     "discontinued", "retired",
        "deactivated", "resigned", "departed",   "finished",     "deleted",
        "archived",    "churned",  "inactive",   "stopped",      "decommissioned",
        "ceased",      "defunct",  "dissolved"};
    static const char *const going_on[] = {
        "active",    "running",    "current",  "ongoing", "valid",
        "unexpired", "unfinished", "unclosed", "unended", "continuing"};
    return IS_AMONG(word, ended)      ? STATE_ENDED
           : IS_AMONG(word, going_on) ? STATE_GOES_ON
                                      : STATE_NONE;
}

static bool denies(const struct tokens *tokens, size_t at)
{
    static const char *const words[] = {"not",   "non",   "never",  "no",    "isnt",
                                        "arent", "wasnt", "werent", "hasnt", "havent"};
    const struct token *token = &tokens->items[at];
    return IS_AMONG(token->text, words) ||
           (strcmp(token->text, "t") == 0 && at > 0 && strcmp(token[-1].text, "'") == 0);
}

enum state states_of(const struct tokens *tokens)
{
    static const char *const missing[] = {"without", "missing", "null",  "empty",
                                          "unknown", "blank",   "lacks", "lacking",
                                          "with",    "having"};
    enum state found = STATE_NONE;
    for (size_t i = 0; i < tokens->count; i++) {
        enum state state =
            tokens->items[i].quoted ? STATE_NONE : states_word(tokens->items[i].text);
        if (IS_AMONG(tokens->items[i].text, missing) || (state && found)) {
            return STATE_NONE;
        }
        for (size_t k = 1; state && k <= DENIED_WORDS && k <= i; k++) {
            if (denies(tokens, i - k)) {
                state = state == STATE_ENDED ? STATE_GOES_ON : STATE_ENDED;
                break;
            }
        }
        found = state ? state : found;
    }
    return found;
}

/* The next word of a name, lower case, cut where a hump begins; NULL at the end. */
static const char *next_word(const char *name, char word[WORD_MOST])
{
    size_t size = 0;
    while (*name && !isalpha((unsigned char)*name)) {
        name++;
    }
    for (; isalpha((unsigned char)*name); name++) {
        if (size && isupper((unsigned char)*name) && islower((unsigned char)name[-1])) {
            break;
        }
        if (size < WORD_MOST - 1) {
            word[size++] = (char)tolower((unsigned char)*name);
        }
    }
    word[size] = '\0';
    return size ? name : NULL;
}

bool states_is_end(const char *column)
{
    static const char *const whole[] = {"end",     "ended", "ends",   "ending",
                                        "enddate", "left",  "leaving"};
    static const char *const begins[] = {"cancel", "expir",   "terminat", "clos",
                                         "finish", "delet",   "retir",    "depart",
                                         "resign", "discont", "deactiv",  "archiv",
                                         "churn",  "stopped", "lapse",    "dissol"};
    char word[WORD_MOST];
    while ((column = next_word(column, word))) {
        if (IS_AMONG(word, whole)) {
            return true;
        }
        for (size_t i = 0; i < sizeof begins / sizeof *begins; i++) {
            if (str_starts(word, begins[i])) {
                return true;
            }
        }
    }
    return false;
}

const char *states_denied(const char *word)
{
    static const char *const prefixes[] = {"un", "in", "im", "non", "dis"};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        const char *rest = word + strlen(prefixes[i]);
        if (str_starts(word, prefixes[i]) && strlen(rest) >= BASE_LEAST) {
            return rest;
        }
    }
    return NULL;
}

bool states_same(const char *base, const char *value)
{
    static const char *const endings[] = {"", "d", "ed"};
    size_t size = strlen(base);
    if (size < BASE_LEAST || !str_starts_nocase(value, base)) {
        return false;
    }
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        if (str_equal_nocase(value + size, endings[i])) {
            return true;
        }
    }
    return false;
}
