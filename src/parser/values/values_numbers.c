/* Numbers of the question: digits, words, thousands and percentages. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "parser/values/values_state.h"

enum { NUMBER_SIZE = 64, WORDS_MOST = 8, SMALL_PER_CENT = 100 };

static const struct token *token_at(const struct finding *finding, size_t at)
{
    static const struct token none = {.text = "", .stem = ""};
    return at < finding->tokens->count ? &finding->tokens->items[at] : &none;
}

static const char *format_real(struct finding *finding, double value)
{
    char text[NUMBER_SIZE];
    (void)snprintf(text, sizeof text, "%.12g", value);
    return arena_text(finding->arena, text);
}

/* What a word after a number multiplies it by; 1 when it does not. */
static double scale_of(const char *word, bool touches)
{
    static const struct {
        const char *word;
        double scale;
        bool touching; /* only right after the digits */
    } rows[] = {
        {"k", 1e3, false},        {"m", 1e6, true},         {"mm", 1e6, true},
        {"b", 1e9, true},         {"bn", 1e9, true},        {"mio", 1e6, false},
        {"hundred", 100, false},  {"thousand", 1e3, false}, {"thousands", 1e3, false},
        {"million", 1e6, false},  {"millions", 1e6, false}, {"billion", 1e9, false},
        {"billions", 1e9, false}, {"grand", 1e3, false},    {"dozen", 12, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (strcmp(rows[i].word, word) == 0 && (touches || !rows[i].touching)) {
            return rows[i].scale;
        }
    }
    return 1;
}

/* "5k" and "2 million" never mean 5 and 2; "5 m" and "3 dozen" may. */
static bool is_thousands(const char *word)
{
    return scale_of(word, false) >= 1e3;
}

static void add_scaled(struct finding *finding, size_t at, double value)
{
    const struct token *next = token_at(finding, at + 1);
    double scale = scale_of(next->text, values_touch(finding, at + 1));
    if (scale > 1) {
        (void)values_add(finding, CANDIDATE_SCALED, format_real(finding, value * scale),
                         false, at, at + 2);
        finding->covered[at + 1] = true;
    }
    if (strcmp(next->text, "%") == 0 || strcmp(next->text, "percent") == 0 ||
        strcmp(next->text, "pct") == 0) {
        (void)values_add(finding, CANDIDATE_SCALED,
                         format_real(finding, value / SMALL_PER_CENT), false, at, at + 2);
    }
    if ((strcmp(next->text, "s") == 0 && values_touch(finding, at + 1)) ||
        (strcmp(next->text, "'") == 0 && values_touch(finding, at + 1) &&
         strcmp(token_at(finding, at + 2)->text, "s") == 0)) {
        bool decade = value >= 1000 && value < 2200 && (int)value % 10 == 0;
        if (decade) { /* "the 1990s" end in 1999 */
            (void)values_add(finding, CANDIDATE_SCALED, format_real(finding, value + 9),
                             false, at, at + 2);
        }
    }
}

static void add_digits(struct finding *finding, size_t at)
{
    const struct token *token = token_at(finding, at);
    char digits[NUMBER_SIZE];
    size_t size = 0;
    const struct token *before = at ? token_at(finding, at - 1) : NULL;
    bool apart = at < 2 || !values_touch(finding, at - 1);
    bool fraction = before && strcmp(before->text, ".") == 0 && apart &&
                    values_touch(finding, at) && !strchr(token->text, '.');
    if (fraction) {
        digits[size++] = '0';
        digits[size++] = '.';
    }
    for (const char *c = token->text; *c && size < sizeof digits - 1; c++) {
        if (*c != ',') {
            digits[size++] = *c;
        }
    }
    digits[size] = '\0';
    double value = 0;
    if (!str_to_real(digits, &value)) {
        return;
    }
    const char *text = arena_text(finding->arena, digits);
    if (!is_thousands(token_at(finding, at + 1)->text)) {
        (void)values_add(finding, CANDIDATE_NUMBER, text, false, at, at + 1);
    }
    if (before && strcmp(before->text, "-") == 0 && apart && values_touch(finding, at)) {
        (void)values_add(finding, CANDIDATE_NUMBER,
                         arena_format(finding->arena, "-%s", text), false, at - 1,
                         at + 1);
    }
    add_scaled(finding, at, value);
}

/* "two hundred and fifty", "twenty-five": how many tokens belong to the number at `at`.
 */
static size_t read_words(const struct finding *finding, size_t at, double *out)
{
    double total = 0;
    double group = 0;
    long last = 0;
    size_t used = 0;
    for (size_t i = at; i < finding->tokens->count && i < at + WORDS_MOST; i++) {
        const struct token *token = token_at(finding, i);
        long value = 0;
        bool glue = strcmp(token->text, "-") == 0 || strcmp(token->text, "and") == 0;
        if (glue && used && i == at + used) {
            continue;
        }
        if (token->kind != TOKEN_WORD || !values_number_word(token->text, &value)) {
            break;
        }
        if (value >= 1000) {
            total += (group > 0 ? group : 1) * (double)value;
            group = 0;
        } else if (value == 100 || strcmp(token->text, "dozen") == 0) {
            group = (group > 0 ? group : 1) * (double)value;
        } else if (used &&
                   !(last >= 100 || (last >= 20 && last % 10 == 0 && value < 10))) {
            break; /* "one two" is no number */
        } else {
            group += (double)value;
        }
        last = value;
        used = i + 1 - at;
    }
    *out = total + group;
    return used;
}

void values_numbers(struct finding *finding)
{
    for (size_t at = 0; at < finding->tokens->count; at++) {
        const struct token *token = token_at(finding, at);
        double value = 0;
        if (token->kind == TOKEN_NUMBER && !finding->dated[at]) {
            add_digits(finding, at);
        } else if (token->kind == TOKEN_WORD) {
            size_t used = read_words(finding, at, &value);
            bool scale = used == 1 && at > 0 && value >= 100 &&
                         token_at(finding, at - 1)->kind == TOKEN_NUMBER;
            if (used && !scale) {
                (void)values_add(finding, CANDIDATE_WORD_NUMBER,
                                 format_real(finding, value), false, at, at + used);
                at += used - 1;
            }
        }
    }
}
