/* Greetings before a question and thanks after it. */
#include "parser/words/manners.h"

#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "chart/wish.h"
#include "parser/words/tokens.h"

enum {
    NAMED_MOST = 2,    /* words between a greeting and its comma: "hi dear team," */
    REQUEST_LEAST = 5, /* words: "can you tell me when" */
};

#define IS_ANY(token, words) is_any((token), (words), sizeof(words) / sizeof *(words))

static bool is_any(const struct token *token, const char *const *words, size_t count)
{
    return !token->quoted && str_is_among(token->text, words, count);
}

static bool is_mark(const struct token *token)
{
    return token->kind == TOKEN_MARK && strchr(",.!?:;-", token->text[0]) != NULL;
}

static bool asks(const struct token *token)
{
    static const char *const words[] = {"who",   "which", "what", "how",  "when", "where",
                                        "whose", "why",   "is",   "are",  "do",   "does",
                                        "did",   "has",   "have", "were", "was",  "can"};
    return IS_ANY(token, words);
}

/* Names begin with these, too: "hello kitty sales" asks about a brand. */
static bool greets(const struct tokens *tokens)
{
    static const char *const greetings[] = {"hi", "hey", "hiya"};
    static const char *const doubtful[] = {"hello", "dear", "hallo", "greetings"};
    static const char *const leads[] = {"show", "list", "give",   "tell", "find", "get",
                                        "i",    "we",   "please", "pls",  "could"};
    static const char *const called[] = {"there", "all", "team", "everyone", "again"};
    if (tokens->count < 2 || !IS_ANY(&tokens->items[0], doubtful)) {
        return tokens->count > 0 && IS_ANY(&tokens->items[0], greetings);
    }
    const struct token *next = &tokens->items[1];
    bool named = false; /* "dear team," */
    for (size_t i = 1; i < tokens->count && i <= 1 + NAMED_MOST; i++) {
        named = named || is_mark(&tokens->items[i]);
    }
    return named || asks(next) || IS_ANY(next, leads) || IS_ANY(next, called);
}

/* The first token that is no greeting. */
static size_t after_greeting(const struct tokens *tokens)
{
    static const char *const parts[] = {"morning", "afternoon", "evening", "day"};
    static const char *const called[] = {"there", "all", "team", "everyone", "again"};
    const struct token *items = tokens->items;
    size_t at = 0;
    if (greets(tokens)) {
        at = 1;
    } else if (tokens->count > 1 && strcmp(items[0].text, "good") == 0 &&
               IS_ANY(&items[1], parts)) {
        at = 2;
    }
    for (size_t i = at; at && i < tokens->count && i <= at + NAMED_MOST; i++) {
        if (is_mark(&items[i])) {
            at = i;
            break;
        }
    }
    while (at && at < tokens->count &&
           (is_mark(&items[at]) || IS_ANY(&items[at], called))) {
        at++;
    }
    return at < tokens->count ? at : 0;
}

/* "Could you please tell me": the first token after it, or the same one. */
static size_t after_request(const struct tokens *tokens, size_t first)
{
    static const char *const may[] = {"can", "could", "would", "will"};
    static const char *const kindly[] = {"please", "pls", "plz", "kindly"};
    static const char *const tell[] = {"tell", "show", "give", "get", "send"};
    static const char *const us[] = {"me", "us"};
    const struct token *items = tokens->items;
    size_t at = first;
    if (tokens->count < first + REQUEST_LEAST || !IS_ANY(&items[at], may) ||
        strcmp(items[at + 1].text, "you") != 0) {
        return first;
    }
    at += 2;
    at += IS_ANY(&items[at], kindly);
    if (at + 2 < tokens->count && IS_ANY(&items[at], tell) &&
        IS_ANY(&items[at + 1], us)) {
        return at + 2;
    }
    return first;
}

/* The token after the last that is no thanks. */
static size_t before_thanks(const struct tokens *tokens, size_t first)
{
    static const char *const thanks[] = {"thanks", "thank", "thx", "thankyou", "cheers"};
    static const char *const around[] = {
        "you", "so",  "much", "a",       "lot",   "in",  "very", "many",
        "and", "and", "team", "advance", "again", "for", "your", "help"};
    static const char *const saying[] = {"contain", "contains", "containing", "word",
                                         "says",    "saying",   "called",     "named"};
    size_t end = tokens->count;
    size_t at = end;
    while (at > first + 1) {
        const struct token *token = &tokens->items[at - 1];
        bool thank = IS_ANY(token, thanks);
        if ((!thank && !is_mark(token) && !IS_ANY(token, around)) ||
            IS_ANY(token - 1, saying)) {
            break; /* "reviews containing thanks" */
        }
        at--;
        end = thank ? at : end;
    }
    if (end == tokens->count) {
        return end;
    }
    if (end > first + 1 && strcmp(tokens->items[end - 1].text, "many") == 0) {
        end--;
    }
    while (end > first + 1 && is_mark(&tokens->items[end - 1]) &&
           !strchr(".!?", tokens->items[end - 1].text[0])) {
        end--;
    }
    return end;
}

