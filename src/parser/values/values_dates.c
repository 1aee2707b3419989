/* Periods of time that a question names: days, months, quarters, as ir.h writes them. */
#include <stdlib.h>
#include <string.h>

#include "parser/values/values_state.h"

/* A place in the tokens while a pattern is tried. */
struct reader {
    const struct finding *finding;
    size_t at;
};

static const struct token *dates_peek(const struct reader *reader)
{
    static const struct token none = {.text = "", .stem = ""};
    const struct tokens *tokens = reader->finding->tokens;
    return reader->at < tokens->count ? &tokens->items[reader->at] : &none;
}

static bool take_text(struct reader *reader, const char *text)
{
    bool found = strcmp(dates_peek(reader)->text, text) == 0;
    reader->at += found;
    return found;
}

/* As take_text, without a blank on either side. */
static bool take_glue(struct reader *reader, const char *text)
{
    bool touches = values_touch(reader->finding, reader->at) &&
                   values_touch(reader->finding, reader->at + 1);
    return touches && take_text(reader, text);
}

/* A whole number with this many digits within a range; 0: there is none. */
static int take_number(struct reader *reader, size_t least_digits, size_t most_digits,
                       int least, int most)
{
    const struct token *token = dates_peek(reader);
    size_t digits = strspn(token->text, "0123456789");
    if (token->kind != TOKEN_NUMBER || token->text[digits] || digits < least_digits ||
        digits > most_digits) {
        return 0;
    }
    int value = (int)strtol(token->text, NULL, 10);
    if (value < least || value > most) {
        return 0;
    }
    reader->at++;
    return value;
}

static int take_year(struct reader *reader)
{
    return take_number(reader, 4, 4, 1000, 2999);
}

/* "'24", or "24" where only a year can stand; 0 when there is none. */
static int take_short_year(struct reader *reader, bool bare)
{
    enum { NEXT_CENTURY = 50 };
    struct reader try = *reader;
    bool sign = take_text(&try, "'") || take_text(&try, "\u2019");
    if ((!sign && !bare) || (sign && !values_touch(try.finding, try.at))) {
        return 0;
    }
    int year = take_number(&try, 2, 2, 1, 99);
    if (year) {
        *reader = try;
    }
    return year == 0 ? 0 : year < NEXT_CENTURY ? 2000 + year : 1900 + year;
}

static int take_month(struct reader *reader)
{
    bool doubtful = false;
    int month = dates_peek(reader)->kind == TOKEN_WORD
                    ? values_month(dates_peek(reader)->text, &doubtful)
                    : 0;
    reader->at += month > 0;
    (void)take_text(reader, month && doubtful ? "." : "\n");
    return month;
}

static int take_day(struct reader *reader)
{
    static const char *const endings[] = {"st", "nd", "rd", "th"};
    int day = take_number(reader, 1, 2, 1, 31);
    for (size_t i = 0; day && i < sizeof endings / sizeof *endings; i++) {
        if (values_touch(reader->finding, reader->at) && take_text(reader, endings[i])) {
            break;
        }
    }
    return day;
}

static void add_period(struct finding *finding, const char *text, size_t first,
                       size_t end)
{
    (void)values_add(finding, CANDIDATE_PERIOD, text, true, first, end);
    for (size_t i = first; i < end; i++) {
        finding->covered[i] = true;
        finding->timed[i] = true;
    }
}

/* "2018-03-17 07:13:53", "17/3/2018": also as it stands, for columns that hold text. */
static void add_raw(struct finding *finding, size_t first, size_t end)
{
    struct reader reader = {finding, end};
    size_t with_time = end;
    (void)(take_text(&reader, "t"));
    if (take_number(&reader, 1, 2, 0, 24) ||
        strcmp(dates_peek(&reader)->text, "00") == 0) {
        reader.at += reader.at == end;
        for (int part = 0; part < 3 && take_glue(&reader, ":"); part++) {
            if (dates_peek(&reader)->kind != TOKEN_NUMBER) {
                break;
            }
            with_time = ++reader.at;
        }
    }
    if (with_time > end) {
        (void)values_add(finding, CANDIDATE_CODE, values_span(finding, first, with_time),
                         true, first, with_time);
    }
    (void)values_add(finding, CANDIDATE_CODE, values_span(finding, first, end), true,
                     first, end);
    for (size_t i = first; i < with_time; i++) {
        struct reader year = {finding, i};
        finding->dated[i] = !take_year(&year); /* a year alone is a number too */
    }
}

