/* The models of the OpenAI-compatible interface: datasources, and one that finds them. */
#include <string.h>

#include "base/clock.h"
#include "base/str.h"
#include "base/writer.h"
#include "server/exchange.h"
#include "server/request.h"
#include "server/response.h"
#include "server/routes/openai.h"
#include "server/routes/routes.h"
#include "server/state.h"

enum { MODELS_MOST = 4 << 20 };

/* The model that finds the right datasource for each question. */
static const char any_model[] = "dragoman";
static const char dataset_prefix[] = "dataset:";

static void write_model(struct writer *writer, const struct exchange *exchange,
                        const char *id)
{
    int64_t age_ms = clock_ms() - exchange->server->born_ms;
    writer_object(writer);
    writer_key_text(writer, "id", id);
    writer_key_text(writer, "object", "model");
    writer_key_int(writer, "created", clock_wall_s() - age_ms / 1000);
    writer_key_text(writer, "owned_by", any_model);
    writer_object_end(writer);
}

/* Takes over the text. */
static const json_t *read_list(struct exchange *exchange, char *text)
{
    const json_t *list = text ? json_quick(exchange->arena, text, strlen(text)) : NULL;
    dgm_free(text);
    return list;
}

static const json_t *list_datasets(struct exchange *exchange)
{
    struct dgm_error ignored;
    return read_list(exchange, dgm_dataset_list(exchange->server->dgm,
                                                exchange->caller.account, &ignored));
}

static void write_models(struct writer *writer, struct exchange *exchange,
                         const json_t *list, const char *prefix, const char *key)
{
    size_t index = 0;
    const json_t *item = NULL;
    json_array_foreach(list, index, item)
    {
        write_model(writer, exchange,
                    arena_format(exchange->arena, "%s%s", prefix,
                                 str_or_empty(json_text_at(item, key))));
    }
}

void openai_models(struct exchange *exchange)
{
    struct buf buf;
    struct writer writer;
    const struct dgm_access *access = routes_access(exchange);
    buf_init(&buf, MODELS_MOST);
    writer_init(&writer, &buf);
    writer_object(&writer);
    writer_key_text(&writer, "object", "list");
    writer_key(&writer, "data");
    writer_array(&writer);
    write_model(&writer, exchange, any_model);
    write_models(&writer, exchange,
                 read_list(exchange, dgm_datasources_for(exchange->server->dgm, access)),
                 "", "id");
    if (!*access->datasources) { /* a key for certain datasources has no datasets */
        write_models(&writer, exchange, list_datasets(exchange), dataset_prefix, "name");
    }
    writer_array_end(&writer);
    writer_object_end(&writer);
    response_buf(exchange, 200, &buf);
}

/* The id of the dataset that a model names; else the model itself. */
static const char *source_name(struct exchange *exchange, const char *model)
{
    bool named = str_starts(model, dataset_prefix);
    const json_t *datasets = named ? list_datasets(exchange) : NULL;
    size_t index = 0;
    const json_t *dataset = NULL;
    json_array_foreach(datasets, index, dataset)
    {
        if (str_equal(json_text_at(dataset, "name"), model + strlen(dataset_prefix))) {
            return json_text_at(dataset, "id");
        }
    }
    return model;
}

bool openai_find_model(struct exchange *exchange, const char *model,
                       const char **datasource)
{
    struct dgm_error error = {.position = -1};
    *datasource = NULL;
    if (str_equal(model, any_model)) {
        return true;
    }
    char *id = str_empty(model)
                   ? NULL
                   : dgm_access_source(exchange->server->dgm, routes_access(exchange),
                                       source_name(exchange, model), &error);
    *datasource = arena_text(exchange->arena, id);
    dgm_free(id);
    exchange->param = *datasource ? NULL : "model";
    if (!*datasource && (str_empty(model) || error.http_status == 404)) {
        struct err err;
        (void)err_set(&err, ERR_DATASOURCE_NOT_FOUND,
                      "The model '%.60s' does not exist, or the key may not use it.",
                      model);
        (void)err_hint(&err, "GET /v1/models lists the models.");
        response_err(exchange, &err);
    } else if (!*datasource) {
        response_error(exchange, &error);
    }
    return *datasource != NULL;
}

void openai_model(struct exchange *exchange)
{
    struct buf buf;
    struct writer writer;
    const char *datasource = NULL;
    const char *model = request_parameter(exchange, 0);
    if (openai_find_model(exchange, model, &datasource)) {
        buf_init(&buf, MODELS_MOST);
        writer_init(&writer, &buf);
        write_model(&writer, exchange, model);
        response_buf(exchange, 200, &buf);
    }
}
