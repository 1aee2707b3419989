/* "At 14:30" is compared with no amount: 14 and 30 are hours and minutes. */
#include "parser/search/sense/sense.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "parser/words/times.h"
#include "parser/words/tokens.h"

/* Is the number an hour or a minute that the question says, and nothing else in it? */
static bool is_of_time(const struct tokens *words, const char *text)
{
    bool found = false;
    for (size_t i = 0; i < words->count; i++) {
        struct time_of_day time;
        size_t end = i + 1;
        bool inside = times_at(words, i, &time);
        end = inside ? time.end : end;
        for (size_t k = i; k < end; k++) {
            bool digits = words->items[k].kind == TOKEN_NUMBER;
            double number = digits ? strtod(words->items[k].text, NULL) : time.hour;
            bool same =
                (digits || (inside && time.named)) && number == strtod(text, NULL);
            if (same && !inside) {
                return false;
            }
            found = found || same;
        }
        i = end - 1;
    }
    return found;
}

static bool asks_full_hours(const struct tokens *words)
{
    struct time_of_day time;
    for (size_t i = 0; i < words->count; i++) {
        if (times_at(words, i, &time) && time.minute) {
            return false;
        }
    }
    return true;
}

bool sense_misses_time(const struct tokens *words, const struct ir_values *values,
                       const struct ir_tokens *tokens)
{
    struct time_of_day time;
    bool said = false;
    bool by_hour = false; /* since the last comparison */
    for (size_t i = 0; i < words->count; i++) {
        said = said || times_at(words, i, &time);
    }
    for (size_t i = 0; said && i < tokens->count; i++) {
        struct ir_token token = tokens->items[i];
        if (ir_is(token, IR_WHERE) || ir_is(token, IR_AND) || ir_is(token, IR_OR)) {
            by_hour = false;
        }
        by_hour = by_hour || ir_is(token, IR_HOUR_OF);
        bool number = token.kind == IR_VALUE && (size_t)token.index < values->count &&
                      !values->items[token.index].is_text;
        if (number && is_of_time(words, values->items[token.index].text) &&
            !(by_hour && asks_full_hours(words))) {
            return true;
        }
    }
    return false;
}
