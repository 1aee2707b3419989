/* Escapes foreign text in Markdown, so that it is shown literally. */
#ifndef DGM_BASE_MARKDOWN_H
#define DGM_BASE_MARKDOWN_H

#include <stdbool.h>
#include <stddef.h>

struct buf;

/*
 * Appends text for a table cell (or any single line): it cannot end the cell or create
 * links, images, automatic links, code, emphasis or HTML; line ends become <br>,
 * addresses become code, and characters that act or hide become U+FFFD. False: the buffer is full.
 */
bool markdown_add(struct buf *out, const char *text, size_t size);

#endif
