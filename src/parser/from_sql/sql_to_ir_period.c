/* Two dates that bound a period, and dates that stand for the period they begin. */
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"
#include "parser/from_sql/sql_to_ir_state.h"

enum { DAY_SIZE = 10 }; /* 2024-03-15 */

struct day {
    int year;
    int month;
    int day;
};

static bool digits_read(const char *text, size_t count, int *number)
{
    *number = 0;
    for (size_t i = 0; i < count; i++) {
        if (text[i] < '0' || text[i] > '9') {
            return false;
        }
        *number = *number * 10 + (text[i] - '0');
    }
    return true;
}

/* Is the time of day after the date this one: the first or the last of the day? "" is the
 * first, and for an end that is part of the period the last. */
static bool time_is(const char *text, bool last)
{
    const char *time = text + (*text == ' ' || *text == 'T');
    size_t digits = strspn(time, last ? "0123456789:." : "0:.");
    return *text == '\0' || ((!last || str_starts(time, "23:59")) && digits > 0 &&
                             (time[digits] == '\0' || str_equal(time + digits, "Z")));
}

/* 2024-03-15; a time of day after it does not matter. */
static bool day_read(const struct ir_node *node, struct day *out)
{
    if (!node || node->kind != IR_NODE_TEXT || strlen(node->text) < 10) {
        return false;
    }
    const char *text = node->text;
    return digits_read(text, 4, &out->year) && text[4] == '-' &&
           digits_read(text + 5, 2, &out->month) && text[7] == '-' &&
           digits_read(text + 8, 2, &out->day) && out->month >= 1 && out->month <= 12 &&
           out->day >= 1 && out->day <= 31;
}

static int month_days(int year, int month)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return month == 2 && leap ? 29 : days[month - 1];
}

/* The day after, for an end that is part of the period. */
static struct day day_next(struct day day)
{
    if (++day.day > month_days(day.year, day.month)) {
        day.day = 1;
        if (++day.month > 12) {
            day.month = 1;
            day.year++;
        }
    }
    return day;
}

/* 2024, 2024-Q1, 2024-03 or 2024-03-15 when that is what lies between; NULL otherwise. */
static const char *period_name(struct sql_reading *reading, struct day from,
                               struct day to)
{
    int months = (to.year - from.year) * 12 + to.month - from.month;
    struct day next = day_next(from);
    if (next.year == to.year && next.month == to.month && next.day == to.day) {
        return arena_format(reading->arena, "%04d-%02d-%02d", from.year, from.month,
                            from.day);
    }
    if (from.day != 1 || to.day != 1) {
        return NULL;
    }
    if (months == 12 && from.month == 1) {
        return arena_format(reading->arena, "%04d", from.year);
    }
    if (months == 3 && from.month % 3 == 1) {
        return arena_format(reading->arena, "%04d-Q%d", from.year, from.month / 3 + 1);
    }
    if (months == 1) {
        return arena_format(reading->arena, "%04d-%02d", from.year, from.month);
    }
    return NULL;
}

static struct ir_node *period_node(struct sql_reading *reading, const char *name)
{
    return ir_node_text(reading->arena, name, strlen(name) != 4);
}

static bool same_unit(const struct ir_node *a, enum ir_keyword a_word,
                      const struct ir_node *b, enum ir_keyword b_word)
{
    return ir_node_is(a, a_word) && ir_node_is(b, b_word) && a->args.count == 1 &&
           b->args.count == 1 && ir_node_same(a->args.items[0], b->args.items[0]);
}

static bool is_today(const struct ir_node *node)
{
    return ir_node_is(node, IR_THIS) && ir_node_is(node->args.items[0], IR_UNIT_DAY);
}

/* The same with periods that hang on today. */
static struct ir_node *during_relative(struct sql_reading *reading,
                                       const struct ir_node *low,
                                       const struct ir_node *high)
{
    struct ir_node *from = low->args.items[1];
    const struct ir_node *to = high->args.items[1];
    bool ends = ir_node_is(high, IR_BEFORE) || ir_node_is(high, IR_UNTIL);
    if (!ends) {
        return NULL;
    }
    if (ir_node_is(low, IR_DURING) &&
        (same_unit(from, IR_THIS, to, IR_NEXT) || is_today(to))) {
        return sql_call(reading, IR_DURING, low->args.items[0], from);
    }
    if (ir_node_is(low, IR_SINCE) && ir_node_is(high, IR_BEFORE) &&
        same_unit(from, IR_LAST, to, IR_THIS)) {
        return sql_call(reading, IR_DURING, low->args.items[0], from);
    }
    if (ir_node_is(low, IR_SINCE) && ir_node_is(high, IR_UNTIL) &&
        ir_node_same(from, to)) {
        return sql_call(reading, IR_DURING, low->args.items[0], from);
    }
    return NULL;
}

