/* Answers, schemas and messages in the format of the API below /agents/text-to-sql. */
#ifndef DGM_SERVER_ROUTES_AGENTS_H
#define DGM_SERVER_ROUTES_AGENTS_H

#include "base/json.h"

struct exchange;
struct inquiry;
struct writer;

enum { AGENTS_MOST = 1 << 30 };

/* Replies to its chat route. */
void agents_answered(struct exchange *exchange, struct inquiry *inquiry);
/* For a dataset with one table, that table is at the top level; `tables` always has
 * all. */
void agents_write_schema(struct writer *writer, const json_t *schema);
void agents_write_messages(struct writer *writer, const json_t *messages);

#endif
