/* Writing: previewed and rolled back, or committed; never on a source declared read-only.
 */
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "conformance.h"

static const char shop[] =
    "CREATE TABLE item (id INTEGER PRIMARY KEY, name VARCHAR NOT NULL);"
    "CREATE TABLE sale (id INTEGER PRIMARY KEY, item_id INTEGER REFERENCES item (id));"
    "INSERT INTO item VALUES (1, 'pen'), (2, 'book'); INSERT INTO sale VALUES (1, 1)";

static bool change(struct place *place, const char *sql, bool commit, int64_t *touched,
                   struct err *err)
{
    err_clear(err);
    return datasource_write(place->source, sql, NULL,
                            commit ? WRITE_ANY_ROWS : WRITE_PREVIEW, NULL, touched, err);
}

static void expect_count(struct place *place, const char *sql, const char *count)
{
    struct rows rows = place_rows(place, sql);
    assert_string_equal(cell_text(place, &rows, 0, 0), count);
}

/* A source that may be written to, by a login that may. */
static void writable_open(struct place *place)
{
    if (!kind->writes) {
        skip();
    }
    place_open(place, shop)->writable = true;
    if (kind->may_write) {
        kind->script(place->path, kind->may_write);
    }
}

static void read_only_source_refuses(void **state)
{
    struct place *place = *state;
    (void)place_open(place, shop);
    struct err err;
    int64_t touched = 0;
    assert_false(change(place, "DELETE FROM sale", true, &touched, &err));
    assert_int_equal(err.code, ERR_WRITE_NOT_ALLOWED);
    expect_count(place, "SELECT count(*) FROM sale", "1");
}

static void preview_counts_and_leaves_all(void **state)
{
    struct place *place = *state;
    writable_open(place);
    struct err err;
    int64_t touched = 0;
    assert_true(change(place, "UPDATE item SET name = 'x'", false, &touched, &err));
    assert_int_equal(touched, 2);
    expect_count(place, "SELECT count(*) FROM item WHERE name = 'x'", "0");
    assert_true(change(place, "UPDATE item SET name = 'x'", true, &touched, &err));
    assert_int_equal(touched, 2);
    expect_count(place, "SELECT count(*) FROM item WHERE name = 'x'", "2");
    assert_true(
        change(place, "INSERT INTO item VALUES (3, 'lamp')", true, &touched, &err));
    assert_int_equal(touched, 1);
    expect_count(place, "SELECT count(*) FROM item", "3");
}

/* What was approved is a number of rows: another one is not committed. */
static void other_rows_are_rolled_back(void **state)
{
    struct place *place = *state;
    writable_open(place);
    struct err err;
    int64_t touched = 0;
    err_clear(&err);
    assert_false(datasource_write(place->source, "UPDATE item SET name = 'x'", NULL, 1,
                                  NULL, &touched, &err));
    assert_int_equal(err.code, ERR_WRITE_CHANGED);
    assert_int_equal(touched, 2);
    expect_count(place, "SELECT count(*) FROM item WHERE name = 'x'", "0");
    err_clear(&err);
    assert_true(datasource_write(place->source, "UPDATE item SET name = 'x'", NULL, 2,
                                 NULL, &touched, &err));
    expect_count(place, "SELECT count(*) FROM item WHERE name = 'x'", "2");
}

static void broken_rules_and_other_statements_are_refused(void **state)
{
    struct place *place = *state;
    writable_open(place);
    static const char *const refused[] = {"DROP TABLE item",
                                          "CREATE TABLE z (a INTEGER)",
                                          "SELECT 1",
                                          "DELETE FROM sale; DELETE FROM item",
                                          "DELETE FROM sqlite_master",
                                          "WITH x AS (SELECT 1) SELECT * FROM x",
                                          "COMMIT",
                                          "BEGIN",
                                          "TRUNCATE item",
                                          "",
                                          "; DELETE FROM item",
                                          "PRAGMA user_version = 7"};
    struct err err;
    int64_t touched = 0;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        err_clear(&err);
        /* straight to the driver: its own lock must hold */
        if (place->source->driver->write(place->source, refused[i], WRITE_ANY_ROWS, NULL,
                                         &touched, &err)) {
            fail_msg("ran: %s", refused[i]);
        }
        assert_false(change(place, refused[i], true, &touched, &err));
    }
    assert_false(change(place, "DELETE FROM item WHERE id = 1", true, &touched, &err));
    assert_int_equal(err.code, ERR_INVALID_SQL); /* a sale refers to it */
    assert_false(
        change(place, "INSERT INTO item VALUES (9, NULL)", true, &touched, &err));
    expect_count(place, "SELECT count(*) FROM item", "2");
}

