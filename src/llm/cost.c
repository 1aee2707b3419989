/* What tokens cost, and how many a text is. */
#include <string.h>

#include "base/scan.h"
#include "base/str.h"
#include "llm/provider.h"

/* List prices in US dollars per million tokens. A longer prefix wins. Unknown models cost
 * an unknown sum, which is said as such; llm.price_in and llm.price_out override the
 * list. */
struct price {
    const char *prefix;
    double in;
    double out;
};

static const struct price prices[] = {
    {"gpt-5", 1.25, 10.0},
    {"gpt-5-mini", 0.25, 2.0},
    {"gpt-5-nano", 0.05, 0.4},
    {"gpt-4.1", 2.0, 8.0},
    {"gpt-4.1-mini", 0.4, 1.6},
    {"gpt-4.1-nano", 0.1, 0.4},
    {"gpt-4o", 2.5, 10.0},
    {"gpt-4o-mini", 0.15, 0.6},
    {"gpt-4-turbo", 10.0, 30.0},
    {"gpt-4", 30.0, 60.0},
    {"gpt-3.5-turbo", 0.5, 1.5},
    {"o1", 15.0, 60.0},
    {"o1-mini", 1.1, 4.4},
    {"o3", 2.0, 8.0},
    {"o3-mini", 1.1, 4.4},
    {"o4-mini", 1.1, 4.4},
    {"claude-opus-4", 15.0, 75.0},
    {"claude-opus-4-5", 5.0, 25.0},
    {"claude-sonnet-4", 3.0, 15.0},
    {"claude-haiku-4", 1.0, 5.0},
    {"claude-3-7-sonnet", 3.0, 15.0},
    {"claude-3-5-sonnet", 3.0, 15.0},
    {"claude-3-5-haiku", 0.8, 4.0},
    {"claude-3-opus", 15.0, 75.0},
    {"claude-3-haiku", 0.25, 1.25},
    {"gemini-2.5-pro", 1.25, 10.0},
    {"gemini-2.5-flash", 0.3, 2.5},
    {"gemini-2.0-flash", 0.1, 0.4},
    {"mistral-large", 2.0, 6.0},
    {"mistral-small", 0.1, 0.3},
    {"deepseek-chat", 0.27, 1.1},
};

static const struct price *price_of(const char *model)
{
    const struct price *best = NULL;
    const char *slash = strrchr(model, '/'); /* "openai/gpt-4o" at a gateway */
    const char *name = slash ? slash + 1 : model;
    for (size_t i = 0; i < sizeof prices / sizeof *prices; i++) {
        if (str_starts_nocase(name, prices[i].prefix) &&
            (!best || strlen(prices[i].prefix) > strlen(best->prefix))) {
            best = &prices[i];
        }
    }
    return best;
}

bool cost_of(const struct llm_settings *settings, int tokens_in, int tokens_out,
             double *dollars)
{
    const struct price *price = price_of(settings->model);
    double in = settings->price_in >= 0 ? settings->price_in : price ? price->in : -1;
    double out = settings->price_out >= 0 ? settings->price_out : price ? price->out : -1;
    bool known = in >= 0 && out >= 0;
    *dollars = known ? (tokens_in * in + tokens_out * out) / 1e6 : 0;
    return known;
}

/* English runs near four bytes a token; digits and punctuation near two, other scripts
 * near one character each. A class per run of bytes would be finer; this errs upwards. */
int llm_tokens(const char *text, size_t size)
{
    size_t letters = 0; /* and spaces */
    size_t dense = 0;   /* digits, signs */
    size_t beyond = 0;  /* bytes outside ASCII */
    for (size_t i = 0; i < size;) {
        size_t found = 0; /* prompts are long and every one is counted */
        size_t looked = scan_letters(text + i, size - i, &found);
        letters += found;
        dense += looked - found;
        i += looked;
        /* It stops before a step with other bytes, or near the end: that one by one. */
        for (size_t stop = size - i < SCAN_STEP ? size : i + SCAN_STEP; i < stop; i++) {
            unsigned char c = (unsigned char)text[i];
            bool letter = (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
            bool blank = c == ' ' || c == '\n';
            beyond += c >= 0x80;
            letters += letter || blank;
            dense += c < 0x80 && !letter && !blank;
        }
    }
    size_t tokens = (letters + 3) / 4 + (dense + 1) / 2 + (beyond + 1) / 2;
    return tokens > 1000000000 ? 1000000000 : (int)tokens;
}
