/* Functions of a PostgreSQL database's own that the server calls although no statement
 * names them: behind casts, operator classes and checks of domains. */
#include <string.h>

#include "base/str.h"
#include "conformance.h"

/* What is called says so with its result, or ends the statement with an error. */
static const char world[] =
    "CREATE SCHEMA other; CREATE TABLE item (id integer, name varchar(20), on_sale "
    "boolean);"
    "INSERT INTO item VALUES (1, 'pen', true);"
    /* a cast, where the type is one of a column, of an array, of a row and of a domain */
    "CREATE TYPE mood AS ENUM ('sad', 'glad'); CREATE FUNCTION other.mood_text(mood)"
    " RETURNS text LANGUAGE sql AS $$SELECT 'OWN'$$;"
    "CREATE CAST (mood AS text) WITH FUNCTION other.mood_text(mood) AS IMPLICIT;"
    "CREATE DOMAIN feeling AS mood; CREATE TYPE state AS (feels feeling, since date);"
    "CREATE TABLE deal (id integer, feels mood); INSERT INTO deal VALUES (1, 'sad');"
    "CREATE TABLE deals (felt mood[]); INSERT INTO deals VALUES ('{sad}');"
    "CREATE TABLE states (state state); INSERT INTO states VALUES ('(sad,)');"
    "CREATE VIEW moods AS SELECT feels FROM deal;"
    /* an operator class */
    "CREATE TYPE grade AS (points integer); CREATE TABLE mark (grade grade);"
    "INSERT INTO mark VALUES ('(1)'), ('(2)');"
    "CREATE FUNCTION other.grade_order(grade, grade) RETURNS integer LANGUAGE plpgsql"
    " IMMUTABLE AS $$BEGIN RAISE EXCEPTION 'OWN'; END$$;"
    "CREATE FUNCTION other.grade_less(grade, grade) RETURNS boolean LANGUAGE plpgsql"
    " IMMUTABLE AS $$BEGIN RAISE EXCEPTION 'OWN'; END$$;"
    "CREATE OPERATOR other.< (LEFTARG = grade, RIGHTARG = grade, FUNCTION ="
    " other.grade_less); CREATE OPERATOR other.= (LEFTARG = grade, RIGHTARG = grade,"
    " FUNCTION = other.grade_less); CREATE OPERATOR other.> (LEFTARG = grade, RIGHTARG ="
    " grade, FUNCTION = other.grade_less); CREATE OPERATOR CLASS other.grade_ops DEFAULT"
    " FOR TYPE grade USING btree AS OPERATOR 1 other.<, OPERATOR 3 other.=, OPERATOR 5"
    " other.>, FUNCTION 1 other.grade_order(grade, grade);"
    /* the same for an index of a built-in type */
    "CREATE FUNCTION other.int_order(integer, integer) RETURNS integer LANGUAGE sql"
    " IMMUTABLE AS $$SELECT $2 - $1$$; CREATE OPERATOR CLASS other.int_ops FOR TYPE"
    " integer USING btree AS OPERATOR 1 >, OPERATOR 3 =, OPERATOR 5 <,"
    " FUNCTION 1 other.int_order(integer, integer);"
    "CREATE TABLE indexed (id integer); CREATE INDEX ON indexed (id other.int_ops);"
    /* and behind partitions and ranges */
    "CREATE FUNCTION other.int_fails(integer, integer) RETURNS integer LANGUAGE plpgsql"
    " IMMUTABLE AS $$BEGIN IF $1 = 77 OR $2 = 77 THEN RAISE EXCEPTION 'OWN'; END IF;"
    " RETURN $1 - $2; END$$; CREATE OPERATOR CLASS other.fail_ops FOR TYPE integer USING"
    " btree AS OPERATOR 1 <, OPERATOR 2 <=, OPERATOR 3 =, OPERATOR 4 >=, OPERATOR 5 >,"
    " FUNCTION 1 other.int_fails(integer, integer);"
    "CREATE TABLE parts (id integer) PARTITION BY RANGE (id other.fail_ops);"
    "CREATE TABLE parts_low PARTITION OF parts FOR VALUES FROM (0) TO (50);"
    "CREATE TABLE parts_high PARTITION OF parts FOR VALUES FROM (50) TO (100);"
    "CREATE TYPE span AS RANGE (SUBTYPE = integer, SUBTYPE_OPCLASS = other.fail_ops);"
    "CREATE TABLE spanned (span span); INSERT INTO spanned VALUES ('[1,5)');"
    /* a domain under the name of a type that other dialects have */
    "CREATE FUNCTION other.is_good(text) RETURNS boolean LANGUAGE plpgsql AS"
    " $$BEGIN IF $1 <> '' THEN RAISE EXCEPTION 'OWN'; END IF; RETURN true; END$$;"
    "CREATE DOMAIN string AS text CHECK (other.is_good(VALUE));"
    /* the same, but its check calls the function by way of an operator, or of a type */
    "CREATE FUNCTION other.is_near(integer, integer) RETURNS boolean LANGUAGE plpgsql AS"
    " $$BEGIN IF $1 = 77 THEN RAISE EXCEPTION 'OWN'; END IF; RETURN true; END$$;"
    "CREATE OPERATOR other.<<=>> (LEFTARG = integer, RIGHTARG = integer, FUNCTION ="
    " other.is_near); CREATE DOMAIN tinyint AS integer CHECK (VALUE OPERATOR("
    "other.<<=>>) 1); CREATE DOMAIN mediumint AS tinyint;"
    "CREATE DOMAIN number AS integer CHECK (NOT isempty(format('[%s,99)', VALUE)::span));"
    /* a cast between built-in types that must be named */
    "CREATE FUNCTION other.flag_date(boolean) RETURNS date LANGUAGE sql AS"
    " $$SELECT '1999-09-09'::date$$; CREATE CAST (boolean AS date) WITH FUNCTION"
    " other.flag_date(boolean) AS ASSIGNMENT;"
    /* harmless: no function, or one that is not called by reading */
    "CREATE TYPE kind AS ENUM ('a', 'b'); CREATE CAST (varchar AS kind) WITH INOUT AS"
    " IMPLICIT; CREATE TABLE thing (kind kind);"
    "INSERT INTO thing (kind) VALUES ('a'); CREATE TABLE told (word string);"
    "INSERT INTO told VALUES (NULL);"
    /* what the server makes for a range by itself is nobody's own */
    "CREATE TYPE floats AS RANGE (SUBTYPE = float8); CREATE TABLE ranged (f floats);"
    "INSERT INTO ranged VALUES ('[1,2)')";

