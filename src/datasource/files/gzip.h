/* Unpacks a gzip file piece by piece, to measure its size. */
#ifndef DGM_DATASOURCE_GZIP_H
#define DGM_DATASOURCE_GZIP_H

#include <stdbool.h>
#include <stddef.h>

struct err;

/* Gets a piece of the unpacked data; false, with err, stops. */
typedef bool (*gzip_take)(void *context, const char *data, size_t size, struct err *err);

/* Reads the descriptor from the start without moving its position. A damaged or truncated
 * file ends early without an error: DuckDB reports that when it reads the rows. */
bool gzip_read(int fd, gzip_take take, void *context, struct err *err);

#endif
