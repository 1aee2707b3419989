/* Streams of events: where one goes on after what its client has seen, however slowly it
 * is read, whatever number the client names, and whoever works on the question. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/memory.h"
#include "server/exchange.h"
#include "server/questions/inquiry.h"
#include "server/questions/inquiry_events.h"
#include "server/questions/sse.h"
#include "server/state.h"

enum { ALL = 1 << 16, TEXT_MOST = 1 << 20 };

/* ------------------------------------------------------- the library, played by us */

/* The response of a stream: who reads it, and until when. */
struct MHD_Response {
    MHD_ContentReaderCallback read;
    MHD_ContentReaderFreeCallback end;
    void *context;
};

static struct {
    const char *header;   /* Last-Event-ID */
    const char *argument; /* ?last_event_id= */
    int suspended;        /* streams that wait now */
} library;

static const char *lookup(struct MHD_Connection *connection, enum MHD_ValueKind kind,
                          const char *key)
{
    (void)connection;
    assert_string_equal(key, kind == MHD_HEADER_KIND ? "Last-Event-ID" : "last_event_id");
    return kind == MHD_HEADER_KIND ? library.header : library.argument;
}

static struct MHD_Response *create(uint64_t size, size_t block,
                                   MHD_ContentReaderCallback read, void *context,
                                   MHD_ContentReaderFreeCallback end)
{
    (void)size;
    (void)block;
    struct MHD_Response *response = memory_alloc(sizeof *response);
    *response = (struct MHD_Response){read, end, context};
    return response;
}

static enum MHD_Result add_header(struct MHD_Response *response, const char *name,
                                  const char *value)
{
    (void)response;
    (void)name;
    (void)value;
    return MHD_YES;
}

/* The empty body of "204 No Content". */
static struct MHD_Response *create_empty(size_t size, void *bytes,
                                         enum MHD_ResponseMemoryMode mode)
{
    (void)bytes;
    (void)mode;
    assert_int_equal(size, 0);
    struct MHD_Response *response = memory_alloc(sizeof *response);
    *response = (struct MHD_Response){0};
    return response;
}

static void destroy(struct MHD_Response *response)
{
    if (response->end) {
        response->end(response->context);
    }
    memory_free(response);
}

static void suspend(struct MHD_Connection *connection)
{
    (void)connection;
    library.suspended++;
}

static void resume(struct MHD_Connection *connection)
{
    (void)connection;
    library.suspended--;
}

/* ------------------------------------------------------------------ a question */

struct place {
    struct server *server;
    struct inquiry *inquiry;
    struct exchange *exchange;
    struct buf read; /* what the client has got */
};

static int set_up(void **state)
{
    struct place *place = memory_alloc(sizeof *place);
    memset(&library, 0, sizeof library);
    server_library.MHD_lookup_connection_value_ = lookup;
    server_library.MHD_create_response_from_callback_ = create;
    server_library.MHD_create_response_from_buffer_ = create_empty;
    server_library.MHD_add_response_header_ = add_header;
    server_library.MHD_destroy_response_ = destroy;
    server_library.MHD_suspend_connection_ = suspend;
    server_library.MHD_resume_connection_ = resume;
    place->server = memory_alloc(sizeof *place->server);
    registry_init(&place->server->registry, 1000, 1 << 20);
    place->inquiry = inquiry_new(place->server, NULL, "How many?", NULL);
    buf_init(&place->read, TEXT_MOST * 4);
    *state = place;
    return 0;
}

static void hang_up(struct place *place)
{
    if (place->exchange) {
        exchange_unref(place->exchange);
        place->exchange = NULL;
    }
}

static int tear_down(void **state)
{
    struct place *place = *state;
    hang_up(place);
    inquiry_unref(place->inquiry);
    registry_release(&place->server->registry);
    buf_release(&place->read);
    memory_free(place->server);
    memory_free(place);
    return 0;
}

