/*
 * The real client against model services that are not ours: @copilotkit/aimock speaks
 * OpenAI's, Anthropic's and Ollama's protocols. What it does not do (Retry-After, a
 * stream without end, silence) is done by mock/odd.cjs, which is ours.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/fetch/fetch.h"
#include "base/memory.h"
#include "base/str.h"
#include "llm/llm.h"
#include "server.h"

static const char TEXT[] = "SELECT COUNT(*) AS n\nFROM Employee -- größe ✓";
static const char SCHEMA[] =
    "{\"type\":\"object\",\"properties\":{\"sql\":{\"type\":\"string\"}},"
    "\"required\":[\"sql\"],\"additionalProperties\":false}";

static struct server mock;
static struct server odd;
static struct fetch *client;
static bool libcurl_only;

struct caught {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int done;
    int pieces;
    struct llm_reply reply;
    struct buf text;
    struct buf streamed;
};

static void caught_init(struct caught *caught)
{
    *caught = (struct caught){0};
    pthread_mutex_init(&caught->lock, NULL);
    pthread_cond_init(&caught->changed, NULL);
    buf_init(&caught->text, 64 << 20);
    buf_init(&caught->streamed, 1 << 22);
}

static void caught_release(struct caught *caught)
{
    buf_release(&caught->text);
    buf_release(&caught->streamed);
}

static void on_text(void *context, const char *text, size_t size)
{
    struct caught *caught = context;
    pthread_mutex_lock(&caught->lock);
    (void)buf_add(&caught->streamed, text, size);
    caught->pieces++;
    pthread_cond_broadcast(&caught->changed);
    pthread_mutex_unlock(&caught->lock);
}

static void on_done(void *context, const struct llm_reply *reply)
{
    struct caught *caught = context;
    pthread_mutex_lock(&caught->lock);
    caught->reply = *reply;
    (void)buf_add(&caught->text, reply->text, reply->size);
    caught->done++;
    pthread_cond_broadcast(&caught->changed);
    pthread_mutex_unlock(&caught->lock);
}

static void await_done(struct caught *caught)
{
    pthread_mutex_lock(&caught->lock);
    while (!caught->done) {
        pthread_cond_wait(&caught->changed, &caught->lock);
    }
    pthread_mutex_unlock(&caught->lock);
}

static void await_pieces(struct caught *caught, int count)
{
    pthread_mutex_lock(&caught->lock);
    while (caught->pieces < count && !caught->done) {
        pthread_cond_wait(&caught->changed, &caught->lock);
    }
    pthread_mutex_unlock(&caught->lock);
}

/* What a case asks for; zero means the usual. */
struct ask {
    const char *provider; /* openai */
    const char *question;
    const char *schema;
    const char *system; /* a short one */
    bool odd_server;
    bool whole; /* not streamed */
    bool show;  /* with on_text */
    int timeout_s;
    int max_reply_bytes;
    int retries;
};

static struct llm *llm_for(const struct ask *ask)
{
    struct options *options = options_new();
    struct err err = {0};
    char url[64];
    (void)snprintf(url, sizeof url, "http://127.0.0.1:%d",
                   ask->odd_server ? odd.port : mock.port);
    options->llm_provider = ask->provider ? ask->provider : "openai";
    options->llm_url = url;
    options->llm_key = "conformance-key";
    options->llm_model = "some-model";
    options->llm_stream = !ask->whole;
    options->llm_retry_base_ms = 5;
    options->llm_max_retries = ask->retries ? ask->retries : 3;
    options->llm_timeout_s = ask->timeout_s ? ask->timeout_s : 20;
    options->llm_max_reply_bytes = ask->max_reply_bytes ? ask->max_reply_bytes : 1 << 20;
    struct llm *llm = llm_new(options, client, &err);
    assert_non_null(llm);
    options_free(options);
    return llm;
}

static struct llm_ticket *start(struct llm *llm, const struct ask *ask,
                                struct caught *caught)
{
    caught_init(caught);
    struct llm_call call = {.stage = "generate_sql",
                            .system = ask->system ? ask->system : "You write SQL.",
                            .user = ask->question,
                            .schema = ask->schema,
                            .on_text = ask->show ? on_text : NULL,
                            .on_done = on_done,
                            .context = caught};
    return llm_start(llm, &call);
}