/* 2024-03-15, 2024-03, 2024/3/15, 2024-Q1 */
static size_t try_iso(struct finding *finding, size_t at)
{
    struct reader reader = {finding, at};
    int year = take_year(&reader);
    if (!year || !(take_glue(&reader, "-") || take_glue(&reader, "/"))) {
        return 0;
    }
    struct reader quarter = reader;
    if (take_text(&quarter, "q") && values_touch(finding, quarter.at)) {
        int number = take_number(&quarter, 1, 1, 1, 4);
        if (number) {
            add_period(finding, arena_format(finding->arena, "%d-Q%d", year, number), at,
                       quarter.at);
            return quarter.at;
        }
    }
    int month = take_number(&reader, 1, 2, 1, 12);
    if (!month) {
        return 0;
    }
    size_t end = reader.at;
    if (take_glue(&reader, "-") || take_glue(&reader, "/")) {
        int day = take_number(&reader, 1, 2, 1, 31);
        if (day) {
            add_period(finding,
                       arena_format(finding->arena, "%04d-%02d-%02d", year, month, day),
                       at, reader.at);
            add_raw(finding, at, reader.at);
            return reader.at;
        }
    }
    add_period(finding, arena_format(finding->arena, "%04d-%02d", year, month), at, end);
    add_raw(finding, at, end);
    return end;
}

/* 3/15/2024, 15/3/2024, 15-03-2024: the month comes first when both would do. */
static size_t try_slashes(struct finding *finding, size_t at)
{
    struct reader reader = {finding, at};
    int first = take_number(&reader, 1, 2, 1, 31);
    const char *glue = strcmp(dates_peek(&reader)->text, "/") == 0 ? "/" : "-";
    if (!first || !take_glue(&reader, glue)) {
        return 0;
    }
    int second = take_number(&reader, 1, 2, 1, 31);
    if (!second || !take_glue(&reader, glue)) {
        return 0;
    }
    int year = take_year(&reader);
    if (!year || (first > 12 && second > 12)) {
        return 0;
    }
    int month = first > 12 ? second : first;
    int day = first > 12 ? first : second;
    add_period(finding, arena_format(finding->arena, "%04d-%02d-%02d", year, month, day),
               at, reader.at);
    add_raw(finding, at, reader.at);
    return reader.at;
}

/* 15.03.2024: the tokens are 15.03, a dot, and 2024. */
static size_t try_dots(struct finding *finding, size_t at)
{
    struct reader reader = {finding, at};
    const char *text = dates_peek(&reader)->text;
    char *rest = NULL;
    long day = strtol(text, &rest, 10);
    if (dates_peek(&reader)->kind != TOKEN_NUMBER || *rest != '.' || strchr(text, ',')) {
        return 0;
    }
    long month = strtol(rest + 1, &rest, 10);
    reader.at++;
    if (!take_glue(&reader, ".")) {
        return 0;
    }
    int year = take_year(&reader);
    if (!year || *rest || day < 1 || day > 31 || month < 1 || month > 12) {
        return 0;
    }
    add_period(finding,
               arena_format(finding->arena, "%04d-%02ld-%02ld", year, month, day), at,
               reader.at);
    add_raw(finding, at, reader.at);
    return reader.at;
}

/* "in march", "since May": without a year the word must look like a month. */
static bool month_is_meant(const struct finding *finding, size_t at)
{
    static const char *const before[] = {"in",    "of",     "since", "during", "until",
                                         "by",    "for",    "this",  "last",   "next",
                                         "after", "before", "from",  "through"};
    bool doubtful = false;
    (void)values_month(finding->tokens->items[at].text, &doubtful);
    for (size_t i = 0; doubtful && at > 0 && i < sizeof before / sizeof *before; i++) {
        if (strcmp(finding->tokens->items[at - 1].text, before[i]) == 0) {
            return true;
        }
    }
    return !doubtful || (at > 0 && finding->tokens->items[at].capital);
}

static bool take_link(struct reader *reader)
{
    static const char *const between[] = {"and",   "to",   "-",  ",",      "&", "through",
                                          "until", "till", "or", "versus", "vs"};
    bool joined = false;
    for (size_t i = 0; i < sizeof between / sizeof *between && !joined; i++) {
        joined = take_text(reader, between[i]);
    }
    (void)(joined && (take_text(reader, "and") || take_text(reader, "or")));
    return joined;
}

/* "between March and May 2024", "January, February and March 2024": the year is said
 * once, behind the last of them. */
