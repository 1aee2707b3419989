/* Which unit a name or a question says, and what to multiply or divide by. */
#include "parser/units.h"

#include <ctype.h>
#include <string.h>

#include "base/str.h"
#include "parser/ir_schema.h"

enum { WORD_MOST = 16, WORDS = 4 };

struct unit {
    const char *words[WORDS]; /* the short ones may mean something else */
    size_t sure;              /* how many of them mean nothing else in a question */
    int seconds;
};

static const struct unit units[] = {
    {{"seconds", "secs", "sec", "second"}, 2, 1},
    {{"minutes", "minute", "mins", "min"}, 3, 60},
    {{"hours", "hour", "hrs", "hr"}, 3, 3600},
    {{"days", "day"}, 2, 86400},
};

enum { UNITS = sizeof units / sizeof *units };

static const struct {
    int by;
    enum ir_fixed fixed;
} factors[] = {
    {60, IR_FIXED_SIXTY}, {3600, IR_FIXED_SECONDS_OF_HOUR}, {24, IR_FIXED_TWENTY_FOUR}};

enum { FACTORS = sizeof factors / sizeof *factors };

/* The next word or number, lower case, cut where a hump begins; false at the end. */
static bool next_word(const char **text, char word[WORD_MOST])
{
    const char *at = *text;
    size_t size = 0;
    while (*at && !isalnum((unsigned char)*at)) {
        at++;
    }
    bool digits = isdigit((unsigned char)*at);
    for (; isalnum((unsigned char)*at) && !isdigit((unsigned char)*at) == !digits; at++) {
        if (size && isupper((unsigned char)*at) && islower((unsigned char)at[-1])) {
            break;
        }
        if (size < WORD_MOST - 1) {
            word[size++] = (char)tolower((unsigned char)*at);
        }
    }
    word[size] = '\0';
    *text = at;
    return size > 0;
}

static const struct unit *unit_called(const char *word, bool sure)
{
    for (size_t i = 0; i < UNITS; i++) {
        size_t count = sure ? units[i].sure : WORDS;
        for (size_t k = 0; k < count && units[i].words[k]; k++) {
            if (str_equal(units[i].words[k], word)) {
                return &units[i];
            }
        }
    }
    return NULL;
}

/* Names may run together: "durationsec". */
static const struct unit *unit_ending(const char *word)
{
    size_t size = strlen(word);
    for (size_t i = 0; i < UNITS; i++) {
        for (size_t k = 0; k < WORDS && units[i].words[k]; k++) {
            size_t tail = strlen(units[i].words[k]);
            if (size > tail + 3 && str_equal(word + size - tail, units[i].words[k])) {
                return &units[i];
            }
        }
    }
    return NULL;
}

/* What the column holds: the last unit in its name, or NULL. */
static const struct unit *unit_of_name(const char *name)
{
    const struct unit *found = NULL;
    char word[WORD_MOST];
    while (next_word(&name, word)) {
        const struct unit *unit = unit_called(word, false);
        unit = unit ? unit : unit_ending(word);
        found = unit ? unit : found;
    }
    return found;
}

/* The one unit that a question names, or NULL. "min" is one after a number and "in". */
static const struct unit *unit_asked(const char *question)
{
    const struct unit *found = NULL;
    char word[WORD_MOST];
    bool counted = false;
    while (next_word(&question, word)) {
        const struct unit *unit = unit_called(word, !counted);
        if (unit && found && unit != found) {
            return NULL;
        }
        found = unit ? unit : found;
        counted = isdigit((unsigned char)word[0]) || str_equal(word, "in");
    }
    return found;
}

static const enum ir_fixed *factor_of(int by)
{
    for (size_t i = 0; i < FACTORS; i++) {
        if (factors[i].by == by) {
            return &factors[i].fixed;
        }
    }
    return NULL;
}

/* `times C 60`, `ratio C 3600`: an operator, a column, a number of units in a unit. */
static bool is_conversion(const struct ir_tokens *tokens, size_t at)
{
    const struct ir_token *token = &tokens->items[at];
    bool known = false;
    for (size_t i = 0; i < FACTORS; i++) {
        known = known || token[2].index == (int)factors[i].fixed;
    }
    return known && token[2].kind == IR_FIXED && token[1].kind == IR_COLUMN &&
           token[1].index > 0 &&
           (ir_is(*token, IR_TIMES) || ir_is(*token, IR_RATIO) ||
            ir_is(*token, IR_DIVIDE));
}

static void convert(struct ir_tokens *tokens, size_t at, int held, int asked)
{
    struct ir_token *token = &tokens->items[at];
    if (held == asked) {
        token[0] = token[1];
        memmove(&token[1], &token[3], (tokens->count - at - 3) * sizeof *token);
        tokens->count -= 2;
        return;
    }
    const enum ir_fixed *fixed = factor_of(asked > held ? asked / held : held / asked);
    if (fixed) {
        token[0].index = asked > held ? IR_RATIO : IR_TIMES;
        token[2].index = (int)*fixed;
    }
}

void units_settle(const struct ir_schema *schema, const char *question,
                  struct ir_tokens *tokens)
{
    const struct unit *asked = unit_asked(question);
    for (size_t at = 0; asked && at + 2 < tokens->count; at++) {
        if (is_conversion(tokens, at)) {
            const struct unit *held =
                unit_of_name(schema->columns[tokens->items[at + 1].index].name);
            if (held) {
                convert(tokens, at, held->seconds, asked->seconds);
            }
        }
    }
}
