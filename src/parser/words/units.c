/* Which unit a name or a question says, and what to multiply or divide by. */
#include "parser/words/units.h"

#include <ctype.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"
#include "parser/ir/ir_schema.h"

enum { WORD_MOST = 16, WORDS = 8 };

enum family { TIME, WEIGHT, DISTANCE, MONEY, FAMILIES };

struct unit {
    enum family family;
    const char *words[WORDS]; /* the short ones may mean something else */
    size_t sure;              /* how many of them mean nothing else in a question */
    int size;                 /* in the smallest of its family */
};

static const struct unit units[] = {
    {TIME, {"milliseconds", "millisecond", "millis", "msecs", "msec", "ms"}, 5, 1},
    {TIME, {"seconds", "secs", "sec", "second"}, 2, 1000},
    {TIME, {"minutes", "minute", "mins", "min"}, 3, 60000},
    {TIME, {"hours", "hour", "hrs", "hr"}, 3, 3600000},
    {TIME, {"days", "day"}, 2, 86400000},
    {WEIGHT, {"grams", "gram", "g"}, 2, 1},
    {WEIGHT, {"kg", "kilograms", "kilogram", "kilos", "kilo"}, 5, 1000},
    {DISTANCE, {"cm", "centimeters", "centimetres"}, 3, 1},
    {DISTANCE, {"meters", "metres", "meter", "metre"}, 4, 100},
    {DISTANCE, {"km", "kilometers", "kilometres"}, 3, 100000},
    {MONEY, {"cents", "cent", "pence"}, 3, 1},
    {MONEY,
     {"euros", "euro", "eur", "dollars", "dollar", "usd", "pounds", "bucks"},
     8,
     100},
};

enum { UNITS = sizeof units / sizeof *units, WHOLE_MONEY = UNITS - 1, CHAIN_MOST = 3 };

static const struct {
    int by;
    enum ir_fixed fixed;
    bool of_time;
} factors[] = {{3600, IR_FIXED_SECONDS_OF_HOUR, true},
               {1000, IR_FIXED_THOUSAND, false},
               {100, IR_FIXED_HUNDRED, false},
               {60, IR_FIXED_SIXTY, true},
               {24, IR_FIXED_TWENTY_FOUR, true}}; /* large ones first */

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
            /* "systems" are no milliseconds */
            if (tail > 2 - (i > 0) && size > tail + 3 &&
                str_equal(word + size - tail, units[i].words[k])) {
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

/* What a question says of units: the one that it names, or none. */
struct asked {
    const struct unit *unit;
    bool compared; /* after a number: "over 10 minutes" */
    bool wanted;   /* "in hours", "how many days" */
};

/* "min" is a unit after a number and "in". */
static struct asked units_asked(const char *question, enum family family)
{
    struct asked out = {0};
    char word[WORD_MOST];
    char before[WORD_MOST] = "";
    while (next_word(&question, word)) {
        bool number = isdigit((unsigned char)before[0]) != 0;
        bool in = str_equal(before, "in");
        const struct unit *unit = unit_called(word, !number && !in);
        unit = unit && unit->family == family ? unit : NULL;
        if (unit && out.unit && unit != out.unit) {
            return (struct asked){0};
        }
        if (unit) {
            out.unit = unit;
            out.compared = out.compared || number;
            out.wanted = out.wanted || in || str_equal(before, "many");
        }
        memcpy(before, word, sizeof before);
    }
    return out;
}

/* What one unit is divided by to get another: 60000 is 1000 and 60. 0: there is no way. */
static size_t factors_between(int held, int asked, int chain[CHAIN_MOST])
{
    int by = asked > held ? asked / held : held / asked;
    size_t count = 0;
    for (size_t i = 0; i < FACTORS && count < CHAIN_MOST; i++) {
        if (by % factors[i].by == 0) {
            chain[count++] = (int)factors[i].fixed;
            by /= factors[i].by;
        }
    }
    return by == 1 ? count : 0;
}

/* `times C 60`, `ratio C 3600`: an operator, a column, a number of units in a unit. */
static bool is_conversion(const struct ir_schema *schema, const struct ir_tokens *tokens,
                          size_t at)
{
    const struct ir_token *token = &tokens->items[at];
    if (at + 2 >= tokens->count || token[1].kind != IR_COLUMN || token[1].index <= 0 ||
        token[2].kind != IR_FIXED ||
        !(ir_is(*token, IR_TIMES) || ir_is(*token, IR_RATIO) ||
          ir_is(*token, IR_DIVIDE))) {
        return false;
    }
    const struct unit *held = unit_of_name(schema->columns[token[1].index].name);
    for (size_t i = 0; held && i < FACTORS; i++) {
        if (token[2].index == (int)factors[i].fixed) {
            bool thousands = held == &units[0] && factors[i].by == 1000;
            return thousands || factors[i].of_time == (held->family == TIME);
        }
    }
    return false;
}

static bool is_comparison(struct ir_token token)
{
    static const enum ir_keyword words[] = {IR_LESS,     IR_GREATER, IR_AT_MOST,
                                            IR_AT_LEAST, IR_BETWEEN, IR_EQUAL};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (ir_is(token, words[i])) {
            return true;
        }
    }
    return false;
}

/* `C` into `ratio C 100`, `times C 60`, or `ratio ratio C 1000 60`. */
static void insert(struct arena *arena, struct ir_tokens *tokens, size_t at, int held,
                   int asked)
{
    int chain[CHAIN_MOST];
    size_t count = factors_between(held, asked, chain);
    if (!count) {
        return;
    }
    struct ir_tokens out = {0};
    for (size_t i = 0; i < tokens->count; i++) {
        for (size_t k = 0; i == at && k < count; k++) {
            int keyword = asked > held ? IR_RATIO : IR_TIMES;
            VEC_PUSH(arena, &out, ((struct ir_token){IR_KEYWORD, keyword}));
        }
        VEC_PUSH(arena, &out, tokens->items[i]);
        for (size_t k = 0; i == at && k < count; k++) {
            VEC_PUSH(arena, &out, ((struct ir_token){IR_FIXED, chain[k]}));
        }
    }
    *tokens = out;
}

