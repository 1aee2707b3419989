/* Finds phrases of periods in a question, and writes the question without them. */
#include "parser/words/periods/periods.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "parser/words/periods/periods_state.h"

enum { QUESTION_MOST = 65536 };

static const char *const months[] = {"january",   "february", "march",    "april",
                                     "may",       "june",     "july",     "august",
                                     "september", "october",  "november", "december"};

enum { MONTHS = sizeof months / sizeof *months, SHORT_MONTH = 3 };

bool period_take(struct period_reader *reader, const char *word)
{
    const struct tokens *tokens = reader->request->tokens;
    bool found = reader->at < tokens->count && !tokens->items[reader->at].quoted &&
                 strcmp(tokens->items[reader->at].text, word) == 0;
    reader->at += found;
    return found;
}

bool period_take_any(struct period_reader *reader, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (period_take(reader, words[i])) {
            return true;
        }
    }
    return false;
}

int period_take_year(struct period_reader *reader)
{
    enum { DIGITS = 4 };
    const struct tokens *tokens = reader->request->tokens;
    int year = 0;
    if (reader->at >= tokens->count || tokens->items[reader->at].kind != TOKEN_NUMBER) {
        return 0;
    }
    const char *text = tokens->items[reader->at].text;
    bool fits = strlen(text) == DIGITS && calendar_digits(text, DIGITS, &year) &&
                (str_starts(text, "19") || str_starts(text, "20"));
    reader->at += fits;
    return fits ? year : 0;
}

int period_take_month(struct period_reader *reader)
{
    for (int i = 0; i < MONTHS; i++) {
        char brief[SHORT_MONTH + 1] = "";
        memcpy(brief, months[i], SHORT_MONTH);
        if (period_take(reader, months[i]) || period_take(reader, brief)) {
            return i + 1;
        }
    }
    return period_take(reader, "sept") ? 9 : 0;
}

const char *period_month_name(int month)
{
    static const char *const names[] = {"January",   "February", "March",    "April",
                                        "May",       "June",     "July",     "August",
                                        "September", "October",  "November", "December"};
    return names[(month + MONTHS - 1) % MONTHS];
}

/* "last month", "this year", "the quarter" */
static bool take_relative(struct period_reader *reader, struct period_name *out)
{
    static const char *const which[] = {"this", "last", "previous", "next", "current"};
    static const char *const units[] = {"year", "quarter", "month", "week"};
    struct period_reader try = *reader;
    const char *lead = period_take(&try, "the") ? "this" : NULL;
    const struct tokens *tokens = reader->request->tokens;
    if (PERIOD_TAKE_ANY(&try, which)) {
        lead = tokens->items[try.at - 1].text;
    }
    if (!lead || !PERIOD_TAKE_ANY(&try, units)) {
        return false;
    }
    lead = str_equal(lead, "current")    ? "this"
           : str_equal(lead, "previous") ? "last"
                                         : lead;
    out->text =
        arena_format(reader->arena, "%s %s", lead, tokens->items[try.at - 1].text);
    out->relative = true;
    reader->at = try.at;
    return true;
}

bool period_take_name(struct period_reader *reader, bool bare, struct period_name *out)
{
    *out = (struct period_name){0};
    if (take_relative(reader, out)) {
        return true;
    }
    struct period_reader try = *reader;
    (void)period_take(&try, "the");
    (void)period_take(&try, "year");
    out->year = period_take_year(&try);
    if (out->year) {
        out->text = arena_format(reader->arena, "%d", out->year);
        reader->at = try.at;
        return true;
    }
    try = *reader;
    out->month = period_take_month(&try);
    if (!out->month) {
        return false;
    }
    struct period_reader dated = try;
    (void)(period_take(&dated, "of") || period_take(&dated, ","));
    out->year = period_take_year(&dated);
    if (!out->year && !bare) {
        return false;
    }
    const char *name = period_month_name(out->month);
    out->text = out->year ? arena_format(reader->arena, "%s %d", name, out->year) : name;
    reader->at = out->year ? dated.at : try.at;
    return true;
}

/* A pattern, and words of which each of its phrases has one: most questions have none of them. */
static const struct period_pattern {
    bool (*read)(struct period_reader *reader, struct period_phrase *out);
    const char *needs[8];
} patterns[] = {
    {period_edge, {"start", "beginning", "begin", "middle", "end", "close"}},
    {period_part, {"early", "mid", "late"}},
    {period_season, {"spring", "summer", "autumn", "fall", "winter"}},
    {period_fiscal, {"fiscal", "financial"}},
    {period_within, {"past", "last"}},
    {period_ago, {"ago"}},
    {period_between_ago, {"ago"}},
    {period_weekday,
     {"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"}},
};

enum { PATTERNS = sizeof patterns / sizeof *patterns };

static bool is_possible(const struct period_pattern *pattern, const struct tokens *tokens)
{
    for (size_t i = 0; i < tokens->count; i++) {
        const char *text = tokens->items[i].text;
        for (const char *const *word = pattern->needs; *word; word++) {
            if (**word == *text && strcmp(*word, text) == 0) {
                return true;
            }
        }
    }
    return false;
}

void periods_find(struct arena *arena, const struct periods_request *request,
                  struct period_phrases *out)
{
    struct period_reader start = {.arena = arena, .request = request};
    const struct period_pattern *possible[PATTERNS];
    size_t count = 0;
    *out = (struct period_phrases){0};
    for (size_t i = 0; i < PATTERNS; i++) {
        possible[count] = &patterns[i];
        count += is_possible(&patterns[i], request->tokens);
    }
    if (count && request->today) {
        (void)calendar_read(request->today, &start.today);
    }
    for (size_t at = 0; count && at < request->tokens->count; at++) {
        for (size_t i = 0; i < count; i++) {
            struct period_reader reader = start;
            struct period_phrase phrase = {.first = at};
            reader.at = at;
            if (possible[i]->read(&reader, &phrase)) {
                phrase.end = reader.at;
                VEC_PUSH(arena, out, phrase);
                at = reader.at - 1;
                break;
            }
        }
    }
}

const char *periods_write_out(struct arena *arena, const struct periods_request *request)
{
    struct period_phrases phrases;
    struct buf buf;
    size_t text = 0; /* where the question goes on */
    const struct tokens *tokens = request->tokens;
    periods_find(arena, request, &phrases);
    if (!phrases.count) {
        return NULL;
    }
    buf_init(&buf, QUESTION_MOST);
    for (size_t i = 0; i < phrases.count; i++) {
        const struct period_phrase *phrase = &phrases.items[i];
        (void)buf_add(&buf, tokens->text + text,
                      tokens->items[phrase->first].start - text);
        (void)buf_text(&buf, phrase->plain);
        text = tokens->items[phrase->end - 1].end;
        while (!*phrase->plain && tokens->text[text] == ' ') {
            text++;
        }
    }
    (void)buf_text(&buf, tokens->text + text);
    const char *out = str_trim(arena, buf_get(&buf));
    buf_release(&buf);
    return out;
}
