/*
 * Questions of tools/call: started, followed by their events, and asked back where dragoman
 * is not sure. A client with forms asks its user (elicitation/create, or in 2026 an
 * input_required result); every other one gets the options as a result.
 */
#ifndef DGM_MCP_ASKING_H
#define DGM_MCP_ASKING_H

#include "mcp/call.h"

/* Starts a question of the library: dgm_ask or a similar function. */
typedef struct dgm_question *mcp_start(struct mcp_call *call, struct dgm_request *request,
                                       const void *context, struct dgm_error *error);

/* The call ends with what becomes of the question; of the request what the caller filled. */
void mcp_asking_start(struct mcp_call *call, struct dgm_request *request,
                      mcp_start *start, const void *context);
/* The client's response to a request of ours. */
void mcp_asking_answered(struct mcp_client *client, const struct mcp_message *message);
/* Ends a call that waits for its client with the options as its result. */
void mcp_asking_give_up(struct mcp_call *call);

#endif
