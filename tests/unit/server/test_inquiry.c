/* A question as its clients see it: numbered events, what is known so far, whose it is,
 * and how long it stays. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/memory.h"
#include "server/questions/inquiry.h"
#include "server/questions/inquiry_events.h"
#include "server/state.h"

static struct server *server_new(void)
{
    struct server *server = memory_alloc(sizeof *server);
    registry_init(&server->registry, 1000, 1 << 20);
    return server;
}

static void server_end(struct server *server)
{
    registry_release(&server->registry);
    memory_free(server);
}

static void tell(struct inquiry *inquiry, enum dgm_event_kind kind, const char *state,
                 const char *text)
{
    const struct dgm_event event = {.kind = kind,
                                    .query_id = "q-1",
                                    .state = state,
                                    .status = "searching",
                                    .text = text};
    inquiry_observe(inquiry, &event);
}

static void test_events_are_numbered(void **state)
{
    (void)state;
    struct server *server = server_new();
    struct inquiry *inquiry = inquiry_new(server, "ann", "How many?", "sess-1");
    tell(inquiry, DGM_STATUS, "RECALL", NULL);
    tell(inquiry, DGM_REASONING, "RECALL", "one\ntwo \"three\"");
    tell(inquiry, DGM_SQL, "GENERATE_SQL", "SELECT 1");
    assert_int_equal(inquiry->count + inquiry->later, 3);
    inquiry_catch_up(inquiry);
    assert_int_equal(inquiry->count, 3);
    const char *log = buf_get(&inquiry->log);
    assert_non_null(strstr(log, "id: 1\nevent: status\ndata: {\"state\":\"RECALL\""));
    /* a line feed within the data would end it */
    assert_non_null(strstr(
        log,
        "id: 2\nevent: reasoning\ndata: {\"text\":\"one\\ntwo \\\"three\\\"\"}\n\n"));
    assert_non_null(strstr(log, "id: 3\nevent: sql\ndata: {\"sql\":\"SELECT 1\"}\n\n"));
    assert_int_equal(inquiry->ends[2], inquiry->log.size);
    struct buf out;
    buf_init(&out, 1 << 16);
    inquiry_write(inquiry, &out);
    assert_non_null(strstr(buf_get(&out), "\"sql\":\"SELECT 1\""));
    assert_non_null(strstr(buf_get(&out), "\"session_id\":\"sess-1\""));
    buf_release(&out);
    inquiry_unref(inquiry);
    server_end(server);
}

/* A client that polls stops at "finished": it is not shown before the answer is there. */
static void test_a_final_status_comes_with_the_answer(void **state)
{
    (void)state;
    struct server *server = server_new();
    struct inquiry *inquiry = inquiry_new(server, "ann", "How many?", "sess-1");
    struct buf out;
    buf_init(&out, 1 << 16);
    tell(inquiry, DGM_STATUS, "FORMAT_RESULTS", NULL);
    struct dgm_event event = {
        .kind = DGM_STATUS, .query_id = "q-1", .state = "FINISHED", .status = "finished"};
    inquiry_observe(inquiry, &event);
    inquiry_write(inquiry, &out);
    assert_non_null(strstr(buf_get(&out), "\"status\":\"searching\""));
    assert_non_null(strstr(buf_get(&out), "\"state\":\"FORMAT_RESULTS\""));
    inquiry_ref(inquiry); /* the observer's, given back with the last event */
    event.kind = DGM_DONE;
    event.data = "{\"status\":\"finished\",\"row_count\":1}";
    inquiry_observe(inquiry, &event);
    buf_clear(&out);
    inquiry_write(inquiry, &out);
    assert_string_equal(buf_get(&out), event.data);
    buf_release(&out);
    inquiry_unref(inquiry);
    server_end(server);
}

