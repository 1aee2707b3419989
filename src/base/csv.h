/* Fields of CSV that no spreadsheet takes for a formula. */
#ifndef DGM_BASE_CSV_H
#define DGM_BASE_CSV_H

#include <stdbool.h>
#include <stddef.h>

struct buf;

/* Would a spreadsheet calculate this text? It begins with = + - @ (also in their wide
 * forms), a tab or an end of line, and is no plain number such as -1.5e3. */
bool csv_is_formula(const char *text, size_t size);
/* Appends a field: in quotes where it needs them, after an apostrophe where it would be
 * a formula. NULL is an empty field, "" a quoted one. False: the buffer is full. */
bool csv_add(struct buf *out, const char *text, size_t size);

#endif
