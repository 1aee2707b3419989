/* The table of tools: listed for clients, and called. */
#include "mcp/tools.h"

#include <string.h>

#include "base/str.h"
#include "base/vec.h"
#include "mcp/call.h"
#include "mcp/elicit.h"
#include "mcp/extras.h"
#include "mcp/methods.h"
#include "mcp/reply.h"

static const struct mcp_tool table[] = {
    {
        .name = "ask",
        .about = "Answer a question about the data in plain words, with rows, SQL and "
                 "confidence. status choose or unsure: see options, context and next.",
        .arguments = {{"question", MCP_TEXT, false, NULL, "as the user said it"},
                      {"datasource", MCP_TEXT, false, NULL, NULL},
                      {"conversation", MCP_TEXT, false, NULL,
                       "new, or the id of an earlier result: for follow-ups"},
                      {"resume", MCP_TEXT, false, NULL,
                       "query_id of a result to go on with"},
                      {"option", MCP_TEXT, false, NULL,
                       "with resume: number of an option or reading, or words"}},
        .output = "\"status\":{\"type\":\"string\"},\"query_id\":{\"type\":\"string\"},"
                  "\"sql\":{\"type\":\"string\"},\"rows\":{\"type\":\"array\"},"
                  "\"truncated\":{\"type\":\"boolean\"}",
        .run = mcp_tool_ask,
        .helps = true,
    },
    {
        .name = "execute_sql",
        .about =
            "Run one SELECT that you wrote; only reading is possible. Or get further "
            "rows of a result: query_id and offset.",
        .arguments = {{"sql", MCP_TEXT, false, NULL, NULL},
                      {"datasource", MCP_TEXT, false, NULL, NULL},
                      {"query_id", MCP_TEXT, false, NULL, NULL},
                      {"offset", MCP_INTEGER, false, NULL, NULL}},
        .output = "\"query_id\":{\"type\":\"string\"},\"columns\":{\"type\":\"array\"},"
                  "\"rows\":{\"type\":\"array\"},\"truncated\":{\"type\":\"boolean\"}",
        .run = mcp_tool_sql,
    },
    {
        .name = "search_objects",
        .about = "Find tables, columns, values, metrics and saved queries by words; "
                 "without words all tables.",
        .arguments = {{"words", MCP_TEXT, false, NULL, NULL},
                      {"datasource", MCP_TEXT, false, NULL, NULL},
                      {"detail", MCP_TEXT, false, "names|summary|full", NULL}},
        .output = "\"objects\":{\"type\":\"array\"},\"truncated\":{\"type\":\"boolean\"}",
        .run = mcp_tool_search,
    },
    {
        .name = "explain",
        .about =
            "How an earlier answer was found: SQL, tables, steps, confidence and why.",
        .arguments = {{"query_id", MCP_TEXT, true, NULL, NULL}},
        .output = "\"sql\":{\"type\":\"string\"},\"path\":{\"type\":\"array\"}",
        .run = mcp_tool_explain,
    },
};

enum { TOOL_COUNT = sizeof table / sizeof *table };

static void write_argument(struct writer *json, const struct mcp_argument *argument)
{
    writer_key(json, argument->name);
    writer_object(json);
    writer_key_text(json, "type", argument->type == MCP_TEXT ? "string" : "integer");
    writer_key_text(json, "description", argument->about);
    if (argument->choices) {
        struct arena *arena = arena_new();
        struct texts choices = {0};
        str_split(arena, argument->choices, '|', &choices);
        writer_key_texts(json, "enum", &choices);
        arena_free(arena);
    }
    writer_object_end(json);
}

static void write_input(struct writer *json, const struct mcp_tool *tool)
{
    struct arena *arena = arena_new();
    struct texts needed = {0};
    writer_key(json, "inputSchema");
    writer_object(json);
    writer_key_text(json, "type", "object");
    writer_key(json, "properties");
    writer_object(json);
    for (const struct mcp_argument *at = tool->arguments; at->name; at++) {
        write_argument(json, at);
        if (at->needed) {
            VEC_PUSH(arena, &needed, at->name);
        }
    }
    writer_object_end(json);
    writer_key_texts(json, "required", &needed);
    writer_object_end(json);
    arena_free(arena);
}

