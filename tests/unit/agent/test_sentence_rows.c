/*
 * 100,000 generated results of all shapes, in every language: each number in the sentence is in
 * the rows or follows from them, and what it claims about the first, the last and the whole
 * holds. The judge below computes everything again by itself, from the cells.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agent/sentence/say.h"
#include "base/clock.h"
#include "base/utf8.h"
#include "unit/agent/sentence_results.h"

enum { RESULTS = 100000 };

struct judge {
    const struct result *result;
    const char *sentence;
    const struct language *language;
};

static const struct value *seen(const struct judge *judge, size_t row, size_t column)
{
    const struct rows *rows = &judge->result->rows;
    return &rows->cells[row * rows->column_count + column];
}

static bool close_to(double shown, double value, int decimals)
{
    double unit = pow(10, -decimals);
    return fabs(shown - value) <= unit * 0.5000001 + fabs(value) * 1e-12;
}

/* Is the number that of a cell, as shown with so many decimals? -1: all of them. */
static bool in_cells(const struct judge *judge, double shown, int decimals)
{
    const struct rows *rows = &judge->result->rows;
    for (size_t i = 0; i < rows->count * rows->column_count; i++) {
        double value = 0;
        if (decimals < 0 && results_number(&rows->cells[i], &value) &&
            fabs(shown - value) <= fabs(value) * 1e-6) {
            return true;
        }
        if (decimals >= 0 && results_number(&rows->cells[i], &value) &&
            close_to(shown, value, decimals) &&
            (decimals > 0 || value == floor(value) || fabs(value) >= 999.5)) {
            return true;
        }
    }
    return false;
}

/* A year, quarter or month as a number that grows by one for each. */
static bool period_at(const struct judge *judge, size_t row, size_t column, long *out)
{
    const struct value *value = seen(judge, row, column);
    char text[8] = "";
    char *end = NULL;
    if (value->kind == VALUE_INT) {
        *out = (long)value->integer;
        return true;
    }
    if (value->kind != VALUE_TEXT || value->text.size < 7) {
        return false;
    }
    memcpy(text, value->text.data, 7);
    long year = strtol(text, &end, 10);
    bool quarter = end[0] == '-' && end[1] == 'Q';
    long part = end[0] == '-' ? strtol(end + 1 + quarter, NULL, 10) : 0;
    *out = year * (quarter ? 4 : 12) + part;
    return end == text + 4 && part > 0;
}

/* How many periods between two rows have no row? */
static bool is_gap(const struct judge *judge, double shown)
{
    const struct rows *rows = &judge->result->rows;
    for (size_t i = 0; i < rows->count; i++) {
        for (size_t k = i + 1; k < rows->count; k++) {
            long from = 0;
            long to = 0;
            if (period_at(judge, i, 0, &from) && period_at(judge, k, 0, &to) &&
                shown == (double)(labs(to - from) - (long)(k - i))) {
                return true;
            }
        }
    }
    return false;
}

/* The digits of a date from its year on; 2027 and 2027-03 and 2027-Q1. */
static bool is_after_today(const struct judge *judge, const struct value *value)
{
    const char *today = judge->result->facts.today;
    long year = strtol(today, NULL, 10);
    char text[11] = "";
    if (value->kind == VALUE_INT) {
        return value->integer > year;
    }
    if (value->kind != VALUE_TEXT || value->text.size < 4) {
        return false;
    }
    memcpy(text, value->text.data, value->text.size < 10 ? value->text.size : 10);
    if (strlen(text) == 7 && text[5] == 'Q') {
        long quarter = (strtol(today + 5, NULL, 10) + 2) / 3;
        long then = strtol(text, NULL, 10);
        return then > year || (then == year && text[6] - '0' > quarter);
    }
    return strncmp(text, today, strlen(text)) > 0;
}

