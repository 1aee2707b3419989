/* Files: whole, bounded, written at once, and folders. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"

struct fixture {
    struct arena *arena;
    char folder[64];
};

static struct fixture fixture;

static int setup(void **state)
{
    (void)state;
    fixture.arena = arena_new();
    (void)snprintf(fixture.folder, sizeof fixture.folder, "/tmp/dragoman-test-XXXXXX");
    return mkdtemp(fixture.folder) ? 0 : 1;
}

static int teardown(void **state)
{
    (void)state;
    char *command = arena_format(fixture.arena, "rm -rf '%s'", fixture.folder);
    int status = system(command);
    arena_free(fixture.arena);
    return status;
}

static char *path(const char *name)
{
    return arena_format(fixture.arena, "%s/%s", fixture.folder, name);
}

static int files_in_folder(void)
{
    int count = 0;
    DIR *folder = opendir(fixture.folder);
    while (readdir(folder)) {
        count++;
    }
    (void)closedir(folder);
    return count - 2;
}

static void what_is_written_is_read(void **state)
{
    (void)state;
    struct err err;
    size_t size = 0;
    assert_true(file_write(path("a"), "x\0y", 3, &err));
    char *text = file_read(fixture.arena, path("a"), 100, &size, &err);
    assert_int_equal(size, 3);
    assert_memory_equal(text, "x\0y\0", 4);
    assert_true(file_write(path("a"), "", 0, &err));
    assert_string_equal(file_read(fixture.arena, path("a"), 0, NULL, &err), "");
    assert_int_equal(files_in_folder(), 1); /* nothing left beside it */
}

static void larger_than_allowed_is_an_error(void **state)
{
    (void)state;
    struct err err;
    char *large = arena_alloc(fixture.arena, 50000);
    memset(large, 'a', 49999);
    assert_true(file_write(path("a"), large, 49999, &err));
    assert_non_null(file_read(fixture.arena, path("a"), 49999, NULL, &err));
    assert_null(file_read(fixture.arena, path("a"), 49998, NULL, &err));
    assert_int_equal(err.code, ERR_INVALID_DATA);
}

static void missing_things_are_named(void **state)
{
    (void)state;
    struct err err;
    assert_null(file_read(fixture.arena, path("none"), 100, NULL, &err));
    assert_int_equal(err.code, ERR_FILE_NOT_FOUND);
    assert_non_null(strstr(err.message, "none"));
    assert_false(file_write(path("no/such/a"), "x", 1, &err));
    assert_int_equal(err.code, ERR_FILE_NOT_FOUND);
    assert_null(file_read(fixture.arena, fixture.folder, 100, NULL, &err));
    assert_int_not_equal(err.code, ERR_OK);
}

static void a_failed_write_keeps_the_old_file(void **state)
{
    (void)state;
    struct err err;
    assert_true(folder_create(path("target"), &err));
    assert_false(file_write(path("target"), "x", 1, &err)); /* a folder is in the way */
    assert_int_equal(files_in_folder(), 1);
}

static void a_written_file_is_private(void **state)
{
    (void)state;
    struct err err;
    struct stat info;
    assert_true(file_write(path("a"), "x", 1, &err));
    assert_int_equal(stat(path("a"), &info), 0);
    assert_int_equal(info.st_mode & 077, 0);
}

static void folders_are_made_with_their_parents(void **state)
{
    (void)state;
    struct err err;
    assert_true(folder_create(path("one/two/three"), &err));
    assert_true(folder_create(path("one/two/three"), &err));
    assert_true(folder_exists(path("one/two")));
    assert_false(file_exists(path("one/two")));
    assert_true(file_write(path("file"), "x", 1, &err));
    assert_true(file_exists(path("file")));
    assert_false(folder_exists(path("file")));
    assert_false(folder_create(path("file"), &err));
    assert_false(folder_create(path("file/below"), &err));
    assert_false(file_exists(NULL));
}

static void standard_folders_follow_the_environment(void **state)
{
    (void)state;
    (void)setenv("XDG_DATA_HOME", "/data", 1);
    (void)unsetenv("XDG_CONFIG_HOME");
    (void)setenv("HOME", "/home/ann", 1);
    assert_string_equal(folder_data(fixture.arena), "/data/dragoman");
    assert_string_equal(folder_config(fixture.arena), "/home/ann/.config/dragoman");
    (void)unsetenv("XDG_DATA_HOME");
    assert_string_equal(folder_data(fixture.arena), "/home/ann/.local/share/dragoman");
}

static void standard_input_is_bounded(void **state)
{
    (void)state;
    struct err err;
    size_t size = 0;
    assert_true(file_write(path("in"), "how many?\n", 10, &err));
    assert_non_null(freopen(path("in"), "r", stdin));
    assert_string_equal(file_read_stdin(fixture.arena, 100, &size, &err), "how many?\n");
    assert_int_equal(size, 10);
    assert_non_null(freopen(path("in"), "r", stdin));
    assert_null(file_read_stdin(fixture.arena, 9, &size, &err));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(what_is_written_is_read),
        TEST(larger_than_allowed_is_an_error),
        TEST(missing_things_are_named),
        TEST(a_failed_write_keeps_the_old_file),
        TEST(a_written_file_is_private),
        TEST(folders_are_made_with_their_parents),
        TEST(standard_folders_follow_the_environment),
        TEST(standard_input_is_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