static void tell(struct place *place, enum dgm_event_kind kind, const char *text,
                 int64_t number)
{
    const struct dgm_event event = {.kind = kind,
                                    .query_id = "q-1",
                                    .state = "PLAN_QUERY",
                                    .status = "planning",
                                    .text = text,
                                    .number = number,
                                    .data = kind >= DGM_DONE ? "{\"rows\":[[1]]}" : NULL};
    if (kind == DGM_DONE || kind == DGM_GONE) {
        inquiry_ref(place->inquiry); /* the observer gives its own back */
    }
    inquiry_observe(place->inquiry, &event);
}

/* Three events and the end. */
static void tell_all(struct place *place)
{
    tell(place, DGM_STATUS, NULL, 0);
    tell(place, DGM_REASONING, "because", 0);
    tell(place, DGM_SQL, "SELECT 1", 0);
    tell(place, DGM_DONE, NULL, 0);
}

/* A client comes, having seen this. */
static void come(struct place *place, const char *last)
{
    hang_up(place);
    library.header = last;
    place->exchange = exchange_new(place->server, NULL, "GET");
    sse_reply(place->exchange, place->inquiry, sse_last_id(place->exchange));
}

/* Reads until there is nothing more for now; so much at a time. True: that was the end.
 */
static bool drink(struct place *place, size_t most)
{
    static char piece[ALL];
    struct MHD_Response *response = place->exchange->response;
    int before = library.suspended;
    for (;;) {
        ssize_t size = response->read(response->context, 0, piece, most);
        if (size == MHD_CONTENT_READER_END_OF_STREAM) {
            return true;
        }
        if (size == 0) { /* without a suspended connection that would be a busy loop */
            assert_int_equal(library.suspended, before + 1);
            return false;
        }
        assert_true((size_t)size <= most);
        (void)buf_add(&place->read, piece, (size_t)size);
    }
}

/* The numbers of the events that were read, as "1 2 3 "; comments are left out. */
static void numbers_are(struct place *place, const char *wanted)
{
    char found[256] = "";
    size_t size = 0;
    const char *text = buf_get(&place->read);
    for (const char *at = text; (at = strstr(at, "id: ")); at += 4) {
        long long number = 0;
        assert_true(at == text || at[-1] == '\n'); /* an event begins on a line */
        assert_int_equal(sscanf(at, "id: %lld", &number), 1);
        size += (size_t)snprintf(found + size, sizeof found - size, "%lld ", number);
    }
    assert_string_equal(found, wanted);
    buf_clear(&place->read);
}

static void comes_to(struct place *place, const char *last, const char *wanted)
{
    come(place, last);
    assert_true(drink(place, ALL));
    numbers_are(place, wanted);
}

/* A client that has the end, too, is told that there is no more, so that it stops. */
static void has_all(struct place *place, const char *last)
{
    come(place, last);
    assert_int_equal(place->exchange->status, 204);
    assert_null(place->exchange->response->read);
}

/* ------------------------------------------------------------------ the tests */

static void test_goes_on_after_any_event(void **state)
{
    struct place *place = *state;
    tell_all(place);
    comes_to(place, NULL, "1 2 3 4 ");
    comes_to(place, "1", "2 3 4 ");
    comes_to(place, "2", "3 4 ");
    comes_to(place, "3", "4 ");
    has_all(place, "4");
    library.argument = "2";
    comes_to(place, NULL, "3 4 ");
    comes_to(place, "3", "4 "); /* the header counts more */
}

/* What is not a number, or not one of ours, counts as none. */
static void test_odd_numbers(void **state)
{
    struct place *place = *state;
    static const char *const odd[] = {"",
                                      "x",
                                      "-1",
                                      "0",
                                      "1x",
                                      "0x2",
                                      "1.5",
                                      "99999999999999999999",
                                      "5",
                                      "+ 1",
                                      "1 2",
                                      "½",
                                      "\n",
                                      "1e9",
                                      "9223372036854775807"};
    tell_all(place);
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        comes_to(place, odd[i], "1 2 3 4 ");
    }
}

