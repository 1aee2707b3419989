/* "Tomorrow" and the days beside it, and the question about today in their place. */
#include "parser/words/days.h"

#include "base/arena.h"
#include "base/str.h"
#include "parser/words/calendar.h"
#include "parser/words/tokens.h"

static const struct phrase {
    const char *words;
    int days;
    bool
        after; /* only after "since", "until" and the like: alone, the network knows it */
} phrases[] = {
    {"the day after tomorrow", 2, false},
    {"day after tomorrow", 2, false},
    {"the day before yesterday", -2, false},
    {"day before yesterday", -2, false},
    {"tomorrow", 1, false},
    {"yesterday", -1, true},
};

static bool is_after_side(const struct tokens *words, size_t at)
{
    static const char *const sides[] = {"since", "until", "till", "before",
                                        "after", "from",  "by"};
    return at > 0 && IS_AMONG(words->items[at - 1].text, sides);
}

/* Which day is said here: 1 is tomorrow; 0: none, or one that the network knows. *end: the token
 * after the phrase. */
static int days_at(const struct tokens *words, size_t at, size_t *end)
{
    for (size_t i = 0; i < sizeof phrases / sizeof *phrases; i++) {
        size_t size = tokens_phrase(words, at, phrases[i].words);
        if (size && (!phrases[i].after || is_after_side(words, at))) {
            *end = at + size;
            return phrases[i].days;
        }
    }
    return 0;
}

/* "Today and tomorrow": two days. */
static bool names_another_day(const struct tokens *words, size_t at)
{
    static const char *const names[] = {"today", "yesterday", "tomorrow", "tonight"};
    return IS_AMONG(words->items[at].text, names);
}

/* The only day that is named; 0: none, or several. */
static int find_day(const struct tokens *words, size_t *first, size_t *end)
{
    int days = 0;
    for (size_t i = 0; i < words->count; i++) {
        size_t after = i;
        int found = days_at(words, i, &after);
        if (!found && !names_another_day(words, i)) {
            continue;
        }
        if (days || !found) {
            return 0;
        }
        days = found;
        *first = i;
        *end = after;
        i = after - 1;
    }
    return days;
}

static const char *write_day(struct arena *arena, const struct tokens *words,
                             size_t first, size_t end, const char *day)
{
    return arena_format(arena, "%.*s%s%s", (int)words->items[first].start, words->text,
                        day, words->text + words->items[end - 1].end);
}

const char *days_as_today(struct arena *arena, const struct tokens *words, int *days)
{
    size_t first = 0;
    size_t end = 0;
    *days = find_day(words, &first, &end);
    return *days ? write_day(arena, words, first, end, "today") : NULL;
}

const char *days_as_date(struct arena *arena, const struct tokens *words,
                         const char *today)
{
    static const char *const leads[] = {"on", "of", "for"};
    struct calendar_day day;
    size_t first = 0;
    size_t end = 0;
    int days = find_day(words, &first, &end);
    if (!days || !today || !calendar_read(today, &day)) {
        return NULL;
    }
    day = calendar_add_days(day, days);
    bool led = is_after_side(words, first) ||
               (first > 0 && IS_AMONG(words->items[first - 1].text, leads));
    return write_day(arena, words, first, end,
                     arena_format(arena, "%s%04d-%02d-%02d", led ? "" : "on ", day.year,
                                  day.month, day.day));
}