static bool over_odbc(void)
{
    return strcmp(kind->name, "odbc") == 0;
}

static void judged(struct place *place, struct schema *schema, const char *sql,
                   struct guard_result *result)
{
    guard_check(place->arena, DIALECT_POSTGRES, sql, strlen(sql), schema, result);
}

/* Does the server really call it? Its answer says OWN, and so does its error. */
static bool calls_own(struct place *place, const char *sql, const char *sign)
{
    struct err err;
    struct rows rows;
    err_clear(&err);
    rows_init(&rows, place->arena);
    bool done = datasource_execute(place->source, sql, NULL, NULL, &rows, &err);
    const char *said = done ? rows.count ? cell_text(place, &rows, 0, 0) : "" : NULL;
    return said ? strstr(said, sign) != NULL
                : strstr(err.message, sign) || strstr(err.detail, sign);
}

static const struct call {
    const char *sql;
    const char *sign; /* that the function was called; NULL: not looked for */
    const char *reason;
} calls[] = {
    {"SELECT lower(feels) FROM deal", "own", "mood, for which this database has a cast"},
    {"SELECT feels::text FROM deal", "OWN", "a cast with the function mood_text"},
    {"SELECT CAST(d.feels AS text) FROM public.deal d", "OWN", "mood_text"},
    {"SELECT a::text FROM deal AS d(b, a)", "OWN", "mood_text"},
    {"SELECT felt[1]::text FROM deals", "OWN", "'deals' is not read"},
    {"SELECT (s.state).feels::text FROM states s", "OWN", "'states' is not read"},
    {"SELECT x::text FROM (SELECT feels AS x FROM moods) AS m", "OWN", "'moods'"},
    {"SELECT count(*) FROM deal", NULL, "allow_own_types"},
    {"SELECT (m.grade).points FROM mark m ORDER BY m.grade", "OWN",
     "an operator class with the function grade_"},
    {"SELECT count(DISTINCT m.grade) FROM mark m", "OWN", "operator class"},
    {"SELECT id FROM indexed ORDER BY id", NULL, "it has an index or partitions of "},
    {"SELECT id FROM parts WHERE id = 77", "OWN", "'parts' is not read"},
    {"SELECT upper(span) FROM spanned WHERE span @> 77", "OWN", "'spanned' is not read"},
    {"SELECT '[1,77)'::span", "OWN", "The cast to 'span'"},
    {"SELECT '{\"[1,77)\"}'::span[]", "OWN", "The cast to 'span'"},
    {"SELECT 77::tinyint", "OWN", "The cast to 'tinyint'"},
    {"SELECT CAST('77' AS mediumint)", "OWN", "The cast to 'mediumint'"},
    {"SELECT 77::number", "OWN", "The cast to 'number'"},
    {"SELECT lag(word, 1, 'x') OVER (ORDER BY word) FROM told", "OWN",
     "string, for which this database has a check"},
    {"SELECT ARRAY[word] = '{x}' FROM told", "OWN", "'told' is not read"},
    {"SELECT a FROM json_to_record('{\"a\":\"x\"}') AS x(a string)", "OWN",
     "The cast to 'string'"},
    {"SELECT a FROM json_to_recordset('[{\"a\":77}]') AS x(b text, a tinyint)", "OWN",
     "The cast to 'tinyint'"},
    {"SELECT 'x'::string", "OWN", "The cast to 'string' is not allowed"},
    {"SELECT on_sale::date FROM item", "1999-09-09", "The cast to 'date'"},
    {"SELECT CAST(on_sale AS date) FROM item", "1999-09-09", "The cast to 'date'"},
};