/* What comes beyond the ceiling is left out whole: half an event is none. */
static void test_log_has_a_ceiling(void **state)
{
    (void)state;
    enum { PIECE = 60000, PIECES = 40 };
    static char piece[PIECE + 1];
    struct server *server = server_new();
    struct inquiry *inquiry = inquiry_new(server, NULL, "How many?", NULL);
    memset(piece, 'x', PIECE);
    for (int i = 0; i < PIECES; i++) {
        tell(inquiry, DGM_REASONING, "PLAN_QUERY", piece);
    }
    inquiry_catch_up(inquiry);
    assert_true(inquiry->log.size <= INQUIRY_LOG_MOST);
    assert_true(inquiry->count > 0 && inquiry->count < PIECES);
    assert_int_equal(inquiry->ends[inquiry->count - 1], inquiry->log.size);
    assert_string_equal(buf_get(&inquiry->log) + inquiry->log.size - 2, "\n\n");
    inquiry_unref(inquiry);
    server_end(server);
}

/* Nobody looks: events are noted only, and then written as if they always had been. A
 * look in between changes nothing of it. */
static void test_a_look_changes_nothing(void **state)
{
    (void)state;
    enum { EVENTS = 12 };
    struct buf first;
    buf_init(&first, 1 << 16);
    for (unsigned looks = 0; looks < 1u << EVENTS; looks = looks * 3 + 1) {
        struct server *server = server_new();
        struct inquiry *inquiry = inquiry_new(server, NULL, "How many?", NULL);
        for (int i = 0; i < EVENTS; i++) {
            static const struct {
                enum dgm_event_kind kind;
                const char *text;
            } told[] = {{DGM_STATUS, NULL},
                        {DGM_REASONING, "a \"step\"\n"},
                        {DGM_SQL, "SELECT 1"},
                        {DGM_ROWS, NULL}};
            tell(inquiry, told[i % 4].kind, i % 3 ? "RECALL" : "PLAN_QUERY",
                 told[i % 4].text);
            if (looks >> i & 1) {
                inquiry_catch_up(inquiry);
                assert_int_equal(inquiry->count, i + 1);
            }
        }
        inquiry_log_end(inquiry, "{}");
        assert_string_equal(buf_get(&inquiry->last), "id: 13\nevent: done\ndata: {}\n\n");
        inquiry_catch_up(inquiry);
        assert_int_equal(inquiry->count, EVENTS);
        assert_int_equal(inquiry->ends[EVENTS - 1], inquiry->log.size);
        if (looks == 0) {
            (void)buf_add(&first, inquiry->log.data, inquiry->log.size);
        }
        assert_string_equal(buf_get(&inquiry->log), buf_get(&first));
        inquiry_unref(inquiry);
        server_end(server);
    }
    buf_release(&first);
}

/* The worst that can be noted still fits into the log: the last event's number counts
 * on it. */
static void test_what_is_noted_fits(void **state)
{
    (void)state;
    enum { EVENTS = 9000 };
    static char wild[4000];
    struct server *server = server_new();
    struct inquiry *inquiry = inquiry_new(server, NULL, "How many?", NULL);
    memset(wild, 1, sizeof wild - 1);
    for (int i = 0; i < EVENTS; i++) {
        tell(inquiry, i % 2 ? DGM_STATUS : DGM_REASONING, "", i % 100 ? "" : wild);
        if (i % 1000 == 0) {
            inquiry_catch_up(inquiry);
        }
        size_t promised = inquiry->count + inquiry->later;
        if (i % 1000 == 999) {
            inquiry_catch_up(inquiry);
            assert_int_equal(inquiry->count, promised);
        }
    }
    assert_true(inquiry->log.full);
    inquiry_unref(inquiry);
    server_end(server);
}

static void test_only_its_own_account(void **state)
{
    (void)state;
    struct server *server = server_new();
    struct inquiry *inquiry = inquiry_new(server, "ann", "How many?", NULL);
    tell(inquiry, DGM_STATUS, "RECALL", NULL);
    assert_null(registry_get(&server->registry, "bob", "q-1"));
    assert_null(registry_get(&server->registry, "ann", "q-2"));
    struct inquiry *found = registry_get(&server->registry, "ann", "q-1");
    assert_ptr_equal(found, inquiry);
    inquiry_unref(found);
    inquiry_unref(inquiry);
    server_end(server);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_events_are_numbered),
        cmocka_unit_test(test_a_final_status_comes_with_the_answer),
        cmocka_unit_test(test_log_has_a_ceiling),
        cmocka_unit_test(test_a_look_changes_nothing),
        cmocka_unit_test(test_what_is_noted_fits),
        cmocka_unit_test(test_only_its_own_account),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
