/* Opening: every way a file can be wrong has its own answer, and nothing is created. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "conformance.h"

static void expect_refusal(struct place *place, const char *url, enum err_code code)
{
    struct err err;
    assert_null(place_try_open(place, url, &err));
    if (err.code != code) {
        fail_msg("%s: %s instead of %s", url, err_name(err.code), err_name(code));
    }
    assert_true(err.message[0]);
    assert_true(err.hint[0]);
    assert_null(strstr(err.message, place->folder));
}

static void write_file(const char *path, const char *text)
{
    struct err err;
    assert_true(file_write(path, text, strlen(text), &err));
}

static void missing_file_is_named_and_not_created(void **state)
{
    struct place *place = *state;
    expect_refusal(place, place->path, ERR_DATASOURCE_NOT_FOUND);
    assert_int_equal(folder_files(place->folder), 0);
    char url[200];
    (void)snprintf(url, sizeof url, "%s://%s", kind->name, place->path);
    expect_refusal(place, url, ERR_DATASOURCE_NOT_FOUND);
    assert_int_equal(folder_files(place->folder), 0);
}

static void missing_file_suggests_its_neighbour(void **state)
{
    struct place *place = *state;
    kind->script(place->path, "CREATE TABLE item (id INTEGER)");
    char path[200];
    (void)snprintf(path, sizeof path, "%s/shpo%s", place->folder, kind->extension);
    struct err err;
    assert_null(place_try_open(place, path, &err));
    assert_int_equal(err.code, ERR_DATASOURCE_NOT_FOUND);
    char name[40];
    (void)snprintf(name, sizeof name, "shop%s", kind->extension);
    assert_non_null(strstr(err.hint, name));
}

static void folder_is_no_database(void **state)
{
    struct place *place = *state;
    assert_int_equal(mkdir(place->path, 0700), 0);
    expect_refusal(place, place->path, ERR_NOT_A_DATABASE);
}

static void text_file_is_no_database(void **state)
{
    struct place *place = *state;
    write_file(place->path, "name,price\npen,1\nbook,12\nlamp,30\nchair,99\n");
    expect_refusal(place, place->path, ERR_NOT_A_DATABASE);
    write_file(place->path, "x");
    expect_refusal(place, place->path, ERR_NOT_A_DATABASE);
}

static void damaged_file_is_no_database(void **state)
{
    struct place *place = *state;
    kind->script(place->path, "CREATE TABLE item (id INTEGER)");
    FILE *file = fopen(place->path, "r+b");
    assert_non_null(file);
    char garbage[4000];
    memset(garbage, 0xA5, sizeof garbage);
    assert_int_equal(fseek(file, 40, SEEK_SET), 0);
    assert_int_equal(fwrite(garbage, 1, sizeof garbage, file), sizeof garbage);
    assert_int_equal(fclose(file), 0);
    expect_refusal(place, place->path, ERR_NOT_A_DATABASE);
}

static void unreadable_file_is_said_so(void **state)
{
    struct place *place = *state;
    if (geteuid() == 0) {
        skip(); /* root may read everything */
    }
    kind->script(place->path, "CREATE TABLE item (id INTEGER)");
    assert_int_equal(chmod(place->path, 0), 0);
    expect_refusal(place, place->path, ERR_ACCESS);
}

static void locked_file_is_said_so(void **state)
{
    struct place *place = *state;
    kind->script(place->path, "CREATE TABLE item (id INTEGER)");
    void *held = kind->lock(place->path);
    expect_refusal(place, place->path, ERR_DATABASE_LOCKED);
    kind->unlock(held);
    struct err err;
    assert_non_null(place_try_open(place, place->path, &err));
}

