/*
 * Kept answers as one HTML page that loads nothing: no script, no address, all text escaped. It
 * is what an export writes and what a link shows.
 */
#ifndef DGM_SERVICE_DOCUMENT_H
#define DGM_SERVICE_DOCUMENT_H

#include "base/json.h"

struct arena;
struct buf;

/* document: what kept_document() made, perhaps with `expires_at`. It is read as if it came from
 * anywhere: what is missing or of another type is left out. Check out->full afterwards. */
void document_write(const json_t *document, struct arena *arena, struct buf *out);
/* A page with a title and one sentence. */
void document_write_notice(const char *title, const char *sentence, struct buf *out);

#endif