static void test_follows_as_it_grows(void **state)
{
    struct place *place = *state;
    tell(place, DGM_STATUS, NULL, 0);
    come(place, NULL);
    assert_false(drink(place, ALL));
    numbers_are(place, "1 ");
    assert_int_equal(atomic_load(&place->server->counts.waiting), 1);
    tell(place, DGM_REASONING, "because", 0);
    assert_int_equal(library.suspended, 0); /* it was woken */
    assert_false(drink(place, ALL));
    numbers_are(place, "2 ");
    tell(place, DGM_DONE, NULL, 0);
    assert_true(drink(place, ALL));
    numbers_are(place, "3 ");
    assert_int_equal(atomic_load(&place->server->counts.waiting), 0);
}

/* A reader that takes three bytes at a time gets the same, and no comment in the middle.
 */
static void test_slow_reader(void **state)
{
    struct place *place = *state;
    struct buf whole;
    tell_all(place);
    come(place, NULL);
    assert_true(drink(place, ALL));
    buf_init(&whole, TEXT_MOST);
    (void)buf_text(&whole, buf_get(&place->read));
    buf_clear(&place->read);
    for (size_t most = 1; most < 8; most++) {
        come(place, NULL);
        struct MHD_Response *response = place->exchange->response;
        char piece[8];
        ssize_t size = 0;
        int reads = 0;
        while ((size = response->read(response->context, 0, piece, most)) > 0) {
            (void)buf_add(&place->read, piece, (size_t)size);
            if (++reads % 3 == 0) { /* one is due in between, too */
                sse_beat(place->inquiry);
            }
        }
        assert_int_equal(size, MHD_CONTENT_READER_END_OF_STREAM);
        const char *got = buf_get(&place->read);
        const char *wanted = buf_get(&whole);
        while (strncmp(got, ": hi\n\n", 6) == 0) { /* before the first: allowed */
            got += 6;
        }
        assert_string_equal(got, wanted + (strncmp(wanted, ": hi\n\n", 6) == 0 ? 6 : 0));
        buf_clear(&place->read);
    }
    buf_release(&whole);
}

/* Silence is broken by comments, which are no events. */
static void test_beats(void **state)
{
    struct place *place = *state;
    tell(place, DGM_STATUS, NULL, 0);
    come(place, "1");
    assert_false(drink(place, ALL));
    assert_string_equal(buf_get(&place->read), ": hi\n\n");
    buf_clear(&place->read);
    sse_beat(place->inquiry);
    assert_int_equal(library.suspended, 0);
    assert_false(drink(place, ALL));
    assert_string_equal(buf_get(&place->read), ": hi\n\n");
    buf_clear(&place->read);
}

/* With replicas: what another process sent may come later here, and is not sent again. */
static void test_events_that_come_late(void **state)
{
    struct place *place = *state;
    place->server->shared = true;
    tell(place, DGM_STATUS, NULL, 1);
    come(place, "3");
    assert_false(drink(place, ALL));
    tell(place, DGM_REASONING, "because", 2);
    assert_false(drink(place, ALL));
    tell(place, DGM_REASONING, "and", 3);
    assert_false(drink(place, ALL));
    numbers_are(place, "");
    tell(place, DGM_SQL, "SELECT 1", 4);
    assert_false(drink(place, ALL));
    numbers_are(place, "4 ");
    tell(place, DGM_DONE, NULL, 0);
    assert_true(drink(place, ALL));
    numbers_are(place, "5 ");
    comes_to(place, "4", "5 ");
    has_all(place, "5");
}

/* A question that goes on elsewhere has other numbers: those of its first life that were
 * never kept are not taken for them, and its end is never held back. */