/* One call; the text when it must work, else the code. */
static void check(const struct ask *ask, const char *text, enum err_code code,
                  int attempts)
{
    struct caught caught;
    struct llm *llm = llm_for(ask);
    llm_forget(start(llm, ask, &caught));
    await_done(&caught);
    if (caught.reply.ok != (text != NULL)) {
        fail_msg("%s: %s %s (%s)", ask->question, err_name(caught.reply.error.code),
                 caught.reply.error.message, caught.reply.error.detail);
    }
    if (text) {
        assert_string_equal(buf_get(&caught.text), text);
    } else {
        assert_string_equal(err_name(caught.reply.error.code), err_name(code));
        assert_null(strstr(caught.reply.error.detail, "conformance-key"));
    }
    assert_int_equal(caught.reply.attempts, attempts);
    caught_release(&caught);
    llm_free(llm);
}

static void test_openai(void **state)
{
    (void)state;
    check(&(struct ask){.question = "plain"}, TEXT, ERR_OK, 1);
    check(&(struct ask){.question = "plain", .whole = true}, TEXT, ERR_OK, 1);
    check(&(struct ask){.question = "structured", .schema = SCHEMA},
          "{\"sql\":\"SELECT 1\"}", ERR_OK, 1);
    check(&(struct ask){.question = "structured", .schema = SCHEMA, .whole = true},
          "{\"sql\":\"SELECT 1\"}", ERR_OK, 1);
}

static void test_streaming_comes_in_pieces(void **state)
{
    (void)state;
    struct ask ask = {.question = "halting", .show = true};
    struct caught caught;
    struct llm *llm = llm_for(&ask);
    llm_forget(start(llm, &ask, &caught));
    await_done(&caught);
    assert_true(caught.reply.ok);
    assert_string_equal(buf_get(&caught.streamed), TEXT);
    assert_true(caught.pieces > 2);
    assert_true(caught.reply.tokens_estimated); /* this mock does not count in streams */
    assert_true(caught.reply.tokens_in > 0);
    caught_release(&caught);
    llm_free(llm);
}

static void test_failures(void **state)
{
    (void)state;
    static const struct {
        const char *question;
        enum err_code code;
        int attempts;
    } cases[] = {
        {"always busy", ERR_LLM_RATE_LIMITED, 4},
        {"quota", ERR_LLM_RATE_LIMITED, 1},
        {"server error", ERR_LLM_UNAVAILABLE, 4},
        {"bad key", ERR_LLM_UNAUTHORIZED, 1},
        {"no model", ERR_LLM_MODEL_NOT_FOUND, 1},
        {"too long", ERR_LLM_TOO_LARGE, 1},
        {"refused", ERR_LLM_REFUSED, 1},
        {"malformed", ERR_LLM_NONSENSE, 2},
        {"disconnect", ERR_LLM_UNAVAILABLE, 4},
        {"broken off", ERR_LLM_UNAVAILABLE, 4},
        {"nothing that it knows", ERR_LLM_MODEL_NOT_FOUND, 1},
    };
    static const char *const providers[] = {"openai", "anthropic", "ollama"};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (size_t p = 0; p < sizeof providers / sizeof *providers; p++) {
            check(&(struct ask){.provider = providers[p], .question = cases[i].question},
                  NULL, cases[i].code, cases[i].attempts);
        }
    }
}

static void test_limited_then_fine(void **state)
{
    (void)state;
    check(&(struct ask){.question = "limited"}, TEXT, ERR_OK, 3);
}

static void test_too_slow(void **state)
{
    (void)state;
    check(&(struct ask){.question = "slow", .timeout_s = 1}, NULL, ERR_LLM_TIMEOUT, 2);
}

static void test_odd_cut(void **state)
{
    (void)state;
    struct ask ask = {.question = "cut", .odd_server = true};
    struct caught caught;
    struct llm *llm = llm_for(&ask);
    llm_forget(start(llm, &ask, &caught));
    await_done(&caught);
    assert_true(caught.reply.ok);
    assert_true(caught.reply.cut);
    caught_release(&caught);
    llm_free(llm);
}

