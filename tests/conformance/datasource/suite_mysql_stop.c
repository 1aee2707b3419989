/* The connection that stands ready to end MySQL's queries: made once, used by all, made
 * again after a loss, and not missed where the server allows none. */
#include <dlfcn.h>
#include <pthread.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/library.h"
#include "conformance.h"
#include "kinds.h"

enum { ASKERS_MOST = 4, PATIENCE_MS = 20000 };

struct asking {
    struct place *place;
    struct cancel cancel;
    struct datasource_limits limits;
    pthread_t thread;
    bool ok;
    struct err err;
};

static void *ask_endless(void *context)
{
    struct asking *asking = context;
    asking->ok =
        place_raw(asking->place, kind->endless, &asking->limits, NULL, &asking->err);
    return NULL;
}

static void ask_begin(struct asking *asking, struct place *place)
{
    asking->place = place;
    cancel_init(&asking->cancel);
    asking->limits =
        (struct datasource_limits){.deadline_ms = clock_ms() + 6 * PATIENCE_MS,
                                   .max_rows = 10,
                                   .max_bytes = 1 << 20,
                                   .cancel = &asking->cancel};
    assert_int_equal(pthread_create(&asking->thread, NULL, ask_endless, asking), 0);
}

static void ask_end(struct asking *asking)
{
    assert_int_equal(pthread_join(asking->thread, NULL), 0);
    assert_false(asking->ok);
    assert_int_equal(asking->err.code, ERR_STOPPED);
    cancel_release(&asking->cancel);
}

#define READERS "FROM information_schema.PROCESSLIST WHERE USER = 'reader'"

/* Those of queries have a database, the one that ends them has none. */
static const char spares[] = "SELECT COUNT(*) " READERS " AND DB IS NULL";
static const char at_work[] =
    "SELECT COUNT(*) " READERS " AND DB IS NOT NULL AND COMMAND <> 'Sleep'";
/* Those that are past what comes before the query: settings, and compiling it. */
static const char counting[] =
    "SELECT COUNT(*) " READERS " AND COMMAND = 'Query' AND INFO LIKE 'SELECT COUNT(*)%'";

static void await_number(const char *sql, long wanted)
{
    int64_t until_ms = clock_ms() + PATIENCE_MS;
    long seen = kind_mysql_number(sql);
    while (seen != wanted && clock_ms() < until_ms) {
        (void)usleep(10000);
        seen = kind_mysql_number(sql);
    }
    if (seen != wanted) {
        fail_msg("%s: %ld instead of %ld", sql, seen, wanted);
    }
}

/* How often the reader has ever connected since the count began. */
static void connections_count(bool begin)
{
    assert_true(kind_mysql_number(begin ? "SET GLOBAL userstat = 1; FLUSH USER_STATISTICS"
                                        : "SET GLOBAL userstat = 0") >= 0);
}

static long connections(void)
{
    return kind_mysql_number("SELECT TOTAL_CONNECTIONS FROM"
                             " information_schema.USER_STATISTICS WHERE USER = 'reader'");
}

static void stop_one(struct place *place)
{
    struct asking asking;
    ask_begin(&asking, place);
    await_number(counting, 1);
    await_number(spares, 1);
    cancel_fire(&asking.cancel);
    ask_end(&asking);
    await_number(at_work, 0);
}

static void stops_share_one_connection(void **state)
{
    struct place *place = *state;
    struct asking askings[ASKERS_MOST];
    connections_count(true);
    (void)place_open(place, "CREATE TABLE item (id INTEGER)");
    for (int i = 0; i < 3; i++) {
        stop_one(place);
    }
    assert_int_equal(connections(), 2);
    for (size_t i = 0; i < ASKERS_MOST; i++) {
        ask_begin(&askings[i], place);
    }
    await_number(counting, ASKERS_MOST);
    for (size_t i = 0; i < ASKERS_MOST; i++) {
        cancel_fire(&askings[i].cancel);
    }
    for (size_t i = 0; i < ASKERS_MOST; i++) {
        ask_end(&askings[i]);
    }
    await_number(at_work, 0);
    assert_int_equal(connections(), ASKERS_MOST + 1);
    connections_count(false);
    struct rows rows = place_rows(place, "SELECT COUNT(*) FROM item");
    assert_string_equal(cell_text(place, &rows, 0, 0), "0");
}

/* The server has no time for us, as on a machine that does other things: that is no
 * reason to give up connections that are as good as before. */
static void slow_server_costs_no_connection(void **state)
{
    enum { FROZEN_MS = 1000 };
    struct place *place = *state;
    struct asking askings[ASKERS_MOST];
    connections_count(true);
    (void)place_open(place, "CREATE TABLE item (id INTEGER)");
    for (size_t i = 0; i < ASKERS_MOST; i++) {
        ask_begin(&askings[i], place);
    }
    await_number(counting, ASKERS_MOST);
    await_number(spares, 1);
    kind_mysql_freeze(true);
    for (size_t i = 0; i < ASKERS_MOST; i++) {
        cancel_fire(&askings[i].cancel);
    }
    (void)usleep(FROZEN_MS * 1000);
    kind_mysql_freeze(false);
    for (size_t i = 0; i < ASKERS_MOST; i++) {
        ask_end(&askings[i]);
    }
    await_number(at_work, 0);
    stop_one(place);
    assert_int_equal(connections(), ASKERS_MOST + 1);
    connections_count(false);
}