static void convert(struct arena *arena, struct ir_tokens *tokens, size_t at, int held,
                    int asked)
{
    struct ir_token *token = &tokens->items[at];
    int chain[CHAIN_MOST];
    size_t count = held == asked ? 0 : factors_between(held, asked, chain);
    if (count == 1) {
        token[0].index = asked > held ? IR_RATIO : IR_TIMES;
        token[2].index = chain[0];
    } else if (count || held == asked) {
        token[0] = token[1];
        memmove(&token[1], &token[3], (tokens->count - at - 3) * sizeof *token);
        tokens->count -= 2;
        if (count) {
            insert(arena, tokens, at, held, asked);
        }
    }
}

static bool is_operator(struct ir_token token)
{
    return ir_is(token, IR_TIMES) || ir_is(token, IR_RATIO) || ir_is(token, IR_DIVIDE) ||
           ir_is(token, IR_PERCENT) || ir_is(token, IR_PLUS) || ir_is(token, IR_MINUS);
}

/* A column that stands as it is where another unit is meant: beside a number of the
 * question, or shown though the question says in which unit. */
static bool lacks_conversion(const struct ir_tokens *tokens, size_t at,
                             const struct asked *asked, bool shown)
{
    const struct ir_token *token = &tokens->items[at];
    bool next = at + 2 < tokens->count;
    if (at == 0 || is_operator(token[-1]) || ir_is(token[-1], IR_COUNT) ||
        ir_is(token[-1], IR_COUNT_DISTINCT)) {
        return false;
    }
    bool compared = next && is_comparison(token[1]) && token[2].kind == IR_VALUE;
    return compared ? asked->compared || asked->unit->family == MONEY
                    : shown && asked->wanted;
}

/* `hours A B`: the time from one to the other, in the unit that is asked for. */
static void settle_duration(struct arena *arena, struct ir_tokens *tokens, size_t at,
                            const struct asked *asked)
{
    enum { MS_OF_MINUTE = 60000, MS_OF_HOUR = 3600000, MS_OF_DAY = 86400000 };
    struct ir_token *token = &tokens->items[at];
    bool plain = at > 0 && !is_operator(token[-1]) && token[1].kind != IR_KEYWORD &&
                 (token[2].kind != IR_KEYWORD || ir_is(token[2], IR_NOW));
    if (!plain || !(asked->compared || asked->wanted)) {
        return;
    }
    if (asked->unit->size == MS_OF_HOUR) {
        token->index = IR_HOURS;
    } else if (asked->unit->size == MS_OF_DAY) {
        token->index = IR_DAYS;
    } else if (asked->unit->size == MS_OF_MINUTE) {
        struct ir_tokens out = {0};
        token->index = IR_HOURS;
        for (size_t i = 0; i < tokens->count; i++) {
            if (i == at) {
                VEC_PUSH(arena, &out, ((struct ir_token){IR_KEYWORD, IR_TIMES}));
            }
            VEC_PUSH(arena, &out, tokens->items[i]);
            if (i == at + 2) {
                VEC_PUSH(arena, &out, ((struct ir_token){IR_FIXED, IR_FIXED_SIXTY}));
            }
        }
        *tokens = out;
    }
}

void units_settle(struct arena *arena, const struct ir_schema *schema,
                  const char *question, struct ir_tokens *tokens)
{
    struct asked asked[FAMILIES];
    for (int i = 0; i < FAMILIES; i++) {
        asked[i] = units_asked(question, (enum family)i);
    }
    if (!asked[MONEY].unit && !str_contains_nocase(question, "cent")) {
        asked[MONEY].unit =
            &units[WHOLE_MONEY]; /* people state amounts in the main unit, not in cents */
    }
    bool shown = false;
    for (size_t at = 0; at < tokens->count; at++) {
        const struct ir_token *token = &tokens->items[at];
        shown = ir_is(*token, IR_SELECT) || (shown && !ir_is(*token, IR_FROM));
        bool whole = at + 2 < tokens->count;
        if (asked[TIME].unit && whole &&
            (ir_is(*token, IR_DAYS) || ir_is(*token, IR_HOURS))) {
            settle_duration(arena, tokens, at, &asked[TIME]);
            at += ir_is(tokens->items[at], IR_TIMES);
            continue;
        }
        bool conversion = is_conversion(schema, tokens, at);
        int column = conversion ? token[1].index : token->index;
        if (!conversion && (token->kind != IR_COLUMN || column <= 0)) {
            continue;
        }
        const struct unit *held = unit_of_name(schema->columns[column].name);
        const struct asked *meant = held ? &asked[held->family] : NULL;
        if (!meant || !meant->unit) {
            continue;
        }
        if (conversion && (held->family != MONEY || meant->wanted)) {
            convert(arena, tokens, at, held->size, meant->unit->size);
            while (ir_is(tokens->items[at], IR_RATIO) ||
                   ir_is(tokens->items[at], IR_TIMES)) {
                at++; /* to the column itself; what follows it is fixed */
            }
        } else if (conversion) {
            at += 2;
        } else if (held != meant->unit && lacks_conversion(tokens, at, meant, shown)) {
            size_t before = tokens->count;
            insert(arena, tokens, at, held->size, meant->unit->size);
            at += tokens->count - before;
        }
    }
}
