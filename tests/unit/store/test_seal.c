/* Secrets sealed with a key that is not in the store. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/err.h"
#include "model/options/options.h"
#include "store/secrets/seal.h"
#include "store/store.h"

static const char url[] = "postgres://u:hunter2@db.example.org/shop";

struct fixture {
    char folder[64];
    char key[80];
    struct options *options;
    struct arena *arena;
    struct err err;
};

static int setup(void **state)
{
    struct fixture *fixture = test_calloc(1, sizeof *fixture);
    (void)snprintf(fixture->folder, sizeof fixture->folder, "/tmp/dragoman-seal-XXXXXX");
    assert_non_null(mkdtemp(fixture->folder));
    (void)snprintf(fixture->key, sizeof fixture->key, "%s/key", fixture->folder);
    fixture->options = options_new();
    fixture->options->store_folder = fixture->folder;
    fixture->arena = arena_new();
    (void)unsetenv("DRAGOMAN_KEY");
    (void)unsetenv("DRAGOMAN_KEY_FILE");
    *state = fixture;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *fixture = *state;
    (void)unsetenv("DRAGOMAN_KEY");
    (void)unlink(fixture->key);
    (void)rmdir(fixture->folder);
    options_free(fixture->options);
    arena_free(fixture->arena);
    test_free(fixture);
    return 0;
}

static char *close_it(struct fixture *fixture)
{
    err_clear(&fixture->err);
    return seal_close(fixture->options, fixture->arena, "shop", url, &fixture->err);
}

static char *open_it(struct fixture *fixture, const char *name, const char *sealed)
{
    err_clear(&fixture->err);
    return seal_open(fixture->options, fixture->arena, name, sealed, &fixture->err);
}

static void what_is_sealed_opens_under_its_name_alone(void **state)
{
    struct fixture *fixture = *state;
    assert_false(seal_has_key(fixture->options));
    char *sealed = close_it(fixture);
    assert_non_null(sealed);
    assert_true(seal_has_key(fixture->options));
    assert_null(strstr(sealed, "hunter2"));
    assert_string_not_equal(sealed, close_it(fixture)); /* never the same twice */
    assert_string_equal(open_it(fixture, "shop", sealed), url);
    assert_null(open_it(fixture, "crm", sealed));
    assert_int_equal(fixture->err.code, ERR_CONFIG);
    for (size_t i = 0, size = strlen(sealed); i < size; i += 7) { /* any digit */
        char digit = sealed[i];
        sealed[i] = digit == '0' ? '1' : '0';
        assert_null(open_it(fixture, "shop", sealed));
        sealed[i] = digit;
    }
    assert_null(open_it(fixture, "shop", ""));
    assert_null(open_it(fixture, "shop", "zz"));
    assert_null(open_it(fixture, "shop", "00ff"));
}

static void keys_are_looked_after(void **state)
{
    struct fixture *fixture = *state;
    char *sealed = close_it(fixture);
    struct stat about;
    assert_int_equal(stat(fixture->key, &about), 0);
    assert_int_equal(about.st_mode & 0777, 0600);
    assert_int_equal(chmod(fixture->key, 0640), 0);
    assert_null(open_it(fixture, "shop", sealed));
    assert_int_equal(chmod(fixture->key, 0600), 0);
    assert_int_equal(setenv("DRAGOMAN_KEY", "12ab", 1), 0);
    assert_null(close_it(fixture));
    assert_int_equal(
        setenv("DRAGOMAN_KEY",
               "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff", 1),
        0);
    assert_null(open_it(fixture, "shop", sealed)); /* another key */
    char *other = close_it(fixture);
    assert_string_equal(open_it(fixture, "shop", other), url);
    assert_int_equal(unsetenv("DRAGOMAN_KEY"), 0);
    assert_string_equal(open_it(fixture, "shop", sealed), url);
    assert_int_equal(unlink(fixture->key), 0);
    assert_null(open_it(fixture, "shop", sealed)); /* lost, and none is made */
    assert_int_not_equal(access(fixture->key, F_OK), 0);
}

/* Where what is sealed lives: one row per datasource. */
static void sources_are_kept(void **state)
{
    struct fixture *fixture = *state;
    fixture->options->store_url = "memory:";
    struct store *store = store_open(fixture->options, &fixture->err);
    assert_non_null(store);
    struct store_source source = {.id = "crm", .sealed = "00ff"};
    struct store_sources all = {0};
    assert_true(store_source_put(store, &source, &fixture->err));
    source.sealed = "11ee";
    source.description = "customers";
    assert_true(store_source_put(store, &source, &fixture->err));
    assert_true(store_source_list(store, fixture->arena, &all, &fixture->err));
    assert_int_equal(all.count, 1);
    assert_string_equal(all.items[0].sealed, "11ee");
    assert_string_equal(all.items[0].description, "customers");
    assert_true(store_source_delete(store, "crm", &fixture->err));
    assert_true(store_source_delete(store, "crm", &fixture->err));
    all = (struct store_sources){0};
    assert_true(store_source_list(store, fixture->arena, &all, &fixture->err));
    assert_int_equal(all.count, 0);
    store_close(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_is_sealed_opens_under_its_name_alone, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(keys_are_looked_after, setup, teardown),
        cmocka_unit_test_setup_teardown(sources_are_kept, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