/* Queries that are over at once need nobody to end them. */
static void short_queries_make_none(void **state)
{
    struct place *place = *state;
    connections_count(true);
    (void)place_open(place, "CREATE TABLE item (id INTEGER)");
    for (int i = 0; i < 5; i++) {
        (void)place_rows(place, "SELECT COUNT(*) FROM item");
    }
    assert_int_equal(connections(), 1);
    connections_count(false);
}

/* OpenSSL remembers errors for each thread. One that another library left there, or a
 * handshake that failed, says nothing about this line. */
static void old_errors_of_the_thread_cost_no_connection(void **state)
{
    struct place *place = *state;
    void *(*file_open)(const char *name, const char *mode) = NULL;
    unsigned long (*peek)(void) = NULL;
    connections_count(true);
    (void)place_open(place, "CREATE TABLE item (id INTEGER)");
    void *process = dlopen(NULL, RTLD_NOW);
    if (!library_find(process, "BIO_new_file", &file_open) ||
        !library_find(process, "ERR_peek_error", &peek)) {
        skip(); /* libmariadb is built with another TLS library */
    }
    for (int i = 0; i < 5; i++) {
        assert_null(file_open("/there/is/no/such/file", "r"));
        assert_int_not_equal(peek(), 0);
        (void)place_rows(place, "SELECT COUNT(*) FROM item");
    }
    assert_int_equal(connections(), 1);
    connections_count(false);
    (void)dlclose(process);
}

/* The server ends it: the stop that finds it gone goes another way, the next query that
 * lasts makes it anew. */
static void lost_one_is_made_again(void **state)
{
    struct place *place = *state;
    struct asking asking;
    (void)place_open(place, "CREATE TABLE item (id INTEGER)");
    ask_begin(&asking, place);
    await_number(counting, 1);
    await_number(spares, 1);
    assert_true(kind_mysql_number(
                    "BEGIN NOT ATOMIC DECLARE one BIGINT; SELECT ID INTO one " READERS
                    " AND DB IS NULL; KILL one; END") >= 0);
    await_number(spares, 0);
    cancel_fire(&asking.cancel);
    ask_end(&asking);
    await_number(at_work, 0);
    stop_one(place);
    stop_one(place);
}

/* The whole server goes and comes: the stop ends at once, and all is as before. */
static void restarted_server_gets_a_new_one(void **state)
{
    struct place *place = *state;
    struct err err;
    (void)place_open(place, "CREATE TABLE item (id INTEGER)");
    stop_one(place);
    kind->server->down();
    assert_false(place_raw(place, "SELECT COUNT(*) FROM item", NULL, NULL, &err));
    kind->server->up();
    int64_t until_ms =
        clock_ms() + PATIENCE_MS; /* there is a pause after a failed connect */
    while (!place_raw(place, "SELECT COUNT(*) FROM item", NULL, NULL, &err) &&
           clock_ms() < until_ms) {
        (void)usleep(10000);
    }
    stop_one(place);
}

/* The login may have one connection, which the query has. */
static void login_without_room_for_it_is_stopped(void **state)
{
    struct place *place = *state;
    struct asking asking;
    assert_true(kind_mysql_number(
                    "ALTER USER reader@'127.0.0.1' WITH MAX_USER_CONNECTIONS 1") >= 0);
    (void)place_open(place, "CREATE TABLE item (id INTEGER)");
    ask_begin(&asking, place);
    await_number(counting, 1);
    cancel_fire(&asking.cancel);
    ask_end(&asking);
    assert_int_equal(kind_mysql_number(spares), 0);
    assert_true(kind_mysql_number(
                    "ALTER USER reader@'127.0.0.1' WITH MAX_USER_CONNECTIONS 0") >= 0);
    kind->server->terminate(place->path);
    struct rows rows = place_rows(place, "SELECT COUNT(*) FROM item");
    assert_string_equal(cell_text(place, &rows, 0, 0), "0");
}

int suite_mysql_stop(void)
{
    const struct CMUnitTest tests[] = {
        PLACE_TEST(stops_share_one_connection),
        PLACE_TEST(slow_server_costs_no_connection),
        PLACE_TEST(short_queries_make_none),
        PLACE_TEST(old_errors_of_the_thread_cost_no_connection),
        PLACE_TEST(lost_one_is_made_again),
        PLACE_TEST(restarted_server_gets_a_new_one),
        PLACE_TEST(login_without_room_for_it_is_stopped),
    };
    kind->server->terminate(NULL); /* what tests of a dead server left at work */
    return cmocka_run_group_tests_name("mysql_stop", tests, NULL, NULL);
}