static int year_of_next(const struct finding *finding, size_t at,
                        int (*take)(struct reader *reader))
{
    enum { MONTHS = 12 };
    struct reader reader = {finding, at};
    for (int i = 0; i < MONTHS && take_link(&reader); i++) {
        if (!take(&reader)) {
            return 0;
        }
        (void)(take_text(&reader, "of") || take_text(&reader, "in"));
        struct reader dated = reader;
        (void)take_text(&dated, ",");
        int year = take_year(&dated);
        if (year) {
            return year;
        }
    }
    return 0;
}

/* "March 2024", "March 15th, 2024", "Mar. 2024", "March" */
static size_t try_month(struct finding *finding, size_t at)
{
    struct reader reader = {finding, at};
    int month = take_month(&reader);
    if (!month) {
        return 0;
    }
    size_t end = at + 1;
    struct reader dated = reader;
    int day = take_day(&dated);
    (void)(take_text(&dated, ",") || take_text(&dated, "of"));
    int year = day ? take_year(&dated) : 0;
    if (year) {
        add_period(finding,
                   arena_format(finding->arena, "%04d-%02d-%02d", year, month, day), at,
                   dated.at);
        add_raw(finding, at, dated.at);
        return dated.at;
    }
    year = take_short_year(&reader, false);
    for (size_t i = end; year && i < reader.at; i++) {
        finding->dated[i] = true; /* its digits are no number */
    }
    if (!year) {
        (void)(take_text(&reader, ",") || take_text(&reader, "of") ||
               take_text(&reader, "'"));
        year = take_year(&reader);
    }
    if (year) {
        add_period(finding, arena_format(finding->arena, "%04d-%02d", year, month), at,
                   reader.at);
        return reader.at;
    }
    year = year_of_next(finding, end, take_month);
    if (year) {
        add_period(finding, arena_format(finding->arena, "%04d-%02d", year, month), at,
                   end);
    } else if (month_is_meant(finding, at)) {
        add_period(finding, arena_format(finding->arena, "--%02d", month), at, end);
    }
    return end;
}

/* "15 March 2024", "15th of March, 2024" */
static size_t try_day_month(struct finding *finding, size_t at)
{
    struct reader reader = {finding, at};
    int day = take_day(&reader);
    (void)(day && take_text(&reader, "of"));
    int month = day ? take_month(&reader) : 0;
    (void)(month && (take_text(&reader, ",") || take_text(&reader, "of")));
    int year = month ? take_year(&reader) : 0;
    if (!year) {
        return 0;
    }
    add_period(finding, arena_format(finding->arena, "%04d-%02d-%02d", year, month, day),
               at, reader.at);
    add_raw(finding, at, reader.at);
    return reader.at;
}

static int take_quarter(struct reader *reader)
{
    static const char *const words[] = {"first", "second", "third", "fourth"};
    struct reader try = *reader;
    if (take_text(&try, "q") && values_touch(try.finding, try.at)) {
        int number = take_number(&try, 1, 1, 1, 4);
        if (number) {
            *reader = try;
            return number;
        }
    }
    for (int i = 0; i < 4; i++) {
        try = *reader;
        if (take_text(&try, words[i]) && take_text(&try, "quarter")) {
            *reader = try;
            return i + 1;
        }
    }
    try = *reader;
    int number = take_text(&try, "quarter") ? take_number(&try, 1, 1, 1, 4) : 0;
    *reader = number ?
    try:
        *reader;
    return number;
}

static int month_days(int year, int month)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return days[month - 1] + (month == 2 && leap);
}

/* "last ten", "first 3", "final": how many from which end; 0: neither. */
static int take_end(struct reader *reader, bool *last)
{
    long number = 1;
    *last = take_text(reader, "last") || take_text(reader, "final") ||
            take_text(reader, "closing");
    if (!*last && !take_text(reader, "first") && !take_text(reader, "opening")) {
        return 0;
    }
    int digits = take_number(reader, 1, 2, 1, 31);
    if (!digits && values_number_word(dates_peek(reader)->text, &number)) {
        reader->at++;
        digits = (int)number;
    }
    return digits ? digits : 1;
}

/* How many days or months a unit has; 0: it is none. */
static int take_unit(struct reader *reader, bool *of_year)
{
    static const struct {
        const char *word;
        int size;
        bool months;
    } units[] = {{"day", 1, false},    {"days", 1, false},   {"week", 7, false},
                 {"weeks", 7, false},  {"month", 1, true},   {"months", 1, true},
                 {"quarter", 3, true}, {"quarters", 3, true}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (take_text(reader, units[i].word)) {
            *of_year = units[i].months;
            return units[i].size;
        }
    }
    return 0;
}

/* Its numbers are no other values; a year alone is a number, too. */
static void note_dated(struct finding *finding, size_t first, size_t end)
{
    for (size_t i = first; i < end; i++) {
        struct reader one = {finding, i};
        finding->dated[i] = !take_year(&one);
    }
}

