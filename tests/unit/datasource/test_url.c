/* URLs: taken apart, decoded, refused, and shown without their secrets. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "datasource/driver.h"
#include "datasource/url.h"

static void expect_path(const char *url, const char *scheme, const char *path)
{
    struct arena *arena = arena_new();
    struct source_url out;
    struct err err;
    const struct datasource_driver *driver = NULL;
    if (!url_resolve(arena, url, &out, &driver, &err)) {
        fail_msg("%s: %s", url, err.message);
    }
    assert_string_equal(out.scheme, scheme);
    assert_string_equal(out.path, path);
    assert_string_equal(driver->name, "sqlite");
    arena_free(arena);
}

static void forms_of_a_path(void **state)
{
    (void)state;
    expect_path("sqlite:///var/shop.db", "sqlite", "/var/shop.db");
    expect_path("sqlite://shop.db", "sqlite", "shop.db");
    expect_path("SQLite://shop.db", "sqlite", "shop.db");
    expect_path("sqlite:shop.db", "sqlite", "shop.db");
    expect_path("sqlite3:///var/shop.db?mode=ro", "sqlite3", "/var/shop.db");
    expect_path("sqlite:///my%20shop%2Bmore.db", "sqlite", "/my shop+more.db");
    expect_path("sqlite:///100%.db", "sqlite", "/100%.db");
    expect_path("sqlite:///a%00b.db", "sqlite", "/a%00b.db");
    expect_path("file:///var/shop.sqlite3", "file", "/var/shop.sqlite3");
    expect_path("/var/my%20shop.DB3", "", "/var/my%20shop.DB3");
    expect_path("C:shop.db", "", "C:shop.db");
    assert_int_equal(setenv("HOME", "/home/ada", 1), 0);
    expect_path("~/shop.db", "", "/home/ada/shop.db");
}

static void expect_error(const char *url, enum err_code code)
{
    struct arena *arena = arena_new();
    struct source_url out;
    struct err err;
    const struct datasource_driver *driver = NULL;
    assert_false(url_resolve(arena, url, &out, &driver, &err));
    assert_int_equal(err.code, code);
    arena_free(arena);
}

static void refusals(void **state)
{
    (void)state;
    expect_error("", ERR_DATASOURCE_NOT_FOUND);
    expect_error("  ", ERR_DATASOURCE_NOT_FOUND);
    expect_error(":memory:", ERR_DATASOURCE_KIND);
    expect_error("sqlite::memory:", ERR_DATASOURCE_KIND);
    expect_error("sqlite://", ERR_DATASOURCE_NOT_FOUND);
    expect_error("nosuch://host/db", ERR_DATASOURCE_KIND);
    expect_error("/nowhere/at/all", ERR_DATASOURCE_NOT_FOUND);
    expect_error("/dev/null", ERR_NOT_A_DATABASE);
}

/* Where nothing better is known, the hint names every driver there is. */
static void hint_names_every_driver(void **state)
{
    (void)state;
    const struct datasource_driver *driver = NULL;
    for (size_t i = 0; (driver = datasource_driver_at(i)); i++) {
        if (!strstr(err_default_hint(ERR_DATASOURCE_KIND), driver->name)) {
            fail_msg("the hint does not name %s", driver->name);
        }
    }
}

/* A database whose library was missing is named with what to install. */
static void absent_driver_says_what_to_install(void **state)
{
    (void)state;
    struct arena *arena = arena_new();
    struct source_url url;
    const struct datasource_driver *driver = NULL;
    struct err err;
    err_clear(&err);
    bool found = url_resolve(arena, "postgres://me:secret@host/db", &url, &driver, &err);
#ifdef DRAGOMAN_HAS_POSTGRES
    assert_true(found);
    assert_string_equal(driver->name, "postgres");
#else
    assert_false(found);
    assert_int_equal(err.code, ERR_DATASOURCE_KIND);
    assert_non_null(strstr(err.message, "without PostgreSQL"));
    assert_non_null(strstr(err.hint, "libpq-dev"));
#endif
    arena_free(arena);
}

