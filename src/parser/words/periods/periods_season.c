/* Seasons, and years that begin with another month than January. */
#include <string.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/str.h"
#include "knowledge/value_index/value_index.h"
#include "parser/words/periods/periods_state.h"

static const struct season {
    const char *name;
    int month; /* the first of three, on the northern half of the earth */
} seasons[] = {{"spring", 3}, {"summer", 6}, {"autumn", 9}, {"fall", 9}, {"winter", 12}};

enum { SEASONS = sizeof seasons / sizeof *seasons, LENGTH = 3, YEAR_MONTHS = 12 };

/* Does the database call something so: a term, a campaign? */
static bool is_name(const struct period_reader *reader, const char *word)
{
    struct value_matches matches = {0};
    const struct periods_request *request = reader->request;
    if (request->words && map_has(request->words, word)) {
        return true;
    }
    if (request->index) {
        value_index_find(request->index, reader->arena, word, strlen(word), &matches);
    }
    return matches.count > 0;
}

static const struct season *take_season(struct period_reader *reader)
{
    for (size_t i = 0; i < SEASONS; i++) {
        if (period_take(reader, seasons[i].name)) {
            return &seasons[i];
        }
    }
    return NULL;
}

/* Do the months stand there as well: "in summer 2025 (june to august)"? */
static bool names_months(const struct period_reader *reader)
{
    struct period_reader at = *reader;
    for (at.at = 0; at.at < reader->request->tokens->count; at.at++) {
        struct period_reader month = at;
        if (period_take_month(&month)) {
            return true;
        }
    }
    return false;
}

/* "2025/26", "2025-2026" after "winter": the year that it ends in is said. */
static bool take_second_year(struct period_reader *reader, int year)
{
    struct period_reader try = *reader;
    if (!period_take(&try, "/") && !period_take(&try, "-")) {
        return false;
    }
    char brief[16];
    str_put(brief, sizeof brief, arena_format(reader->arena, "%02d", (year + 1) % 100));
    bool found = period_take_year(&try) == year + 1 || period_take(&try, brief);
    reader->at = found ? try.at : reader->at;
    return found;
}

static void mean_season(struct period_reader *reader, const struct season *season,
                        int year, struct period_phrase *out)
{
    int last = season->month + LENGTH - 1;
    int end = last > YEAR_MONTHS ? year + 1 : year;
    const char *from = period_month_name(season->month);
    const char *to = period_month_name(last);
    out->kind = PERIOD_USUAL;
    out->plain =
        end == year
            ? arena_format(reader->arena, "between %s and %s %d", from, to, year)
            : arena_format(reader->arena, "between %s %d and %s %d", from, year, to, end);
    out->meant = end == year
                     ? arena_format(reader->arena, "%s to %s %d", from, to, year)
                     : arena_format(reader->arena, "%s %d to %s %d", from, year, to, end);
    out->begins = arena_format(reader->arena, "%04d-%02d-01", year, season->month);
}

/* "in the summer", "this winter": the years it may be of. */
static void choose_years(struct period_reader *reader, const struct season *season,
                         struct period_phrase *out)
{
    enum { YEARS = 3 };
    out->kind = PERIOD_OPEN;
    out->plain = "";
    for (int i = 0; reader->today.year && i < YEARS; i++) {
        VEC_PUSH(reader->arena, &out->choices,
                 arena_format(reader->arena, "in %s %d", season->name,
                              reader->today.year - i));
    }
}

bool period_season(struct period_reader *reader, struct period_phrase *out)
{
    static const char *const leads[] = {"in", "during", "over", "for"};
    static const char *const which[] = {"this", "last", "next", "past", "previous"};
    struct period_reader try = *reader;
    bool led = PERIOD_TAKE_ANY(&try, leads);
    bool one = period_take(&try, "the");
    one = PERIOD_TAKE_ANY(&try, which) || (one && led);
    size_t at = try.at;
    const struct season *season = take_season(&try);
    if (!season || is_name(reader, season->name)) {
        return false;
    }
    struct period_reader dated = try;
    (void)(period_take(&dated, "of") || period_take(&dated, "in") ||
           period_take(&dated, ","));
    int year = period_take_year(&dated);
    if (names_months(reader) || (at > reader->at && !led && !one)) {
        return false;
    }
    if (year) {
        bool both = take_second_year(&dated, year);
        out->doubtful = season->month + LENGTH - 1 > YEAR_MONTHS && !both;
        mean_season(reader, season, year, out);
        reader->at = dated.at;
        return true;
    }
    bool open = one || (led && strcmp(season->name, "fall") != 0);
    if (open) {
        choose_years(reader, season, out);
        reader->at = try.at;
    }
    return open;
}

/* A fiscal year begins where the company lets it begin. */
bool period_fiscal(struct period_reader *reader, struct period_phrase *out)
{
    static const char *const words[] = {"fiscal", "financial"};
    struct period_reader try = *reader;
    (void)period_take(&try, "the");
    if (!PERIOD_TAKE_ANY(&try, words) || !period_take(&try, "year") ||
        is_name(reader, reader->request->tokens->items[try.at - 2].text)) {
        return false;
    }
    (void)period_take(&try, "of");
    int year = period_take_year(&try);
    if (!year) {
        return false;
    }
    out->kind = PERIOD_USUAL;
    out->doubtful = true;
    out->plain = arena_format(reader->arena, "%d", year);
    out->meant = arena_format(reader->arena, "the calendar year %d", year);
    out->begins = arena_format(reader->arena, "%04d-01-01", year);
    reader->at = try.at;
    return true;
}
