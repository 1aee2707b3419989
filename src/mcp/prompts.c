/* Prompts: ready-made tasks that a person chooses in a client. */
#include <string.h>

#include "base/str.h"
#include "mcp/call.h"
#include "mcp/extras.h"
#include "mcp/methods.h"
#include "mcp/reply.h"

enum { ARGUMENTS = 3, TEXT_MOST = 256 * 1024 };

struct argument {
    const char *name; /* NULL: after the last */
    const char *about;
    bool needed;
};

struct prompt {
    const char *name;
    const char *title;
    const char *about;
    struct argument arguments[ARGUMENTS];
    const char *text; /* {name}: the value of an argument */
};

static const struct prompt table[] = {
    {
        "explore",
        "Get to know a database",
        "What is in a database, and what it can answer",
        {{"datasource", "Id of the datasource; empty: all", false}},
        "Find out what is in the database {datasource} with search_objects (first names, "
        "then summaries of what matters). Tell me in a few sentences what it is about, "
        "which tables belong together, and suggest five questions that it can answer.",
    },
    {
        "answer",
        "Answer a question with evidence",
        "An answer with its SQL, its assumptions and its limits",
        {{"question", "The question, in plain words", true},
         {"datasource", "Id of the datasource; empty: found from the question", false}},
        "Answer this question from the database {datasource}: {question}\n\nUse ask "
        "first. "
        "If it says choose, ask me which option is meant. If it says unsure, write the "
        "SQL "
        "yourself from its context, run it with execute_sql, and compare. Give the "
        "answer, "
        "the SQL, what was assumed, and what the rows do not tell.",
    },
    {
        "check_sql",
        "Check SQL against a question",
        "Whether a statement answers what was meant",
        {{"question", "What the statement should answer", true},
         {"sql", "The statement", true}},
        "Does this SQL answer the question \"{question}\"?\n\n{sql}\n\nLook up its "
        "tables "
        "with search_objects (detail full). Mind joins that count rows twice, rows that "
        "an "
        "inner join loses, NULLs, time ranges and units. Run it with execute_sql, ask "
        "the "
        "question with ask, and explain any difference.",
    },
    {
        "report",
        "Write a short report",
        "Several questions about one subject, and what follows from them",
        {{"subject", "What the report is about", true},
         {"datasource", "Id of the datasource; empty: found from the questions", false}},
        "Write a report of one page about {subject} from the database {datasource}. Plan "
        "three to six questions, answer each with ask, and check surprising figures with "
        "explain and execute_sql. Give the figures with their SQL in an appendix, and "
        "say "
        "what the data cannot tell.",
    },
};

enum { PROMPT_COUNT = sizeof table / sizeof *table };

static void write_prompt(struct writer *json, const struct prompt *prompt)
{
    writer_object(json);
    writer_key_text(json, "name", prompt->name);
    writer_key_text(json, "title", prompt->title);
    writer_key_text(json, "description", prompt->about);
    writer_key(json, "arguments");
    writer_array(json);
    for (const struct argument *at = prompt->arguments; at->name; at++) {
        writer_object(json);
        writer_key_text(json, "name", at->name);
        writer_key_text(json, "description", at->about);
        writer_key_bool(json, "required", at->needed);
        writer_object_end(json);
    }
    writer_array_end(json);
    writer_object_end(json);
}

void mcp_prompts_list(struct mcp_call *call)
{
    struct mcp_reply reply;
    if (mcp_method_refuses_cursor(call)) {
        return;
    }
    mcp_reply_open(&reply, call);
    writer_key(&reply.json, "prompts");
    writer_array(&reply.json);
    for (size_t i = 0; i < PROMPT_COUNT; i++) {
        write_prompt(&reply.json, &table[i]);
    }
    mcp_extras_list("prompts", &reply.json);
    writer_array_end(&reply.json);
    mcp_reply_cacheable(&reply, true);
    mcp_reply_close(&reply);
}

/* The text with the values in it, each as it is: no value is looked at for names. */
static void fill(const struct prompt *prompt, const json_t *values, struct buf *out)
{
    for (const char *at = prompt->text; *at;) {
        const char *end = *at == '{' ? strchr(at, '}') : NULL;
        const struct argument *argument = prompt->arguments;
        while (end && argument->name &&
               !(strlen(argument->name) == (size_t)(end - at - 1) &&
                 strncmp(argument->name, at + 1, strlen(argument->name)) == 0)) {
            argument++;
        }
        if (end && argument->name) {
            (void)buf_text(out, str_or_empty(json_text_at(values, argument->name)));
            at = end + 1;
        } else {
            (void)buf_char(out, *at++);
        }
    }
}

static const struct prompt *find(const char *name)
{
    for (size_t i = 0; i < PROMPT_COUNT; i++) {
        if (str_equal(table[i].name, name)) {
            return &table[i];
        }
    }
    return NULL;
}

void mcp_prompts_get(struct mcp_call *call)
{
    const json_t *values = json_object_at(call->params, "arguments");
    const struct prompt *prompt = find(json_text_at(call->params, "name"));
    if (!prompt && mcp_extras_handle(call)) {
        return;
    }
    if (!prompt) {
        mcp_reply_refuse(call, MCP_INVALID_PARAMS, "There is no such prompt.", NULL);
        return;
    }
    for (const struct argument *at = prompt->arguments; at->name; at++) {
        if (at->needed && str_empty(json_text_at(values, at->name))) {
            mcp_reply_refuse(
                call, MCP_INVALID_PARAMS,
                arena_format(call->arena, "The argument '%s' is missing.", at->name),
                NULL);
            return;
        }
    }
    struct buf text;
    struct mcp_reply reply;
    buf_init(&text, TEXT_MOST);
    fill(prompt, values, &text);
    mcp_reply_open(&reply, call);
    writer_key_text(&reply.json, "description", prompt->about);
    writer_key(&reply.json, "messages");
    writer_array(&reply.json);
    writer_object(&reply.json);
    writer_key_text(&reply.json, "role", "user");
    writer_key(&reply.json, "content");
    writer_object(&reply.json);
    writer_key_text(&reply.json, "type", "text");
    writer_key_text(&reply.json, "text", buf_get(&text));
    writer_object_end(&reply.json);
    writer_object_end(&reply.json);
    writer_array_end(&reply.json);
    mcp_reply_close(&reply);
    buf_release(&text);
}