/* How many periods lie in the future? First days of months or years stand for these. */
static bool is_ahead(const struct judge *judge, double shown)
{
    const struct rows *rows = &judge->result->rows;
    for (size_t c = 0; c < rows->column_count; c++) {
        double count = 0;
        for (size_t i = 0; i < rows->count; i++) {
            count += is_after_today(judge, seen(judge, i, c));
        }
        if (count > 1 && shown == count) {
            return true;
        }
    }
    return false;
}

/* How many rows there are, are not named, share a value; which columns are not named. */
static bool is_count(const struct judge *judge, double shown)
{
    const struct rows *rows = &judge->result->rows;
    size_t given = rows->passed && rows->passed_count > rows->count ? rows->passed_count
                                                                    : rows->count;
    double count = (double)given;
    double named = (double)(rows->count < 3 ? rows->count : 3);
    if (shown == count || shown == count - named || shown == 1) {
        return true;
    }
    for (size_t left = 1; left < RESULTS_COLUMNS; left++) {
        if (rows->count == 1 && shown == (double)left) {
            return true;
        }
    }
    for (size_t c = 0; c < rows->column_count; c++) {
        for (size_t i = 0; i < rows->count; i++) {
            double value = 0;
            size_t same = 0;
            for (size_t k = 0;
                 results_number(seen(judge, i, c), &value) && k < rows->count; k++) {
                double other = 0;
                same += results_number(seen(judge, k, c), &other) &&
                        fabs(value - other) <= fabs(value) * 1e-11;
            }
            if (same > 3 && shown == (double)same) {
                return true;
            }
        }
    }
    return false;
}

/* Digits of texts and dates, as they stand there or without a zero in front. */
static bool in_texts(const struct judge *judge, const char *token)
{
    const struct rows *rows = &judge->result->rows;
    const char *const others[] = {judge->result->facts.today,
                                  judge->result->facts.data_end};
    for (size_t i = 0; i < 2; i++) {
        if (strstr(others[i], token)) {
            return true;
        }
    }
    for (size_t i = 0; i < rows->column_count; i++) {
        if (strstr(rows->columns[i].name, token)) {
            return true;
        }
    }
    for (size_t i = 0; i < rows->count * rows->column_count; i++) {
        const struct value *value = &rows->cells[i];
        bool text = value->kind == VALUE_TEXT;
        if (text && memmem(value->text.data, value->text.size, token, strlen(token))) {
            return true;
        }
    }
    return false;
}

static bool share_fits(double shown, int decimals, double percent)
{
    if (shown == 100 && fabs(percent - 100) > 1e-9) {
        return false;
    }
    if (shown == 0 && percent != 0) {
        return false;
    }
    return close_to(shown, percent, decimals) ||
           (percent < 100 && percent > 99 && decimals == 1 && shown <= percent &&
            percent - shown < 0.1001);
}

/* A share of a column whose parts add up, or a change between two of its cells. */
static bool percent_of(const struct judge *judge, size_t column, double shown,
                       int decimals, int bound)
{
    const struct result *result = judge->result;
    const struct rows *rows = &result->rows;
    double cells[RESULTS_ROWS + 2];
    size_t count = 0;
    double sum = 0;
    bool negative = false;
    for (size_t i = 0; i < rows->count; i++) {
        double value = 0;
        if (results_number(seen(judge, i, column), &value)) {
            cells[count++] = value;
            sum += value;
            negative |= value < 0;
        }
    }
    bool all = result->facts.whole && rows->cut == ROWS_WHOLE &&
               !(rows->passed && rows->passed_count > rows->count);
    bool adds = all && result->facts.columns[column].adds && !negative && sum > 0;
    for (size_t i = 0; i < count; i++) {
        double candidates[3] = {adds ? cells[i] / sum * 100 : -1000, -1000, -1000};
        for (size_t k = 0; k < count; k++) {
            if (cells[k] > 0) {
                candidates[1] = fabs(cells[i] - cells[k]) / cells[k] * 100;
            }
            candidates[2] = -1000;
            for (size_t m = k + 1; adds && i != k && i < k && m < count; m++) {
                double three = (cells[i] + cells[k] + cells[m]) / sum * 100;
                if (bound ? bound < 0 ? three < 0.1 : three > 99.9
                          : share_fits(shown, decimals, three)) {
                    return true;
                }
            }
            for (size_t c = 0; c < 2; c++) {
                double percent = candidates[c];
                if (percent < 0) {
                    continue;
                }
                bool below = shown == 100 ? percent < 100 && percent > 99.9
                                          : percent < 0.1 && percent > 0;
                bool above = shown == 100 ? percent > 100 && percent < 100.1
                                          : percent > 99.9 && percent < 100;
                if (bound ? bound < 0 ? below : above
                          : share_fits(fabs(shown), decimals, percent)) {
                    return true;
                }
            }
        }
    }
    return false;
}

