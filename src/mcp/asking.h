/*
 * Questions of tools/call: started, and followed until they rest. Where dragoman asks back, a
 * client with forms asks its user (elicit.h); every other one gets the options as a result.
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
/* The same for a question that waits, with its user's answer. */
void mcp_asking_resume(struct mcp_call *call, const char *query_id, const char *said);
/* The call ends with the options of the question as its result. */
void mcp_asking_offer(struct mcp_call *call, const json_t *answer);
/* An answer of the store, if it is the caller's; NULL and the error. */
const json_t *mcp_asking_load(struct mcp_call *call, struct arena *arena,
                              const char *query_id, struct dgm_error *error);

#endif
