/* Texts of a database as the numbers that Arrow keeps. */
#include "service/answers/arrow_parse.h"

#include <ctype.h>
#include <string.h>

bool arrow_digits(const char *text, size_t size, int *before, int *behind)
{
    size_t at = size > 0 && (text[0] == '-' || text[0] == '+') ? 1 : 0;
    bool point = false;
    *before = 0;
    *behind = 0;
    for (; at < size; at++) {
        if (text[at] == '.' && !point) {
            point = true;
        } else if (!isdigit((unsigned char)text[at])) {
            return false;
        } else if (point) {
            ++*behind;
        } else if (*before > 0 || text[at] != '0') {
            ++*before;
        }
    }
    return size > 0 && isdigit((unsigned char)text[size - 1]);
}

arrow_decimal arrow_decimal_parse(const char *text, size_t size, int scale)
{
    arrow_decimal value = 0;
    int behind = -1; /* digits behind the point so far */
    for (size_t i = 0; i < size; i++) {
        if (text[i] == '.') {
            behind = 0;
        } else if (isdigit((unsigned char)text[i])) {
            value = value * 10 + (text[i] - '0');
            behind += behind >= 0;
        }
    }
    for (int i = behind > 0 ? behind : 0; i < scale; i++) {
        value *= 10;
    }
    return size > 0 && text[0] == '-' ? -value : value;
}

/* COUNT digits at *at, which moves behind them. -1: there are none. */
static int number(const char *text, size_t size, size_t *at, size_t count)
{
    int value = 0;
    if (*at + count > size) {
        return -1;
    }
    for (size_t i = 0; i < count; i++) {
        char digit = text[*at + i];
        if (!isdigit((unsigned char)digit)) {
            return -1;
        }
        value = value * 10 + (digit - '0');
    }
    *at += count;
    return value;
}

static bool sign(const char *text, size_t size, size_t *at, const char *any)
{
    bool is = *at < size && text[*at] && strchr(any, text[*at]);
    *at += is;
    return is;
}

/* Days since 1970-01-01 in the calendar of today, for every year of four digits. */
static int32_t days_of(int year, int month, int day)
{
    int shifted = month <= 2 ? year - 1 : year; /* years that begin in March */
    int era = (shifted >= 0 ? shifted : shifted - 399) / 400;
    int in_era = shifted - era * 400;
    int in_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    return era * 146097 + in_era * 365 + in_era / 4 - in_era / 100 + in_year - 719468;
}

static bool date_at(const char *text, size_t size, size_t *at, int32_t *days)
{
    static const int lengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    int year = number(text, size, at, 4);
    bool first = sign(text, size, at, "-");
    int month = first ? number(text, size, at, 2) : -1;
    bool second = month > 0 && sign(text, size, at, "-");
    int day = second ? number(text, size, at, 2) : -1;
    if (year < 0 || month < 1 || month > 12 || day < 1) {
        return false;
    }
    bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    *days = days_of(year, month, day);
    return day <= lengths[month - 1] + (month == 2 && leap);
}

bool arrow_date(const char *text, size_t size, int32_t *days)
{
    size_t at = 0;
    return date_at(text, size, &at, days) && at == size;
}

/* ".5": microseconds, from one to nine digits; what is smaller is dropped. */
static int fraction(const char *text, size_t size, size_t *at)
{
    int value = 0;
    int count = 0;
    for (; *at < size && isdigit((unsigned char)text[*at]); ++*at) {
        value = count < 6 ? value * 10 + (text[*at] - '0') : value;
        count++;
    }
    for (int i = count; i < 6; i++) {
        value *= 10;
    }
    return count > 0 && count <= 9 ? value : -1;
}

bool arrow_timestamp(const char *text, size_t size, int64_t *microseconds)
{
    size_t at = 0;
    int32_t days = 0;
    int hour = 0;
    int minute = 0;
    int second = 0;
    int part = 0;
    if (!date_at(text, size, &at, &days)) {
        return false;
    }
    if (sign(text, size, &at, " T")) {
        hour = number(text, size, &at, 2);
        minute = sign(text, size, &at, ":") ? number(text, size, &at, 2) : -1;
        if (sign(text, size, &at, ":")) {
            second = number(text, size, &at, 2);
            part = sign(text, size, &at, ".") ? fraction(text, size, &at) : 0;
        }
    }
    *microseconds =
        ((((int64_t)days * 24 + hour) * 60 + minute) * 60 + second) * 1000000 + part;
    return at == size && hour >= 0 && hour < 24 && minute >= 0 && minute < 60 &&
           second >= 0 && second < 60 && part >= 0;
}
