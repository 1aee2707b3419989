/* Failures as services report them, made into our codes. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/str.h"
#include "llm/provider.h"

/* The error message in a service's reply; or NULL. */
static const char *problem_text(const json_t *root)
{
    const json_t *error = json_object_get(root, "error");
    if (json_is_array(root)) { /* some gateways wrap it in a list */
        error = json_object_get(json_array_get(root, 0), "error");
    }
    if (json_is_string(error)) {
        return json_string_value(error);
    }
    const char *text = json_text_at(error, "message");
    text = text ? text : json_text_at(root, "message");
    return text ? text : json_text_at(root, "detail");
}

static const char *problem_kind(const json_t *root)
{
    const json_t *error = json_object_get(root, "error");
    const char *kind = json_text_at(error, "code");
    return kind ? kind : json_text_at(error, "type");
}

struct row {
    int status;
    enum err_code code;
    bool retry;
    const char *message;
};

static const struct row rows[] = {
    {400, ERR_LLM_REFUSED, false, "The model service rejected the request."},
    {401, ERR_LLM_UNAUTHORIZED, false, "The model service did not accept the key."},
    {403, ERR_LLM_UNAUTHORIZED, false, "The model service does not allow this."},
    {404, ERR_LLM_MODEL_NOT_FOUND, false, "The model service does not know this model."},
    {408, ERR_LLM_TIMEOUT, true, "The model service ran out of time."},
    {409, ERR_LLM_UNAVAILABLE, true, "The model service is not ready."},
    {413, ERR_LLM_TOO_LARGE, false, "The prompt is too large for the model service."},
    {425, ERR_LLM_UNAVAILABLE, true, "The model service is not ready."},
    {429, ERR_LLM_RATE_LIMITED, true, "The model service limits the rate of requests."},
    {529, ERR_LLM_UNAVAILABLE, true, "The model service is overloaded."},
};

static const struct row server_trouble = {
    0, ERR_LLM_UNAVAILABLE, true, "The model service reported an internal error."};
static const struct row not_an_api = {0, ERR_LLM_REFUSED, false,
                                      "The model service rejected the request."};

/* Words in the service's message that say more than its status does. */
struct clue {
    const char *words;
    enum err_code code;
    bool retry;
    const char *message;
};

static const struct clue clues[] = {
    {"insufficient_quota", ERR_LLM_RATE_LIMITED, false,
     "The account at the model service has no credit left."},
    {"exceeded your current quota", ERR_LLM_RATE_LIMITED, false,
     "The account at the model service has no credit left."},
    {"credit balance is too low", ERR_LLM_RATE_LIMITED, false,
     "The account at the model service has no credit left."},
    {"context_length_exceeded", ERR_LLM_TOO_LARGE, false,
     "The prompt is longer than the model can read."},
    {"maximum context length", ERR_LLM_TOO_LARGE, false,
     "The prompt is longer than the model can read."},
    {"context window", ERR_LLM_TOO_LARGE, false,
     "The prompt is longer than the model can read."},
    {"prompt is too long", ERR_LLM_TOO_LARGE, false,
     "The prompt is longer than the model can read."},
    {"exceeds the available context size", ERR_LLM_TOO_LARGE, false,
     "The prompt is longer than the model can read."},
    {"model_not_found", ERR_LLM_MODEL_NOT_FOUND, false,
     "The model service does not know this model."},
    {"invalid_api_key", ERR_LLM_UNAUTHORIZED, false,
     "The model service did not accept the key."},
    {"overloaded_error", ERR_LLM_UNAVAILABLE, true, "The model service is overloaded."},
    {"rate_limit_error", ERR_LLM_RATE_LIMITED, true,
     "The model service limits the rate of requests."},
};

/* An option that is named in a refusal can be left out; the order matters. */
static const struct {
    const char *words;
    unsigned quirk;
} options[] = {
    {"stream_options", QUIRK_NO_STREAM_OPTIONS},
    {"max_completion_tokens", QUIRK_COMPLETION_TOKENS},
    {"response_format", QUIRK_NO_STRUCTURED},
    {"json_schema", QUIRK_NO_STRUCTURED},
    {"structured output", QUIRK_NO_STRUCTURED},
    {"input_schema", QUIRK_NO_STRUCTURED},
    {"tool_choice", QUIRK_NO_STRUCTURED},
    {"does not support tools", QUIRK_NO_STRUCTURED},
    {"temperature", QUIRK_NO_TEMPERATURE},
    {"stream", QUIRK_NO_STREAM},
};

