/* "Less than 6 months ago" is since then, "newer than 2 years" likewise, and "3 months ago" is that
 * month: the network hears "before" in all of them. */
#include "parser/search/sense/sense.h"

#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "parser/values/values.h"
#include "parser/words/periods/periods.h"
#include "parser/words/tokens.h"

enum { PHRASES_MOST = 4, ALIKE_MOST = 3 };

/* A number of units before today, and which side of that day is meant. */
struct ago {
    enum ir_keyword side;
    enum ir_keyword unit;
};

struct agos {
    struct ago items[PHRASES_MOST];
    size_t count;
    bool unclear; /* "3 to 6 months ago": no single day */
};

static bool is_at(const struct tokens *tokens, size_t at, const char *text)
{
    return at < tokens->count && !tokens->items[at].quoted &&
           strcmp(tokens->items[at].text, text) == 0;
}

static bool unit_at(const struct tokens *tokens, size_t at, enum ir_keyword *unit)
{
    static const struct {
        const char *words[ALIKE_MOST];
        enum ir_keyword unit;
    } units[] = {{{"day", "days"}, IR_UNIT_DAY},
                 {{"week", "weeks"}, IR_UNIT_WEEK},
                 {{"month", "months"}, IR_UNIT_MONTH},
                 {{"quarter", "quarters"}, IR_UNIT_QUARTER},
                 {{"year", "years"}, IR_UNIT_YEAR}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        for (size_t k = 0; k < ALIKE_MOST && units[i].words[k]; k++) {
            if (is_at(tokens, at, units[i].words[k])) {
                *unit = units[i].unit;
                return true;
            }
        }
    }
    return false;
}

static bool is_amount(const struct token *token)
{
    long number = 0;
    return !token->quoted &&
           (token->kind == TOKEN_NUMBER || values_number_word(token->text, &number) ||
            strcmp(token->text, "a") == 0 || strcmp(token->text, "an") == 0);
}

/* What stands before the number. `old`: says it without "ago", too. The longer ones first. */
static const struct comparison {
    const char *words;
    enum ir_keyword side;
    bool old;
} comparisons[] = {
    {"no more than", IR_SINCE, false},
    {"not more than", IR_SINCE, false},
    {"no longer than", IR_SINCE, false},
    {"not longer than", IR_SINCE, false},
    {"no earlier than", IR_SINCE, false},
    {"not earlier than", IR_SINCE, false},
    {"no older than", IR_SINCE, true},
    {"not older than", IR_SINCE, true},
    {"no less than", IR_UNTIL, false},
    {"not less than", IR_UNTIL, false},
    {"no fewer than", IR_UNTIL, false},
    {"no later than", IR_UNTIL, false},
    {"not later than", IR_UNTIL, false},
    {"no newer than", IR_UNTIL, true},
    {"not newer than", IR_UNTIL, true},
    {"no younger than", IR_UNTIL, true},
    {"not younger than", IR_UNTIL, true},
    {"more recently than", IR_SINCE, true},
    {"more recent than", IR_SINCE, true},
    {"less recently than", IR_BEFORE, true},
    {"less recent than", IR_BEFORE, true},
    {"newer than", IR_SINCE, true},
    {"younger than", IR_SINCE, true},
    {"older than", IR_BEFORE, true},
    {"less than", IR_SINCE, false},
    {"fewer than", IR_SINCE, false},
    {"later than", IR_SINCE, false},
    {"sooner than", IR_SINCE, false},
    {"more than", IR_BEFORE, false},
    {"longer than", IR_BEFORE, false},
    {"earlier than", IR_BEFORE, false},
    {"at most", IR_SINCE, false},
    {"up to", IR_SINCE, false},
    {"at least", IR_UNTIL, false},
    {"prior to", IR_BEFORE, false},
    {"under", IR_SINCE, false},
    {"within", IR_SINCE, false},
    {"since", IR_SINCE, false},
    {"after", IR_SINCE, false},
    {"over", IR_BEFORE, false},
    {"above", IR_BEFORE, false},
    {"beyond", IR_BEFORE, false},
    {"before", IR_BEFORE, false},
    {"until", IR_UNTIL, false},
    {"till", IR_UNTIL, false},
};

/* The comparison that ends before this token; NULL: there is none. */
static const struct comparison *comparison_before(const struct tokens *tokens, size_t at)
{
    enum { WORDS_MOST = 3 };
    for (size_t i = 0; i < sizeof comparisons / sizeof *comparisons; i++) {
        for (size_t size = 1; size <= WORDS_MOST && size <= at; size++) {
            if (tokens_phrase(tokens, at - size, comparisons[i].words) == size) {
                return &comparisons[i];
            }
        }
    }
    return NULL;
}

/* "between 3 and 6 months ago", "3-6 months ago", "2 years or more ago" */
static bool is_range(const struct tokens *tokens, size_t at)
{
    static const char *const links[] = {"to", "and", "or", "-", "through"};
    return at >= 2 && IS_AMONG(tokens->items[at - 1].text, links) &&
           tokens->items[at - 2].kind == TOKEN_NUMBER;
}

