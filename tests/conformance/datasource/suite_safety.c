/* The engine's own lock, with the guard out of the way: nothing is written anywhere. */
#include <string.h>
#include <unistd.h>

#include "conformance.h"
#include "sql/guard.h"

static const char shop[] = "CREATE TABLE item (id INTEGER PRIMARY KEY, name VARCHAR);"
                           "INSERT INTO item VALUES (1, 'pen'), (2, 'book')";

static void engine_refuses_every_attack(void **state)
{
    struct place *place = *state;
    (void)place_open(place, shop);
    size_t files = folder_files(place->folder);
    bool file = !kind->server && !kind->folder;
    uint64_t digest = file ? file_digest(place->path) : 0;
    char old[512];
    assert_non_null(getcwd(old, sizeof old));
    assert_int_equal(chdir(place->folder), 0); /* so that a new file would be seen */
    for (const char *const *attack = kind->attacks; *attack; attack++) {
        struct err err;
        if (place_raw(place, *attack, NULL, NULL, &err)) {
            fail_msg("ran: %s", *attack);
        }
        if (err.code != ERR_UNSAFE && err.code != ERR_INVALID_SQL &&
            err.code != ERR_ACCESS) {
            fail_msg("%s: %s %s", *attack, err_name(err.code), err.message);
        }
        assert_int_equal(folder_files(place->folder), files);
    }
    assert_int_equal(chdir(old), 0);
    assert_true(!file || digest == file_digest(place->path));
    struct rows rows = place_rows(place, "SELECT count(*) FROM item");
    assert_string_equal(cell_text(place, &rows, 0, 0), "2");
}

/* check and estimate take other people's SQL as well. */
static void checking_refuses_writes_too(void **state)
{
    struct place *place = *state;
    (void)place_open(place, shop);
    static const char *const writes[] = {"DELETE FROM item", "DROP TABLE item",
                                         "INSERT INTO item VALUES (3, 'x')",
                                         "SELECT 1; DELETE FROM item"};
    for (size_t i = 0; i < sizeof writes / sizeof *writes; i++) {
        struct err err;
        struct datasource_estimate estimate;
        err_clear(&err);
        assert_false(datasource_check(place->source, writes[i], NULL, &err));
        assert_int_equal(err.code, ERR_UNSAFE);
        if (place->source->driver->estimate) {
            assert_false(datasource_estimate(place->source, writes[i], place->arena, NULL,
                                             &estimate, &err));
        }
    }
    struct rows rows = place_rows(place, "SELECT count(*) FROM item");
    assert_string_equal(cell_text(place, &rows, 0, 0), "2");
}

static void guard_stands_in_front(void **state)
{
    struct place *place = *state;
    (void)place_open(place, shop);
    struct schema *schema = place_schema(place);
    struct rows rows;
    struct err err;
    err_clear(&err);
    rows_init(&rows, place->arena);
    assert_false(
        datasource_execute(place->source, "DELETE FROM item", schema, NULL, &rows, &err));
    assert_int_equal(err.code, ERR_UNSAFE);
    assert_false(datasource_execute(place->source, "SELECT * FROM items", schema, NULL,
                                    &rows, &err));
    assert_int_equal(err.code, ERR_INVALID_SQL);
    assert_false(
        datasource_execute(place->source, "SELECT * FROM", schema, NULL, &rows, &err));
    assert_int_equal(err.code, ERR_INVALID_SQL);
    assert_true(datasource_execute(place->source, "SELECT name FROM item;", schema, NULL,
                                   &rows, &err));
    assert_int_equal(rows.count, 2);
}

/* The doctor tries what the guard would never let pass. */
static void doctor_finds_the_lock_closed(void **state)
{
    struct place *place = *state;
    (void)place_open(place, shop);
    struct schema *schema = place_schema(place);
    struct datasource_inspection found;
    struct err err;
    err_clear(&err);
    if (!datasource_inspect(place->source, schema, place->arena, &found, &err)) {
        fail_msg("%s (%s)", err.message, err.detail);
    }
    assert_int_equal(found.lock, DATASOURCE_LOCK_HOLDS);
    assert_true(found.signature_us > 0);
    assert_int_equal(found.dangers.count, kind->login_may_write ? 1 : 0);
    if (place->source->driver->inspect) {
        assert_true(found.version && found.version[0]);
        assert_true(found.clock_off_ms > -60000 && found.clock_off_ms < 60000);
    }
    struct rows rows = place_rows(place, "SELECT count(*) FROM item");
    assert_string_equal(cell_text(place, &rows, 0, 0), "2");
}