/* "less than": -1, "more than": 1, in front of the number. */
static int bound_before(const struct judge *judge, const char *at)
{
    for (int more = 0; more < 2; more++) {
        const char *phrase =
            judge->language->phrases[more ? PHRASE_MORE_THAN : PHRASE_LESS_THAN];
        size_t size = (size_t)(strchr(phrase, '{') - phrase);
        if ((size_t)(at - judge->sentence) >= size &&
            strncmp(at - size, phrase, size) == 0) {
            return more ? 1 : -1;
        }
    }
    return 0;
}

static void judge_number(const struct judge *judge, const char *at, const char *token)
{
    char digits[120];
    size_t size = 0;
    int decimals = 0;
    bool point = false;
    for (const char *c = token; *c && size < sizeof digits - 1; c++) {
        if (*c == *judge->language->decimal) {
            point = true;
            digits[size++] = '.';
        } else if (*c != *judge->language->thousands) {
            decimals += point && isdigit((unsigned char)*c);
            digits[size++] = *c;
        }
    }
    digits[size] = '\0';
    double shown = strtod(digits, NULL);
    bool negative = at > judge->sentence && at[-1] == '-';
    bool money = at - judge->sentence >= 4 && strncmp(at - 4, "-€", 4) == 0;
    bool percent = strncmp(at + strlen(token), " %", 2) == 0;
    const struct rows *rows = &judge->result->rows;
    if (in_texts(judge, token) || (strchr(token, 'e') && in_cells(judge, shown, -1))) {
        return;
    }
    if (percent) {
        for (size_t i = 0; i < rows->column_count; i++) {
            if (percent_of(judge, i, shown, decimals, bound_before(judge, at))) {
                return;
            }
        }
        fail_msg("%s %% does not follow from the rows: %s", token, judge->sentence);
    }
    if (in_cells(judge, negative || money ? -shown : shown, decimals) ||
        in_cells(judge, shown, decimals) || is_count(judge, shown) ||
        is_gap(judge, shown) || is_ahead(judge, shown)) {
        return;
    }
    const struct value *first = rows->count ? rows->cells : NULL;
    bool raw = first && fabs(shown) >= 1e15; /* shown as the table shows it */
    if (!raw) {
        fail_msg("%s is not in the rows: %s", token, judge->sentence);
    }
}

/* Every number: digits with what separates them. */
static void judge_numbers(const struct judge *judge)
{
    for (const char *at = judge->sentence; *at;) {
        if (!isdigit((unsigned char)*at)) {
            at++;
            continue;
        }
        char token[120];
        size_t size = 0;
        while (size < sizeof token - 3 &&
               (isdigit((unsigned char)at[size]) ||
                ((at[size] == *judge->language->decimal ||
                  at[size] == *judge->language->thousands || at[size] == ':') &&
                 isdigit((unsigned char)at[size + 1])) ||
                (at[size] == 'e' && (at[size + 1] == '-' || at[size + 1] == '+')) ||
                ((at[size] == '-' || at[size] == '+') && at[size - 1] == 'e'))) {
            token[size] = at[size];
            size++;
        }
        token[size] = '\0';
        judge_number(judge, at, token);
        at += size;
    }
}