static void write_tool(struct writer *json, const struct mcp_tool *tool)
{
    struct arena *arena = arena_new();
    writer_object(json);
    writer_key_text(json, "name", tool->name);
    writer_key_text(json, "description", tool->about);
    write_input(json, tool);
    writer_key(json, "outputSchema");
    writer_raw(json, arena_format(arena, "{\"type\":\"object\",\"properties\":{%s}}",
                                  tool->output));
    writer_key(json, "annotations");
    writer_object(json);
    writer_key_bool(json, "readOnlyHint", true);
    writer_object_end(json);
    writer_object_end(json);
    arena_free(arena);
}

void mcp_tools_list(struct mcp_call *call)
{
    if (mcp_method_refuses_cursor(call)) {
        return;
    }
    struct mcp_reply reply;
    mcp_reply_open(&reply, call);
    writer_key(&reply.json, "tools");
    writer_array(&reply.json);
    for (size_t i = 0; i < TOOL_COUNT; i++) {
        write_tool(&reply.json, &table[i]);
    }
    mcp_extras_list("tools", &reply.json);
    writer_array_end(&reply.json);
    mcp_reply_cacheable(&reply, true);
    mcp_reply_close(&reply);
}

static const struct mcp_argument *find_argument(const struct mcp_tool *tool,
                                                const char *name)
{
    const struct mcp_argument *at = tool->arguments;
    while (at->name && !str_equal(at->name, name)) {
        at++;
    }
    return at->name ? at : NULL;
}

static bool is_choice(struct arena *arena, const char *choices, const char *value)
{
    struct texts list = {0};
    str_split(arena, choices, '|', &list);
    for (size_t i = 0; i < list.count; i++) {
        if (str_equal(list.items[i], value)) {
            return true;
        }
    }
    return false;
}

/* What is wrong with an argument, for the model that wrote it; NULL: nothing. */
static const char *problem_of(struct mcp_call *call, const char *name,
                              const json_t *value)
{
    const struct mcp_argument *argument = find_argument(call->tool, name);
    if (!argument) {
        return arena_format(call->arena, "There is no argument '%.60s'.", name);
    }
    if (json_is_null(value)) {
        return NULL;
    }
    if (argument->type == MCP_INTEGER && !json_is_integer(value)) {
        return arena_format(call->arena, "'%s' must be an integer.", name);
    }
    if (argument->type == MCP_TEXT && !json_is_string(value) && !json_is_integer(value)) {
        return arena_format(call->arena, "'%s' must be a text.", name);
    }
    const char *text = json_string_value(value);
    if (argument->choices && !is_choice(call->arena, argument->choices, text)) {
        return arena_format(call->arena, "'%s' must be one of: %s.", name,
                            argument->choices);
    }
    return NULL;
}

static const char *check_arguments(struct mcp_call *call, json_t *arguments)
{
    const char *name = NULL;
    json_t *value = NULL;
    json_object_foreach(arguments, name, value)
    {
        const char *problem = problem_of(call, name, value);
        if (problem) {
            return problem;
        }
    }
    for (const struct mcp_argument *at = call->tool->arguments; at->name; at++) {
        const json_t *given = json_object_get(arguments, at->name);
        if (at->needed && (!given || json_is_null(given))) {
            return arena_format(call->arena, "'%s' is missing.", at->name);
        }
    }
    return NULL;
}

void mcp_tools_call(struct mcp_call *call)
{
    const char *name = json_text_at(call->params, "name");
    json_t *arguments = json_object_get(call->params, "arguments");
    for (size_t i = 0; i < TOOL_COUNT && name; i++) {
        call->tool = str_equal(table[i].name, name) ? &table[i] : call->tool;
    }
    if (!call->tool && mcp_extras_handle(call)) {
        return;
    }
    if (!call->tool) {
        mcp_reply_refuse(
            call, MCP_INVALID_PARAMS,
            arena_format(call->arena, "There is no tool '%.60s'.", name ? name : ""),
            NULL);
        return;
    }
    if (arguments && !json_is_object(arguments)) {
        mcp_reply_refuse(call, MCP_INVALID_PARAMS, "The arguments must be an object.",
                         NULL);
        return;
    }
    const char *problem = check_arguments(call, arguments);
    if (problem) {
        mcp_reply_failed(call, problem);
        return;
    }
    if (!mcp_elicit_returns(call)) {
        call->tool->run(call, arguments);
    }
}
