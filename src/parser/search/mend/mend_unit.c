/* The unit behind a number of the question: "2 weeks", "within a month", "how many weeks". */
#include "parser/search/mend/mend_unit.h"

#include "base/str.h"
#include "parser/values/values.h"
#include "parser/words/tokens.h"

static const struct mend_unit units[] = {
    {"week", "weeks", 7, IR_PAD, IR_PAD},
    {"fortnight", "fortnights", 14, IR_PAD, IR_PAD},
    {"month", "months", 30.4375, IR_UNIT_MONTH, IR_MONTHS},
    {"quarter", "quarters", 91.3125, IR_UNIT_QUARTER, IR_PAD},
    {"year", "years", 365.25, IR_UNIT_YEAR, IR_YEARS},
    {"day", "days", 1, IR_PAD, IR_DAYS},
    {"hour", "hours", 0, IR_PAD, IR_HOURS},
    {"minute", "minutes", 0, IR_PAD, IR_PAD},
};

enum { UNITS = sizeof units / sizeof *units, MONTH = 2, MONTH_DAYS = 30 };

static const char *word_at(const struct tokens *words, size_t at)
{
    return at < words->count && !words->items[at].quoted ? words->items[at].text : "";
}

static const struct mend_unit *unit_at(const struct tokens *words, size_t at)
{
    for (size_t i = 0; i < UNITS; i++) {
        if (str_equal(word_at(words, at), units[i].one) ||
            str_equal(word_at(words, at), units[i].several)) {
            return &units[i];
        }
    }
    return NULL;
}

static bool number_at(const struct tokens *words, size_t at, double *number)
{
    static const char *const ones[] = {"a", "an", "single"};
    long whole = 1;
    if (at >= words->count || words->items[at].quoted) {
        return false;
    }
    const char *text = words->items[at].text;
    if (words->items[at].kind == TOKEN_NUMBER) {
        return str_to_real(text, number);
    }
    bool found = IS_AMONG(text, ones) || values_number_word(text, &whole);
    *number = (double)whole;
    return found;
}

/* The unit of the number here: "2 weeks", "two full weeks", "2 to 3 weeks"; NULL: none. */
static const struct mend_unit *unit_after(const struct tokens *words, size_t at)
{
    static const char *const between[] = {"full", "whole", "calendar", "entire", "of"};
    static const char *const links[] = {"and", "to", "or", "-"};
    double other;
    size_t next = at + 1;
    if (IS_AMONG(word_at(words, next), links) && number_at(words, next + 1, &other)) {
        next += 2;
    }
    next += IS_AMONG(word_at(words, next), between);
    return unit_at(words, next);
}

const struct mend_unit *mend_unit_of(const struct tokens *words, const char *text)
{
    static const char *const periods[] = {"last", "past",  "next", "previous", "coming",
                                          "this", "first", "per",  "every",    "each"};
    const struct mend_unit *found = NULL;
    double wanted;
    double number;
    for (size_t i = 0; str_to_real(text, &wanted) && i < words->count; i++) {
        if ((i && IS_AMONG(word_at(words, i - 1), periods)) ||
            !number_at(words, i, &number) || number != wanted) {
            continue;
        }
        const struct mend_unit *unit = unit_after(words, i);
        if (unit && found && unit != found) {
            return NULL;
        }
        found = unit ? unit : found;
    }
    return found;
}

const struct mend_unit *mend_unit_month(const struct tokens *words, const char *text)
{
    static const char *const phrases[] = {"within a month", "within one month",
                                          "within 1 month"};
    bool said = false;
    double number;
    for (size_t i = 0; str_equal(text, "30") && i < words->count; i++) {
        if (number_at(words, i, &number) && number == MONTH_DAYS) {
            return NULL;
        }
        for (size_t k = 0; k < sizeof phrases / sizeof *phrases; k++) {
            said = said || tokens_phrase(words, i, phrases[k]);
        }
    }
    return said ? &units[MONTH] : NULL;
}

const struct mend_unit *mend_unit_wanted(const struct tokens *words)
{
    static const char *const leads[] = {"in", "many", "average", "mean", "median"};
    const struct mend_unit *found = NULL;
    for (size_t i = 0; i < words->count; i++) {
        const struct mend_unit *unit = unit_at(words, i);
        if (!unit) {
            continue;
        }
        bool counted = i > 1 && str_equal(word_at(words, i - 1), "of") &&
                       str_equal(word_at(words, i - 2), "number");
        if (found || !i || !str_equal(word_at(words, i), unit->several) ||
            !(counted || IS_AMONG(word_at(words, i - 1), leads))) {
            return NULL;
        }
        found = unit;
    }
    return found;
}