/* year(x) = 2024 and month(x) = 3: March 2024. */
static struct ir_node *during_part(struct sql_reading *reading,
                                   const struct ir_node *year, const struct ir_node *part)
{
    bool whole = ir_node_is(year, IR_DURING) &&
                 year->args.items[1]->kind == IR_NODE_TEXT &&
                 strlen(year->args.items[1]->text) == 4;
    if (!whole || !ir_node_is(part, IR_EQUAL) ||
        part->args.items[1]->kind != IR_NODE_TEXT) {
        return NULL;
    }
    const struct ir_node *call = part->args.items[0];
    bool month = ir_node_is(call, IR_MONTH_OF);
    int64_t number = 0;
    (void)str_to_int(part->args.items[1]->text, &number);
    if ((!month && !ir_node_is(call, IR_QUARTER_OF)) ||
        !ir_node_same(call->args.items[0], year->args.items[0]) || number < 1 ||
        number > (month ? 12 : 4)) {
        return NULL;
    }
    const char *name = arena_format(reading->arena, month ? "%s-%02d" : "%s-Q%d",
                                    year->args.items[1]->text, (int)number);
    return sql_call(reading, IR_DURING, year->args.items[0], period_node(reading, name));
}

struct ir_node *sql_make_during(struct sql_reading *reading, const struct ir_node *low,
                                const struct ir_node *high)
{
    struct day from, to;
    if (low->kind != IR_NODE_CALL || high->kind != IR_NODE_CALL || low->args.count < 2 ||
        high->args.count < 2) {
        return NULL;
    }
    struct ir_node *part = during_part(reading, low, high);
    if (part || !ir_node_same(low->args.items[0], high->args.items[0])) {
        return part;
    }
    bool starts = ir_node_is(low, IR_AT_LEAST) || ir_node_is(low, IR_SINCE);
    bool inside = ir_node_is(high, IR_AT_MOST) || ir_node_is(high, IR_UNTIL);
    bool ends = inside || ir_node_is(high, IR_LESS) || ir_node_is(high, IR_BEFORE);
    if (!starts || !ends || !day_read(low->args.items[1], &from) ||
        !day_read(high->args.items[1], &to)) {
        return during_relative(reading, low, high);
    }
    if (!time_is(low->args.items[1]->text + DAY_SIZE, false) ||
        !time_is(high->args.items[1]->text + DAY_SIZE, inside)) {
        return NULL;
    }
    const char *name = period_name(reading, from, inside ? day_next(to) : to);
    return name ? sql_call(reading, IR_DURING, low->args.items[0],
                           period_node(reading, name))
                : NULL;
}

static bool is_known(const struct sql_reading *reading, const char *text)
{
    struct ir_token token =
        reading->request->find_value(reading->request->context, text, strlen(text) != 4);
    return token.kind != IR_FIXED || token.index != IR_FIXED_UNKNOWN;
}

/* Which test against a whole period says the same as this one against its first or last
 * day, and whether the day is the last. */
static const struct shorter {
    enum ir_keyword from;
    bool last_day;
    enum ir_keyword to;
} shorters[] = {
    {IR_AT_LEAST, false, IR_SINCE}, {IR_LESS, false, IR_BEFORE},
    {IR_GREATER, true, IR_AFTER},   {IR_AT_MOST, true, IR_UNTIL},
    {IR_GREATER, false, IR_SINCE},  {IR_AT_MOST, false, IR_BEFORE},
};

static bool shorten(struct sql_reading *reading, struct ir_node *test)
{
    struct day day;
    if (test->args.count != 2 || !day_read(test->args.items[1], &day) ||
        is_known(reading, test->args.items[1]->text)) {
        return false;
    }
    for (size_t i = 0; i < sizeof shorters / sizeof *shorters; i++) {
        if (!ir_node_is(test, shorters[i].from)) {
            continue;
        }
        struct day first = shorters[i].last_day ? day_next(day) : day;
        if (first.day != 1) {
            continue;
        }
        int year = shorters[i].last_day ? day.year : first.year;
        int month = shorters[i].last_day ? day.month : first.month;
        const char *names[] = {
            first.month == 1 ? arena_format(reading->arena, "%04d", year) : NULL,
            first.month % 3 == 1
                ? arena_format(reading->arena, "%04d-Q%d", year, (month - 1) / 3 + 1)
                : NULL,
            arena_format(reading->arena, "%04d-%02d", year, month)};
        for (size_t j = 0; j < sizeof names / sizeof *names; j++) {
            if (names[j] && is_known(reading, names[j])) {
                test->keyword = shorters[i].to;
                test->args.items[1] = period_node(reading, names[j]);
                return true;
            }
        }
    }
    return false;
}

void sql_shorten_date(struct sql_reading *reading, struct ir_node *test)
{
    if (!ir_node_is(test, IR_BETWEEN)) {
        (void)shorten(reading, test);
        return;
    }
    struct ir_node *low =
        sql_call(reading, IR_AT_LEAST, test->args.items[0], test->args.items[1]);
    struct ir_node *high =
        sql_call(reading, IR_AT_MOST, test->args.items[0], test->args.items[2]);
    bool shorter = shorten(reading, low);
    shorter = shorten(reading, high) || shorter;
    if (shorter) { /* two tests now */
        test->keyword = IR_AND;
        test->args.items[0] = low;
        test->args.items[1] = high;
        test->args.count = 2;
    }
}
