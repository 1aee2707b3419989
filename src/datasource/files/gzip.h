/* What a file packed with gzip holds, piece by piece: read here only to be measured. */
#ifndef DGM_DATASOURCE_GZIP_H
#define DGM_DATASOURCE_GZIP_H

#include <stdbool.h>
#include <stddef.h>

struct err;

/* Takes one piece of the unpacked text; false, with err, ends the reading. */
typedef bool (*gzip_take)(void *context, const char *data, size_t size, struct err *err);

/* The descriptor is read from its beginning and stays where it is. A file that is damaged
 * or cut off ends where it cannot be read any more: who reads its rows says so. */
bool gzip_read(int fd, gzip_take take, void *context, struct err *err);

#endif
