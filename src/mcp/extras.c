/* Nothing beside dragoman's own tools, resources and prompts. */
#include "mcp/extras.h"

void mcp_extras_list(const char *list, struct writer *json)
{
    (void)list;
    (void)json;
}

bool mcp_extras_handle(struct mcp_call *call)
{
    (void)call;
    return false;
}