static void own_types_are_not_read(void **state)
{
    struct place *place = *state;
    (void)place_open(place, world);
    struct schema *schema = place_schema(place);
    struct guard_result result;
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        if (over_odbc() && strstr(calls[i].sql, ").")) {
            continue; /* there no fields of columns are known */
        }
        if (calls[i].sign && !calls_own(place, calls[i].sql, calls[i].sign)) {
            fail_msg("%s calls nothing", calls[i].sql);
        }
        judged(place, schema, calls[i].sql, &result);
        bool told = strstr(result.reason, calls[i].reason) ||
                    (over_odbc() && /* the drivers call such columns texts */
                     strstr(result.reason, "is not allowed in a cast"));
        if (result.verdict != GUARD_REFUSED || !told) {
            fail_msg("%s: %d %s", calls[i].sql, (int)result.verdict, result.reason);
        }
    }
    static const char *const harmless[] = {
        "SELECT name, on_sale, id::text FROM item ORDER BY 1",
        "SELECT kind, kind::text FROM thing ORDER BY kind",
        "SELECT DISTINCT upper(f) AS number, '[1,2)'::floats AS string FROM ranged",
    };
    for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++) {
        if (over_odbc() && strstr(harmless[i], "::floats")) {
            continue;
        }
        judged(place, schema, harmless[i], &result);
        assert_string_equal(result.reason, "");
        assert_int_equal(result.verdict, GUARD_READ);
    }
}