static void expect_safe(const char *url, const char *safe)
{
    struct arena *arena = arena_new();
    assert_string_equal(datasource_safe_url(arena, url), safe);
    arena_free(arena);
}

static void secrets_are_hidden(void **state)
{
    (void)state;
    expect_safe("postgres://ada:pw@host:5432/shop", "postgres://***@host:5432/shop");
    expect_safe("postgres://ada:p/w@d@host/shop", "postgres://***@host/shop");
    expect_safe("postgres://host/shop?password=x&sslmode=require",
                "postgres://host/shop?password=***&sslmode=require");
    expect_safe("odbc:Driver={X};UID=ada;PWD=x y;Database=d",
                "odbc:Driver={X};UID=***;PWD=***;Database=d");
    expect_safe("odbc:Driver={X};PWD=p@ss&w?rd;Database=d",
                "odbc:Driver={X};PWD=***;Database=d");
    expect_safe("odbc:Driver={X;Y};PWD={a;database=b}c;Database=d",
                "odbc:Driver={X;Y};PWD=***;Database=d");
    expect_safe("odbc:PWD={never closed;Database=d", "odbc:PWD=***");
    expect_safe("odbc:DSN=shop", "odbc:DSN=shop");
    expect_safe("odbc:shop", "odbc:shop");
    expect_safe("mysql://host/shop", "mysql://host/shop");
    expect_safe("sqlite:///home/a@b/shop.db", "sqlite:///home/a@b/shop.db");
    expect_safe("/home/a@b/shop.db", "/home/a@b/shop.db");
    expect_safe("bigquery://p/d?credentials=/k.json", "bigquery://p/d?credentials=***");
}

static void registry_has_whole_drivers(void **state)
{
    (void)state;
    assert_non_null(datasource_driver_at(0));
    assert_string_equal(datasource_driver_at(0)->name, "sqlite");
    assert_null(datasource_driver_at(99));
    assert_null(registry_by_scheme("nosuch"));
    assert_string_equal(registry_by_extension("x.SQLITE")->name, "sqlite");
    assert_null(registry_by_extension("x.unknown"));
}

static void text_is_made_good(void **state)
{
    (void)state;
    struct arena *arena = arena_new();
    size_t size = 5;
    const char *clean = text_clean(arena, "a\xFF\0b\xC3", &size);
    assert_int_equal(size, 11);
    assert_memory_equal(clean,
                        "a\xEF\xBF\xBD\xEF\xBF\xBD"
                        "b\xEF\xBF\xBD",
                        11);
    size = 3;
    const char *good = "ab\n";
    assert_ptr_equal(text_clean(arena, good, &size), good);
    assert_true(text_is_date("2024-01-31", 10));
    assert_true(text_is_date("2024-01-31 10:00:00", 19));
    assert_false(text_is_date("2024/01/31", 10));
    assert_false(text_is_date("1234", 4));
    arena_free(arena);
}

/* What tells one database from another holds who asks, and no secret. */
static void place_has_no_password(void **state)
{
    (void)state;
    static const struct {
        const char *url;
        const char *place;
    } urls[] = {
        {"postgres://ada:s3cret@db:5432/shop", "postgres://ada@db:5432/shop"},
        {"postgres://ada:p@ss@db/shop", "postgres://ada@db/shop"},
        {"postgres://ada@db/shop?password=s3cret", "postgres://ada@db/shop?password=***"},
        {"postgres://db/shop?user=ada", "postgres://db/shop?user=ada"},
        {"odbc:Driver=x;UID=ada;PWD=s3cret", "odbc:Driver=x;UID=ada;PWD=***"},
    };
    struct arena *arena = arena_new();
    for (size_t i = 0; i < sizeof urls / sizeof *urls; i++) {
        assert_string_equal(url_without_password(arena, urls[i].url), urls[i].place);
    }
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forms_of_a_path),
        cmocka_unit_test(refusals),
        cmocka_unit_test(hint_names_every_driver),
        cmocka_unit_test(absent_driver_says_what_to_install),
        cmocka_unit_test(secrets_are_hidden),
        cmocka_unit_test(registry_has_whole_drivers),
        cmocka_unit_test(text_is_made_good),
        cmocka_unit_test(place_has_no_password),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
