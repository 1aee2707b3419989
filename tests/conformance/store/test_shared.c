/* What processes that share a store do to each other: leases, stops, news, limits and
 * clean-ups. Needs DRAGOMAN_TEST_STORE_URL. */
#include <pthread.h>
#include <unistd.h>

#include "base/clock.h"
#include "conformance/store/opened.h"

#ifdef DRAGOMAN_HAS_POSTGRES

static long number(PGconn *link, const char *sql)
{
    PGresult *result = PQexec(link, sql);
    assert_int_equal(PQresultStatus(result), PGRES_TUPLES_OK);
    long value = strtol(PQgetvalue(result, 0, 0), NULL, 10);
    PQclear(result);
    return value;
}

/* Long enough for a machine that stalls; what must be over is ended in the database. */
enum { LEASE_MS = 6000 };

static struct store *open_writing(int64_t commit_ms, struct err *err)
{
    struct options options = {.store_url = place_given(),
                              .store_commit_ms = commit_ms,
                              .store_lease_ms = LEASE_MS};
    struct store *store = store_open(&options, err);
    must(store != NULL, err);
    return store;
}

static struct store *open_leased(struct err *err)
{
    return open_writing(1, err);
}

static void save_later(struct store *store, const char *state, const char *status,
                       const char *answer)
{
    struct store_question question = {.id = "q-1",
                                      .session_id = "s-1",
                                      .account = "ada",
                                      .state = state,
                                      .text = "?",
                                      .checkpoint = "{}",
                                      .answer = answer,
                                      .status = status,
                                      .row_count = -1};
    store_question_save(store, &question);
}

static void save(struct store *store, const char *state, const char *status,
                 const char *answer)
{
    struct err err;
    save_later(store, state, status, answer);
    must(store_flush(store, &err), &err);
}

static size_t orphans(struct store *store)
{
    struct err err;
    struct store_question *left;
    size_t count;
    struct arena *arena = arena_new();
    must(store_question_orphans(store, arena, 10, &left, &count, &err), &err);
    arena_free(arena);
    return count;
}

/* One process is slow to live, another takes over: what the first one writes then counts
 * for nothing, whichever way it writes. */
static void test_fence(void **state)
{
    (void)state;
    struct err err;
    int64_t fence = 0;
    must(place_clear(&err), &err);
    struct store *one = open_leased(&err);
    struct store *two = open_leased(&err);
    save(one, "GENERATE_SQL", NULL, NULL);
    store_event_add(one, "q-1", "{\"n\":1}");
    must(store_flush(one, &err), &err);
    assert_int_equal(orphans(two), 0);
    assert_false(store_question_claim(two, "q-1", "GENERATE_SQL", "INITIALIZING", &err));
    assert_int_equal(err.code, ERR_OK); /* its lease is not over */
    assert_true(store_question_confirm(one, "q-1"));
    PGconn *link = store_postgres_link(place_given(), &err);
    must(store_postgres_run(link, "UPDATE questions SET lease_until = 1", &err), &err);
    PQfinish(link);
    assert_int_equal(orphans(two), 1); /* nobody extended it */
    must(store_question_claim(two, "q-1", "GENERATE_SQL", "INITIALIZING", &err), &err);
    assert_int_equal(orphans(two), 0);
    assert_false(store_question_confirm(one, "q-1"));
    assert_true(store_question_confirm(two, "q-1"));
    store_event_add(one, "q-1", "{\"n\":2}");
    save(one, "FINISHED", "finished", "{\"by\":1}");
    assert_false(store_question_settle(one, "q-1", &fence));
    assert_int_equal(fence, 1);
    store_event_add(two, "q-1", "{\"n\":3}");
    save(two, "FINISHED", "finished", "{\"by\":2}");
    assert_true(store_question_settle(two, "q-1", &fence));
    struct arena *arena = arena_new();
    struct store_question got;
    must(store_question_get(one, arena, "q-1", &got, &err), &err);
    assert_string_equal(got.answer, "{\"by\":2}");
    struct store_events events;
    must(store_event_list(one, arena, "q-1", 0, 0, &events, &err), &err);
    assert_int_equal(events.count, 2);
    assert_string_equal(events.items[1].json, "{\"n\":3}\n");
    must(store_event_list(one, arena, "q-1", 0, 1, &events, &err), &err);
    assert_int_equal(events.count, 1);
    arena_free(arena);
    store_close(one);
    store_close(two);
}

