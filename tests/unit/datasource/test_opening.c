/* Opening when first needed: a dialect that is found out then, seen by every thread, and
 * decorators that were there before. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/arena.h"
#include "datasource/opening.h"

enum { THREADS = 4 };

/* Like ODBC: a table of its own dialect, and a database that speaks another. */
struct found {
    int opens;
    int closes;
    const struct datasource_limits *limits;
};
static struct found found;

static bool found_open(struct datasource *source, struct err *err)
{
    (void)err;
    found.opens++; /* one at a time */
    found.limits = source->opening_limits;
    (void)usleep(20000); /* the others come meanwhile */
    source->state = ARENA_NEW(source->arena, int);
    opening_speaks(source, DIALECT_MYSQL);
    return true;
}

static void found_close(struct datasource *source)
{
    found.closes++;
    source->state = NULL;
}

static bool found_signature(struct datasource *source,
                            const struct datasource_limits *limits, char out[33],
                            struct err *err)
{
    (void)limits;
    (void)err;
    (void)snprintf(out, 33, "%s", source->state ? "open" : "closed");
    return true;
}

static const struct datasource_driver driver = {.name = "found",
                                                .dialect = DIALECT_ODBC,
                                                .open = found_open,
                                                .close = found_close,
                                                .signature = found_signature};

static struct datasource *source_new(const struct options *options)
{
    struct arena *arena = arena_new();
    struct datasource *source = ARENA_NEW(arena, struct datasource);
    found = (struct found){0};
    source->arena = arena;
    source->id = "found";
    source->url = "found:";
    source->place = "";
    source->driver = &driver;
    source->options = options;
    opening_init(source);
    return source;
}

struct user {
    struct datasource *source;
    enum dialect before;
    enum dialect after;
    char signature[33];
    bool ok;
};

static void *use(void *context)
{
    struct user *user = context;
    struct err err;
    err_clear(&err);
    user->before = datasource_dialect(user->source);
    user->ok = datasource_signature(user->source, NULL, user->signature, &err);
    user->after = datasource_dialect(user->source);
    return NULL;
}

static void threads_use(struct datasource *source)
{
    pthread_t threads[THREADS];
    struct user users[THREADS];
    for (int i = 0; i < THREADS; i++) {
        users[i] = (struct user){.source = source};
        assert_int_equal(pthread_create(&threads[i], NULL, use, &users[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        assert_true(users[i].ok);
        assert_true(users[i].before == DIALECT_ODBC || users[i].before == DIALECT_MYSQL);
        assert_int_equal(users[i].after, DIALECT_MYSQL);
        assert_string_equal(users[i].signature, users[0].signature);
    }
}

static void dialect_is_found_by_one_for_all(void **state)
{
    (void)state;
    struct options *options = options_new();
    struct datasource *source = source_new(options);
    assert_int_equal(datasource_dialect(source), DIALECT_ODBC);
    threads_use(source);
    assert_int_equal(found.opens, 1);
    assert_ptr_equal(source->driver, &driver);
    datasource_close(source);
    assert_int_equal(found.closes, 1);
    options_free(options);
}

/* The guard judges in the dialect that the SQL will run in. */
static void dialect_is_known_before_the_first_sql(void **state)
{
    (void)state;
    struct options *options = options_new();
    struct datasource *source = source_new(options);
    struct err err;
    err_clear(&err);
    assert_true(datasource_ready(source, NULL, &err));
    assert_int_equal(datasource_dialect(source), DIALECT_MYSQL);
    assert_true(datasource_ready(source, NULL, &err));
    assert_int_equal(found.opens, 1);
    datasource_close(source);
    options_free(options);
}

static void decorators_outlive_the_opening(void **state)
{
    (void)state;
    struct options *options = options_new();
    struct datasource *source = source_new(options);
    datasource_trace(source);
    datasource_fail_at(source, 0, ERR_TIMEOUT);
    const struct datasource_driver *decorated = source->driver;
    threads_use(source);
    assert_ptr_equal(source->driver, decorated);
    assert_non_null(found.limits); /* of the call that opened it */
    struct err err;
    char signature[33];
    err_clear(&err);
    datasource_fail_at(source, 1, ERR_TIMEOUT);
    assert_false(datasource_signature(source, NULL, signature, &err));
    assert_int_equal(err.code, ERR_TIMEOUT);
    assert_true(datasource_signature(source, NULL, signature, &err));
    datasource_close(source);
    assert_int_equal(found.opens, 1);
    assert_int_equal(found.closes, 1);
    options_free(options);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dialect_is_found_by_one_for_all),
        cmocka_unit_test(dialect_is_known_before_the_first_sql),
        cmocka_unit_test(decorators_outlive_the_opening),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
