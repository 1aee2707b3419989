/* Dates and times out of their texts, exactly or not at all. */
#include <ctype.h>

#include "datasource/staging/staging_types.h"

enum { MICROS = 1000000 };

static const int64_t day_micros = INT64_C(86400) * MICROS;

struct reader {
    const char *at;
    const char *end;
};

static bool staging_times_take(struct reader *reader, char c)
{
    if (reader->at < reader->end && *reader->at == c) {
        reader->at++;
        return true;
    }
    return false;
}

static bool staging_times_digits(struct reader *reader, int count, int least, int most,
                                 int *out)
{
    int number = 0;
    for (int i = 0; i < count; i++) {
        if (reader->at >= reader->end || !isdigit((unsigned char)*reader->at)) {
            return false;
        }
        number = number * 10 + (*reader->at++ - '0');
    }
    *out = number;
    return number >= least && number <= most;
}

static int month_days(int year, int month)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    return days[month - 1] + (month == 2 && leap);
}

/* Days since 1970 in our calendar; years begin in March, so that leap days come last. */
static int32_t days_of(int year, int month, int day)
{
    int y = month <= 2 ? year - 1 : year;
    int m = month <= 2 ? month + 9 : month - 3;
    return y * 365 + y / 4 - y / 100 + y / 400 + (m * 153 + 2) / 5 + day - 1 - 719468;
}

static bool date_take(struct reader *reader, int32_t *days)
{
    int year;
    int month;
    int day;
    if (!staging_times_digits(reader, 4, 1, 9999, &year) ||
        !staging_times_take(reader, '-') ||
        !staging_times_digits(reader, 2, 1, 12, &month) ||
        !staging_times_take(reader, '-') ||
        !staging_times_digits(reader, 2, 1, 31, &day) || day > month_days(year, month)) {
        return false;
    }
    *days = days_of(year, month, day);
    return true;
}

/* At most six places count; further ones must be zeros. */
static bool fraction_take(struct reader *reader, int64_t *micros)
{
    int64_t unit = MICROS;
    *micros = 0;
    if (!staging_times_take(reader, '.')) {
        return true;
    }
    const char *start = reader->at;
    for (; reader->at < reader->end && isdigit((unsigned char)*reader->at);
         reader->at++) {
        unit /= 10;
        if (unit == 0 && *reader->at != '0') {
            return false;
        }
        *micros += (*reader->at - '0') * unit;
    }
    return reader->at > start;
}

static bool time_take(struct reader *reader, int64_t *micros)
{
    int hour;
    int minute;
    int second = 0;
    int64_t part = 0;
    if (!staging_times_digits(reader, 2, 0, 23, &hour) ||
        !staging_times_take(reader, ':') ||
        !staging_times_digits(reader, 2, 0, 59, &minute)) {
        return false;
    }
    if (staging_times_take(reader, ':') &&
        (!staging_times_digits(reader, 2, 0, 59, &second) ||
         !fraction_take(reader, &part))) {
        return false;
    }
    *micros = ((hour * 60 + minute) * 60 + second) * (int64_t)MICROS + part;
    return true;
}

/* "+02", "+0530", "-03:30", "Z", " UTC": microseconds ahead of UTC. */
static bool zone_take(struct reader *reader, int64_t *ahead)
{
    int hour;
    int minute = 0;
    *ahead = 0;
    if (staging_times_take(reader, 'Z')) {
        return true;
    }
    if (reader->end - reader->at == 4 && staging_times_take(reader, ' ')) {
        return staging_times_take(reader, 'U') && staging_times_take(reader, 'T') &&
               staging_times_take(reader, 'C');
    }
    bool west = reader->at < reader->end && *reader->at == '-';
    if ((!staging_times_take(reader, '-') && !staging_times_take(reader, '+')) ||
        !staging_times_digits(reader, 2, 0, 23, &hour)) {
        return false;
    }
    (void)staging_times_take(reader, ':');
    if (reader->at < reader->end && !staging_times_digits(reader, 2, 0, 59, &minute)) {
        return false;
    }
    *ahead = (hour * 60 + minute) * INT64_C(60) * MICROS * (west ? -1 : 1);
    return true;
}

bool staged_date_read(const char *text, size_t size, int32_t *days)
{
    struct reader reader = {text, text + size};
    return date_take(&reader, days) && reader.at == reader.end;
}

bool staged_time_read(const char *text, size_t size, int64_t *micros)
{
    struct reader reader = {text, text + size};
    return time_take(&reader, micros) && reader.at == reader.end;
}

bool staged_timestamp_read(const char *text, size_t size, bool zoned, int64_t *micros)
{
    struct reader reader = {text, text + size};
    int32_t days;
    int64_t time = 0;
    int64_t ahead = 0;
    if (!date_take(&reader, &days)) {
        return false;
    }
    if ((staging_times_take(&reader, ' ') || staging_times_take(&reader, 'T')) &&
        !time_take(&reader, &time)) {
        return false;
    }
    if (zoned && !zone_take(&reader, &ahead)) {
        return false;
    }
    *micros = days * day_micros + time - ahead;
    return reader.at == reader.end;
}
