/* Identifiers that cannot be guessed: a prefix and 130 random bits; or the time and 85
 * random bits. */
#ifndef DGM_BASE_ID_H
#define DGM_BASE_ID_H

#include <stdbool.h>

enum { ID_SIZE = 40 }; /* room for "prefix-" and 26 letters and digits, and the NUL */

void id_new(const char *prefix, char out[ID_SIZE]); /* prefix: at most 8 characters */
/* An id that sorts by time, so that tables with it as key grow at their end. It reveals
 * when it was created. */
void id_new_later(const char *prefix, char out[ID_SIZE]);
bool id_valid(const char *text); /* has the form of an id */

#endif