static const struct row *row_for(int status)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (rows[i].status == status) {
            return &rows[i];
        }
    }
    return status >= 500 ? &server_trouble : &not_an_api;
}

static const struct clue *clue_in(const char *text)
{
    for (size_t i = 0; text && i < sizeof clues / sizeof *clues; i++) {
        if (str_contains_nocase(text, clues[i].words)) {
            return &clues[i];
        }
    }
    return NULL;
}

static unsigned quirk_in(const char *text)
{
    for (size_t i = 0; text && i < sizeof options / sizeof *options; i++) {
        if (str_contains_nocase(text, options[i].words)) {
            return options[i].quirk;
        }
    }
    return 0;
}

static void problem_say(struct err *err, enum err_code code, const char *message,
                        const char *kind, const char *text, int status)
{
    (void)err_set(err, code, "%s", message);
    if (text && *text) {
        (void)err_detail(err, "%s%s%.600s", kind ? kind : "", kind ? ": " : "", text);
    } else {
        (void)err_detail(err, "HTTP status %d", status);
    }
}

void problem_read(int status, const char *body, size_t size, struct llm_problem *problem,
                  struct err *err)
{
    json_t *root = said_parse(body, size);
    const char *text = problem_text(root);
    const char *kind = problem_kind(root);
    const struct row *row = row_for(status);
    const struct clue *clue = clue_in(kind);
    clue = clue ? clue : clue_in(text);
    /* a clue refines a refusal; what a service in trouble says is taken as it is */
    if (clue && status < 500) {
        problem_say(err, clue->code, clue->message, kind, text, status);
        problem->retry = clue->retry;
    } else {
        problem_say(err, row->code, row->message, kind, text, status);
        problem->retry = row->retry;
    }
    bool refused = (status == 400 || status == 422) && err->code == ERR_LLM_REFUSED;
    problem->quirk = refused ? quirk_in(text) : 0;
    if (status >= 300 && status < 400) {
        (void)err_hint(err, "The service answered with a redirect. Check llm.url.");
    } else if (status == 404 && !root) {
        (void)err_hint(
            err, "Nothing answers at this address. Check llm.url and llm.provider.");
    } else if (err->code == ERR_LLM_RATE_LIMITED && !problem->retry) {
        (void)err_hint(err, "Check the plan and the billing of the account.");
    }
    json_decref(root);
}

void problem_in_stream(const json_t *root, struct err *err)
{
    const char *text = problem_text(root);
    const char *kind = problem_kind(root);
    const struct clue *clue = clue_in(kind);
    clue = clue ? clue : clue_in(text);
    problem_say(err, clue ? clue->code : ERR_LLM_UNAVAILABLE,
                clue ? clue->message
                     : "The model service aborted the reply with an error.",
                kind, text ? text : "no reason given", 200);
}

/* "500ms", "1.5s", "6m0s", "20 seconds", "2 minutes": as milliseconds; -1: it is none. */
static int64_t read_wait(const char *text)
{
    static const struct {
        const char *unit;
        double ms;
    } units[] = {{"ms", 1}, {"milli", 1}, {"s", 1000}, {"m", 60000.0}, {"h", 3600000}};
    enum { WAIT_MOST = 24 * 3600 * 1000 };
    double wait = -1;
    for (char *end = NULL; (*text >= '0' && *text <= '9'); text = end) {
        double number = strtod(text, &end);
        end += *end == ' ';
        size_t i = 0;
        while (i < sizeof units / sizeof *units &&
               strncasecmp(end, units[i].unit, strlen(units[i].unit)) != 0) {
            i++;
        }
        if (i == sizeof units / sizeof *units || !(number < WAIT_MOST)) {
            break;
        }
        wait = (wait < 0 ? 0 : wait) + number * units[i].ms;
        end += strspn(end, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
    }
    return wait > WAIT_MOST ? WAIT_MOST : (int64_t)wait;
}

int64_t problem_wait_ms(const char *text)
{
    static const char *const before[] = {"try again in ", "try again after ", "retry in ",
                                         "retry after ",  "wait for ",        "wait "};
    for (size_t i = 0; text && i < sizeof before / sizeof *before; i++) {
        const char *at = strcasestr(text, before[i]);
        int64_t wait = at ? read_wait(at + strlen(before[i])) : -1;
        if (wait >= 0) {
            return wait;
        }
    }
    return -1;
}