static void test_cancel(void **state)
{
    (void)state;
    struct ask ask = {.question = "endless",
                      .odd_server = true,
                      .show = true,
                      .max_reply_bytes = 64 << 20};
    struct caught caught;
    struct llm *llm = llm_for(&ask);
    struct llm_ticket *ticket = start(llm, &ask, &caught);
    await_pieces(&caught, 1);
    llm_cancel(ticket);
    await_done(&caught);
    llm_forget(ticket);
    assert_int_equal(caught.reply.error.code, ERR_STOPPED);
    caught_release(&caught);
    llm_free(llm);
}

static void test_anthropic(void **state)
{
    (void)state;
    struct ask ask = {.provider = "anthropic", .question = "plain"};
    check(&ask, TEXT, ERR_OK, 1);
    ask.whole = true;
    check(&ask, TEXT, ERR_OK, 1);
    ask.question = "tool";
    ask.schema = SCHEMA;
    check(&ask, "{\"sql\":\"SELECT 1\"}", ERR_OK, 1);
    ask.whole = false;
    check(&ask, "{\"sql\":\"SELECT 1\"}", ERR_OK, 1);
}

static void test_ollama(void **state)
{
    (void)state;
    struct ask ask = {.provider = "ollama", .question = "plain", .schema = SCHEMA};
    check(&ask, TEXT, ERR_OK, 1);
    ask.whole = true;
    check(&ask, TEXT, ERR_OK, 1);
}

static void test_many_at_once(void **state)
{
    (void)state;
    enum { MANY = 300 };
    struct ask ask = {.question = "plain"};
    struct llm *llm = llm_for(&ask);
    struct caught *caught = memory_array(MANY, sizeof *caught);
    for (int i = 0; i < MANY; i++) {
        llm_forget(start(llm, &ask, &caught[i]));
    }
    for (int i = 0; i < MANY; i++) {
        await_done(&caught[i]);
        assert_true(caught[i].reply.ok);
        assert_string_equal(buf_get(&caught[i].text), TEXT);
        caught_release(&caught[i]);
    }
    memory_free(caught);
    llm_free(llm);
}

/* What the independent server says it received. */
static void on_journal(void *context, const struct fetch_result *result)
{
    struct caught *caught = context;
    pthread_mutex_lock(&caught->lock);
    (void)buf_add(&caught->text, result->body, result->body_size);
    caught->done++;
    pthread_cond_broadcast(&caught->changed);
    pthread_mutex_unlock(&caught->lock);
}

static const json_t *last_request(struct arena *arena, const char *path)
{
    char url[80];
    struct caught caught;
    struct err err;
    caught_init(&caught);
    (void)snprintf(url, sizeof url, "http://127.0.0.1:%d/v1/_requests", mock.port);
    struct fetch_request request = {.method = "GET",
                                    .url = url,
                                    .total_timeout_ms = 20000,
                                    .max_bytes = 64 << 20,
                                    .on_done = on_journal,
                                    .context = &caught};
    fetch_forget(fetch_start(client, &request));
    await_done(&caught);
    json_t *all = json_parse(arena, caught.text.data, caught.text.size, &err);
    caught_release(&caught);
    const json_t *found = NULL;
    size_t index;
    json_t *entry;
    json_array_foreach(all, index, entry)
    {
        if (str_equal(json_text_at(entry, "path"), path)) {
            found = entry;
        }
    }
    return found;
}

static void test_what_arrives(void **state)
{
    (void)state;
    struct arena *arena = arena_new();
    check(&(struct ask){.question = "plain", .schema = SCHEMA}, TEXT, ERR_OK, 1);
    const json_t *entry = last_request(arena, "/v1/chat/completions");
    assert_non_null(entry);
    const json_t *headers = json_object_at(entry, "headers");
    const json_t *body = json_object_at(entry, "body");
    assert_string_equal(json_text_at(headers, "content-type"), "application/json");
    assert_null(json_object_get(headers, "expect"));
    assert_string_equal(json_text_at(body, "model"), "some-model");
    assert_non_null(json_object_at(body, "response_format"));
    check(&(struct ask){.provider = "anthropic", .question = "plain"}, TEXT, ERR_OK, 1);
    entry = last_request(arena, "/v1/messages");
    assert_string_equal(
        json_text_at(json_object_at(entry, "headers"), "anthropic-version"),
        "2023-06-01");
    arena_free(arena);
}