static void add(struct agos *agos, enum ir_keyword side, enum ir_keyword unit)
{
    if (agos->count < PHRASES_MOST) {
        agos->items[agos->count++] = (struct ago){side, unit};
    } else {
        agos->unclear = true;
    }
}

/* "more than 3 months and less than 6 months ago": the first one goes on to the word, too. */
static bool goes_on_to_ago(const struct tokens *tokens, size_t at)
{
    enum { WORDS_MOST = 7 };
    if (!is_at(tokens, at, "and") && !is_at(tokens, at, "but")) {
        return false;
    }
    for (size_t i = at + 1; i < tokens->count && i <= at + WORDS_MOST; i++) {
        if (is_at(tokens, i, "ago")) {
            return true;
        }
    }
    return false;
}

/* All such phrases of the question, in order. */
static void read_agos(const struct tokens *tokens, struct agos *agos)
{
    static const char *const leads[] = {"from", "as"};
    for (size_t i = 0; i + 1 < tokens->count; i++) {
        enum ir_keyword unit = IR_PAD;
        if (!is_amount(&tokens->items[i]) || !unit_at(tokens, i + 1, &unit)) {
            continue;
        }
        bool ago = is_at(tokens, i + 2, "ago") || goes_on_to_ago(tokens, i + 2);
        size_t first = i;
        first -= i && (is_at(tokens, i - 1, "a") || is_at(tokens, i - 1, "about") ||
                       is_at(tokens, i - 1, "exactly"));
        const struct comparison *found = comparison_before(tokens, first);
        if (ago &&
            (is_range(tokens, i) || (i && IS_AMONG(tokens->items[i - 1].text, leads)))) {
            agos->unclear = true;
        } else if (found && (ago || found->old)) {
            add(agos, found->side, unit);
        } else if (ago) {
            add(agos, IR_DURING, unit);
        }
    }
}

/* The words that the network reads: "between 3 and 6 months ago" is two phrases. */
static void split_plain(struct arena *arena, const char *question, struct tokens *words)
{
    tokens_split(arena, question, words);
    const struct periods_request request = {.tokens = words};
    const char *plain = periods_write_out(arena, &request);
    if (plain) {
        tokens_split(arena, plain, words);
    }
}

/* Is this `before ago V unit`, or with another side? */
static bool is_ago(const struct ir_tokens *tokens, size_t at)
{
    return at + 3 < tokens->count && tokens->items[at].kind == IR_KEYWORD &&
           tokens->items[at].index >= IR_DURING && tokens->items[at].index <= IR_UNTIL &&
           ir_is(tokens->items[at + 1], IR_AGO);
}

/* "the next 7 days" are no days before today, nor the other way round. */
static void turn_direction(const struct tokens *words, struct ir_tokens *tokens)
{
    static const char *const later[] = {"next", "coming", "upcoming"};
    static const char *const earlier[] = {"last", "past", "previous", "prior", "ago"};
    static const char *const now[] = {"this", "current", "today"};
    enum ir_keyword ahead = IR_PAD; /* the unit of what is next */
    bool last = false;
    bool present = false;
    for (size_t i = 0; i < words->count; i++) {
        enum ir_keyword unit = IR_PAD;
        bool counted = i + 2 < words->count && is_amount(&words->items[i + 1]);
        if (IS_AMONG(words->items[i].text, later) &&
            unit_at(words, i + (counted ? 2 : 1), &unit)) {
            ahead = unit;
        }
        present = present || IS_AMONG(words->items[i].text, now);
        last = last || IS_AMONG(words->items[i].text, earlier);
    }
    for (size_t i = 1; ahead != IR_PAD && !last && i + 1 < tokens->count; i++) {
        bool same = ir_is(tokens->items[i], IR_THIS) && !present &&
                    ir_is(tokens->items[i + 1], ahead);
        if (same || ir_is(tokens->items[i], IR_LAST)) {
            tokens->items[i] = ir_word(IR_NEXT);
        }
    }
}

void sense_ago(struct arena *arena, const char *question, struct ir_tokens *tokens)
{
    struct agos agos = {.count = 0};
    struct tokens words = {0};
    size_t places[PHRASES_MOST];
    size_t count = 0;
    split_plain(arena, question, &words);
    turn_direction(&words, tokens);
    for (size_t i = 0; i < tokens->count; i++) {
        if (is_ago(tokens, i) && count < PHRASES_MOST) {
            places[count++] = i;
        }
    }
    if (!count) {
        return;
    }
    read_agos(&words, &agos);
    for (size_t i = 0; !agos.unclear && agos.count == count && i < count; i++) {
        if (ir_is(tokens->items[places[i] + 3], agos.items[i].unit)) {
            tokens->items[places[i]] = ir_word(agos.items[i].side);
        }
    }
}
