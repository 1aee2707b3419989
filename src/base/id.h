/* Identifiers that cannot be guessed: a prefix and 128 random bits. */
#ifndef DGM_BASE_ID_H
#define DGM_BASE_ID_H

#include <stdbool.h>

enum { ID_SIZE = 40 }; /* room for "prefix-" and 26 letters and digits, and the NUL */

void id_new(const char *prefix, char out[ID_SIZE]); /* prefix: at most 8 characters */
bool id_valid(const char *text);                    /* has the form of an id */

#endif
