/* Finds out which numbers are dates; only their style tells. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/str.h"
#include "datasource/files/xlsx/xlsx_state.h"

enum {
    STYLES_MOST = 70000, /* spreadsheets themselves have at most 65,490 */
    DAY_LAST = 2958465,  /* 9999-12-31 */
    DAY_SECONDS = 86400,
};

enum { SHOWS_NUMBER, SHOWS_DATE, SHOWS_TIME }; /* a style's mark */

struct styles_reading {
    struct map formats; /* number of a format -> its text */
    bool cells;         /* inside cellXfs, whose order is what cells refer to */
};

/* Letters of a format that are shown literally do not count. */
static char format_shows(const char *code)
{
    bool day = false;
    bool clock = false;
    for (const char *at = code; *at && *at != ';'; at++) {
        if (*at == '"') {
            const char *end = strchr(at + 1, '"');
            at = end ? end : at + strlen(at) - 1;
        } else if (*at == '\\' || *at == '_' || *at == '*') {
            at += at[1] != '\0';
        } else if (*at == '[') {
            const char *end = strchr(at, ']');
            if (tolower((unsigned char)at[1]) == 'h') {
                return SHOWS_NUMBER; /* hours that were needed, not a time of day */
            }
            at = end ? end : at;
        } else {
            char c = (char)tolower((unsigned char)*at);
            if (c == 'g' && str_starts_nocase(at, "general")) {
                return SHOWS_NUMBER;
            }
            day = day || c == 'y' || c == 'd';
            clock = clock || c == 'h' || c == 's';
        }
    }
    return day ? SHOWS_DATE : clock ? SHOWS_TIME : SHOWS_NUMBER;
}

/* Formats that have a number and no text. */
static char built_in_shows(int64_t id)
{
    bool time = (id >= 18 && id <= 21) || id == 45 || id == 47;
    bool date = (id >= 14 && id <= 17) || id == 22 || (id >= 27 && id <= 36) ||
                (id >= 50 && id <= 58);
    return time ? SHOWS_TIME : date ? SHOWS_DATE : SHOWS_NUMBER;
}

static void styles_start(struct xlsx_part *part, const char *name,
                         const char **attributes)
{
    struct styles_reading *reading = part->context;
    struct xlsx *book = part->book;
    const char *id = xlsx_attribute(attributes, "numFmtId");
    if (strcmp(name, "cellXfs") == 0) {
        reading->cells = true;
    } else if (strcmp(name, "numFmt") == 0 && id) {
        const char *code = xlsx_attribute(attributes, "formatCode");
        (void)map_set(&reading->formats, id, arena_text(book->arena, code ? code : ""));
    } else if (strcmp(name, "xf") == 0 && reading->cells &&
               book->styles.count < STYLES_MOST) {
        int64_t number = 0;
        const char *code = id ? map_get(&reading->formats, id) : NULL;
        char shows = code                            ? format_shows(code)
                     : id && str_to_int(id, &number) ? built_in_shows(number)
                                                     : (char)SHOWS_NUMBER;
        VEC_PUSH(book->arena, &book->styles, shows);
    }
}

static void styles_end(struct xlsx_part *part, const char *name)
{
    struct styles_reading *reading = part->context;
    reading->cells = reading->cells && strcmp(name, "cellXfs") != 0;
}

bool xlsx_styles_read(struct xlsx *book, const char *path)
{
    struct styles_reading reading = {.cells = false};
    map_init(&reading.formats, false);
    struct xlsx_part part = {
        .book = book, .start = styles_start, .end = styles_end, .context = &reading};
    bool ok = xlsx_part_read(&part, path, false);
    map_release(&reading.formats);
    return ok;
}

/* Days since 1970 as year, month and day (all in the Gregorian calendar). */
static void day_split(int64_t days, int *year, int *month, int *day)
{
    int64_t shifted = days + 719468; /* from the first of March of the year 0 */
    int64_t era = shifted / 146097;
    int64_t of_era = shifted - era * 146097;
    int64_t years = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    int64_t of_year = of_era - (365 * years + years / 4 - years / 100);
    int64_t part = (5 * of_year + 2) / 153;
    *day = (int)(of_year - (153 * part + 2) / 5 + 1);
    *month = (int)(part < 10 ? part + 3 : part - 9);
    *year = (int)(years + era * 400 + (*month <= 2));
}

const char *xlsx_date(const struct xlsx *book, struct arena *arena, size_t style,
                      const char *number)
{
    char shows = style < book->styles.count ? book->styles.items[style] : SHOWS_NUMBER;
    double serial = 0;
    if (shows == SHOWS_NUMBER || !str_to_real(number, &serial) || !(serial >= 0) ||
        serial > DAY_LAST) {
        return NULL;
    }
    double whole = floor(serial);
    int64_t days = (int64_t)whole;
    int64_t seconds = (int64_t)llround((serial - whole) * DAY_SECONDS);
    if (seconds == DAY_SECONDS) {
        days++;
        seconds = 0;
    }
    char clock[16];
    (void)snprintf(clock, sizeof clock, "%02d:%02d:%02d", (int)(seconds / 3600),
                   (int)(seconds / 60 % 60), (int)(seconds % 60));
    if (shows == SHOWS_TIME && days == 0) {
        return arena_text(arena, clock);
    }
    /* the format treats 1900 as a leap year, so earlier days are off by one */
    days += book->from_1904 ? -24107 : days < 60 ? -25568 : -25569;
    int year = 0;
    int month = 0;
    int day = 0;
    day_split(days, &year, &month, &day);
    return seconds == 0 && shows == SHOWS_DATE
               ? arena_format(arena, "%04d-%02d-%02d", year, month, day)
               : arena_format(arena, "%04d-%02d-%02d %s", year, month, day, clock);
}

const char *xlsx_number(struct arena *arena, const char *number)
{
    double value = 0;
    size_t size = strlen(number);
    bool plain = size <= 15 && strspn(number, "0123456789.-") == size;
    if (plain || !str_to_real(number, &value) || !isfinite(value)) {
        return number;
    }
    char text[40];
    (void)snprintf(text, sizeof text, "%.15g", value);
    return arena_text(arena, text);
}
