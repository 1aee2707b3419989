/* An answer of the library as the data of a tool's result: compact, and no more than
 * MCP_RESULT_MOST bytes; what is left out is said. */
#ifndef DGM_MCP_RESULT_H
#define DGM_MCP_RESULT_H

#include <stdint.h>

#include "base/buf.h"
#include "base/json.h"

struct mcp_call;

/* The rows of an answer that was asked for, or of its SQL. answer: dgm_answer_json's. */
void mcp_result_answer(struct mcp_call *call, const json_t *answer);
/* The options of a question that waits for its user, with the context for who writes the SQL
 * instead, as JSON in `out`. */
void mcp_result_options(struct mcp_call *call, const json_t *answer, struct buf *out);
/* A question that dragoman could not answer, with the context for who can. */
void mcp_result_beyond(struct mcp_call *call, const json_t *answer);
/* How an answer was found. */
void mcp_result_explain(struct mcp_call *call, const json_t *answer);
/* Further rows: dgm_rows' page. */
void mcp_result_page(struct mcp_call *call, const char *query_id, const json_t *page);

#endif
