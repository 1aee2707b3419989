/*
 * Requests of the server to a client of 2025, on the stream of the call that causes them: a
 * form for its user, a text of its model. The call stays open until the client responds.
 */
#ifndef DGM_MCP_CLIENT_REQUEST_H
#define DGM_MCP_CLIENT_REQUEST_H

#include "mcp/call.h"

/* What the client responded; NULL: an error, or it will not respond (the call has ended, or
 * the client says no more). Called once for each request, without locks. `result` is valid
 * during the call. */
typedef void mcp_heard(struct mcp_call *call, const json_t *result, void *context);

/* Sends a request. params: a JSON object. False: nobody would respond, and `heard` is not
 * called. */
bool mcp_client_request(struct mcp_call *call, const char *method, const char *params,
                        mcp_heard *heard, void *context);
/* No request, but the call stays open like one that waits for a response: `heard` is called
 * when nobody will hear for it any more. False: it has ended. */
bool mcp_client_request_hold(struct mcp_call *call, mcp_heard *heard, void *context);
/* A response of the client, to whichever call waits for it. */
void mcp_client_request_answered(struct mcp_client *client,
                                 const struct mcp_message *message);
/* Nobody responds to the requests of this call any more. */
void mcp_client_request_give_up(struct mcp_call *call);

#endif
