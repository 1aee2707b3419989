/*
 * The interface to a model service. A new service is a file with such a table and a row
 * in registry.c; sending, retries, counting and stopping are shared.
 */
#ifndef DGM_LLM_PROVIDER_H
#define DGM_LLM_PROVIDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/json.h"
#include "base/vec.h"
#include "llm/llm.h"

/* The options of this model, copied and resolved once. */
struct llm_settings {
    const char *url; /* where requests go, complete */
    const char *safe_url;
    const char *key; /* or "" */
    const char *model;
    double temperature;
    int context_tokens;
    int reply_tokens;
    bool stream;
    bool structured;
    int64_t connect_timeout_ms;
    int64_t idle_timeout_ms;
    int64_t total_timeout_ms;
    int max_retries;
    int64_t retry_base_ms;
    size_t max_reply_bytes;
    double price_in; /* US dollars per million tokens; -1: built-in list */
    double price_out;
};

/*
 * Options that a service does not accept; learned from its refusals, per llm.
 */
enum llm_quirk {
    QUIRK_NO_STRUCTURED = 1,     /* no JSON schema for the reply */
    QUIRK_NO_STREAM_OPTIONS = 2, /* no token counts in a stream */
    QUIRK_NO_TEMPERATURE = 4,
    QUIRK_COMPLETION_TOKENS = 8, /* max_completion_tokens instead of max_tokens */
    QUIRK_NO_STREAM = 16,
};

/* The parts of a call that its request consists of. */
struct llm_ask {
    const char *stage;
    const char *schema; /* or NULL */
    size_t schema_size;
    int max_tokens;
    unsigned quirks;
};

/* A request body: options first, then the texts. If the service refuses an option, only
 * the first part is rewritten, so the texts are not stored twice. */
struct llm_body {
    struct buf json;
    size_t schema_at; /* where the schema is in it; size 0: it is not in it */
    size_t schema_size;
    size_t texts_at;
};

/* What the model has replied so far. */
struct llm_frame;

struct llm_said {
    struct buf text;
    struct llm_frame *frame; /* see openai_quick.c; NULL before the first piece */
    int tokens_in;           /* -1: not told */
    int tokens_out;
    bool finished; /* the service said that this is all */
    bool cut;      /* at the token limit */
    bool failed;
    struct err *error; /* filled when failed; set by the caller of event() and whole() */
};

enum llm_framing { LLM_FRAMING_SSE, LLM_FRAMING_LINES };

struct writer;

struct llm_provider {
    const char *name;
    const char *default_url; /* "" when it has no service of its own */
    const char *default_model;
    bool needs_key;           /* at its own service */
    enum llm_framing framing; /* of a streamed reply */
    /* Converts the configured URL to the address of the chat endpoint. */
    char *(*address)(struct arena *arena, const char *url);
    void (*headers)(struct arena *arena, const struct llm_settings *settings,
                    struct texts *headers);
    /* Writes "{" and the options, including the comma before the texts. */
    void (*head)(const struct llm_settings *settings, const struct llm_ask *ask,
                 struct llm_body *body);
    /* The texts and the closing "}". */
    void (*texts)(const struct llm_call *call, struct buf *out);
    /* Processes one streamed piece; false: not understood (said->error may have the
     * reason). */
    bool (*event)(struct llm_said *said, const char *data, size_t size);
    /* A whole reply. */
    bool (*whole)(struct llm_said *said, const char *data, size_t size);
};

extern const struct llm_provider llm_openai;
extern const struct llm_provider llm_anthropic;
extern const struct llm_provider llm_ollama;
extern const struct llm_provider llm_mcp; /* a name only, like the next: see host.c */
extern const struct llm_provider llm_scripted; /* it answers by itself */

/* registry.c */
const struct llm_provider *llm_provider_find(const char *name, size_t size);
/* Which provider, model and address the options mean. */
const struct llm_provider *llm_resolve(const struct options *options, struct arena *arena,
                                       struct llm_settings *settings, struct err *err);

/* address.c: pieces of URLs. */
/* The path, "" when there is none; *query is what follows, with its "?". */
char *address_split(struct arena *arena, const char *url, char **path,
                    const char **query);
char *address_safe(struct arena *arena, const char *url);

/* problem.c: an HTTP reply that reports a failure. */
struct llm_problem {
    bool retry;     /* temporary */
    unsigned quirk; /* the option that it does not accept */
};
void problem_read(int status, const char *body, size_t size, struct llm_problem *problem,
                  struct err *err);
/* The same for an error object inside a stream. */
void problem_in_stream(const json_t *root, struct err *err);
/* The wait that an error message asks for ("Please try again in 1.5s"); -1: none. */
int64_t problem_wait_ms(const char *text);

/* schema.c: decides whether OpenAI's strict mode can be used */
bool schema_is_strict(const char *schema, size_t size);

/* Writes the call's schema as the value of the key just written, and remembers where. */
void body_schema(struct llm_body *body, struct writer *writer, const struct llm_ask *ask);

/* Appends the text of a JSON string without NULs. False beyond the limit. */
bool said_add(struct llm_said *said, const json_t *text);
/* Parses JSON of a service, allowing duplicate keys. */
json_t *said_parse(const char *data, size_t size);
bool said_nonsense(struct llm_said *said, const char *what);
int said_count(const json_t *object, const char *key, int before);

/* cost.c */
bool cost_of(const struct llm_settings *settings, int tokens_in, int tokens_out,
             double *dollars);

/* retry.c */
enum retry_kind { RETRY_NEVER, RETRY_ONCE, RETRY_AGAIN };
enum retry_kind retry_kind_of(enum err_code code, bool passing);
/* Milliseconds until the next attempt; -1: no further attempt. */
int64_t retry_wait_ms(const struct llm_settings *settings, enum retry_kind kind,
                      int failures, int64_t retry_after_ms);

#endif