/* Functions that somebody else made, under names of harmless ones: never called. */
static const struct own_world {
    const char *kind;
    const char *script;
    const char *mask;     /* a function of its own that the mask of a policy calls, too */
    const char *calls[6]; /* of the database's own, past the guard */
} own_worlds[] = {
    {"postgres",
     "CREATE FUNCTION md5(varchar) RETURNS text LANGUAGE sql AS $$SELECT $1::text$$;"
     "CREATE FUNCTION upper(varchar) RETURNS text LANGUAGE sql AS $$SELECT 'OWN'$$;"
     "CREATE FUNCTION own_concat(varchar, varchar) RETURNS text LANGUAGE sql AS"
     " $$SELECT 'OWN'$$; CREATE OPERATOR || (LEFTARG = varchar, RIGHTARG = varchar,"
     " FUNCTION = own_concat); CREATE FUNCTION own_like(varchar, varchar) RETURNS"
     " boolean LANGUAGE sql AS $$SELECT NULL::boolean$$; CREATE OPERATOR ~~ (LEFTARG ="
     " varchar, RIGHTARG = varchar, FUNCTION = own_like);"
     /* these would make our own look at the catalog blind */
     "CREATE FUNCTION own_false(oid, integer) RETURNS boolean LANGUAGE sql AS"
     " $$SELECT false$$; CREATE OPERATOR >= (LEFTARG = oid, RIGHTARG = integer, FUNCTION "
     "="
     " own_false); CREATE FUNCTION hashtextextended(text, integer) RETURNS bigint "
     "LANGUAGE"
     " sql AS $$SELECT 1::bigint$$;"
     /* and this one is of a type of the database's own */
     "CREATE TYPE state AS ENUM ('open'); CREATE TABLE deal (state state);"
     "INSERT INTO deal VALUES ('open'); CREATE FUNCTION own_state(state, text) RETURNS "
     "text"
     " LANGUAGE sql AS $$SELECT 'OWN'$$; CREATE OPERATOR || (LEFTARG = state, RIGHTARG ="
     " text, FUNCTION = own_state)",
     "md5",
     {"SELECT upper(name) FROM item WHERE id = 1",
      "SELECT name || name FROM item WHERE id = 1",
      "SELECT coalesce((name LIKE name)::text, 'OWN') FROM item WHERE id = 1",
      "SELECT \"upper\"(name) FROM item WHERE id = 1",
      "SELECT state || 'x'::text FROM deal"}},
    {"mysql",
     "CREATE FUNCTION `sum`(x INT) RETURNS TEXT DETERMINISTIC RETURN 'OWN';"
     "CREATE FUNCTION any_value(x INT) RETURNS TEXT DETERMINISTIC RETURN 'OWN';"
     "CREATE FUNCTION sha2(x TEXT, y INT) RETURNS TEXT DETERMINISTIC RETURN x",
     "sha2",
     {"SELECT sum (id) FROM item WHERE id = 1", "SELECT `sum`(id) FROM item WHERE id = 1",
      "SELECT any_value(id) FROM item WHERE id = 1"}},
    {"duckdb",
     "CREATE MACRO upper(x) AS 'OWN'; CREATE MACRO md5(x) AS x; CREATE MACRO "
     "current_date() AS 'OWN'; CREATE MACRO current_timestamp(x) AS 'OWN'; CREATE MACRO "
     "string_agg(x, y) AS 'no';"
     "CREATE MACRO concat_ws(x, y) AS 'no'; CREATE MACRO duckdb_functions() AS TABLE "
     "SELECT"
     " 'x' AS function_name, true AS internal, 'x' AS schema_name, 'x' AS database_name,"
     " 'macro' AS function_type LIMIT 0",
     "md5",
     {"SELECT upper(name) FROM item WHERE id = 1",
      "SELECT current_date FROM item WHERE id = 1",
      "SELECT current_timestamp(3) FROM item WHERE id = 1"}},
};

static void own_functions_refused(struct place *place, const struct own_world *world)
{
    struct schema *schema = place_schema(place);
    for (const char *const *call = world->calls; *call; call++) {
        struct rows rows = place_raw_rows(place, *call);
        assert_string_equal(cell_text(place, &rows, 0, 0), "OWN");
        struct guard_result result;
        guard_check(place->arena, datasource_dialect(place->source), *call, strlen(*call),
                    schema, &result);
        assert_int_equal(result.verdict, GUARD_REFUSED);
        assert_non_null(strstr(result.reason, "this database has one of its own"));
    }
    struct rows rows = place_rows(place, "SELECT lower(name) FROM item WHERE id = 1");
    assert_string_equal(cell_text(place, &rows, 0, 0), "pen");
}

/* Nor by what a policy puts in place of a column. */
static void own_functions_mask_nothing(struct place *place, const struct own_world *world)
{
    struct err err;
    struct rows rows;
    datasource_close(place->source);
    place->source = place_open_policy(place, "columns: {mask: {item.name: hash}}");
    rows_init(&rows, place->arena);
    err_clear(&err);
    assert_false(datasource_execute(place->source, "SELECT name FROM item", NULL, NULL,
                                    &rows, &err));
    assert_int_equal(err.code, ERR_UNSAFE);
    assert_non_null(strstr(err.message, world->mask));
}

static void own_functions_are_not_called(void **state)
{
    struct place *place = *state;
    for (size_t i = 0; i < sizeof own_worlds / sizeof *own_worlds; i++) {
        const char *speaks = kind->speaks ? kind->speaks : kind->name;
        if (strcmp(speaks, own_worlds[i].kind) == 0) {
            char before[33];
            char after[33];
            (void)place_open(place, shop);
            place_signature(place, before);
            datasource_close(place->source); /* DuckDB's holds the file */
            place->source = NULL;
            (void)place_open(place, own_worlds[i].script);
            place_signature(place, after); /* so that a stored schema is read anew */
            assert_string_not_equal(before, after);
            own_functions_refused(place, &own_worlds[i]);
            own_functions_mask_nothing(place, &own_worlds[i]);
            return;
        }
    }
    skip();
}

int suite_safety(void)
{
    const struct CMUnitTest tests[] = {
        PLACE_TEST(engine_refuses_every_attack),
        PLACE_TEST(checking_refuses_writes_too),
        PLACE_TEST(guard_stands_in_front),
        PLACE_TEST(doctor_finds_the_lock_closed),
        PLACE_TEST(own_functions_are_not_called),
    };
    return cmocka_run_group_tests_name("safety", tests, NULL, NULL);
}
