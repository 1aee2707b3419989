/* Writes what the server says: responses, errors and notifications. */
#ifndef DGM_MCP_REPLY_H
#define DGM_MCP_REPLY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/writer.h"
#include "mcp/message.h"

struct dgm_error;
struct mcp_call;
struct mcp_outlet;

enum { MCP_REPLY_MOST = 4 << 20 };

/* The response of a call: open it, write the fields of the result, close it. */
struct mcp_reply {
    struct mcp_call *call;
    struct buf buf;
    struct writer json;
    bool greets; /* it answers initialize */
};

void mcp_reply_open(struct mcp_reply *reply, struct mcp_call *call);
/* The same with another resultType than "complete". */
void mcp_reply_open_as(struct mcp_reply *reply, struct mcp_call *call, const char *type);
/* How long, and by whom, the result may be kept; only 2026-07-28 has it. Lists depend on
 * the caller's key, so other callers must not get them. */
void mcp_reply_cacheable(struct mcp_reply *reply, bool for_all);
void mcp_reply_close(struct mcp_reply *reply);

/* A tool's result: the same JSON object as text and as structured content. */
void mcp_reply_result(struct mcp_call *call, const char *text, size_t size);
/* A tool's result that says what went wrong, for the model to act on. */
void mcp_reply_failed(struct mcp_call *call, const char *text);
/* query_id: of the question that failed, for `explain`; or NULL. */
void mcp_reply_failure(struct mcp_call *call, const struct dgm_error *error,
                       const char *query_id);

/* An error of the protocol. data: JSON, or NULL. */
void mcp_reply_refuse(struct mcp_call *call, enum mcp_error error, const char *problem,
                      const char *data);
void mcp_reply_refuse_as(struct mcp_call *call, enum mcp_error error,
                         unsigned http_status, const char *problem, const char *data);
/* The same where there is no call. id NULL: null. */
void mcp_reply_error(const struct mcp_outlet *outlet, const char *id,
                     enum mcp_error error, unsigned http_status, const char *problem);

/* A notification about the progress of the call, if its client wants them. */
void mcp_reply_progress(struct mcp_call *call, const char *text);

/* {"name", "version", …} of this program. */
void mcp_reply_server(struct writer *json);

#endif