struct slow_write {
    struct place *place;
    const char *sql;
    struct datasource_limits limits;
    bool ok;
    int64_t touched;
    struct err err;
};

static void *write_slowly(void *context)
{
    struct slow_write *write = context;
    struct datasource *source = write->place->source;
    err_clear(&write->err);
    write->ok = source->driver->write(source, write->sql, WRITE_ANY_ROWS, &write->limits,
                                      &write->touched, &write->err);
    return NULL;
}

/* Is it at work? Servers tell; of a file it is guessed, and right either way. */
static void await_work(struct place *place)
{
    int64_t until_ms = clock_ms() + 120000;
    if (!kind->server) {
        (void)usleep(300000);
        return;
    }
    while (kind->server->running(place->path) != 1 && clock_ms() < until_ms) {
        (void)usleep(10000);
    }
}

static void endless_write(struct place *place, struct slow_write *write,
                          pthread_t *thread)
{
    const char *endless = kind->endless;
    write->place = place;
    write->sql = arena_format(
        place->arena, "UPDATE item SET name = 'x' WHERE id < 0 OR (%s) >= 0", endless);
    write->limits.deadline_ms = clock_ms() + 60000;
    assert_int_equal(pthread_create(thread, NULL, write_slowly, write), 0);
    await_work(place);
}

static void stopped_write_changes_nothing(void **state)
{
    struct place *place = *state;
    writable_open(place);
    struct cancel cancel;
    pthread_t thread;
    cancel_init(&cancel);
    struct slow_write write = {.limits.cancel = &cancel};
    endless_write(place, &write, &thread);
    cancel_fire(&cancel);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_false(write.ok);
    assert_int_equal(write.err.code, ERR_STOPPED);
    assert_int_equal(write.touched, 0);
    cancel_release(&cancel);
    expect_count(place, "SELECT count(*) FROM item WHERE name = 'x'", "0");
    struct err err;
    int64_t touched = 0; /* and nothing is locked by it */
    assert_true(change(place, "UPDATE item SET name = 'y'", true, &touched, &err));
    assert_int_equal(touched, 2);
}

static void lost_connection_changes_nothing(void **state)
{
    struct place *place = *state;
    if (!kind->server) {
        skip();
    }
    writable_open(place);
    pthread_t thread;
    struct slow_write write = {0};
    endless_write(place, &write, &thread);
    kind->server->terminate(place->path);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_false(write.ok);
    assert_int_equal(write.err.code, ERR_DATASOURCE_UNREACHABLE);
    expect_count(place, "SELECT count(*) FROM item WHERE name = 'x'", "0");
}

/* A login that may only read is a second lock. */
static void login_without_rights_is_told(void **state)
{
    struct place *place = *state;
    if (!kind->writes || !kind->may_write) {
        skip();
    }
    place_open(place, shop)->writable = true;
    struct err err;
    int64_t touched = 0;
    assert_false(change(place, "DELETE FROM sale", true, &touched, &err));
    assert_int_equal(err.code, ERR_ACCESS);
    expect_count(place, "SELECT count(*) FROM sale", "1");
}

/* Reading goes on before, between and after: a write leaves nothing switched on. */
static void reading_stays_reading(void **state)
{
    struct place *place = *state;
    writable_open(place);
    struct err err;
    int64_t touched = 0;
    for (int i = 0; i < 3; i++) {
        expect_count(place, "SELECT count(*) FROM item", "2");
        assert_true(change(place, "UPDATE item SET name = 'z' WHERE id = 1", i == 1,
                           &touched, &err));
        assert_false(place_raw(place, "DELETE FROM sale", NULL, NULL, &err));
        assert_int_equal(err.code, ERR_UNSAFE);
    }
    expect_count(place, "SELECT count(*) FROM sale", "1");
}

int suite_write(void)
{
    const struct CMUnitTest tests[] = {
        PLACE_TEST(read_only_source_refuses),
        PLACE_TEST(preview_counts_and_leaves_all),
        PLACE_TEST(other_rows_are_rolled_back),
        PLACE_TEST(broken_rules_and_other_statements_are_refused),
        PLACE_TEST(stopped_write_changes_nothing),
        PLACE_TEST(lost_connection_changes_nothing),
        PLACE_TEST(login_without_rights_is_told),
        PLACE_TEST(reading_stays_reading),
    };
    return cmocka_run_group_tests_name("write", tests, NULL, NULL);
}