/* dragoman's own statements call them neither: those that sample, and those that cut
 * long cells. */
static void own_types_are_not_called_by_us(void **state)
{
    struct place *place = *state;
    struct err err;
    err_clear(&err);
    (void)place_open(place, world);
    kind->script(place->path,
                 "CREATE OR REPLACE FUNCTION other.mood_text(mood) RETURNS text LANGUAGE"
                 " plpgsql AS $$BEGIN RAISE EXCEPTION 'OWN'; END$$;"
                 "CREATE FUNCTION other.state_text(state) RETURNS text LANGUAGE plpgsql"
                 " AS $$BEGIN RAISE EXCEPTION 'OWN'; END$$;"
                 "CREATE CAST (state AS text) WITH FUNCTION other.state_text(state)");
    struct schema *schema = place_schema(place);
    assert_true(datasource_enrich(place->source, schema, NULL, &err));
    for (size_t i = 0; i < schema->warnings.count; i++) {
        assert_null(strstr(schema->warnings.items[i], "OWN"));
    }
    struct rows rows = place_rows(place, "SELECT state, NULL::text[] FROM states");
    assert_string_equal(cell_text(place, &rows, 0, 0), "(sad,)");
    assert_true(rows_cell(&rows, 0, 1)->kind == VALUE_NULL);
}

static void own_implicit_casts_are_not_used(void **state)
{
    struct place *place = *state;
    struct guard_result result;
    (void)place_open(place, "CREATE TABLE item (on_sale boolean);"
                            "INSERT INTO item VALUES (true); CREATE FUNCTION "
                            "flag_number(boolean) RETURNS "
                            "float8 LANGUAGE sql AS $$SELECT 7777::float8$$; CREATE CAST "
                            "(boolean AS float8) WITH FUNCTION flag_number(boolean) AS "
                            "IMPLICIT");
    assert_true(calls_own(place, "SELECT sqrt(on_sale) FROM item", "88.1"));
    judged(place, place_schema(place), "SELECT sqrt(on_sale) FROM item", &result);
    assert_int_equal(result.verdict, GUARD_REFUSED);
    assert_non_null(strstr(result.reason, "a cast from boolean to double precision"));
}

/* json has no order of its own; who gives it one is called by every DISTINCT of json. */
static void own_orders_of_built_in_types_are_not_used(void **state)
{
    struct place *place = *state;
    struct guard_result result;
    (void)place_open(
        place, "CREATE TABLE item (data json); INSERT INTO item VALUES ('1'), ('2');"
               "CREATE FUNCTION json_order(json, json) RETURNS integer LANGUAGE plpgsql"
               " IMMUTABLE AS $$BEGIN RAISE EXCEPTION 'OWN'; END$$;"
               "CREATE FUNCTION json_less(json, json) RETURNS boolean LANGUAGE sql"
               " IMMUTABLE AS $$SELECT true$$; CREATE OPERATOR <<< (LEFTARG = json,"
               " RIGHTARG = json, FUNCTION = json_less); CREATE OPERATOR === (LEFTARG ="
               " json, RIGHTARG = json, FUNCTION = json_less); CREATE OPERATOR CLASS"
               " json_ops DEFAULT FOR TYPE json USING btree AS OPERATOR 1 <<<, OPERATOR 3"
               " ===, FUNCTION 1 json_order(json, json)");
    assert_true(calls_own(place, "SELECT data FROM item ORDER BY data", "OWN"));
    judged(place, place_schema(place), "SELECT data FROM item ORDER BY data", &result);
    assert_int_equal(result.verdict, GUARD_REFUSED);
    assert_non_null(strstr(result.reason, "an operator class for the type json"));
}

