/* Numbers that the SQL holds as days: "6 months ago" is 2024-05-15, "until 2025" is before 2026-01-01. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "parser/coverage/coverage_covering.h"
#include "parser/values/values.h"
#include "parser/words/calendar.h"

enum { DAY_SIZE = 11, AMOUNT_MOST = 9999, DAY_SECONDS = 86400 };

static bool is_word(const struct covering *covering, size_t at, const char *const *words,
                    size_t count)
{
    return at < covering->words.count &&
           str_is_among(covering->words.items[at].text, words, count);
}

static bool unit_at(const struct covering *covering, size_t at, enum ir_keyword *unit)
{
    static const char *const names[] = {"day",   "days",   "week",    "weeks",
                                        "month", "months", "quarter", "quarters",
                                        "year",  "years"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (is_word(covering, at, &names[i], 1)) {
            *unit = (enum ir_keyword)(IR_UNIT_DAY + (int)(i / 2));
            return true;
        }
    }
    return false;
}

/* Is the amount counted from today: "last 6 months", "6 months ago", "older than 6 months"? */
static bool counts_from_today(const struct covering *covering, size_t at)
{
    static const char *const before[] = {"last", "past", "previous", "next", "coming"};
    static const char *const ages[] = {"newer", "older", "younger"};
    static const char *const ago[] = {"ago"};
    return is_word(covering, at + 2, ago, 1) ||
           (at >= 1 &&
            is_word(covering, at - 1, before, sizeof before / sizeof *before)) ||
           (at >= 2 && is_word(covering, at - 2, ages, sizeof ages / sizeof *ages));
}

bool coverage_has_day(const struct coverage_use *use, const struct calendar_day *day)
{
    char text[DAY_SIZE + 24];
    (void)snprintf(text, sizeof text, "%04d-%02d-%02d", day->year, day->month, day->day);
    for (size_t i = 0; i < use->texts.count; i++) {
        if (str_starts(use->texts.items[i], text)) {
            return true;
        }
    }
    long long seconds = calendar_number(day) * DAY_SECONDS;
    for (size_t i = 0; i < use->numbers.count; i++) {
        long long number = strtoll(use->numbers.items[i], NULL, 10);
        if (number && (number == seconds || number == seconds * 1000)) {
            return true;
        }
    }
    return false;
}

bool coverage_names_days(const struct coverage_use *use)
{
    struct calendar_day day;
    for (size_t i = 0; i < use->texts.count; i++) {
        if (calendar_read(use->texts.items[i], &day)) {
            return true;
        }
    }
    for (size_t i = 0; i < use->numbers.count; i++) {
        if (strtoll(use->numbers.items[i], NULL, 10) > 100000LL * 1000) {
            return true;
        }
    }
    return false;
}

static long amount_of(const struct token *token)
{
    long amount = 0;
    if (token->kind == TOKEN_NUMBER) {
        char *rest = NULL;
        amount = strtol(token->text, &rest, 10);
        return *rest ? 0 : amount;
    }
    return values_number_word(token->text, &amount) ? amount : 0;
}

enum coverage_found coverage_amount(const struct covering *covering, size_t at)
{
    struct calendar_day today;
    enum ir_keyword unit = IR_PAD;
    long amount = amount_of(&covering->words.items[at]);
    if (amount < 1 || amount > AMOUNT_MOST || !covering->request->today ||
        !calendar_read(covering->request->today, &today) ||
        !unit_at(covering, at + 1, &unit) || !counts_from_today(covering, at) ||
        !coverage_names_days(&covering->use)) {
        return COVERAGE_ELSEWHERE;
    }
    for (int side = -1; side <= 1; side += 2) {
        struct calendar_day day = calendar_add(today, unit, side * amount);
        struct calendar_day next = calendar_add_days(day, 1);
        struct calendar_day start = calendar_start(day, unit);
        if (coverage_has_day(&covering->use, &day) ||
            coverage_has_day(&covering->use, &next) ||
            coverage_has_day(&covering->use, &start)) {
            return COVERAGE_THERE;
        }
    }
    return COVERAGE_MISSING;
}

bool coverage_year_ends(const struct covering *covering, size_t at)
{
    enum { EARLIEST = 1000, LATEST = 2999 };
    long year = amount_of(&covering->words.items[at]);
    if (covering->words.items[at].kind != TOKEN_NUMBER || year < EARLIEST ||
        year > LATEST) {
        return false;
    }
    struct calendar_day next = {(int)year + 1, 1, 1};
    return coverage_has_day(&covering->use, &next);
}
