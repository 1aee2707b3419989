/* Texts of a database as the numbers that Arrow keeps. */
#ifndef DGM_SERVICE_ANSWERS_ARROW_PARSE_H
#define DGM_SERVICE_ANSWERS_ARROW_PARSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

__extension__ typedef __int128 arrow_decimal;

/* "-123.45": how many digits before and behind the point. False: not such a number. */
bool arrow_digits(const char *text, size_t size, int *before, int *behind);
/* The same as a whole number of units of 10^-scale; it must have fewer digits behind. */
arrow_decimal arrow_decimal_parse(const char *text, size_t size, int scale);
/* "2024-02-29": days since 1970-01-01. */
bool arrow_date(const char *text, size_t size, int32_t *days);
/* "2024-02-29 10:20:30.5", also with a T, without seconds, or a date alone: microseconds
 * since 1970. False also if it has a zone. */
bool arrow_timestamp(const char *text, size_t size, int64_t *microseconds);

#endif