static void own_types_may_be_allowed(void **state)
{
    struct place *place = *state;
    struct err err;
    struct guard_result result;
    char before[33];
    char after[33];
    (void)place_open(place, world);
    place_signature(place, before);
    datasource_close(place->source);
    place->source = NULL;
    const char *url = place_url(place);
    url = arena_format(place->arena, "%s%callow_own_types=1", url,
                       over_odbc()        ? ';'
                       : strchr(url, '?') ? '&'
                                          : '?');
    assert_non_null(place_try_open(place, url, &err));
    place_signature(place, after); /* so that a stored schema is read anew */
    assert_string_not_equal(before, after);
    judged(place, place_schema(place), calls[0].sql, &result);
    assert_string_equal(result.reason, "");
}

static void own_types_change_the_signature(void **state)
{
    struct place *place = *state;
    static const char *const changes[] = {
        "CREATE OPERATOR FAMILY many USING btree; ALTER OPERATOR FAMILY many USING btree "
        "ADD FUNCTION 1 (integer, integer) other.int_order(integer, integer)",
        "ALTER DOMAIN string ADD CHECK (VALUE <> '')",
        NULL,
    };
    /* over ODBC what is known of the database is hashed, not its catalog */
    static const char *const visible[] = {
        "CREATE FUNCTION upper(varchar) RETURNS text LANGUAGE sql AS $$SELECT 'OWN'$$",
        "CREATE DOMAIN near AS integer CHECK (other.is_near(VALUE, 1))",
        "CREATE FUNCTION other.kind_text(kind) RETURNS text LANGUAGE sql"
        " AS $$SELECT 'OWN'$$;"
        "CREATE CAST (kind AS text) WITH FUNCTION other.kind_text(kind)",
        "CREATE FUNCTION other.int_text(integer) RETURNS text LANGUAGE sql"
        " AS $$SELECT 'OWN'$$; CREATE CAST (integer AS text) WITH FUNCTION"
        " other.int_text(integer) AS IMPLICIT",
        NULL,
    };
    const char *const *change = over_odbc() ? visible : changes;
    char last[33];
    char next[33];
    (void)place_open(place, world);
    place_signature(place, last);
    for (; *change; change++) {
        kind->script(place->path, *change);
        place_signature(place, next);
        assert_string_not_equal(last, next);
        (void)memcpy(last, next, sizeof last);
    }
}

/* Whatever search path the login has: only the first schema of it counts. */
static void functions_of_other_schemas_are_not_found(void **state)
{
    struct place *place = *state;
    (void)place_open(
        place,
        "CREATE TABLE item (id integer, name varchar(20)); INSERT INTO item VALUES (1,"
        " 'pen'); CREATE SCHEMA away; CREATE FUNCTION away.upper(varchar) RETURNS text"
        " LANGUAGE sql AS $$SELECT 'OWN'$$; DO $$BEGIN EXECUTE format('ALTER DATABASE %I"
        " SET search_path = public, away', current_database()); END$$");
    datasource_close(place->source); /* its connections have the path before */
    place->source = NULL;
    struct err err;
    assert_non_null(place_try_open(place, place_url(place), &err));
    static const char sql[] = "SELECT upper(name) FROM item";
    struct guard_result result;
    judged(place, place_schema(place), sql, &result);
    assert_string_equal(result.reason, "");
    struct rows rows = place_raw_rows(place, sql);
    assert_string_equal(cell_text(place, &rows, 0, 0), "PEN");
}

int suite_postgres_own(void)
{
    const struct CMUnitTest tests[] = {
        PLACE_TEST(own_types_are_not_read),
        PLACE_TEST(own_types_are_not_called_by_us),
        PLACE_TEST(own_implicit_casts_are_not_used),
        PLACE_TEST(own_orders_of_built_in_types_are_not_used),
        PLACE_TEST(own_types_may_be_allowed),
        PLACE_TEST(own_types_change_the_signature),
        PLACE_TEST(functions_of_other_schemas_are_not_found),
    };
    return cmocka_run_group_tests_name("postgres_own", tests, NULL, NULL);
}
