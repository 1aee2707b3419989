/* The tables, columns, values and metrics of a schema (dgm_schema's JSON): found by words, and
 * told in a few bytes. */
#ifndef DGM_MCP_OBJECTS_H
#define DGM_MCP_OBJECTS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/json.h"
#include "base/vec.h"

struct dgm_error;
struct mcp_call;

/* The words of a text that may name something: lower case, singular, no common words. */
void mcp_objects_words(struct arena *arena, const char *text, struct texts *words);
/* How well a text fits the words: 0 not at all. */
int mcp_objects_fit(const struct texts *words, const char *text);
/* The same for a table with all that belongs to it. */
int mcp_objects_score(const struct texts *words, const json_t *table);
/* "orders(id INTEGER key, customer_id INTEGER -> customers.id, status TEXT [paid, sent])" */
void mcp_objects_tell(const json_t *table, struct buf *out);
/* The schema as the caller of the call may see it; NULL and the error. */
const json_t *mcp_objects_schema(struct mcp_call *call, struct arena *arena,
                                 const char *datasource, struct dgm_error *error);
/* The datasources that the caller may see, by id. */
void mcp_objects_sources(struct mcp_call *call, struct arena *arena, struct texts *ids);

#endif
