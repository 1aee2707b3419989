/* Base64 with the alphabet for URLs and without padding, as web tokens use it. */
#ifndef DGM_BASE_BASE64URL_H
#define DGM_BASE_BASE64URL_H

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct buf;

void base64url_write(struct buf *out, const void *data, size_t size);
/* The bytes, with a NUL behind them; NULL: not base64url. There is one spelling for any
 * bytes: padding, white space and left-over bits are refused. */
unsigned char *base64url_read(struct arena *arena, const char *text, size_t size,
                              size_t *out_size);

#endif
