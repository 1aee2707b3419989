/* A login that rules its server is refused unless that is allowed, the doctor tells what
 * every login may do, and what it prints makes one that can only read. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/str.h"
#include "conformance.h"

/* What a login was made with, and what is found of it. */
struct login {
    const char *name;
    const char *make;
    const char *ruling; /* why it is refused; "": it is not */
    const char *dangers;
    enum { ANY, BEFORE_16, SINCE_16 } version; /* PostgreSQL 16 bounds CREATEROLE */
};

#define ROLE(name, attributes)                                                           \
    "DO $$BEGIN CREATE ROLE " name " " attributes                                        \
    " LOGIN PASSWORD 'x'; EXCEPTION WHEN duplicate_object THEN NULL; END$$;"             \
    "GRANT SELECT ON item TO " name ";"

static const struct login postgres_logins[] = {
    {"boss", ROLE("boss", "SUPERUSER"), "is a superuser", "is a superuser", ANY},
    {"heir", ROLE("boss", "SUPERUSER") ROLE("heir", "NOINHERIT") "GRANT boss TO heir",
     "may become the superuser 'boss'", "may become the superuser 'boss'", ANY},
    {"copier", ROLE("copier", "REPLICATION"), "may replicate the whole server",
     "may replicate the whole server", ANY},
    {"clerk",
     ROLE("clerk", "") "GRANT pg_read_server_files, pg_execute_server_program TO clerk;"
                       "GRANT INSERT ON item TO clerk",
     "may run programs on the server, may read files of the server",
     "may run programs on the server, may read files of the server, may change 1 table",
     ANY},
    {"writer", ROLE("writer", "") "GRANT pg_write_server_files TO writer",
     "may write files of the server", "may write files of the server", ANY},
    /* superusers of services that keep the real one for themselves */
    {"master",
     ROLE("rds_superuser", "") ROLE("master", "") "GRANT rds_superuser TO master",
     "has the role 'rds_superuser'", "has the role 'rds_superuser'", ANY},
    {"seer", ROLE("seer", "BYPASSRLS") "GRANT INSERT, UPDATE ON item TO seer", "",
     "may change 1 table, may see rows that row security hides", ANY},
    {"maker", ROLE("maker", "CREATEROLE"),
     "may create roles, and so give itself any right",
     "may create roles, and so give itself any right", BEFORE_16},
    {"pupil", ROLE("maker", "CREATEROLE") ROLE("pupil", "") "GRANT maker TO pupil",
     "may create roles, and so give itself any right, as 'maker'",
     "may create roles, and so give itself any right, as 'maker'", BEFORE_16},
    {"founder", ROLE("founder", "CREATEROLE"), "", "may create roles", SINCE_16},
    /* it could grant itself the rest */
    {"granter",
     ROLE("granter",
          "CREATEROLE") "GRANT pg_read_server_files TO granter WITH ADMIN TRUE,"
                        " INHERIT FALSE, SET FALSE",
     "may read files of the server", "may read files of the server, may create roles",
     SINCE_16},
    {"keeper",
     ROLE("boss", "SUPERUSER") ROLE("keeper", "") "GRANT boss TO keeper WITH ADMIN TRUE,"
                                                  " INHERIT FALSE, SET FALSE",
     "may become the superuser 'boss'", "may become the superuser 'boss'", SINCE_16},
    {NULL, NULL, NULL, NULL, ANY},
};

#define USER(name)                                                                       \
    "CREATE USER IF NOT EXISTS " name "@'127.0.0.1' IDENTIFIED BY 'x';"                  \
    "GRANT SELECT ON item TO " name "@'127.0.0.1';"
#define TO(name) " TO " name "@'127.0.0.1'"

