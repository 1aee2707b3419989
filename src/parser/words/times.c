/* Reads times of day. */
#include "parser/words/times.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "parser/words/tokens.h"

enum { HOURS = 24, MINUTES = 60, NOON = 12, QUESTION_MOST = 65536 };

/* A whole number of one or two digits; -1: none. */
static int small_number(const struct tokens *tokens, size_t at)
{
    enum { DIGITS = 2 };
    if (at >= tokens->count || tokens->items[at].kind != TOKEN_NUMBER ||
        tokens->items[at].quoted) {
        return -1;
    }
    const char *text = tokens->items[at].text;
    size_t digits = strspn(text, "0123456789");
    return text[digits] || digits > DIGITS ? -1 : (int)strtol(text, NULL, 10);
}

static bool touches(const struct tokens *tokens, size_t at)
{
    return at > 0 && at < tokens->count &&
           tokens->items[at].start == tokens->items[at - 1].end;
}

static bool is_at(const struct tokens *tokens, size_t at, const char *text)
{
    return at < tokens->count && strcmp(tokens->items[at].text, text) == 0;
}

/* "am" or "pm"; 0: neither. */
static char half_at(const struct tokens *tokens, size_t at)
{
    return is_at(tokens, at, "am") ? 'a' : is_at(tokens, at, "pm") ? 'p' : '\0';
}

static bool apply_half(char half, int *hour)
{
    if (half && (*hour < 1 || *hour > NOON)) {
        return false;
    }
    if (half) {
        *hour = *hour % NOON + (half == 'p' ? NOON : 0);
    }
    return true;
}

/* "between 7 and 9 am": the half of the day stands behind the second number. */
static char half_after(const struct tokens *tokens, size_t at)
{
    bool linked = is_at(tokens, at, "and") || is_at(tokens, at, "to") ||
                  is_at(tokens, at, "-") || is_at(tokens, at, "or");
    return linked && small_number(tokens, at + 1) > 0 ? half_at(tokens, at + 2) : '\0';
}

/* "before noon", "from noon", "between 9 and midnight", but not the film "High Noon" */
static bool is_named(const struct tokens *tokens, size_t at)
{
    static const char *const leads[] = {"before", "after", "until", "till",    "by",
                                        "since",  "at",    "from",  "between", "past"};
    static const char *const links[] = {"and", "to", "-", "or"};
    if (!at || tokens->items[at].quoted) {
        return false;
    }
    const char *lead = tokens->items[at - 1].text;
    if (str_is_among(lead, leads, sizeof leads / sizeof *leads)) {
        return true;
    }
    return at > 1 && str_is_among(lead, links, sizeof links / sizeof *links) &&
           (small_number(tokens, at - 2) >= 0 || half_at(tokens, at - 2));
}

/* "noon", "12 noon", "midnight" */
static bool named_at(const struct tokens *tokens, size_t at, struct time_of_day *out)
{
    size_t name = at + (small_number(tokens, at) == NOON);
    bool noon = is_at(tokens, name, "noon") || is_at(tokens, name, "midday");
    if (!(noon || is_at(tokens, name, "midnight")) ||
        (name == at && !is_named(tokens, at))) {
        return false;
    }
    *out = (struct time_of_day){
        .first = at, .end = name + 1, .hour = noon ? NOON : 0, .named = true};
    return true;
}

bool times_at(const struct tokens *tokens, size_t at, struct time_of_day *out)
{
    if (at < tokens->count && named_at(tokens, at, out)) {
        return true;
    }
    *out = (struct time_of_day){.first = at, .end = at + 1};
    out->hour = small_number(tokens, at);
    if (out->hour < 0 || out->hour >= HOURS || (at && is_at(tokens, at - 1, ":"))) {
        return false;
    }
    bool clock = false;
    if (is_at(tokens, at + 1, ":") && touches(tokens, at + 1) &&
        touches(tokens, at + 2) && strlen(tokens->items[at + 2].text) == 2) {
        out->minute = small_number(tokens, at + 2);
        clock = out->minute >= 0 && out->minute < MINUTES;
        out->end = at + 3;
    }
    out->minute = clock ? out->minute : 0;
    out->end = clock ? out->end : at + 1;
    if (clock && is_at(tokens, out->end, ":") &&
        small_number(tokens, out->end + 1) >= 0) {
        out->end += 2; /* seconds */
    }
    char half = half_at(tokens, out->end);
    if (half) {
        out->end++;
    } else if (!clock) {
        half = half_after(tokens, out->end);
    }
    return (clock || half) && apply_half(half, &out->hour);
}

const char *times_write_out(struct arena *arena, const struct tokens *tokens)
{
    struct buf buf;
    size_t text = 0;
    buf_init(&buf, QUESTION_MOST);
    for (size_t i = 0; i < tokens->count; i++) {
        struct time_of_day time;
        if (!times_at(tokens, i, &time) || time.hour < NOON ||
            (time.hour == NOON && !time.named)) {
            continue;
        }
        (void)buf_add(&buf, tokens->text + text, tokens->items[i].start - text);
        (void)buf_format(&buf, "%d:%02d", time.hour, time.minute);
        text = tokens->items[time.end - 1].end;
        i = time.end - 1;
    }
    const char *out = NULL;
    if (text) {
        (void)buf_text(&buf, tokens->text + text);
        out = arena_text(arena, buf_get(&buf));
    }
    buf_release(&buf);
    return out;
}
