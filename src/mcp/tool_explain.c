/* The tool `explain`: how an earlier answer was found. */
#include "base/str.h"
#include "mcp/asking.h"
#include "mcp/reply.h"
#include "mcp/result.h"
#include "mcp/tools.h"

void mcp_tool_explain(struct mcp_call *call, const json_t *arguments)
{
    struct dgm_error error = {.position = -1};
    const json_t *answer = mcp_asking_load(
        call, call->arena, str_or_empty(json_text_at(arguments, "query_id")), &error);
    if (answer) {
        mcp_result_explain(call, answer);
    } else {
        mcp_reply_failure(call, &error, NULL);
    }
}
