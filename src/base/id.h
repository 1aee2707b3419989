/* Identifiers that cannot be guessed: a prefix and 130 random bits, or 85 behind the
 * time. */
#ifndef DGM_BASE_ID_H
#define DGM_BASE_ID_H

#include <stdbool.h>

enum { ID_SIZE = 40 }; /* room for "prefix-" and 26 letters and digits, and the NUL */

void id_new(const char *prefix, char out[ID_SIZE]); /* prefix: at most 8 characters */
/* The same, but later ones sort behind earlier ones: a table that is kept by them grows
 * at its end instead of everywhere. Tells when it was made. */
void id_new_later(const char *prefix, char out[ID_SIZE]);
bool id_valid(const char *text); /* has the form of an id */

#endif
