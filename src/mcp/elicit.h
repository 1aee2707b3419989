/* Asks the user of a client that has forms: elicitation/create as a request of ours (2025), or
 * as an input_required result whose answer comes with the request again (2026-07-28). */
#ifndef DGM_MCP_ELICIT_H
#define DGM_MCP_ELICIT_H

#include "mcp/call.h"

/* Asks what the answer object of a waiting question asks. False: the client has no forms,
 * or says no more. */
bool mcp_elicit(struct mcp_call *call, const json_t *answer);
/* Is it a request that comes again with the user's answer? Then it is handled. */
bool mcp_elicit_returns(struct mcp_call *call);

#endif
