/* A call's request body: built, its beginning shared with others, built anew. */
#include <string.h>

#include "base/memory.h"
#include "llm/call.h"

enum {
    BODY_MOST = 64 * 1024 * 1024,
    HEAD_BYTES = 512, /* the options, about */
};

/* Room at once for what will probably be written: texts, an escape here and there. */
static void build_init(struct llm_body *build, size_t size)
{
    *build = (struct llm_body){0};
    buf_init(&build->json, BODY_MOST);
    build->json.capacity = size + size / 8 + HEAD_BYTES;
    build->json.data = memory_resize(NULL, build->json.capacity);
    build->json.data[0] = '\0';
}

/* What waits for seconds is small: the common part of it is not ours alone, the rest has
 * its exact size. */
static void build_rest(struct llm_body *build, struct llm_ticket *ticket)
{
    const struct buf *json = &build->json;
    struct exchange_body *body = &ticket->body;
    body->prefix =
        prefix_take(&ticket->llm->shelf, json->data, json->size, &body->prefix_size);
    body->rest_size = json->size - body->prefix_size;
    body->rest = body->rest_size
                     ? memory_copy(json->data + body->prefix_size, body->rest_size)
                     : NULL;
    body->schema_at = build->schema_at;
    body->schema_size = build->schema_size;
    body->texts_at = build->texts_at;
    buf_release(&build->json);
}

static struct llm_ask ask_of(const struct llm_ticket *ticket, const char *schema,
                             size_t schema_size)
{
    return (struct llm_ask){.stage = ticket->call.stage,
                            .schema = schema_size ? schema : NULL,
                            .schema_size = schema_size,
                            .max_tokens = ticket->call.max_tokens,
                            .quirks = ticket->quirks};
}

static size_t length_of(const char *text)
{
    return text ? strlen(text) : 0;
}

void exchange_prepare(struct llm_ticket *ticket, const struct llm_call *call)
{
    const struct llm_provider *provider = ticket->llm->provider;
    struct llm_body build;
    size_t schema_size = length_of(call->schema);
    ticket->quirks = atomic_load(&ticket->llm->quirks);
    struct llm_ask ask = ask_of(ticket, call->schema, schema_size);
    build_init(&build, schema_size + length_of(call->system) + length_of(call->user));
    provider->head(&ticket->llm->settings, &ask, &build);
    build.texts_at = build.json.size;
    provider->texts(call, &build.json);
    build_rest(&build, ticket);
}

void exchange_rebuild(struct llm_ticket *ticket)
{
    struct exchange_body *body = &ticket->body;
    struct exchange_body old = *body;
    struct buf whole;
    struct llm_body build;
    buf_init(&whole, BODY_MOST);
    (void)buf_add(&whole, old.prefix ? old.prefix->data : "", old.prefix_size);
    (void)buf_add(&whole, old.rest, old.rest_size);
    build_init(&build, whole.size);
    struct llm_ask ask = ask_of(ticket, whole.data + old.schema_at, old.schema_size);
    ticket->llm->provider->head(&ticket->llm->settings, &ask, &build);
    build.texts_at = build.json.size;
    (void)buf_add(&build.json, whole.data + old.texts_at, whole.size - old.texts_at);
    build_rest(&build, ticket);
    buf_release(&whole);
    exchange_body_release(&old);
}

int exchange_tokens(const struct exchange_body *body)
{
    size_t from = body->texts_at;
    size_t shared = from < body->prefix_size ? body->prefix_size - from : 0;
    size_t own = from > body->prefix_size ? from - body->prefix_size : 0;
    int tokens = shared ? llm_tokens(body->prefix->data + from, shared) : 0;
    return tokens + (body->rest_size > own
                         ? llm_tokens(body->rest + own, body->rest_size - own)
                         : 0);
}

void exchange_body_release(struct exchange_body *body)
{
    prefix_unref(body->prefix);
    memory_free(body->rest);
    *body = (struct exchange_body){0};
}