/* Calls that begin alike share what is kept of them; the service must not notice. */
static void test_long_prompts_arrive(void **state)
{
    (void)state;
    static const char *const providers[] = {"openai", "anthropic", "ollama"};
    static const char *const paths[] = {"/v1/chat/completions", "/v1/messages",
                                        "/api/chat"};
    static const size_t sizes[] = {3000, 40000, 300000}; /* joined, or read in pieces */
    for (size_t i = 0; i < 9; i++) {
        struct arena *arena = arena_new();
        char *system = arena_alloc(arena, sizes[i / 3] + 1);
        memset(system, 's', sizes[i / 3]);
        struct ask ask = {
            .provider = providers[i % 3], .question = "plain", .system = system};
        struct llm *llm = llm_for(&ask);
        static const char *const questions[] = {"plain", "plain", "limited"};
        for (size_t q = 0; q < 3; q++) {
            struct caught caught;
            ask.question = questions[q];
            llm_forget(start(llm, &ask, &caught));
            await_done(&caught);
            assert_true(caught.reply.ok);
            assert_string_equal(buf_get(&caught.text), TEXT);
            caught_release(&caught);
            const json_t *entry = last_request(arena, paths[i % 3]);
            const json_t *messages =
                json_array_at(json_object_at(entry, "body"), "messages");
            size_t last = json_array_size(messages) - 1;
            assert_string_equal(json_text_at(json_array_get(messages, last), "content"),
                                questions[q]);
            assert_string_equal(json_text_at(json_array_get(messages, 0), "content"),
                                system);
        }
        llm_free(llm);
        arena_free(arena);
    }
}

static void test_odd_retry_after(void **state)
{
    (void)state;
    struct ask ask = {.question = "retry after", .odd_server = true};
    struct caught caught;
    struct llm *llm = llm_for(&ask);
    llm_forget(start(llm, &ask, &caught));
    await_done(&caught);
    assert_true(caught.reply.ok);
    assert_int_equal(caught.reply.attempts, 2);
    assert_true(caught.reply.ms >= 1000); /* it was told to wait that long */
    assert_int_equal(caught.reply.tokens_in, 321);
    assert_int_equal(caught.reply.tokens_out, 12);
    assert_false(caught.reply.tokens_estimated);
    caught_release(&caught);
    llm_free(llm);
}

static void test_odd_streams(void **state)
{
    (void)state;
    check(&(struct ask){.question = "crumbs", .odd_server = true}, "größe ✓", ERR_OK, 1);
    check(&(struct ask){.question = "endless",
                        .odd_server = true,
                        .max_reply_bytes = 100000},
          NULL, ERR_LLM_NONSENSE, 1);
    check(
        &(struct ask){
            .question = "silence", .odd_server = true, .timeout_s = 1, .retries = 1},
        NULL, ERR_LLM_TIMEOUT, 2);
    check(&(struct ask){.question = "redirect", .odd_server = true}, NULL,
          ERR_LLM_REFUSED, 1);
}

