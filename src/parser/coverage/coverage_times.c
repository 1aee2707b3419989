/* "At 14:30": the SQL compares with it, or with the hour, or the time has no place. */
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "parser/coverage/coverage_covering.h"
#include "parser/words/times.h"

enum { TEXT_SIZE = 32 };

static bool has_text(const struct coverage_use *use, const char *text)
{
    for (size_t i = 0; i < use->texts.count; i++) {
        if (strstr(use->texts.items[i], text)) {
            return true;
        }
    }
    return false;
}

static bool is_compared(const struct covering *covering, const struct time_of_day *time)
{
    char text[TEXT_SIZE];
    const struct coverage_use *use = &covering->use;
    (void)snprintf(text, sizeof text, "%d:%02d", time->hour, time->minute);
    if (has_text(use, text)) {
        return true;
    }
    (void)snprintf(text, sizeof text, "%d", time->hour);
    for (size_t i = 0; i < use->numbers.count; i++) {
        if (time->minute == 0 && (use->operations & DOES_TIME) &&
            str_equal(use->numbers.items[i], text)) {
            return true;
        }
    }
    return false;
}

/* "At 15:00" by the hour finds 15:30, too: told. */
static void tell_hour(const struct covering *covering, const struct time_of_day *time,
                      struct coverage_words *out)
{
    static const char *const ranges[] = {"or", "and", "onward", "onwards", "to"};
    char text[TEXT_SIZE];
    const struct tokens *words = &covering->asked;
    bool clock =
        time->first + 1 < time->end && str_equal(words->items[time->first + 1].text, ":");
    (void)snprintf(text, sizeof text, "%d:%02d", time->hour, time->minute);
    if (time->end < words->count && words->items[time->end].kind == TOKEN_WORD &&
        str_is_among(words->items[time->end].text, ranges,
                     sizeof ranges / sizeof *ranges)) {
        return; /* "at 15:00 or later" */
    }
    if (!time->first || !clock || has_text(&covering->use, text) ||
        !str_equal(words->items[time->first - 1].text, "at")) {
        return;
    }
    struct coverage_word word = {.role = COVERAGE_PERIOD, .by_custom = true};
    word.position = words->items[time->first - 1].start;
    word.text = arena_copy(covering->arena, words->text + word.position,
                           words->items[time->end - 1].end - word.position);
    word.taken_for =
        arena_format(covering->arena, "from %d:00 to %d:59", time->hour, time->hour);
    VEC_PUSH(covering->arena, out, word);
}

void coverage_times(struct covering *covering, struct coverage_words *out)
{
    static const char *const leads[] = {"at",    "after", "before", "by",
                                        "since", "until", "around", "from"};
    const struct tokens *words = &covering->asked;
    for (size_t i = 0; i < words->count; i++) {
        struct time_of_day time;
        if (!times_at(words, i, &time)) {
            continue;
        }
        if (!is_compared(covering, &time)) {
            struct coverage_word word = {.role = COVERAGE_RESTRICTION, .is_time = true};
            bool led = i && str_is_among(words->items[i - 1].text, leads,
                                         sizeof leads / sizeof *leads);
            word.position = words->items[led ? i - 1 : i].start;
            word.text = arena_copy(covering->arena, words->text + word.position,
                                   words->items[time.end - 1].end - word.position);
            VEC_PUSH(covering->arena, out, word);
        } else {
            tell_hour(covering, &time, out);
        }
        i = time.end - 1;
    }
    for (size_t i = 0; i < covering->words.count; i++) {
        struct time_of_day time;
        bool found = times_at(&covering->words, i, &time);
        for (size_t k = i; found && k < time.end; k++) {
            covering->placed[k] = true; /* told above */
        }
    }
}

/* "tomorrow" is 1, at the end of "the day after tomorrow" 2; 0: no such word. */
static int days_of(const struct covering *covering, size_t at)
{
    const char *text = covering->words.items[at].text;
    bool two =
        at > 1 && (tokens_phrase(&covering->words, at - 2, "day after tomorrow") ||
                   tokens_phrase(&covering->words, at - 2, "day before yesterday"));
    return (strcmp(text, "tomorrow") == 0    ? 1
            : strcmp(text, "yesterday") == 0 ? -1
                                             : 0) *
           (two ? 2 : 1);
}

bool coverage_misses_day(const struct covering *covering, size_t at)
{
    struct calendar_day day;
    int days = days_of(covering, at);
    if (days <= 0 || covering->use.clock || !covering->request->today ||
        !calendar_read(covering->request->today, &day)) {
        return false;
    }
    day = calendar_add_days(day, days);
    struct calendar_day next = calendar_add_days(day, 1);
    return !coverage_has_day(&covering->use, &day) &&
           !coverage_has_day(&covering->use, &next);
}

bool coverage_names_day(const struct covering *covering, size_t at,
                        struct coverage_word *word)
{
    struct calendar_day day;
    int step = days_of(covering, at);
    if (!step || !covering->request->today ||
        !calendar_read(covering->request->today, &day)) {
        return false;
    }
    day = calendar_add_days(day, step);
    word->role = COVERAGE_RESTRICTION;
    VEC_PUSH(
        covering->arena, &word->nearest,
        arena_format(covering->arena, "on %04d-%02d-%02d", day.year, day.month, day.day));
    return true;
}
