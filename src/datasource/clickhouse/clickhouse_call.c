/*
 * One statement to a ClickHouse server and its answer. Settings travel with the request,
 * so that nothing of it outlives it. A query that we leave before its end is killed by
 * its id, since a server that computes does not look whether anybody still listens.
 */
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/id.h"
#include "base/str.h"
#include "datasource/clickhouse/clickhouse_driver.h"
#include "datasource/web_url.h"

enum {
    ADDRESS_MOST = 16 * 1024,
    BODY_MOST = 16 << 20,
    KILL_MS = 3000,
    SERVER_GRACE_S = 2, /* we end it ourselves; the server only when we cannot */
    LONGEST_S = 3600,
    /* a cell takes at most this many times its bytes inside the server */
    INSIDE_FACTOR = 64,
    INSIDE_LEAST = 16 << 20,
};

static void setting_add(struct buf *address, const char *name, int64_t value)
{
    (void)buf_format(address, "&%s=%lld", name, (long long)value);
}

static void limits_add(const struct clickhouse_state *state,
                       const struct datasource_limits *limits, struct buf *address)
{
    int64_t left_s = limits_left_ms(limits, LONGEST_S * 1000) / 1000 + SERVER_GRACE_S;
    if (state->rights == CLICKHOUSE_MAY_SET) {
        setting_add(address, "readonly", 1);
    }
    setting_add(address, "max_execution_time", left_s);
    /* The missing side of an outer join is NULL, as everywhere, and not 0 and ''. */
    setting_add(address, "join_use_nulls", 1);
    if (state->ends_with_client) {
        setting_add(address, "cancel_http_readonly_queries_on_client_close", 1);
    }
    if (!limits || limits->max_rows <= 0) {
        return;
    }
    /* "break" ends the query when it has sent more; we never show what is beyond. */
    (void)buf_text(address, "&result_overflow_mode=break");
    if (limits->max_rows < INT64_MAX / 2) {
        setting_add(address, "max_result_rows", limits->max_rows + 1);
    }
    if (limits->max_bytes > 0 && limits->max_bytes < INT64_MAX / INSIDE_FACTOR / 2) {
        setting_add(address, "max_result_bytes",
                    limits->max_bytes * INSIDE_FACTOR + INSIDE_LEAST);
    }
}

static void address_make(const struct clickhouse_state *state,
                         const struct datasource_limits *limits, bool bare,
                         const char *id, struct buf *address)
{
    (void)buf_format(address, "%s?default_format=TabSeparatedWithNamesAndTypes",
                     state->address);
    (void)buf_text(address, "&database=");
    web_url_encode(address, state->database);
    (void)buf_format(address, "&query_id=%s", id);
    if (!bare && state->rights != CLICKHOUSE_READS_ONLY) {
        limits_add(state, limits, address);
    }
}

/* Ends a query on the server; in vain when it has ended, which is just as well. */
static void query_kill(struct clickhouse_state *state, const char *id)
{
    char sql[ID_SIZE + 64];
    struct buf address;
    struct webclient_reply reply;
    struct err ignored;
    err_clear(&ignored);
    (void)snprintf(sql, sizeof sql, "KILL QUERY WHERE query_id = '%s' ASYNC", id);
    buf_init(&address, ADDRESS_MOST);
    (void)buf_format(&address, "%s?default_format=TabSeparated", state->address);
    const struct webclient_request request = {.method = "POST",
                                              .url = buf_get(&address),
                                              .headers = state->headers,
                                              .body = sql,
                                              .body_size = strlen(sql),
                                              .connect_timeout_ms = KILL_MS,
                                              .deadline_ms = clock_ms() + KILL_MS};
    (void)webclient_call(state->client, &request, &reply, &ignored);
    webclient_reply_release(&reply);
    buf_release(&address);
}

/* What an answer that came to its end means. */
static bool answer_judge(struct clickhouse_stream *stream,
                         const struct clickhouse_question *question,
                         const struct datasource_limits *limits,
                         const struct webclient_reply *reply, struct err *err)
{
    if (reply->status < 200 || reply->status >= 300) {
        return clickhouse_fail(buf_get(&reply->body), question, limits, err);
    }
    if (stream->long_line) {
        return err_set(err, ERR_RESULT_TOO_LARGE, "A row is too large to be read.");
    }
    if (!reply->enough) {
        clickhouse_stream_end(stream);
    }
    if (stream->failing) {
        return clickhouse_fail(buf_get(&stream->failure), question, limits, err);
    }
    if (stream->odd) {
        (void)err_set(err, ERR_DATASOURCE_UNREACHABLE,
                      "The server's answer cannot be read.");
        return err_hint(err, "Check that the URL names the HTTP port of a ClickHouse "
                             "server (8123, or 8443 with secure=1).");
    }
    return true;
}