/* TLS with a certificate of one's own, and HTTP/2 where the server offers it. */
static void check_tls(const char *version, const char *reply_start, int connections_most,
                      int system_size)
{
    enum { MANY = 150 };
    struct server tls = server_start("tls.cjs", version);
    struct err err = {0};
    char url[64];
    assert_true(tls.port > 0);
    struct fetch *secure =
        fetch_new(&(struct fetch_settings){.loops = 1, .ca_file = tls.certificate}, &err);
    struct options *options = options_new();
    (void)snprintf(url, sizeof url, "https://localhost:%d", tls.port);
    options->llm_provider = "openai";
    options->llm_url = url;
    struct llm *llm = llm_new(options, secure, &err);
    char *system = memory_alloc((size_t)system_size + 1);
    memset(system, 's', (size_t)system_size);
    struct ask ask = {.question = "over TLS", .system = system};
    struct caught *caught = memory_array(MANY, sizeof *caught);
    for (int i = 0; i < MANY; i++) {
        llm_forget(start(llm, &ask, &caught[i]));
    }
    int connections = 0;
    for (int i = 0; i < MANY; i++) {
        await_done(&caught[i]);
        if (!caught[i].reply.ok) {
            fail_msg("%s %s", caught[i].reply.error.message,
                     caught[i].reply.error.detail);
        }
        int seen = 0;
        int arrived = 0;
        assert_true(str_starts(buf_get(&caught[i].text), reply_start));
        assert_int_equal(
            sscanf(buf_get(&caught[i].text), "%*s %d %d over TLS", &seen, &arrived), 2);
        assert_int_equal(arrived, system_size);
        connections = seen > connections ? seen : connections;
        caught_release(&caught[i]);
    }
    assert_in_range(connections, 1, connections_most);
    memory_free(caught);
    memory_free(system);
    llm_free(llm);
    fetch_free(secure);
    options_free(options);
    server_stop(&tls);
}

static void test_odd_tls(void **state)
{
    (void)state;
    check_tls("1.1", "1.1 ", 150, 2000);
    check_tls("1.1", "1.1 ", 150, 40000); /* too long for one piece */
    check_tls("2", "2.0 ", 60, 2000);     /* not a connection each */
    check_tls("2", "2.0 ", 60, 40000);
}

static void test_odd_tls_unknown_certificate(void **state)
{
    (void)state;
    struct server tls = server_start("tls.cjs", "2");
    struct options *options = options_new();
    struct err err = {0};
    char url[64];
    (void)snprintf(url, sizeof url, "https://127.0.0.1:%d", tls.port);
    options->llm_provider = "openai";
    options->llm_url = url;
    options->llm_max_retries = 0;
    struct llm *llm = llm_new(options, client, &err);
    struct ask ask = {.question = "over TLS"};
    struct caught caught;
    llm_forget(start(llm, &ask, &caught));
    await_done(&caught);
    assert_int_equal(caught.reply.error.code, ERR_LLM_UNAVAILABLE);
    assert_non_null(strstr(caught.reply.error.message, "cannot be trusted"));
    assert_non_null(strstr(caught.reply.error.hint, "ca_file"));
    caught_release(&caught);
    llm_free(llm);
    options_free(options);
    server_stop(&tls);
}

static int set_up(void **state)
{
    (void)state;
    struct err err;
    mock = server_start("start.cjs", NULL);
    odd = server_start("odd.cjs", NULL);
    client = fetch_new(&(struct fetch_settings){.libcurl_only = libcurl_only}, &err);
    if (!mock.port || !odd.port) {
        print_error("A server did not start. Run tests/conformance/llm/mock/install.\n");
        return -1;
    }
    return client ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    fetch_free(client);
    server_stop(&mock);
    server_stop(&odd);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_openai),
        cmocka_unit_test(test_streaming_comes_in_pieces),
        cmocka_unit_test(test_failures),
        cmocka_unit_test(test_limited_then_fine),
        cmocka_unit_test(test_too_slow),
        cmocka_unit_test(test_odd_cut),
        cmocka_unit_test(test_cancel),
        cmocka_unit_test(test_anthropic),
        cmocka_unit_test(test_ollama),
        cmocka_unit_test(test_many_at_once),
        cmocka_unit_test(test_what_arrives),
        cmocka_unit_test(test_long_prompts_arrive),
        cmocka_unit_test(test_odd_retry_after),
        cmocka_unit_test(test_odd_streams),
        cmocka_unit_test(test_odd_tls),
        cmocka_unit_test(test_odd_tls_unknown_certificate),
    };
    int failed = 0;
    for (int way = 0; way < 2; way++) {
        libcurl_only = way == 1;
        failed += cmocka_run_group_tests_name(way ? "libcurl" : "wire", tests, set_up,
                                              tear_down);
    }
    return failed;
}
