/* What one asker's statement leaves in a connection is gone for the next one. */
#include <string.h>

#include "conformance.h"

/* One cell, asked past the guard; NULL when the statement fails. */
static const char *see(struct place *place, const char *sql)
{
    struct err err;
    int64_t rows = 0;
    if (!place_raw(place, sql, NULL, &rows, &err)) {
        return NULL;
    }
    struct rows seen = place_raw_rows(place, sql);
    return cell_text(place, &seen, 0, 0);
}

static void expect_clean(struct place *place, const struct leftover *one)
{
    const char *seen = see(place, one->probe);
    bool clean = one->clean ? seen && strcmp(seen, one->clean) == 0 : !seen;
    if (!clean) {
        fail_msg("%s: %s says %s instead of %s", one->what, one->probe,
                 seen ? seen : "nothing", one->clean ? one->clean : "that it fails");
    }
}

/* The probes must be able to tell: within the leaving statement itself, the leaving has
 * happened (`during`), on the very connection that is looked at afterwards. */
static void nothing_is_left_behind(void **state)
{
    struct place *place = *state;
    if (!kind->leftovers) {
        skip();
    }
    (void)place_open(place, kind->leftovers_script);
    const char *session = kind->session ? see(place, kind->session) : "";
    assert_non_null(session);
    for (const struct leftover *one = kind->leftovers; one->what; one++) {
        struct err err;
        expect_clean(place, one);
        const char *during = one->during ? see(place, one->during) : NULL;
        bool left = place_raw(place, one->leave, NULL, NULL, &err);
        if (left == one->refused) {
            fail_msg("%s: %s %s (%s)", one->what, one->leave,
                     left ? "ran" : "did not run", err.detail);
        }
        if (one->during && (!during || (one->clean && strcmp(during, one->clean) == 0))) {
            fail_msg("%s: nothing was left, so nothing is shown: %s", one->what,
                     during ? during : "it failed");
        }
        expect_clean(place, one);
        if (kind->session && strcmp(see(place, kind->session), session) != 0) {
            fail_msg("%s: it was not one connection all the time", one->what);
        }
    }
}

/* A row of a table from which the driver stops reading: the rest is thrown away, and the
 * connection must be as clean. */
static void nothing_is_left_behind_when_it_is_cut_short(void **state)
{
    struct place *place = *state;
    if (!kind->leftovers || !kind->leave_many) {
        skip();
    }
    (void)place_open(place, kind->leftovers_script);
    for (int i = 0; i < 5; i++) {
        struct err err;
        int64_t rows = 0;
        const struct datasource_limits limits = {.max_rows = 1 + i, .max_bytes = 1 << 20};
        assert_true(place_raw(place, kind->leave_many, &limits, &rows, &err));
        for (const struct leftover *one = kind->leftovers; one->what; one++) {
            expect_clean(place, one);
        }
    }
}

int suite_session(void)
{
    const struct CMUnitTest tests[] = {
        PLACE_TEST(nothing_is_left_behind),
        PLACE_TEST(nothing_is_left_behind_when_it_is_cut_short),
    };
    return cmocka_run_group_tests_name("session", tests, NULL, NULL);
}