static const struct login mysql_logins[] = {
    {"boss", USER("boss") "GRANT ALL ON *.*" TO("boss") " WITH GRANT OPTION",
     "is a superuser", "is a superuser", ANY},
    {"guard", USER("guard") "GRANT SELECT, SUPER ON *.*" TO("guard"), "is a superuser",
     "is a superuser", ANY},
    {"heir",
     USER("heir") "CREATE ROLE IF NOT EXISTS ruler; GRANT SUPER ON *.* TO ruler;"
                  "GRANT ruler" TO("heir"),
     "is a superuser by a role that it may take on",
     "is a superuser by a role that it may take on", ANY},
    {"copier", USER("copier") "GRANT REPLICATION SLAVE ON *.*" TO("copier"),
     "may replicate the whole server", "may replicate the whole server", ANY},
    {"keeper",
     USER("keeper") "GRANT BINLOG ADMIN, BINLOG REPLAY, CONNECTION ADMIN, SET USER,"
                    " BINLOG MONITOR ON *.*" TO("keeper"),
     "has SET USER, CONNECTION ADMIN, BINLOG ADMIN, BINLOG REPLAY on the whole server",
     "has SET USER, CONNECTION ADMIN, BINLOG ADMIN, BINLOG REPLAY on the whole server, "
     "has BINLOG MONITOR on the whole server",
     ANY},
    {"clerk",
     USER("clerk") "CREATE SCHEMA IF NOT EXISTS sales; GRANT SELECT, FILE ON *.*" TO(
         "clerk") "; GRANT INSERT, UPDATE ON sales.*" TO("clerk") ";"
                                                                  "GRANT UPDATE (id, "
                                                                  "name) ON item" TO(
                                                                      "clerk"),
     "may read and write files of the server",
     "may read and write files of the server, has INSERT, UPDATE on the database "
     "'sales', "
     "may change 1 table, may read the password hashes of the server",
     ANY},
    {"seer", USER("seer") "GRANT RELOAD ON *.*" TO("seer"), "",
     "has RELOAD on the whole server", ANY},
    {"maker", USER("maker") "GRANT CREATE USER ON *.*" TO("maker"),
     "may change every login", "may change every login", ANY},
    {"scribe", USER("scribe") "GRANT INSERT, UPDATE ON mysql.*" TO("scribe"),
     "may change the server's own tables",
     "may change the server's own tables, has INSERT, UPDATE on the database 'mysql'",
     ANY},
    {"owner", USER("owner") "GRANT ALL ON `m%`.*" TO("owner"),
     "may change the server's own tables",
     "may change the server's own tables, has ALL PRIVILEGES on the database 'm%'", ANY},
    {"filer", USER("filer") "GRANT UPDATE ON mysql.global_priv" TO("filer"),
     "may change the server's own tables",
     "may change the server's own tables, may change 1 table", ANY},
    {"hand", USER("hand") "GRANT SELECT, INSERT ON *.*" TO("hand"),
     "may change the server's own tables",
     "may change the server's own tables, has INSERT on the whole server, may read the "
     "password hashes of the server",
     ANY},
    {"other",
     USER("other") "CREATE SCHEMA IF NOT EXISTS mysqlx;"
                   "GRANT INSERT ON `mysqlx`.*" TO("other"),
     "", "has INSERT on the database 'mysqlx'", ANY},
    {NULL, NULL, NULL, NULL, ANY},
};

static const char shop[] = "CREATE TABLE item (id INTEGER, name VARCHAR(20));"
                           "INSERT INTO item VALUES (1, 'pen')";

static bool is_postgres(void)
{
    return str_equal(kind->speaks ? kind->speaks : kind->name, "postgres");
}

/* The place's database as somebody else. */
static const char *url_of(struct place *place, const char *user, const char *password,
                          bool allowed)
{
    const char *good = place_url(place);
    if (str_starts(good, "odbc:")) {
        const char *uid = strstr(good, "UID=");
        const char *end = strstr(uid, "};");
        return arena_format(place->arena, "%.*sUID=%s;PWD={%s};%s%s", (int)(uid - good),
                            good, user, password, end + 2,
                            allowed ? "allow_superuser=1;" : "");
    }
    return arena_format(place->arena, "%.*s://%s:%s%s%s", (int)strcspn(good, ":"), good,
                        user, password, strrchr(good, '@'),
                        allowed ? "?allow_superuser=1" : "");
}

