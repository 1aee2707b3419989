/* Sums of durations, growth the wrong way round, "not" that was not heard. */
#include "parser/search/sense/sense.h"

#include <ctype.h>
#include <string.h>

#include "base/str.h"
#include "parser/ir/ir_key_words.h"
#include "parser/ir/ir_schema.h"
#include "parser/values/values.h"

bool sense_asks_for_total(const char *question)
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

/* `temp_c` and `Temp C`, but not `temp_table_id` or `attempts`. */
static bool is_temperature(const char *name)
{
    static const char *const units[] = {"", "c", "f", "k", "celsius", "fahrenheit"};
    const char *at = str_find_nocase(name, "temp");
    const char *rest = at ? at + strlen("temp") : "";
    if (!at || (at > name && isalpha((unsigned char)at[-1]))) {
        return false;
    }
    rest += *rest == '_' || *rest == ' ';
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (str_equal_nocase(rest, units[i])) {
            return true;
        }
    }
    return false;
}

bool sense_is_level(const char *name)
{
    static const char *const words[] = {"rating",      "satisfaction", "stars",   "csat",
                                        "nps",         "gpa",          "percent", "pct",
                                        "temperature", "humidity"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (str_contains_nocase(name, words[i])) {
            return true;
        }
    }
    return is_temperature(name);
}

static bool is_mark(const struct ir_schema *schema, struct ir_token token)
{
    return token.kind == IR_COLUMN && token.index > 0 &&
           sense_is_level(schema->columns[token.index].name);
}

/* "Sales cycle in days" is not a sum, because deals run at the same time. */
static void average(const struct ir_schema *schema, const char *question,
                    struct ir_tokens *tokens)
{
    if (sense_asks_for_total(question)) {
        return;
    }
    for (size_t i = 0; i + 1 < tokens->count; i++) {
        bool part = i > 0 && (ir_is(tokens->items[i - 1], IR_RATIO) ||
                              ir_is(tokens->items[i - 1], IR_DIVIDE) ||
                              ir_is(tokens->items[i - 1], IR_PERCENT));
        struct ir_token of = tokens->items[i + 1];
        if (ir_is(tokens->items[i], IR_SUM) &&
            (is_duration(of) || (is_mark(schema, of) && !part))) {
            tokens->items[i].index = IR_AVG;
        }
    }
}

enum { PERIODS = 3, NUMBER_MOST = 16 };

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

/* Says "not" or the like somewhere before this word. */
static bool denies(const char *question, const char *until)
{
    static const char *const words[] = {" not ",  "n't",   "never",  "hasnt",
                                        "havent", "wasnt", "didnt",  "werent",
                                        "isnt",   "arent", "doesnt", "dont"};
    const char *end = str_find_nocase(question, until);
    for (size_t i = 0; end && i < sizeof words / sizeof *words; i++) {
        const char *at = str_find_nocase(question, words[i]);
        if (at && at < end) {
            return true;
        }
    }
    return false;
}

bool sense_has_denial(const struct ir_tokens *tokens)
{
    static const enum ir_keyword words[] = {IR_NOT,          IR_NOT_IN,  IR_EXCEPT,
                                            IR_UNEQUAL,      IR_IS_NULL, IR_BEFORE,
                                            IR_NOT_CONTAINS, IR_EXISTS};
    for (size_t i = 0; i < tokens->count; i++) {
        for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
            if (ir_is(tokens->items[i], words[k])) {
                return true;
            }
        }
    }
    return false;
}

size_t sense_only_place(const struct ir_tokens *tokens, enum ir_keyword word)
{
    size_t found = 0;
    for (size_t i = 1; i < tokens->count; i++) {
        if (ir_is(tokens->items[i], word)) {
            if (found) {
                return 0;
            }
            found = i;
        }
    }
    return found;
}

