/* Settings, as far as the caller may see them, and the test of the model's connection. */
#include <stdlib.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/str.h"
#include "base/writer.h"
#include "server/exchange.h"
#include "server/request.h"
#include "server/response.h"
#include "server/routes/routes.h"
#include "server/state.h"

enum { TEXT_MOST = 1 << 20 };

void settings_get(struct exchange *exchange)
{
    response_json(exchange, 200, dgm_settings(exchange->server->dgm));
}

void settings_patch(struct exchange *exchange)
{
    const json_t *body = request_json(exchange);
    if (!body) {
        return;
    }
    struct dgm_error error;
    struct dgm *dgm = exchange->server->dgm;
    char *given = json_dumps(json_object_get(body, "settings"), JSON_COMPACT);
    bool ok = dgm_settings_change(dgm, routes_access(exchange), given, &error);
    free(given);
    if (ok) {
        response_json(exchange, 200, dgm_settings(dgm));
    } else {
        response_error(exchange, &error);
    }
}

struct model {
    bool seen;
    bool ok;
    struct buf text;
    double ms;
};

static void take_model(void *context, const struct dgm_check *check)
{
    struct model *model = context;
    model->seen = true;
    model->ok = check->ok;
    model->ms = check->ms;
    (void)buf_text(&model->text, check->text);
    if (check->hint) {
        (void)buf_format(&model->text, " %s", check->hint);
    }
}

void settings_test_model(struct exchange *exchange)
{
    struct model model = {.seen = false};
    buf_init(&model.text, TEXT_MOST);
    (void)dgm_model_test(exchange->server->dgm, take_model, &model);
    struct buf buf;
    struct writer writer;
    buf_init(&buf, TEXT_MOST);
    writer_init(&writer, &buf);
    writer_object(&writer);
    writer_key_bool(&writer, "ok", model.seen && model.ok);
    writer_key_text(&writer, "text", buf_get(&model.text));
    writer_key_real(&writer, "ms", model.ms);
    writer_object_end(&writer);
    buf_release(&model.text);
    response_buf(exchange, 200, &buf);
}
