/* One request to BigQuery's REST interface and its JSON answer. */
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/clock.h"
#include "datasource/bigquery/bigquery_driver.h"

enum {
    ADDRESS_MOST = 16 * 1024,
    ANSWER_MOST = 64 << 20, /* a page has 10 MB, or one row that is larger */
    CONNECT_MS = 10000,
    TRIES = 4,
    PAUSE_MS = 200,
    SLICE_MS = 20,
    UNAUTHORIZED = 401,
};

/* Some troubles pass, and asking again does no harm: jobs have ids of our own. */
static bool passes(int status)
{
    return status == 429 || status == 500 || status == 502 || status == 503;
}

static bool bigquery_call_send(struct bigquery_state *state,
                               const struct bigquery_request *request,
                               const struct datasource_limits *limits, const char *header,
                               struct webclient_reply *reply, struct err *err)
{
    struct buf address;
    buf_init(&address, ADDRESS_MOST);
    (void)buf_format(&address, "%s/bigquery/v2/projects/%s/%s", state->address,
                     state->project, request->path);
    const char *headers[] = {"Content-Type: application/json", header[0] ? header : NULL,
                             NULL};
    const struct webclient_request call = {
        .method = request->method,
        .url = buf_get(&address),
        .headers = headers,
        .body = request->body,
        .body_size = request->body ? strlen(request->body) : 0,
        .connect_timeout_ms = limits_left_ms(limits, CONNECT_MS) + 1,
        .deadline_ms = limits ? limits->deadline_ms : 0,
        .cancel = limits ? limits->cancel : NULL,
        .max_bytes = ANSWER_MOST};
    bool ok = webclient_call(state->client, &call, reply, err);
    buf_release(&address);
    if (!ok && limits_hold(limits, err) &&
        (err->code == ERR_NETWORK || err->code == ERR_TIMEOUT)) {
        struct err cause = *err;
        (void)err_set(err, ERR_DATASOURCE_UNREACHABLE, "%s", cause.message);
        (void)err_detail(err, "%s", cause.detail);
    }
    return ok;
}

static const json_t *answer_read(const struct webclient_reply *reply,
                                 const struct bigquery_request *request,
                                 const struct datasource_limits *limits,
                                 struct arena *arena, struct err *err)
{
    struct err ignored;
    const json_t *answer =
        json_parse(arena, buf_get(&reply->body), reply->body.size, &ignored);
    if (reply->status >= 200 && reply->status < 300 && json_is_object(answer)) {
        return answer;
    }
    (void)bigquery_fail(reply->status, json_object_at(answer, "error"), request->sql,
                        limits, err);
    return NULL;
}

const json_t *bigquery_call(struct bigquery_state *state,
                            const struct bigquery_request *request,
                            const struct datasource_limits *limits, struct arena *arena,
                            struct err *err)
{
    const json_t *answer = NULL;
    bool renew = false;
    for (int i = 0; i < TRIES; i++) {
        struct webclient_reply reply;
        const char *header = "";
        if (!limits_hold(limits, err) ||
            !bigquery_authorize(state, limits, renew, arena, &header, err)) {
            return NULL;
        }
        bool came = bigquery_call_send(state, request, limits, header, &reply, err);
        if (came) {
            answer = answer_read(&reply, request, limits, arena, err);
        }
        int status = reply.status;
        webclient_reply_release(&reply);
        bool again =
            came && !answer &&
            (passes(status) || (status == UNAUTHORIZED && state->account && !renew));
        if (!again) {
            break;
        }
        renew = status == UNAUTHORIZED;
        for (int wait = renew ? 0 : PAUSE_MS << i; wait > 0 && !limits_spent(limits);
             wait -= SLICE_MS) {
            (void)usleep(SLICE_MS * 1000);
        }
    }
    return answer;
}
