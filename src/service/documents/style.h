/* The style sheet of the page that shows kept answers, and its hash for the
 * Content-Security-Policy. */
#ifndef DGM_SERVICE_STYLE_H
#define DGM_SERVICE_STYLE_H

enum { STYLE_HASH_SIZE = 64 };

struct buf;

void style_write(struct buf *out);
/* "sha256-…" as a Content-Security-Policy names it. */
void style_hash(char out[STYLE_HASH_SIZE]);

#endif
