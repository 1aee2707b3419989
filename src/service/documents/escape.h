/*
 * Text of any origin as text of HTML, for elements and for attributes in double quotes.
 *
 * What could end the element or the attribute is escaped. Characters that change the direction or
 * the look of their neighbours, and control characters, become "[U+202E]", so that readers see them.
 */
#ifndef DGM_SERVICE_ESCAPE_H
#define DGM_SERVICE_ESCAPE_H

#include <stddef.h>

struct buf;

void escape_text_n(struct buf *out, const char *text, size_t size);
/* At most `most` bytes of it, with "…" if something was left out. */
void escape_text_cut(struct buf *out, const char *text, size_t size, size_t most);

#endif