/* The first token after such openings. Some ask for nothing only before a mark:
 * "urgent:", but "urgent tickets". */
static size_t after_opening(const struct tokens *tokens, size_t first)
{
    static const struct {
        const char *phrase;
        bool marked;
    } openings[] = {
        {"quick question", false},
        {"quick one", true},
        {"question", true},
        {"ok so", false},
        {"okay so", false},
        {"ok", true},
        {"okay", true},
        {"so", true},
        {"well", true},
        {"um", true},
        {"hmm", true},
        {"urgent", true},
        {"fyi", true},
        {"sorry", true},
        {"oops", true},
        {"just wondering", false},
        {"i was wondering", false},
        {"just", false},
        {"my boss wants to know", false},
        {"my boss wants", false},
        {"my boss asks", false},
        {"im trying to find", false},
        {"i ' m trying to find", false},
        {"i am trying to find", false},
        {"im looking for", false},
        {"i ' m looking for", false},
        {"i am looking for", false},
        {"do you know", false},
        {"any idea", true},
    };
    for (size_t i = 0; i < sizeof openings / sizeof *openings; i++) {
        size_t at = first + tokens_phrase(tokens, first, openings[i].phrase);
        bool mark = at < tokens->count && is_mark(&tokens->items[at]);
        if (at == first || (openings[i].marked && !mark)) {
            continue;
        }
        while (at < tokens->count && is_mark(&tokens->items[at])) {
            at++;
        }
        if (at < tokens->count) {
            return at;
        }
    }
    return first;
}

/* The token after the last that belongs to the question. */
static size_t before_closing(const struct tokens *tokens, size_t first, size_t end)
{
    static const char *const closings[] = {
        "asap",        "as a table",     "in a table",
        "as a list",   "any idea",       "any ideas",
        "if possible", "for my report",  "for my boss",
        "for my team", "for my meeting", "for my presentation",
        "right away",  "please",         "pls",
        "plz"};
    size_t words = end;
    while (words > first && is_mark(&tokens->items[words - 1])) {
        words--;
    }
    for (size_t i = 0; i < sizeof closings / sizeof *closings; i++) {
        for (size_t at = words; at > first + 1; at--) {
            size_t size = tokens_phrase(tokens, at - 1, closings[i]);
            if (size && at - 1 + size == words) {
                end = at - 1;
                while (end > first + 1 && tokens->items[end - 1].text[0] == ',') {
                    end--;
                }
                return end;
            }
        }
    }
    return end;
}

/* "… as a line chart" says how to show the rows, not which ones. */
static size_t before_wish(struct arena *arena, const struct tokens *tokens, size_t first,
                          size_t end)
{
    struct wish wish;
    if (!wish_read(arena, tokens->text, &wish) || wish.alone) {
        return end;
    }
    while (end > first + 1 && tokens->items[end - 1].start >= wish.start) {
        end--;
    }
    return end;
}

const char *manners_drop(struct arena *arena, const struct tokens *tokens)
{
    if (tokens->count == 0 || tokens->cut) {
        return NULL;
    }
    size_t first = after_opening(tokens, after_greeting(tokens));
    first = after_request(tokens, first);
    size_t end = before_closing(tokens, first, before_thanks(tokens, first));
    end = before_wish(arena, tokens, first, end);
    const struct token *items = tokens->items;
    bool whole = first == 0 && end == tokens->count;
    bool asked = asks(&items[first]);
    size_t marks = 0; /* "??", "!!!" and "..." are one */
    while (end > first + 1 && items[end - 1].kind == TOKEN_MARK &&
           strchr(".!?", items[end - 1].text[0]) && !items[end - 1].quoted) {
        asked = asked || items[end - 1].text[0] == '?';
        end--;
        marks++;
    }
    if (whole && marks == 1 && items[end].text[0] != '!') {
        return NULL;
    }
    size_t start = items[first].start;
    size_t size = items[end - 1].end - start;
    char *out = arena_alloc(arena, size + 2);
    memcpy(out, tokens->text + start, size);
    out[size] = asked ? '?' : '.';
    out[size + 1] = '\0';
    return out;
}
