/* A schema as text, JSON or an ER diagram. */
#ifndef DGM_SERVICE_SCHEMA_DRAW_H
#define DGM_SERVICE_SCHEMA_DRAW_H

#include <stdbool.h>

struct buf;
struct schema;

/* "text", "json" or "mermaid"; false for another format. */
bool schema_draw(const struct schema *schema, const char *format, struct buf *out);

#endif