/* A process that was too slow must not tell an answer that the store will refuse. */
static void test_answer_counts_when_it_is_kept(void **state)
{
    enum { MUCH_LATER_MS = 10000 };
    (void)state;
    struct err err;
    struct store_question got;
    must(place_clear(&err), &err);
    struct arena *arena = arena_new();
    struct store *one = open_writing(MUCH_LATER_MS, &err);
    struct store *two = open_leased(&err);
    save(one, "GENERATE_SQL", NULL, NULL);
    PGconn *link = store_postgres_link(place_given(), &err);
    must(store_postgres_run(link, "UPDATE questions SET lease_until = 1", &err), &err);
    PQfinish(link);
    must(store_question_claim(two, "q-1", "GENERATE_SQL", "INITIALIZING", &err), &err);
    save_later(one, "FINISHED", "finished", "{\"by\":1}");
    must(store_question_get(one, arena, "q-1", &got, &err), &err);
    assert_string_equal(got.state, "INITIALIZING");
    assert_null(got.answer);
    save(two, "FINISHED", "finished", "{\"by\":2}");
    must(store_question_get(one, arena, "q-1", &got, &err), &err);
    assert_string_equal(got.answer, "{\"by\":2}");
    arena_free(arena);
    store_close(one);
    store_close(two);
}

static void *clean(void *context)
{
    struct err err;
    err_clear(&err);
    must(store_clean(context, 100, &err), &err);
    return NULL;
}

/* A conversation whose time comes while a clean-up is at work goes as a whole. */
static void test_conversations_go_as_a_whole(void **state)
{
    (void)state;
    struct err err;
    pthread_t thread;
    must(place_clear(&err), &err);
    struct store *store = open_leased(&err);
    int64_t now = clock_wall_s();
    struct store_session session = {
        .id = "s-1", .account = "ada", .created_at = now, .last_activity = now};
    struct message message = {.role = "user", .content = "hello", .at = now};
    must(store_session_create(store, &session, &err), &err);
    must(store_message_add(store, "s-1", &message, &err), &err);
    PGconn *link = store_postgres_link(place_given(), &err);
    must(store_postgres_run(link, "BEGIN; LOCK TABLE sessions IN SHARE MODE", &err),
         &err);
    assert_int_equal(pthread_create(&thread, NULL, clean, store), 0);
    while (number(link, "SELECT count(*) FROM pg_locks WHERE NOT granted") == 0) {
        (void)usleep(10000);
    }
    must(store_postgres_run(link, "UPDATE sessions SET last_activity = 0; COMMIT", &err),
         &err);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(number(link, "SELECT count(*) FROM sessions"), 0);
    assert_int_equal(number(link, "SELECT count(*) FROM messages"), 0);
    PQfinish(link);
    store_close(store);
}

struct ears {
    pthread_mutex_t lock;
    int stops;
    int losses;
    int news;
    int rounds;
    int revocations;
};

static void count(struct ears *ears, int *what)
{
    (void)pthread_mutex_lock(&ears->lock);
    *what += 1;
    (void)pthread_mutex_unlock(&ears->lock);
}

static int heard(struct ears *ears, const int *what)
{
    (void)pthread_mutex_lock(&ears->lock);
    int number = *what;
    (void)pthread_mutex_unlock(&ears->lock);
    return number;
}

static void on_stop(void *context, const char *id)
{
    (void)id;
    count(context, &((struct ears *)context)->stops);
}

static void on_lost(void *context, const char *id)
{
    (void)id;
    count(context, &((struct ears *)context)->losses);
}

static void on_changed(void *context, const char *id)
{
    if (id) {
        count(context, &((struct ears *)context)->news);
    }
}

static void on_revoked(void *context, const char *key)
{
    (void)key;
    count(context, &((struct ears *)context)->revocations);
}

static void on_round(void *context)
{
    count(context, &((struct ears *)context)->rounds);
}

static void wait_until(struct ears *ears, const int *what)
{
    for (int i = 0; i < 2000 && !heard(ears, what); i++) {
        (void)usleep(10000);
    }
    assert_true(heard(ears, what) > 0);
}

