/* The tool `execute_sql`: SQL that a model or a person wrote, and further rows of a result. */
#include <string.h>

#include "base/str.h"
#include "mcp/asking.h"
#include "mcp/reply.h"
#include "mcp/result.h"
#include "mcp/tools.h"

enum { PAGE_ROWS = 1000 };

static struct dgm_question *start_sql(struct mcp_call *call, struct dgm_request *request,
                                      const void *context, struct dgm_error *error)
{
    return dgm_run_sql(mcp_call_dgm(call), context, request, error);
}

static void turn_page(struct mcp_call *call, const char *query_id, int64_t offset)
{
    struct dgm_error error = {.position = -1};
    char *text = dgm_rows(mcp_call_dgm(call), mcp_call_access(call), query_id,
                          offset > 0 ? offset : 0, PAGE_ROWS, &error);
    if (!text) {
        mcp_reply_failure(call, &error, NULL);
        return;
    }
    mcp_result_page(call, query_id, json_quick(call->arena, text, strlen(text)));
    dgm_free(text);
}

void mcp_tool_sql(struct mcp_call *call, const json_t *arguments)
{
    const char *sql = json_text_at(arguments, "sql");
    const char *query_id = json_text_at(arguments, "query_id");
    const char *datasource = json_text_at(arguments, "datasource");
    if (!str_empty(query_id)) {
        turn_page(call, query_id, json_int_at(arguments, "offset", 0));
        return;
    }
    struct dgm_request request = {.question = sql};
    request.datasource =
        str_empty(datasource) ? call->client->mcp->settings.datasource : datasource;
    if (str_empty(sql)) {
        mcp_reply_failed(call, "'sql' is missing; or give a query_id.");
        return;
    }
    mcp_asking_start(call, &request, start_sql, sql);
}