static void test_lives(void **state)
{
    struct place *place = *state;
    place->server->shared = true;
    tell(place, DGM_STATUS, NULL, 1);
    tell(place, DGM_REASONING, "because", 2);
    tell(place, DGM_STATUS, NULL, 1000001);
    tell(place, DGM_SQL, "SELECT 1", 1000003); /* one was too much to be kept */
    tell(place, DGM_DONE, NULL, 0);
    comes_to(place, NULL, "1 2 1000001 1000003 1000004 ");
    comes_to(place, "2", "1000001 1000003 1000004 ");
    comes_to(place, "7",
             "1000001 1000003 1000004 "); /* sent, but lost with its process */
    comes_to(place, "1000002", "1000003 1000004 ");
    has_all(place, "1000004");
    comes_to(place, "1000009", "1000004 ");
}

/* Followed no more: the stream ends without a last event, to be taken up elsewhere. */
static void test_gone(void **state)
{
    struct place *place = *state;
    place->server->shared = true;
    tell(place, DGM_STATUS, NULL, 1);
    come(place, NULL);
    assert_false(drink(place, ALL));
    tell(place, DGM_GONE, NULL, 0);
    assert_true(drink(place, ALL));
    numbers_are(place, "1 ");
}

/* Events that were forgotten: the answer tells of the states, the SQL and the end, with numbers
 * of their own; a client that has seen some of the first ones gets the end. */
static void test_forgotten(void **state)
{
    struct place *place = *state;
    inquiry_unref(place->inquiry);
    place->inquiry = inquiry_replay(
        place->server,
        "{\"query_id\":\"q-1\",\"status\":\"finished\",\"sql\":\"SELECT 1\","
        "\n\"trace\":[{\"state\":\"RECALL\",\"ms\":1},"
        "{\"state\":\"FINISHED\",\"ms\":0}]}");
    come(place, NULL);
    assert_true(drink(place, ALL));
    const char *text = buf_get(&place->read);
    assert_non_null(strstr(text, "\"state\":\"RECALL\""));
    assert_non_null(strstr(text, "event: sql\ndata: {\"sql\":\"SELECT 1\"}"));
    assert_non_null(strstr(text, "event: done\ndata: {\"query_id\":\"q-1\""));
    numbers_are(place, "1000000000001 1000000000002 1000000000003 1000000000004 ");
    comes_to(place, "2", "1000000000004 ");
    comes_to(place, "17", "1000000000004 ");
    comes_to(place, "1000000000002", "1000000000003 1000000000004 ");
    has_all(place, "1000000000004");
}

/* Past the ceiling events are left out whole; the end is there, and counted on. */
static void test_too_much(void **state)
{
    struct place *place = *state;
    static char piece[60001];
    memset(piece, 'x', sizeof piece - 1);
    for (int i = 0; i < 40; i++) {
        tell(place, DGM_REASONING, piece, 0);
    }
    tell(place, DGM_DONE, NULL, 0);
    size_t kept = place->inquiry->count;
    assert_in_range(kept, 10, 30);
    char last[32];
    char end[32];
    (void)snprintf(last, sizeof last, "%zu", kept);
    (void)snprintf(end, sizeof end, "%zu ", kept + 1);
    comes_to(place, last, end);
}

/* A client that leaves in the middle leaves the others alone. */
static void test_two_clients(void **state)
{
    struct place *place = *state;
    tell(place, DGM_STATUS, NULL, 0);
    come(place, NULL);
    struct exchange *first = place->exchange;
    place->exchange = NULL;
    come(place, "1");
    assert_int_equal(atomic_load(&place->server->counts.streams), 2);
    assert_false(drink(place, ALL));
    exchange_unref(first);
    assert_int_equal(atomic_load(&place->server->counts.streams), 1);
    tell(place, DGM_DONE, NULL, 0);
    assert_true(drink(place, ALL));
    numbers_are(place, "2 ");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(test_goes_on_after_any_event),
        TEST(test_odd_numbers),
        TEST(test_follows_as_it_grows),
        TEST(test_slow_reader),
        TEST(test_beats),
        TEST(test_events_that_come_late),
        TEST(test_lives),
        TEST(test_gone),
        TEST(test_forgotten),
        TEST(test_too_much),
        TEST(test_two_clients),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
