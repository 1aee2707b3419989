/* Greetings before a question and thanks after it. */
#include "parser/manners.h"

#include <string.h>

#include "base/arena.h"
#include "parser/tokens.h"

enum {
    NAMED_MOST = 2,    /* words between a greeting and its comma: "hi dear team," */
    REQUEST_LEAST = 5, /* words: "can you tell me when" */
};

#define IS_ANY(token, words) is_any((token), (words), sizeof(words) / sizeof *(words))

static bool is_any(const struct token *token, const char *const *words, size_t count)
{
    for (size_t i = 0; !token->quoted && i < count; i++) {
        if (strcmp(token->text, words[i]) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_mark(const struct token *token)
{
    return token->kind == TOKEN_MARK && strchr(",.!?:;-", token->text[0]) != NULL;
}

/* The first token that is no greeting. */
static size_t after_greeting(const struct tokens *tokens)
{
    static const char *const greetings[] = {"hi",   "hello", "hey",      "hiya",
                                            "dear", "hallo", "greetings"};
    static const char *const parts[] = {"morning", "afternoon", "evening", "day"};
    static const char *const called[] = {"there", "all", "team", "everyone", "again"};
    const struct token *items = tokens->items;
    size_t at = 0;
    if (tokens->count > 0 && IS_ANY(&items[0], greetings)) {
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
    size_t end = tokens->count;
    size_t at = end;
    while (at > first + 1) {
        const struct token *token = &tokens->items[at - 1];
        bool thank = IS_ANY(token, thanks);
        if (!thank && !is_mark(token) && !IS_ANY(token, around)) {
            break;
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

static bool asks(const struct token *token)
{
    static const char *const words[] = {"who",   "which", "what", "how",  "when", "where",
                                        "whose", "why",   "is",   "are",  "do",   "does",
                                        "did",   "has",   "have", "were", "was",  "can"};
    return IS_ANY(token, words);
}

const char *manners_drop(struct arena *arena, const struct tokens *tokens)
{
    if (tokens->count == 0 || tokens->cut) {
        return NULL;
    }
    size_t first = after_request(tokens, after_greeting(tokens));
    size_t end = before_thanks(tokens, first);
    const struct token *last = &tokens->items[end - 1];
    bool marked = last->kind == TOKEN_MARK && strchr(".!?", last->text[0]) != NULL;
    if (first == 0 && end == tokens->count && marked) {
        return NULL;
    }
    size_t start = tokens->items[first].start;
    size_t size = last->end - start;
    char *out = arena_alloc(arena, size + 2);
    memcpy(out, tokens->text + start, size);
    out[size] = marked ? '\0' : asks(&tokens->items[first]) ? '?' : '.';
    out[size + 1] = '\0';
    return out;
}