static bool has_duration(const struct ir_tokens *tokens)
{
    for (size_t i = 0; i < tokens->count; i++) {
        if (is_duration(tokens->items[i])) {
            return true;
        }
    }
    return false;
}

/* "Not seen since March", "not shipped within 2 days": the network ignores the "not". */
static void turn_denied(const char *question, struct ir_tokens *tokens)
{
    size_t since = sense_only_place(tokens, IR_SINCE);
    size_t within = sense_only_place(tokens, IR_AT_MOST);
    within = within ? within : sense_only_place(tokens, IR_LESS);
    if (sense_has_denial(tokens)) {
        return;
    }
    if (since && denies(question, "since")) {
        tokens->items[since].index = IR_BEFORE;
    } else if (within && has_duration(tokens) && denies(question, "within")) {
        bool less = ir_is(tokens->items[within], IR_LESS);
        tokens->items[within].index = less ? IR_AT_LEAST : IR_GREATER;
    }
}

static bool is_part_of_date(struct ir_token token)
{
    static const enum ir_keyword words[] = {IR_QUARTER, IR_MONTH, IR_WEEK, IR_DAY};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (ir_is(token, words[i])) {
            return true;
        }
    }
    return false;
}

/* `month A … where B during 2024`: the months of B, unless A is named. */
static void join_dates(const struct ir_schema *schema, const char *question,
                       struct ir_tokens *tokens)
{
    size_t during = sense_only_place(tokens, IR_DURING);
    size_t where = sense_only_place(tokens, IR_WHERE);
    if (!during || !where || during < where ||
        tokens->items[during - 1].kind != IR_COLUMN) {
        return;
    }
    int meant = tokens->items[during - 1].index;
    for (size_t i = 1; i < tokens->count; i++) {
        struct ir_token *token = &tokens->items[i];
        if (token->kind == IR_COLUMN && token->index > 0 && token->index != meant &&
            is_part_of_date(token[-1]) &&
            schema->columns[token->index].table == schema->columns[meant].table &&
            !ir_key_is_named(schema, question, token->index)) {
            token->index = meant;
        }
    }
}

/* The next word, or its end where there is none; *size letters. */
static const char *next_word(const char *text, size_t *size)
{
    while (*text && !isalnum((unsigned char)*text)) {
        text++;
    }
    *size = 0;
    while (isalnum((unsigned char)text[*size])) {
        ++*size;
    }
    return text;
}

/* "Top return reasons": several, but nobody says how many. */
static bool asks_for_top_ones(const char *question)
{
    enum { NOUN_MOST = 3, PLURAL_LEAST = 4 }; /* words after "top"; letters */
    size_t size = 0;
    const char *at = next_word(question, &size);
    while (*at && !(size == 3 && str_starts_nocase(at, "top"))) {
        at = next_word(at + size, &size);
    }
    for (size_t i = 0; *at && i < NOUN_MOST; i++) {
        at = next_word(at + size, &size);
        long number = 0;
        char word[NUMBER_MOST] = "";
        if (size < sizeof word) {
            memcpy(word, at, size);
        }
        if (isdigit((unsigned char)*at) || values_number_word(word, &number)) {
            return false;
        }
        if (size >= PLURAL_LEAST && at[size - 1] == 's' && !strchr("su", at[size - 2])) {
            return true;
        }
    }
    return false;
}

static void keep_top_ones(const char *question, struct ir_tokens *tokens)
{
    size_t limit = sense_only_place(tokens, IR_LIMIT1);
    if (limit && limit + 1 == tokens->count && asks_for_top_ones(question)) {
        tokens->count--;
    }
}

void sense_settle(const struct ir_schema *schema, const char *question,
                  const struct ir_values *values, struct ir_tokens *tokens)
{
    average(schema, question, tokens);
    turn_growth(values, tokens);
    turn_denied(question, tokens);
    join_dates(schema, question, tokens);
    keep_top_ones(question, tokens);
    sense_speed(schema, question, tokens);
}
