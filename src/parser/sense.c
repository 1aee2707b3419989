/* Sums of durations, and growth that was written the wrong way round. */
#include "parser/sense.h"

#include <string.h>

#include "base/str.h"

static bool asks_for_total(const char *question)
{
    static const char *const words[] = {"total",    "sum",     "altogether", "overall",
                                        "combined", "cumulat", "running",    "all in all",
                                        "together", "in all"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (str_contains_nocase(question, words[i])) {
            return true;
        }
    }
    return false;
}

static bool is_duration(struct ir_token token)
{
    return ir_is(token, IR_DAYS) || ir_is(token, IR_HOURS) || ir_is(token, IR_MONTHS) ||
           ir_is(token, IR_YEARS);
}

/* "Sales cycle in days" is no sum: nobody waits for all deals one after the other. */
static void average_durations(const char *question, struct ir_tokens *tokens)
{
    if (asks_for_total(question)) {
        return;
    }
    for (size_t i = 0; i + 1 < tokens->count; i++) {
        if (ir_is(tokens->items[i], IR_SUM) && is_duration(tokens->items[i + 1])) {
            tokens->items[i].index = IR_AVG;
        }
    }
}

enum { PERIODS = 3 };

/* The next value after `during`, within what is shown; NULL for none. */
static struct ir_token *next_period(struct ir_tokens *tokens, size_t *at)
{
    for (; *at + 1 < tokens->count; ++*at) {
        if (ir_is(tokens->items[*at], IR_FROM)) {
            return NULL;
        }
        if (ir_is(tokens->items[*at], IR_DURING) &&
            tokens->items[*at + 1].kind == IR_VALUE) {
            return &tokens->items[++*at];
        }
    }
    return NULL;
}

static const char *text_of(const struct ir_values *values, struct ir_token token)
{
    return token.index >= 0 && (size_t)token.index < values->count
               ? values->items[token.index].text
               : NULL;
}

/* Both are years, months or quarters of the same kind, and the first is the earlier. */
static bool is_earlier(const struct ir_values *values, struct ir_token a,
                       struct ir_token b)
{
    const char *first = text_of(values, a);
    const char *second = text_of(values, b);
    return first && second && first[0] != '-' && second[0] != '-' &&
           strlen(first) == strlen(second) && strcmp(first, second) < 0;
}

/* `percent minus (in 2023) (in 2024) (in 2024)`: from 2024 back to 2023. */
static void turn_growth(const struct ir_values *values, struct ir_tokens *tokens)
{
    for (size_t i = 0; i + 1 < tokens->count; i++) {
        if (!ir_is(tokens->items[i], IR_PERCENT) ||
            !ir_is(tokens->items[i + 1], IR_MINUS)) {
            continue;
        }
        struct ir_token *periods[PERIODS];
        size_t at = i + 2;
        size_t count = 0;
        while (count < PERIODS && (periods[count] = next_period(tokens, &at))) {
            count++;
        }
        if (count == PERIODS && periods[1]->index == periods[2]->index &&
            is_earlier(values, *periods[0], *periods[1])) {
            struct ir_token earlier = *periods[0];
            *periods[0] = *periods[1];
            *periods[1] = earlier;
            *periods[2] = earlier;
        }
    }
}

void sense_settle(const char *question, const struct ir_values *values,
                  struct ir_tokens *tokens)
{
    average_durations(question, tokens);
    turn_growth(values, tokens);
}
