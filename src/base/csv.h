/* CSV fields that no spreadsheet interprets as a formula. */
#ifndef DGM_BASE_CSV_H
#define DGM_BASE_CSV_H

#include <stdbool.h>
#include <stddef.h>

struct buf;

/* Would a spreadsheet evaluate this text? That is, does it begin with = + - @ (also as
 * wide characters), a tab or a line end, without being a plain number such as -1.5e3? */
bool csv_is_formula(const char *text, size_t size);
/* Appends a field: quoted if necessary, with a leading apostrophe if it would be a
 * formula. NULL is an empty field, "" a quoted one. False: the buffer is full. */
bool csv_add(struct buf *out, const char *text, size_t size);

#endif
