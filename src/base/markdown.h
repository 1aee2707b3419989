/* Foreign text in Markdown: shown as it is, never obeyed. */
#ifndef DGM_BASE_MARKDOWN_H
#define DGM_BASE_MARKDOWN_H

#include <stdbool.h>
#include <stddef.h>

struct buf;

/* Appends text for one cell of a table (or any one line): no cell ends, link, picture,
 * address that is made a link, code, emphasis or HTML begins in it; ends of lines become
 * <br>. False: the buffer is full. */
bool markdown_add(struct buf *out, const char *text, size_t size);

#endif