/* A row without a group leads nothing; its group is named apart. */
static bool has_no_group(const struct judge *judge, size_t row)
{
    for (size_t c = 0; c < judge->result->rows.column_count; c++) {
        const struct value *value = seen(judge, row, c);
        if (value->kind == VALUE_NULL ||
            (value->kind == VALUE_TEXT && value->text.size > 5 &&
             memcmp(value->text.data, "(no ", 4) == 0)) {
            return true;
        }
    }
    return false;
}

static bool leads_without(const struct judge *judge, size_t skipped, double shown)
{
    const struct rows *rows = &judge->result->rows;
    for (size_t c = 0; c < rows->column_count; c++) {
        double most = -1e308;
        for (size_t i = 0; i < rows->count; i++) {
            double value = 0;
            if (i != skipped && results_number(seen(judge, i, c), &value) &&
                value > most) {
                most = value;
            }
        }
        if (fabs(shown - most) <= fmax(0.51, fabs(most) * 1e-9)) {
            return true;
        }
    }
    return false;
}

/* "leads with": the greatest of a column; "of the total": all rows are there. */
static void judge_claims(const struct judge *judge)
{
    const struct result *result = judge->result;
    const struct rows *rows = &result->rows;
    bool cut =
        rows->cut != ROWS_WHOLE || (rows->passed && rows->passed_count > rows->count);
    if (strcmp(judge->language->code, "en") != 0 || result->wild) {
        return;
    }
    if (strstr(judge->sentence, "of the total")) {
        assert_true(result->facts.whole && !cut);
    }
    const char *leads = strstr(judge->sentence, " leads with ");
    if (leads) {
        char digits[60];
        size_t size = 0;
        for (const char *c = leads + strlen(" leads with ");
             *c && *c != ' ' && size < sizeof digits - 1; c++) {
            if (isdigit((unsigned char)*c) || *c == '.' || *c == '-' || *c == 'e') {
                digits[size++] = *c;
            }
        }
        digits[size] = '\0';
        double shown = strtod(digits, NULL);
        bool held = false;
        for (size_t skipped = 0; skipped <= rows->count; skipped++) {
            held = held || ((skipped == rows->count || has_no_group(judge, skipped)) &&
                            leads_without(judge, skipped, shown));
        }
        if (!held) {
            fail_msg("nothing leads with %g: %s", shown, judge->sentence);
        }
    }
}

static void judge_text(const char *sentence)
{
    size_t size = strlen(sentence);
    assert_true(size > 1 && size <= SENTENCE_MOST + 1);
    assert_true(sentence[size - 1] == '.');
    assert_true(utf8_valid(sentence, size, NULL));
    for (size_t at = 0; at < size;) {
        uint32_t code = 0;
        at += utf8_next(sentence + at, size - at, &code);
        assert_true(code >= ' ' && !utf8_is_unsafe(code) && !utf8_is_hidden(code));
    }
}

static void sentences_hold(void **state)
{
    (void)state;
    size_t longest = 0;
    int64_t spent_us = 0;
    for (size_t i = 0; i < RESULTS; i++) {
        struct arena *arena = arena_new();
        struct result result;
        results_make(arena, &result);
        const struct language *language = language_get(results_draw(3));
        int64_t began_us = clock_us();
        const char *sentence = say_result(arena, language, &result.rows, &result.facts);
        spent_us += clock_us() - began_us;
        struct judge judge = {&result, sentence, language};
        judge_text(sentence);
        judge_numbers(&judge);
        judge_claims(&judge);
        longest = strlen(sentence) > longest ? strlen(sentence) : longest;
        arena_free(arena);
    }
    print_message("%d sentences, the longest has %zu bytes, %.1f us each\n", RESULTS,
                  longest, (double)spent_us / RESULTS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(sentences_hold)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