static void inspect(struct place *place, struct datasource_inspection *found)
{
    struct err err;
    err_clear(&err);
    if (!datasource_inspect(place->source, NULL, place->arena, found, &err)) {
        fail_msg("%s (%s)", err.message, err.detail);
    }
}

static bool postgres_is_16(struct place *place)
{
    struct err err;
    assert_non_null(place_try_open(place, place_url(place), &err));
    struct datasource_inspection found;
    inspect(place, &found);
    const char *digits = strpbrk(found.version, "0123456789");
    long version = digits ? strtol(digits, NULL, 10) : 0;
    datasource_close(place->source);
    place->source = NULL;
    assert_true(version > 0);
    return version >= 16;
}

static void logins_drop(struct place *place)
{
    if (is_postgres()) {
        return; /* what they were given goes with the database */
    }
    for (const struct login *login = mysql_logins; login->name; login++) {
        kind->script(place->path,
                     arena_format(place->arena, "DROP USER IF EXISTS %s@'127.0.0.1'",
                                  login->name));
    }
    kind->script(place->path, "DROP ROLE IF EXISTS ruler");
}

static void refusal_says_what_to_do(struct place *place, const struct login *login)
{
    struct err err;
    assert_null(place_try_open(place, url_of(place, login->name, "x", false), &err));
    if (err.code != ERR_SUPERUSER_LOGIN || !strstr(err.message, login->name) ||
        !strstr(err.message, login->ruling)) {
        fail_msg("%s: %s %s", login->name, err_name(err.code), err.message);
    }
    assert_non_null(strstr(err.hint, "can only read"));
    assert_non_null(strstr(err.hint, "allow_superuser: true"));
    assert_non_null(strstr(err.hint, "allow_superuser=1"));
    /* the setting of the configuration does the same as the URL's word */
    const struct datasource_setting setting = {
        .id = "shop",
        .url = url_of(place, login->name, "x", false),
        .allow_superuser = true,
    };
    struct datasource *source = datasource_open(&setting, place->options, &err);
    assert_non_null(source);
    datasource_close(source);
}

static void rulers_are_refused_and_told_of(void **state)
{
    struct place *place = *state;
    bool odbc = str_equal(kind->name, "odbc");
    kind->script(place->path, shop);
    bool bound = is_postgres() && postgres_is_16(place);
    const struct login *logins = is_postgres() ? postgres_logins : mysql_logins;
    for (const struct login *login = logins; login->name; login++) {
        struct datasource_inspection found;
        if (login->version != ANY && (login->version == SINCE_16) != bound) {
            continue;
        }
        kind->script(place->path, login->make);
        if (login->ruling[0]) {
            refusal_says_what_to_do(place, login);
        }
        const char *heard =
            place_open_heard(place, url_of(place, login->name, "x", login->ruling[0]));
        if (login->ruling[0] ? !strstr(heard, login->ruling) : heard[0] != '\0') {
            fail_msg("%s heard: %s", login->name, heard);
        }
        assert_null(strstr(heard, "IDENTIFIED"));
        inspect(place, &found);
        assert_string_equal(str_join(place->arena, &found.ruling, ", "), login->ruling);
        const char *dangers = str_join(place->arena, &found.dangers, ", ");
        /* what else it may do is asked by a driver of dragoman's own */
        if (odbc && is_postgres() ? !str_starts(login->dangers, dangers)
                                  : !str_equal(dangers, login->dangers)) {
            fail_msg("%s: %s", login->name, dangers);
        }
        assert_true(found.reader.count > 0);
    }
    logins_drop(place);
}

