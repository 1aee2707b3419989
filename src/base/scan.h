/* Long texts are mostly bytes that need no look. */
#ifndef DGM_BASE_SCAN_H
#define DGM_BASE_SCAN_H

#include <stdbool.h>
#include <stddef.h>

/* How many bytes at the start are visible ASCII or blanks, and neither of the two. */
size_t scan_plain(const char *text, size_t size, char one, char other);

/* The same, copied on the way and at most SCAN_STEP of them; `out` has room for as many,
 * whatever is found. */
enum { SCAN_STEP = 16 };
size_t scan_copy(char *out, const char *text, size_t size, char one, char other);

/* The same, step after step for at most `room` bytes, which is a multiple of SCAN_STEP. */
size_t scan_copy_run(char *out, size_t room, const char *text, size_t size, char one,
                     char other);

/* For a text of at most SCAN_STEP bytes: copies it, and tells whether all were plain. */
bool scan_copy_short(char *out, const char *text, size_t size, char one, char other);

/* Counts letters of ASCII, blanks and line ends among the first bytes. Stops where
 * something is not ASCII or less than SCAN_STEP bytes are left; returns how many bytes it
 * looked at. */
size_t scan_letters(const char *text, size_t size, size_t *letters);

#endif