/* The request itself failed: how, in the words of a database. */
static bool request_failed(const struct clickhouse_state *state,
                           struct clickhouse_stream *stream,
                           const struct clickhouse_question *question,
                           const struct datasource_limits *limits,
                           const struct webclient_reply *reply, struct err *err)
{
    if (!limits_hold(limits, err)) {
        return false;
    }
    if (err->code == ERR_TIMEOUT || err->code == ERR_NETWORK) {
        clickhouse_stream_end(stream);
        if (reply->status > 0 && stream->failing) { /* it said why before it left */
            return clickhouse_fail(buf_get(&stream->failure), question, limits, err);
        }
        if (reply->status > 0) {
            return clickhouse_lost(err);
        }
        struct err cause = *err;
        (void)err_set(err, ERR_DATASOURCE_UNREACHABLE, "%s", cause.message);
        if (state->tls_assumed) {
            (void)err_hint(err,
                           "dragoman connects to other machines over TLS (port 8443). "
                           "Check the port, give the certificate authority with ca_file, "
                           "or add secure=0 to the URL to connect without TLS.");
        } else if (strstr(cause.message, "certificate")) {
            (void)err_hint(err, "Check the host name, or name the authority's file by "
                                "ca_file in the URL.");
        }
        return err_detail(err, "%s", cause.detail);
    }
    return false;
}

bool clickhouse_call(struct clickhouse_state *state,
                     const struct clickhouse_question *question,
                     const struct datasource_limits *limits,
                     const struct datasource_sink *sink, struct err *err)
{
    char id[ID_SIZE];
    struct buf address;
    struct buf body;
    struct clickhouse_stream stream;
    struct webclient_reply reply;
    id_new("dragoman", id);
    buf_init(&address, ADDRESS_MOST);
    buf_init(&body, BODY_MOST);
    address_make(state, limits, question->bare, id, &address);
    (void)buf_text(&body, str_or_empty(question->prefix));
    (void)buf_text(&body, question->sql);
    (void)buf_text(&body, str_or_empty(question->suffix));
    clickhouse_stream_init(&stream, sink, limits);
    const struct webclient_request request = {
        .method = "POST",
        .url = buf_get(&address),
        .headers = state->headers,
        .body = buf_get(&body),
        .body_size = body.size,
        .connect_timeout_ms = limits_left_ms(limits, state->connect_timeout_ms) + 1,
        .deadline_ms = limits ? limits->deadline_ms : 0,
        .cancel = limits ? limits->cancel : NULL,
        .on_data = clickhouse_stream_feed,
        .context = &stream};
    bool full = address.full || body.full;
    bool came = !full && webclient_call(state->client, &request, &reply, err);
    bool ok = full   ? err_set(err, ERR_INVALID_SQL, "The SQL is too long.")
              : came ? answer_judge(&stream, question, limits, &reply, err)
                     : request_failed(state, &stream, question, limits, &reply, err);
    if (!full) {
        bool reached = came || reply.status > 0 || err->code == ERR_STOPPED ||
                       err->code == ERR_TIMEOUT;
        if (reached && (!came || reply.enough)) {
            query_kill(state, id);
        }
        webclient_reply_release(&reply);
    }
    clickhouse_stream_release(&stream);
    buf_release(&address);
    buf_release(&body);
    return ok;
}

/* ------------------------------------------------------------------ own SQL as texts */

struct telling {
    struct arena *arena;
    const char **texts;
    size_t count;
    bool (*row)(void *context, const char *const *texts);
    void *context;
};

static bool telling_columns(void *context, const struct rows_column *columns,
                            size_t count)
{
    struct telling *telling = context;
    (void)columns;
    telling->count = count;
    return true;
}

static bool telling_row(void *context, const struct value *cells)
{
    struct telling *telling = context;
    struct buf text;
    telling->texts = arena_array(telling->arena, telling->count, sizeof *telling->texts);
    for (size_t i = 0; i < telling->count; i++) {
        buf_init(&text, 64 << 20);
        value_print(&text, &cells[i]);
        bool none = cells[i].kind == VALUE_NULL || cells[i].kind == VALUE_BLOB;
        telling->texts[i] = none ? NULL : buf_clone(&text, telling->arena);
        buf_release(&text);
    }
    bool more = telling->row(telling->context, telling->texts);
    arena_reset(telling->arena);
    return more;
}

bool clickhouse_rows(struct clickhouse_state *state, const char *sql,
                     const struct datasource_limits *limits,
                     bool (*row)(void *context, const char *const *texts), void *context,
                     struct err *err)
{
    struct telling telling = {.arena = arena_new(), .row = row, .context = context};
    const struct datasource_sink sink = {
        .columns = telling_columns, .row = telling_row, .context = &telling};
    const struct clickhouse_question question = {.sql = sql};
    /* the catalog is read whole: the caps are for answers */
    struct datasource_limits whole = {0};
    if (limits) {
        whole = *limits;
        whole.max_rows = 0;
        whole.max_bytes = 0;
    }
    bool ok = clickhouse_call(state, &question, &whole, &sink, err);
    arena_free(telling.arena);
    return ok;
}