/* What the doctor prints is run as it stands, with the password that it made up. */
static void printed_statements_make_a_reader(void **state)
{
    struct place *place = *state;
    struct datasource_inspection found;
    struct err err;
    kind->script(place->path, shop);
    (void)place_try_open(place, place_url(place), &err);
    inspect(place, &found);
    assert_int_equal(found.reader.count, 3);
    for (size_t i = 0; i < found.reader.count; i++) {
        kind->script(place->path, found.reader.items[i]);
    }
    const char *secret = strstr(found.reader.items[0], "Dgm-");
    assert_non_null(secret);
    secret = arena_copy(place->arena, secret, strcspn(secret, "'"));
    assert_true(strlen(secret) == 30);
    const char *heard =
        place_open_heard(place, url_of(place, "dragoman_reader", secret, false));
    assert_string_equal(heard, "");
    struct rows rows = place_rows(place, "SELECT name FROM item");
    assert_string_equal(cell_text(place, &rows, 0, 0), "pen");
    inspect(place, &found);
    assert_int_equal(found.dangers.count, 0);
    assert_int_equal(found.ruling.count, 0);
    datasource_close(place->source);
    place->source = NULL;
    kind->script(place->path, is_postgres() ? "DROP OWNED BY dragoman_reader; DROP ROLE "
                                              "dragoman_reader"
                                            : "DROP USER dragoman_reader@'%'");
}

/* A server that does not say what a login may do locks nobody out; the doctor tells. */
static void closed_catalogs_lock_nobody_out(void **state)
{
    struct place *place = *state;
    struct datasource_inspection found;
    struct err err;
    if (!is_postgres()) {
        skip();
    }
    kind->script(place->path, shop);
    kind->script(place->path, "REVOKE SELECT ON pg_catalog.pg_roles FROM PUBLIC;" ROLE(
                                  "boss", "SUPERUSER"));
    if (!place_try_open(place, place_url(place), &err)) {
        fail_msg("%s (%s)", err.message, err.detail);
    }
    struct rows rows = place_rows(place, "SELECT name FROM item");
    assert_string_equal(cell_text(place, &rows, 0, 0), "pen");
    inspect(place, &found);
    assert_int_equal(found.ruling.count, 0);
    assert_string_equal(str_join(place->arena, &found.dangers, ", "),
                        "has rights that the server does not tell");
    assert_int_equal(found.reader.count, 3);
    /* to a superuser nothing is closed */
    assert_null(place_try_open(place, url_of(place, "boss", "x", false), &err));
    assert_int_equal(err.code, ERR_SUPERUSER_LOGIN);
}

/* Rights that a login gets while it is in use: the next connection is refused. */
static void later_rights_are_seen(void **state)
{
    struct place *place = *state;
    struct err err;
    char signature[33];
    (void)place_open(place, shop);
    place_signature(place, signature);
    kind->script(place->path, is_postgres() ? "ALTER ROLE reader REPLICATION"
                                            : "GRANT FILE ON *.* TO reader@'127.0.0.1'");
    int64_t until_ms = clock_ms() + 60000;
    do {
        kind->server->terminate(place->path);
        err_clear(&err);
    } while (datasource_signature(place->source, NULL, signature, &err) &&
             clock_ms() < until_ms);
    kind->script(place->path, is_postgres()
                                  ? "ALTER ROLE reader NOREPLICATION"
                                  : "REVOKE FILE ON *.* FROM reader@'127.0.0.1'");
    assert_int_equal(err.code, ERR_SUPERUSER_LOGIN);
    place_signature(place, signature); /* and it can be asked again */
}

int suite_rights(void)
{
    const struct CMUnitTest tests[] = {
        PLACE_TEST(rulers_are_refused_and_told_of),
        PLACE_TEST(printed_statements_make_a_reader),
        PLACE_TEST(closed_catalogs_lock_nobody_out),
        PLACE_TEST(later_rights_are_seen),
    };
    return cmocka_run_group_tests_name("rights", tests, NULL, NULL);
}
