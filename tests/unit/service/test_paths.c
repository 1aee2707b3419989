/* Which files and folders a configuration names, for a sandbox around the process. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <jansson.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dragoman_server.h"

static char root[64];
static struct dgm_config *config;

static const char *at(const char *name)
{
    static char paths[4][160];
    static int next;
    char *path = paths[next++ % 4];
    (void)snprintf(path, sizeof paths[0], "%s/%s", root, name);
    return path;
}

static void write_file(const char *path)
{
    FILE *file = fopen(path, "we");
    assert_non_null(file);
    (void)fputs("x", file);
    (void)fclose(file);
}

static void make_database(const char *path, const char *sql)
{
    sqlite3 *db = NULL;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    (void)sqlite3_close(db);
}

/* "", "r" or "rw": what the list says of exactly this path. */
static const char *access_of(const char *path)
{
    const char *found = "";
    char *text = dgm_config_paths(config);
    json_t *list = json_loads(text, 0, NULL);
    assert_true(json_is_array(list));
    for (size_t i = 0; i < json_array_size(list); i++) {
        json_t *item = json_array_get(list, i);
        assert_non_null(json_string_value(json_object_get(item, "of")));
        if (strcmp(json_string_value(json_object_get(item, "path")), path) == 0) {
            bool write = json_is_true(json_object_get(item, "write"));
            found = write || strcmp(found, "rw") == 0 ? "rw" : "r";
        }
    }
    json_decref(list);
    dgm_free(text);
    return found;
}

static void add(const char *url)
{
    struct dgm_error error;
    assert_true(dgm_config_add_datasource(config, NULL, url, &error));
}

static void set(const char *key, const char *value)
{
    struct dgm_error error;
    assert_true(dgm_config_set(config, key, value, &error));
}

/* A file is often replaced by another one of its name: that is its folder's matter. */
static void a_file_opens_its_folder(void **state)
{
    (void)state;
    make_database(at("data/shop.db"), "CREATE TABLE t(x)");
    add(at("data/shop.db"));
    assert_string_equal(access_of(at("data")), "r");
    assert_string_equal(access_of(at("data/shop.db")), "r");
    assert_string_equal(access_of(at("other")), "");
    assert_string_equal(access_of(root), "");
}

/* But a database in the home folder opens nobody's keys. */
static void a_file_at_home_is_alone(void **state)
{
    (void)state;
    make_database(at("home/shop.db"), "CREATE TABLE t(x)");
    add(at("home/shop.db"));
    assert_string_equal(access_of(at("home")), "");
    assert_string_equal(access_of(at("home/shop.db")), "r");
    make_database(at("top.db"), "CREATE TABLE t(x)"); /* above the home folder */
    add(at("top.db"));
    assert_string_equal(access_of(root), "");
    assert_string_equal(access_of(at("top.db")), "r");
}

/* Who reads a database in write-ahead mode makes files beside it. */
static void write_ahead_needs_its_folder(void **state)
{
    (void)state;
    make_database(at("data/wal.db"), "PRAGMA journal_mode = WAL; CREATE TABLE t(x)");
    add(at("data/wal.db"));
    assert_string_equal(access_of(at("data")), "rw");
}

static void writable_is_written(void **state)
{
    (void)state;
    make_database(at("data/shop.db"), "CREATE TABLE t(x)");
    add(at("data/shop.db"));
    dgm_config_allow_writes(config);
    assert_string_equal(access_of(at("data")), "rw");
}

static void folders_lists_and_patterns(void **state)
{
    char list[400];
    (void)state;
    write_file(at("other/outside.csv"));
    write_file(at("data/a.csv"));
    assert_int_equal(symlink(at("other/outside.csv"), at("data/linked.csv")), 0);
    add(at("data"));
    assert_string_equal(access_of(at("data")), "r");
    assert_string_equal(access_of(at("other/outside.csv")), "r");
    assert_string_equal(access_of(at("other")), "");
    (void)snprintf(list, sizeof list, "files:%s,%s", at("third/*.csv"), at("data/a.csv"));
    add(list);
    assert_string_equal(access_of(at("third")), "r");
}

static void urls_name_files(void **state)
{
    char url[400];
    (void)state;
    write_file(at("other/ca file.pem"));
    (void)snprintf(url, sizeof url, "postgres://reader@db/shop?sslrootcert=%s",
                   at("other/ca%20file.pem"));
    add(url);
    assert_string_equal(access_of(at("other")), "r");
    assert_string_equal(access_of(at("home/.pgpass")), "r");
    assert_string_equal(access_of(at("home/.odbc.ini")), "");
    (void)snprintf(url, sizeof url, "odbc:DRIVER={%s};SERVER=db", at("third"));
    add(url);
    assert_string_equal(access_of(at("third")), "r");
    assert_string_equal(access_of(at("home/.odbc.ini")), "r");
}

static void settings_and_environment(void **state)
{
    (void)state;
    write_file(at("other/key"));
    set("store.folder", at("kept"));
    set("staging.folder", at("staged"));
    set("prompt.folder", at("prompts"));
    set("llm.record", at("third/record"));
    set("server.sandbox_paths", at("later"));
    (void)setenv("OPENAI_API_KEY_FILE", at("other/key"), 1);
    (void)setenv("TMPDIR", at("temporary"), 1);
    (void)setenv("XAUTHORITY", at("data/secret"), 1);
    assert_string_equal(access_of(at("kept")), "rw");
    assert_string_equal(access_of(at("staged")), "rw");
    assert_string_equal(access_of(at("prompts")), "r");
    assert_string_equal(access_of(at("third")), "rw");
    assert_string_equal(access_of(at("later")), "r");
    assert_string_equal(access_of(at("other")), "r");
    assert_string_equal(access_of(at("temporary")), "rw");
    assert_string_equal(access_of("/tmp"), "");
    assert_string_equal(access_of(at("data")), "");
    (void)unsetenv("OPENAI_API_KEY_FILE");
    (void)unsetenv("TMPDIR");
    (void)unsetenv("XAUTHORITY");
}

static int begin(void **state)
{
    static const char *const folders[] = {"data", "other", "third", "home"};
    (void)state;
    (void)snprintf(root, sizeof root, "/tmp/dragoman-paths-XXXXXX");
    if (!mkdtemp(root)) {
        return -1;
    }
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        if (mkdir(at(folders[i]), 0700) != 0) {
            return -1;
        }
    }
    (void)setenv("HOME", at("home"), 1);
    config = dgm_config_new();
    return 0;
}

static int end(void **state)
{
    char command[128];
    (void)state;
    dgm_config_free(config);
    (void)snprintf(command, sizeof command, "rm -r %s", root);
    return system(command);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_file_opens_its_folder),      TEST(a_file_at_home_is_alone),
        TEST(write_ahead_needs_its_folder), TEST(writable_is_written),
        TEST(folders_lists_and_patterns),   TEST(urls_name_files),
        TEST(settings_and_environment),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