/* A watched store extends its leases; stops and news come from the other one. */
static void test_watch(void **state)
{
    (void)state;
    static const struct store_watcher watcher = {on_stop, on_lost, on_changed, on_revoked,
                                                 on_round};
    struct ears ears = {.lock = PTHREAD_MUTEX_INITIALIZER};
    struct err err;
    must(place_clear(&err), &err);
    struct store *one = open_leased(&err);
    struct store *two = open_leased(&err);
    must(store_watch(one, &watcher, &ears, &err), &err);
    save(one, "GENERATE_SQL", NULL, NULL);
    PGconn *link = store_postgres_link(place_given(), &err);
    static const char until[] = "SELECT lease_until FROM questions WHERE id = 'q-1'";
    long first = number(link, until);
    for (int i = 0; i < 2000 && number(link, until) == first; i++) {
        (void)usleep(10000);
    }
    assert_true(number(link, until) > first);
    assert_int_equal(orphans(two), 0);
    assert_true(store_question_ask_stop(two, "q-1", &err));
    wait_until(&ears, &ears.stops);
    size_t stopped = 0;
    must(store_session_ask_stop(two, "s-1", &stopped, &err), &err);
    assert_int_equal(stopped, 0); /* asked already */
    assert_false(store_question_ask_stop(two, "q-none", &err));
    assert_int_equal(err.code, ERR_OK);
    int before = heard(&ears, &ears.news);
    save(two, "GENERATE_SQL", NULL, NULL); /* not its own: refused */
    assert_int_equal(number(link, "SELECT fence FROM questions WHERE id = 'q-1'"), 1);
    /* Somebody else has it, all at once. */
    must(store_postgres_run(link, "UPDATE questions SET owner = 'x', fence = 2", &err),
         &err);
    wait_until(&ears, &ears.losses);
    must(store_postgres_run(link, "NOTIFY dragoman, 'eq-1'", &err), &err);
    for (int i = 0; i < 2000 && heard(&ears, &ears.news) == before; i++) {
        (void)usleep(10000);
    }
    assert_true(heard(&ears, &ears.news) > before);
    assert_int_equal(heard(&ears, &ears.losses), 1);
    assert_int_equal(store_replicas(one), 1);
    PQfinish(link);
    store_question_release(one);
    store_close(one);
    store_close(two);
}

static bool enters(struct store *store, int64_t most)
{
    struct err err;
    bool entered = false;
    int64_t at_work = 0;
    must(store_meter_enter(store, "k-1", most, &entered, &at_work, &err), &err);
    return entered;
}

/* What a key uses is counted for all of them together. */
static void test_meters(void **state)
{
    (void)state;
    static const struct store_watcher watcher = {on_stop, on_lost, on_changed, on_revoked,
                                                 on_round};
    struct err err;
    struct ears ears = {.lock = PTHREAD_MUTEX_INITIALIZER};
    int64_t wait_ms = 0;
    must(place_clear(&err), &err);
    struct store *one = open_leased(&err);
    struct store *two = open_leased(&err);
    for (int i = 0; i < 4; i++) {
        must(store_meter_request(i % 2 ? two : one, "k-1", 4, &wait_ms, &err), &err);
        assert_int_equal(wait_ms, 0);
    }
    must(store_meter_request(two, "k-1", 4, &wait_ms, &err), &err);
    assert_in_range(wait_ms, 1, 15000); /* four per minute */
    must(store_meter_request(two, "k-2", 1, &wait_ms, &err), &err);
    assert_int_equal(wait_ms, 0); /* another key's */

    struct ears others = {.lock = PTHREAD_MUTEX_INITIALIZER};
    must(store_watch(one, &watcher, &ears, &err), &err);
    wait_until(&ears, &ears.rounds);
    PGconn *link = store_postgres_link(place_given(), &err);
    must(store_postgres_run(link, "CREATE TEMP TABLE first AS SELECT name FROM replicas",
                            &err),
         &err);
    must(store_watch(two, &watcher, &others, &err), &err);
    wait_until(&others, &others.rounds);
    assert_true(enters(one, 2));
    assert_true(enters(two, 2));
    assert_false(enters(two, 2));
    assert_false(enters(one, 2));
    must(store_meter_leave(two, "k-1", 1, &err), &err);
    assert_true(enters(one, 2));
    assert_true(enters(two, 0)); /* one that is taken over asks for no room */
    assert_false(enters(two, 3));
    must(store_meter_leave(two, "k-1", 5, &err), &err); /* never below nothing */
    assert_true(enters(two, 3));
    assert_false(enters(two, 3));
    struct store_key key = {.id = "k-1", .hash = "h", .account = "ann"};
    must(store_key_put(two, &key, 10, &err), &err);
    must(store_key_delete(two, "k-1", &err), &err);
    wait_until(&ears, &ears.revocations); /* the others hear of it */
    store_unwatch(one); /* its sign of life ends: what it had does not count any more */
    assert_false(enters(two, 2));
    must(store_postgres_run(link,
                            "UPDATE replicas SET seen_until = 1"
                            " WHERE name IN (SELECT name FROM first)",
                            &err),
         &err);
    PQfinish(link);
    assert_true(enters(two, 2));
    assert_false(enters(two, 2));
    store_close(one);
    store_close(two);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fence),
        cmocka_unit_test(test_answer_counts_when_it_is_kept),
        cmocka_unit_test(test_conversations_go_as_a_whole),
        cmocka_unit_test(test_watch),
        cmocka_unit_test(test_meters),
    };
    return place_given() ? cmocka_run_group_tests(tests, NULL, NULL) : 0;
}

#else

int main(void)
{
    return 0;
}

#endif
