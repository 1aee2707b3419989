/* What may be added while dragoman runs: files in their folders, hosts that are public.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/err.h"
#include "datasource/allow.h"
#include "model/options/options.h"

static void addresses_are_public_or_not(void **state)
{
    (void)state;
    static const char *const internal[] = {
        "127.0.0.1",
        "127.8.8.8",
        "10.1.2.3",
        "172.16.0.1",
        "172.31.255.255",
        "192.168.1.1",
        "169.254.169.254",
        "100.64.0.1",
        "0.0.0.0",
        "224.0.0.1",
        "255.255.255.255",
        "::1",
        "::",
        "fe80::1",
        "fd00::1",
        "ff02::1",
        "::ffff:127.0.0.1",
        "::ffff:10.0.0.1",
        "64:ff9b::7f00:1",
        "2002:7f00:1::",
        "::127.0.0.1",
        "2001:0:1::1",
        "198.18.0.1",
        "no address",
        "",
        "127.1",
        "0x7f.0.0.1",
    };
    static const char *const outside[] = {
        "8.8.8.8",         "172.15.0.1",     "172.32.0.1",      "100.128.0.1",
        "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808"};
    for (size_t i = 0; i < sizeof internal / sizeof *internal; i++) {
        if (allow_is_public(internal[i])) {
            fail_msg("%s is not public", internal[i]);
        }
    }
    for (size_t i = 0; i < sizeof outside / sizeof *outside; i++) {
        if (!allow_is_public(outside[i])) {
            fail_msg("%s is public", outside[i]);
        }
    }
}

struct fixture {
    struct options *options;
    struct arena *arena;
    struct err err;
};

static bool allowed(struct fixture *fixture, const char *url)
{
    const char *address = NULL;
    err_clear(&fixture->err);
    return allow_url(fixture->options, fixture->arena, url, &address, &fixture->err);
}

static int setup(void **state)
{
    struct fixture *fixture = test_calloc(1, sizeof *fixture);
    fixture->options = options_new();
    fixture->arena = arena_new();
    *state = fixture;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *fixture = *state;
    options_free(fixture->options);
    arena_free(fixture->arena);
    test_free(fixture);
    return 0;
}

static void hosts_are_held_to_the_list(void **state)
{
    struct fixture *fixture = *state;
    static const char *const inside[] = {
        "postgres://u:p@127.0.0.1/db",       "postgres://u:p@localhost/db",
        "postgres://u:p@[::1]:5432/db",      "mysql://u:p@10.0.0.8/db",
        "postgres://u@[::ffff:127.0.0.1]/d", "postgres://2130706433/db",
        "postgres://0x7f000001/db",          "clickhouse://192.168.0.1:8123/x",
    };
    for (size_t i = 0; i < sizeof inside / sizeof *inside; i++) {
        if (allowed(fixture, inside[i])) {
            fail_msg("%s was allowed", inside[i]);
        }
    }
    fixture->options->sources_hosts = "db.example.org, 10.0.0.0/8, ::1";
    assert_true(allowed(fixture, "mysql://u:p@10.0.0.8/db"));
    assert_true(allowed(fixture, "mysql://u:p@10.0.0.8/db?ssl_mode=disabled"));
    assert_true(allowed(fixture, "postgres://u:p@[::1]:5432/db?sslmode=require"));
    assert_false(allowed(fixture, "postgres://u:p@127.0.0.1/db"));
    assert_false(allowed(fixture, "postgres://u:p@8.8.8.8/db")); /* not in the list */
    fixture->options->sources_hosts = "localhost";
    assert_true(allowed(fixture, "postgres://u:p@LOCALHOST:1/db"));
    assert_false(allowed(fixture, "postgres://u:p@127.0.0.1/db")); /* by name alone */
}

static void own_datasets_may_be_added(void **state)
{
    struct fixture *fixture = *state;
    assert_true(allowed(fixture, "dataset:cities"));
    assert_true(allowed(fixture, "dataset:sales_2024-Q1"));
}

