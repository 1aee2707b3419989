/* How the API below /agents/text-to-sql shows answers, schemas and messages. */
#ifndef DGM_SERVER_ROUTES_AGENTS_H
#define DGM_SERVER_ROUTES_AGENTS_H

#include "base/json.h"

struct exchange;
struct inquiry;
struct writer;

enum { AGENTS_MOST = 1 << 30 };

/* The reply of its chat. */
void agents_answered(struct exchange *exchange, struct inquiry *inquiry);
/* A dataset of one table has it at the top; all of them are in `tables`. */
void agents_write_schema(struct writer *writer, const json_t *schema);
void agents_write_messages(struct writer *writer, const json_t *messages);

#endif