static void add_span(struct finding *finding, const int from[3], const int to[3],
                     size_t first, size_t end)
{
    add_period(finding,
               arena_format(finding->arena, "%04d-%02d-%02d/%04d-%02d-%02d", from[0],
                            from[1], from[2], to[0], to[1], to[2]),
               first, end);
    note_dated(finding, first, end);
}

/* "the last quarter of 2023", "the first two months of 2024" */
static void add_months_of(struct finding *finding, int count, bool last, int year,
                          size_t at, size_t end)
{
    int first = last ? 13 - count : 1;
    if (count == 1 || count == 3) {
        const char *text =
            count == 1 ? arena_format(finding->arena, "%04d-%02d", year, first)
                       : arena_format(finding->arena, "%04d-Q%d", year, first / 3 + 1);
        add_period(finding, text, at, end);
        note_dated(finding, at, end);
        return;
    }
    int until = first + count - 1;
    add_span(finding, (int[]){year, first, 1},
             (int[]){year, until, month_days(year, until)}, at, end);
}

/* "the last ten days of March 2024" is no time before today. */
static size_t try_part(struct finding *finding, size_t at)
{
    struct reader reader = {finding, at};
    bool last = false;
    bool of_year = false;
    int count = take_end(&reader, &last);
    int size = count ? take_unit(&reader, &of_year) : 0;
    bool quarter = size == 3 && count == 1 && !last; /* try_quarter knows it */
    if (!size || quarter || !(take_text(&reader, "of") || take_text(&reader, "in"))) {
        return 0;
    }
    (void)take_text(&reader, "the");
    (void)take_text(&reader, "year");
    int month = of_year ? 0 : take_month(&reader);
    (void)(month && (take_text(&reader, "of") || take_text(&reader, ",")));
    int year = take_year(&reader);
    count *= size;
    if (!year || (of_year ? count > 12 : !month || count > month_days(year, month))) {
        return 0;
    }
    if (of_year) {
        add_months_of(finding, count, last, year, at, reader.at);
    } else {
        int days = month_days(year, month);
        add_span(finding, (int[]){year, month, last ? days - count + 1 : 1},
                 (int[]){year, month, last ? days : count}, at, reader.at);
    }
    return reader.at;
}

/* "Q1 2024", "first quarter of 2024", "2024 Q1", "Q1" */
static size_t try_quarter(struct finding *finding, size_t at)
{
    struct reader reader = {finding, at};
    int year = take_year(&reader);
    int quarter = take_quarter(&reader);
    if (!quarter) {
        return 0;
    }
    size_t end = reader.at;
    if (!year) {
        (void)(take_text(&reader, "of") || take_text(&reader, ",") ||
               take_text(&reader, "in"));
        (void)take_text(&reader, "the");
        (void)take_text(&reader, "year");
        year = take_year(&reader);
        year = year ? year : take_short_year(&reader, reader.at == end);
        end = year ? reader.at : end;
        year = year ? year : year_of_next(finding, end, take_quarter);
    }
    const char *text = year ? arena_format(finding->arena, "%04d-Q%d", year, quarter)
                            : arena_format(finding->arena, "--Q%d", quarter);
    add_period(finding, text, at, end);
    note_dated(finding, at, end);
    return end;
}

/* "'24", "FY24", "fy 2024": a year, which is a number. */
static size_t try_short_year(struct finding *finding, size_t at)
{
    struct reader reader = {finding, at};
    bool fiscal = take_text(&reader, "fy");
    int year = fiscal ? take_year(&reader) : 0;
    if (!fiscal && at > 0 && values_touch(finding, at)) {
        return 0; /* the end of a quotation, or "O'24" */
    }
    year = year ? year : take_short_year(&reader, fiscal);
    if (!year) {
        return 0;
    }
    (void)values_add(finding, CANDIDATE_NUMBER, arena_format(finding->arena, "%d", year),
                     false, at, reader.at);
    for (size_t i = at; i < reader.at; i++) {
        finding->covered[i] = true;
        finding->timed[i] = true;
        finding->dated[i] = true;
    }
    return reader.at;
}

void values_periods(struct finding *finding)
{
    static size_t (*const patterns[])(struct finding *, size_t) = {
        try_part,    try_iso,       try_slashes, try_dots,
        try_quarter, try_day_month, try_month,   try_short_year,
    };
    for (size_t at = 0; at < finding->tokens->count; at++) {
        for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
            size_t end = patterns[i](finding, at);
            if (end) {
                at = end - 1;
                break;
            }
        }
    }
}