static void odd_urls_are_refused(void **state)
{
    struct fixture *fixture = *state;
    fixture->options->sources_hosts = "127.0.0.1, localhost";
    static const char *const odd[] = {
        "postgres:///db", /* a socket */
        "postgres://%2Ftmp/db",
        "postgres://u:p@127.0.0.1,10.0.0.1/db",
        "postgres://u:p/a@10.0.0.1@127.0.0.1/db", /* two ways to read it */
        "postgres://127.0.0.1/db@10.0.0.1",
        "postgres://127.0.0.1/db?host=10.0.0.1",
        "postgres://127.0.0.1/db?hostaddr=10.0.0.1",
        "postgres://127.0.0.1/db?service=x",
        "postgres://127.0.0.1/db?password_file=/etc/passwd",
        "postgres://127.0.0.1/db?sslmode=require&sslrootcert=/etc/passwd",
        "odbc:Driver=SQLite3;Database=/etc/passwd",
        "bigquery://project/dataset",
        "mongodb+srv://127.0.0.1/x",
        "gopher://127.0.0.1/x",
        "dataset:",
        "dataset:../../etc/passwd",
        "dataset:bob/wages", /* another account's */
        "dataset:a b",
        "",
    };
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        if (allowed(fixture, odd[i])) {
            fail_msg("%s was allowed", odd[i]);
        }
    }
}

static void files_are_held_to_their_folders(void **state)
{
    struct fixture *fixture = *state;
    char folder[] = "/tmp/dragoman-allow-XXXXXX";
    assert_non_null(mkdtemp(folder));
    char in[100];
    char out[100];
    char link_in[100];
    (void)snprintf(in, sizeof in, "%s/in", folder);
    (void)snprintf(out, sizeof out, "%s/inside-not.db", folder);
    assert_int_equal(mkdir(in, 0700), 0);
    FILE *file = fopen(out, "w");
    assert_non_null(file);
    (void)fclose(file);
    (void)snprintf(link_in, sizeof link_in, "%s/in/link.db", folder);
    assert_int_equal(symlink(out, link_in), 0);
    char good[100];
    (void)snprintf(good, sizeof good, "%s/in/good.db", folder);
    file = fopen(good, "w");
    assert_non_null(file);
    (void)fclose(file);
    assert_false(allowed(fixture, good)); /* no folder is allowed yet */
    fixture->options->sources_folders = arena_format(fixture->arena, "/nowhere, %s", in);
    assert_true(allowed(fixture, good));
    assert_true(allowed(fixture, arena_format(fixture->arena, "sqlite://%s", good)));
    const char *const bad[] = {
        out,
        link_in,
        arena_format(fixture->arena, "sqlite://%s", out),
        arena_format(fixture->arena, "sqlite://%s/../inside-not.db", in),
        arena_format(fixture->arena, "%s/*.db", in),
        "/etc/passwd",
        "sqlite:///etc/passwd",
        "file:///etc/passwd",
        "file:///etc/no-such-file",
        "file:/etc/host",
        "${file:/etc/passwd}",
        "no such:file",
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        if (allowed(fixture, bad[i])) {
            fail_msg("%s was allowed", bad[i]);
        }
        /* not whether it exists, what it is, and what else is there */
        assert_int_equal(fixture->err.code, ERR_ACCESS);
        assert_string_equal(fixture->err.message, "This file may not be added.");
    }
    (void)unlink(good);
    (void)unlink(link_in);
    (void)unlink(out);
    (void)rmdir(in);
    (void)rmdir(folder);
}

#define TEST(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(addresses_are_public_or_not),
        TEST(hosts_are_held_to_the_list),
        TEST(own_datasets_may_be_added),
        TEST(odd_urls_are_refused),
        TEST(files_are_held_to_their_folders),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
