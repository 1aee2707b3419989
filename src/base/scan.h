/* Scans long texts quickly for bytes that need attention. */
#ifndef DGM_BASE_SCAN_H
#define DGM_BASE_SCAN_H

#include <stdbool.h>
#include <stddef.h>

/* The length of the prefix that consists of visible ASCII or blanks without these two
 * characters. */
size_t scan_plain(const char *text, size_t size, char one, char other);

/* The same, copying up to SCAN_STEP bytes; `out` must have room for SCAN_STEP. */
enum { SCAN_STEP = 16 };
size_t scan_copy(char *out, const char *text, size_t size, char one, char other);

/* The same, repeated for at most `room` bytes, a multiple of SCAN_STEP. */
size_t scan_copy_run(char *out, size_t room, const char *text, size_t size, char one,
                     char other);

/* For a text of at most SCAN_STEP bytes: copies it and tells whether all were plain. */
bool scan_copy_short(char *out, const char *text, size_t size, char one, char other);

/* Counts ASCII letters, blanks and line ends. Stops at a byte that is not ASCII, or when
 * less than SCAN_STEP bytes are left; returns the number of bytes read. */
size_t scan_letters(const char *text, size_t size, size_t *letters);

#endif