static void unknown_scheme_lists_the_drivers(void **state)
{
    struct place *place = *state;
    struct err err;
    assert_null(place_try_open(place, "oracle://me:secret@host/db", &err));
    assert_int_equal(err.code, ERR_DATASOURCE_KIND);
    assert_non_null(strstr(err.hint, kind->name));
    assert_null(strstr(err.message, "secret"));
    expect_refusal(place, "sqlite::memory:", ERR_DATASOURCE_KIND);
    expect_refusal(place, "", ERR_DATASOURCE_NOT_FOUND);
}

static void first_bytes_decide_when_the_name_does_not(void **state)
{
    struct place *place = *state;
    char path[200];
    (void)snprintf(path, sizeof path, "%s/data.bin", place->folder);
    kind->script(place->path, "CREATE TABLE item (id INTEGER)");
    assert_int_equal(rename(place->path, path), 0);
    struct err err;
    assert_non_null(place_try_open(place, path, &err));
    assert_string_equal(place->source->driver->name, kind->name);
    write_file(path, "just a note, nothing more");
    expect_refusal(place, path, ERR_NOT_A_DATABASE);
}

static void url_forms_open_the_same_file(void **state)
{
    struct place *place = *state;
    char path[200];
    (void)snprintf(path, sizeof path, "%s/my shop%s", place->folder, kind->extension);
    kind->script(path, "CREATE TABLE item (id INTEGER); INSERT INTO item VALUES (7)");
    char absolute[300];
    char relative[300];
    (void)snprintf(absolute, sizeof absolute, "%s://%s/my%%20shop%s", kind->name,
                   place->folder, kind->extension);
    (void)snprintf(relative, sizeof relative, "%s://my%%20shop%s", kind->name,
                   kind->extension);
    char old[512];
    assert_non_null(getcwd(old, sizeof old));
    assert_int_equal(chdir(place->folder), 0);
    const char *const urls[] = {path, absolute, relative};
    for (size_t i = 0; i < 3; i++) {
        struct err err;
        assert_non_null(place_try_open(place, urls[i], &err));
        struct rows rows = place_rows(place, "SELECT id FROM item");
        assert_string_equal(cell_text(place, &rows, 0, 0), "7");
    }
    assert_int_equal(chdir(old), 0);
}

static void database_without_tables_is_empty(void **state)
{
    struct place *place = *state;
    struct datasource *source =
        place_open(place, "CREATE TABLE item (id INTEGER); DROP TABLE item");
    struct err err;
    err_clear(&err);
    assert_null(datasource_describe(source, NULL, &err));
    assert_int_equal(err.code, ERR_EMPTY_SCHEMA);
}

int suite_open(void)
{
    const struct CMUnitTest common[] = {
        PLACE_TEST(unknown_scheme_lists_the_drivers),
        PLACE_TEST(database_without_tables_is_empty),
    };
    if (kind->server || kind->url) {
        return cmocka_run_group_tests_name("open", common, NULL, NULL);
    }
    if (kind->folder) {
        const struct CMUnitTest some[] = {
            PLACE_TEST(missing_file_is_named_and_not_created),
            PLACE_TEST(folder_is_no_database),
            PLACE_TEST(unknown_scheme_lists_the_drivers),
        };
        return cmocka_run_group_tests_name("open", some, NULL, NULL);
    }
    const struct CMUnitTest tests[] = {
        PLACE_TEST(missing_file_is_named_and_not_created),
        PLACE_TEST(missing_file_suggests_its_neighbour),
        PLACE_TEST(folder_is_no_database),
        PLACE_TEST(text_file_is_no_database),
        PLACE_TEST(damaged_file_is_no_database),
        PLACE_TEST(unreadable_file_is_said_so),
        PLACE_TEST(locked_file_is_said_so),
        PLACE_TEST(unknown_scheme_lists_the_drivers),
        PLACE_TEST(first_bytes_decide_when_the_name_does_not),
        PLACE_TEST(url_forms_open_the_same_file),
        PLACE_TEST(database_without_tables_is_empty),
    };
    return cmocka_run_group_tests_name("open", tests, NULL, NULL);
}
