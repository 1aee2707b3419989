/* Refuses requests whose clients could not read the reply. */
#include "server/openai/demands.h"

#include "base/err.h"
#include "base/str.h"

/* One answer, or not said. */
static bool one_answer(const json_t *body)
{
    const json_t *count = json_object_get(body, "n");
    return !count || json_is_null(count) ||
           (json_is_integer(count) && json_integer_value(count) == 1);
}

static bool is_json(const json_t *format)
{
    return str_starts(str_or_empty(json_text_at(format, "type")), "json");
}

static bool text_wanted(const json_t *body)
{
    return !is_json(json_object_at(body, "response_format"));
}

/* Of /v1/responses. */
static bool text_format_wanted(const json_t *body)
{
    return !is_json(json_object_at(json_object_at(body, "text"), "format"));
}

/* "auto" and "none" leave it to us, and we call none. */
static bool tools_free(const json_t *body)
{
    const json_t *choice = json_object_get(body, "tool_choice");
    return !json_is_object(choice) && !str_equal(json_string_value(choice), "required");
}

static const struct {
    const char *param;
    bool (*good)(const json_t *body);
    const char *why;
} demands[] = {
    {"n", one_answer, "There is one answer to each question: 'n' must be 1."},
    {"response_format", text_wanted, "The answer is Markdown; it cannot be JSON."},
    {"text", text_format_wanted, "The answer is Markdown; it cannot be JSON."},
    {"tool_choice", tools_free, "This model calls no tools, so none can be required."},
};

bool openai_demands_check(const json_t *body, const char **param, struct err *err)
{
    for (size_t i = 0; i < sizeof demands / sizeof *demands; i++) {
        if (!demands[i].good(body)) {
            *param = demands[i].param;
            (void)err_set(err, ERR_INVALID_DATA, "%s", demands[i].why);
            return err_hint(err, "Leave the field out.");
        }
    }
    return true;
}
