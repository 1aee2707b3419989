/* Writing: previewed and rolled back, or committed; never on a source declared read-only.
 */
#include <string.h>

#include "conformance.h"

static const char shop[] =
    "CREATE TABLE item (id INTEGER PRIMARY KEY, name VARCHAR NOT NULL);"
    "CREATE TABLE sale (id INTEGER PRIMARY KEY, item_id INTEGER REFERENCES item (id));"
    "INSERT INTO item VALUES (1, 'pen'), (2, 'book'); INSERT INTO sale VALUES (1, 1)";

static bool change(struct place *place, const char *sql, bool commit, int64_t *touched,
                   struct err *err)
{
    err_clear(err);
    return datasource_write(place->source, sql, NULL, commit, NULL, touched, err);
}

static void expect_count(struct place *place, const char *sql, const char *count)
{
    struct rows rows = place_rows(place, sql);
    assert_string_equal(cell_text(place, &rows, 0, 0), count);
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
    place_open(place, shop)->writable = true;
    if (!kind->writes) {
        skip();
    }
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

static void broken_rules_and_other_statements_are_refused(void **state)
{
    struct place *place = *state;
    place_open(place, shop)->writable = true;
    if (!kind->writes) {
        skip();
    }
    static const char *const refused[] = {"DROP TABLE item",
                                          "CREATE TABLE z (a INTEGER)",
                                          "SELECT 1",
                                          "DELETE FROM sale; DELETE FROM item",
                                          "DELETE FROM sqlite_master",
                                          "PRAGMA user_version = 7"};
    struct err err;
    int64_t touched = 0;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        err_clear(&err);
        /* straight to the driver: its own lock must hold */
        if (place->source->driver->write(place->source, refused[i], true, NULL, &touched,
                                         &err)) {
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

int suite_write(void)
{
    const struct CMUnitTest tests[] = {
        PLACE_TEST(read_only_source_refuses),
        PLACE_TEST(preview_counts_and_leaves_all),
        PLACE_TEST(broken_rules_and_other_statements_are_refused),
    };
    return cmocka_run_group_tests_name("write", tests, NULL, NULL);
}
