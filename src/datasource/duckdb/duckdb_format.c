/* DuckDB's numbers and times as text: exact decimals, ISO dates. */
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "datasource/duckdb/duckdb.h"

__extension__ typedef unsigned __int128 wide; /* the engine's largest integers */

static struct value text_value(enum value_kind kind, const char *text)
{
    struct value value = {.kind = kind};
    value.text.data = text;
    value.text.size = strlen(text);
    return value;
}

/* Digits of a number, with a point `scale` digits from the right. */
static const char *duckdb_format_digits(struct arena *arena, bool negative, wide number,
                                        unsigned scale)
{
    char text[48];
    char *at = text + sizeof text - 1;
    *at = '\0';
    unsigned written = 0;
    while (number > 0 || written <= scale) {
        if (scale > 0 && written == scale) {
            *--at = '.';
        }
        if (number <= UINT64_MAX) { /* dividing twice the width is dear */
            uint64_t small = (uint64_t)number;
            *--at = (char)('0' + (int)(small % 10));
            number = small / 10;
        } else {
            *--at = (char)('0' + (int)(number % 10));
            number /= 10;
        }
        written++;
    }
    if (negative) {
        *--at = '-';
    }
    return arena_text(arena, at);
}

struct value duckdb_decimal_value(struct arena *arena, duckdb_hugeint number,
                                  unsigned scale)
{
    bool negative = number.upper < 0;
    wide bits = (wide)(uint64_t)number.upper << 64 | number.lower;
    wide size = negative ? ~bits + 1 : bits;
    if (scale == 0 && size <= INT64_MAX) {
        struct value value = {.kind = VALUE_INT};
        value.integer = negative ? -(int64_t)size : (int64_t)size;
        return value;
    }
    return text_value(VALUE_NUMBER, duckdb_format_digits(arena, negative, size, scale));
}

struct value duckdb_unsigned_value(struct arena *arena, uint64_t upper, uint64_t lower)
{
    if (upper == 0 && lower <= INT64_MAX) {
        struct value value = {.kind = VALUE_INT};
        value.integer = (int64_t)lower;
        return value;
    }
    return text_value(VALUE_NUMBER,
                      duckdb_format_digits(arena, false, (wide)upper << 64 | lower, 0));
}

/* Times are most of what a column of times costs, so no format is read for them. */
enum { TIME_SIZE = 80 };

struct time_text {
    char data[TIME_SIZE];
    size_t size;
};

static void put_text(struct time_text *out, const char *text)
{
    for (; *text && out->size < TIME_SIZE - 1; text++) {
        out->data[out->size++] = *text;
    }
}

/* At least `width` digits. */
static void put_number(struct time_text *out, int64_t number, int width)
{
    char text[24];
    char *at = text + sizeof text - 1;
    *at = '\0';
    for (; number > 0 || width > 0; number /= 10, width--) {
        *--at = (char)('0' + number % 10);
    }
    put_text(out, at);
}

/* Year, month and day of days since 1970, in the calendar without end either way. */
static void put_day(struct time_text *out, int64_t days)
{
    int64_t z = days + 719468; /* since 0000-03-01, so that leap days come last */
    int64_t era = (z >= 0 ? z : z - 146096) / 146097;
    int64_t in_era = z - era * 146097;
    int64_t of_era = (in_era - in_era / 1460 + in_era / 36524 - in_era / 146096) / 365;
    int64_t in_year = in_era - (365 * of_era + of_era / 4 - of_era / 100);
    int64_t shifted = (5 * in_year + 2) / 153;
    int64_t date = in_year - (153 * shifted + 2) / 5 + 1;
    int64_t month = shifted < 10 ? shifted + 3 : shifted - 9;
    int64_t year = of_era + era * 400 + (month <= 2);
    put_number(out, year > 0 ? year : 1 - year, 4);
    put_text(out, "-");
    put_number(out, month, 2);
    put_text(out, "-");
    put_number(out, date, 2);
    put_text(out, year > 0 ? "" : " (BC)");
}

static void put_time(struct time_text *out, int64_t units, int64_t per_second)
{
    int64_t seconds = units / per_second;
    int64_t part = units % per_second;
    put_number(out, seconds / 3600, 2);
    put_text(out, ":");
    put_number(out, seconds / 60 % 60, 2);
    put_text(out, ":");
    put_number(out, seconds % 60, 2);
    if (part != 0) {
        int places = per_second == 1000 ? 3 : per_second == 1000000 ? 6 : 9;
        for (; part % 10 == 0; part /= 10) {
            places--;
        }
        put_text(out, ".");
        put_number(out, part, places);
    }
}

const char *duckdb_date_text(struct arena *arena, int32_t days)
{
    if (days == INT32_MAX || days == -INT32_MAX) {
        return days > 0 ? "infinity" : "-infinity";
    }
    struct time_text out = {.size = 0};
    put_day(&out, days);
    return arena_copy(arena, out.data, out.size);
}

const char *duckdb_time_text(struct arena *arena, int64_t units, int64_t per_second)
{
    struct time_text out = {.size = 0};
    put_time(&out, units, per_second);
    return arena_copy(arena, out.data, out.size);
}

const char *duckdb_timestamp_text(struct arena *arena, int64_t units, int64_t per_second,
                                  const char *zone)
{
    if (units == INT64_MAX || units == -INT64_MAX) {
        return units > 0 ? "infinity" : "-infinity";
    }
    struct time_text out = {.size = 0};
    int64_t per_day = 86400 * per_second;
    int64_t day = units / per_day - (units % per_day < 0);
    put_day(&out, day);
    put_text(&out, " ");
    put_time(&out, units - day * per_day, per_second);
    put_text(&out, zone);
    return arena_copy(arena, out.data, out.size);
}

static void part_add(struct buf *out, int64_t number, char unit)
{
    if (number != 0) {
        (void)buf_format(out, "%lld%c", (long long)number, unit);
    }
}

/* ISO 8601: P1Y2M3DT4H5M6.5S */
const char *duckdb_interval_text(struct arena *arena, duckdb_interval interval)
{
    struct buf out;
    buf_init(&out, 200);
    (void)buf_char(&out, 'P');
    part_add(&out, interval.months / 12, 'Y');
    part_add(&out, interval.months % 12, 'M');
    part_add(&out, interval.days, 'D');
    int64_t micros = interval.micros;
    if (micros != 0) {
        (void)buf_char(&out, 'T');
        part_add(&out, micros / 3600000000, 'H');
        part_add(&out, micros / 60000000 % 60, 'M');
        int64_t rest = micros % 60000000;
        int64_t size = rest < 0 ? -rest : rest;
        if (rest != 0) {
            (void)buf_format(&out, "%s%sS", rest < 0 ? "-" : "",
                             duckdb_format_digits(arena, false, (wide)size, 6));
        }
    }
    if (out.size == 1) {
        (void)buf_text(&out, "T0S");
    }
    const char *text = buf_clone(&out, arena);
    buf_release(&out);
    return text;
}

const char *duckdb_uuid_text(struct arena *arena, duckdb_hugeint number)
{
    uint64_t high = (uint64_t)number.upper ^ (uint64_t)1
                                                 << 63; /* stored so that it sorts */
    return arena_format(
        arena, "%08llx-%04llx-%04llx-%04llx-%012llx", (unsigned long long)(high >> 32),
        (unsigned long long)(high >> 16 & 0xffff), (unsigned long long)(high & 0xffff),
        (unsigned long long)(number.lower >> 48),
        (unsigned long long)(number.lower & 0xffffffffffff));
}
