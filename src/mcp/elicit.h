/* Asks the user of a client that has forms: elicitation/create as a request of ours (2025), or
 * as an input_required result whose answer comes with the request again (2026-07-28). */
#ifndef DGM_MCP_ELICIT_H
#define DGM_MCP_ELICIT_H

#include "mcp/call.h"

/* Asks what the answer object of a waiting question asks. False: the client has no forms,
 * or says no more. */
bool mcp_elicit(struct mcp_call *call, const json_t *answer);
/* The client's response to a request of ours. */
void mcp_elicit_answered(struct mcp_client *client, const struct mcp_message *message);
/* Ends a call that waits for its client with the options as its result. */
void mcp_elicit_give_up(struct mcp_call *call);
/* Is it a request that comes again with the user's answer? Then it is handled. */
bool mcp_elicit_returns(struct mcp_call *call);

#endif
