/*
 * Statements that count rows twice, pair every row with every other, or leave rows out:
 * corrected, and run on the engine. The rows must be those of the corrected statement.
 */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/str.h"
#include "base/vec.h"
#include "conformance.h"
#include "knowledge/keys/join_guess.h"
#include "knowledge/keys/key_find.h"
#include "sql/counting/averages.h"
#include "sql/counting/childless.h"
#include "sql/counting/fanout.h"
#include "sql/counting/left_out.h"
#include "sql/counting/mistake.h"
#include "sql/counting/nulls.h"
#include "sql/kept/kept_sql.h"

static const char tables[] =
    "CREATE TABLE stores (id INTEGER PRIMARY KEY, name VARCHAR(20) NOT NULL, region "
    "VARCHAR(20) NOT NULL, target INTEGER);\n"
    "CREATE TABLE orders (id INTEGER PRIMARY KEY, store_id INTEGER, total INTEGER NOT "
    "NULL, FOREIGN KEY (store_id) REFERENCES stores (id));\n"
    "CREATE TABLE visits (store_id INTEGER NOT NULL, line INTEGER NOT NULL, people "
    "INTEGER NOT NULL, PRIMARY KEY (store_id, line));\n"
    "INSERT INTO stores VALUES (1, 'Oslo', 'north', 100), (2, 'Bergen', 'north', 50), "
    "(3, 'Rome', 'south', 50), (4, 'Bari', 'south', NULL);\n"
    "INSERT INTO orders VALUES (1, 1, 5), (2, 1, 6), (3, 1, 7), (4, 2, 8), (5, 3, 9), "
    "(6, NULL, 1);\n"
    "INSERT INTO visits VALUES (1, 1, 10), (1, 2, 20), (2, 1, 30), (3, 1, 40), (3, 2, "
    "50);\n";

static struct schema *schema; /* of the test that runs */

static const char *once(struct place *place, struct sql_statement *statement,
                        const struct sql_resolved *resolved)
{
    struct fanouts found = {0};
    struct fanouts chosen = {0};
    fanout_find(place->arena, statement, resolved, &found);
    for (size_t i = 0; i < found.count; i++) {
        if (!found.items[i].star) { /* COUNT(*) is right as it is */
            VEC_PUSH(place->arena, &chosen, found.items[i]);
        }
    }
    return chosen.count ? fanout_once(place->arena, statement, resolved, &chosen) : NULL;
}

/* What COUNT(*) counts if the question is about stores. */
static const char *stores(struct place *place, struct sql_statement *statement,
                          const struct sql_resolved *resolved)
{
    struct fanouts found = {0};
    struct fanouts chosen = {0};
    fanout_find(place->arena, statement, resolved, &found);
    for (size_t i = 0; i < found.count; i++) {
        if (found.items[i].star && str_equal(found.items[i].subject->name, "s")) {
            VEC_PUSH(place->arena, &chosen, found.items[i]);
        }
    }
    return chosen.count ? fanout_once(place->arena, statement, resolved, &chosen) : NULL;
}

/* By names alone: what the agent knows of engines that are not asked about values. */
static const struct foreign_key *guess_key(void *context, const struct table *a,
                                           const struct table *b,
                                           const struct table **from)
{
    struct place *place = context;
    struct join_guess guess;
    if (!join_guess_only(place->arena, a, b, NULL, &guess)) {
        return NULL;
    }
    struct foreign_key *key = ARENA_NEW(place->arena, struct foreign_key);
    *from = guess.from;
    key->table = guess.to->name;
    VEC_PUSH(place->arena, &key->columns, guess.column->name);
    VEC_PUSH(place->arena, &key->references, guess.key->name);
    return key;
}

static const char *mend(struct place *place, struct sql_statement *statement,
                        const struct sql_resolved *resolved)
{
    struct mistakes found = {0};
    const struct mistake_keys keys = {guess_key, place};
    mistake_find(place->arena, statement, resolved, &keys, &found);
    return found.count ? mistake_mend(place->arena, statement, resolved, schema, &keys,
                                      &found.items[0])
                       : NULL;
}

static const char *keep(struct place *place, struct sql_statement *statement,
                        const struct sql_resolved *resolved)
{
    struct left_outs found = {0};
    left_out_find(place->arena, statement, resolved, schema, &found);
    return found.count ? left_out_keep(place->arena, statement, &found.items[0]) : NULL;
}

static const char *missing(struct place *place, struct sql_statement *statement,
                           const struct sql_resolved *resolved)
{
    struct left_outs found = {0};
    left_out_find(place->arena, statement, resolved, schema, &found);
    return found.count ? found.items[0].count : NULL;
}

static const char *both(struct place *place, struct sql_statement *statement,
                        const struct sql_resolved *resolved)
{
    struct fanouts found = {0};
    fanout_find(place->arena, statement, resolved, &found);
    return found.count ? fanout_both(place->arena, statement, schema, &found.items[0])
                       : NULL;
}

static const char *without_null(struct place *place, struct sql_statement *statement,
                                const struct sql_resolved *resolved)
{
    const struct column *column;
    const char *sql = nulls_skip(place->arena, statement, resolved, &column);
    /* engines that put NULL last need no change */
    return sql ? sql : arena_text(place->arena, statement->text);
}

static const char *with_childless(struct place *place, struct sql_statement *statement,
                                  const struct sql_resolved *resolved)
{
    struct childless found;
    return childless_find(place->arena, statement, resolved, &found) ? found.kept : NULL;
}

static const char *childless(struct place *place, struct sql_statement *statement,
                             const struct sql_resolved *resolved)
{
    struct childless found;
    return childless_find(place->arena, statement, resolved, &found) ? found.count : NULL;
}

static const char *over_all(struct place *place, struct sql_statement *statement,
                            const struct sql_resolved *resolved)
{
    const struct table *parent;
    const char *others;
    return childless_divide(place->arena, statement, resolved, schema, &parent, &others);
}

static const char *overall(struct place *place, struct sql_statement *statement,
                           const struct sql_resolved *resolved)
{
    struct averages_list found = {0};
    averages_find(place->arena, statement, resolved, &found);
    return found.count ? averages_weigh(place->arena, statement, &found.items[0]) : NULL;
}

static const struct corrected {
    const char *(*correct)(struct place *place, struct sql_statement *statement,
                           const struct sql_resolved *resolved);
    const char *sql;
    const char *rows;
} all[] = {
    {once,
     "SELECT s.region, SUM(s.target) AS target, SUM(o.total) AS sold FROM stores s JOIN "
     "orders o ON o.store_id = s.id GROUP BY s.region ORDER BY s.region",
     "north|150|26;south|50|9;"},
    {once, "SELECT SUM(s.target) FROM stores s LEFT JOIN visits v ON v.store_id = s.id",
     "200;"},
    {once,
     "SELECT SUM(o.total), SUM(v.people), COUNT(*) FROM stores s JOIN orders o ON "
     "o.store_id = s.id JOIN visits v ON v.store_id = s.id",
     "35|150|9;"},
    {once,
     "SELECT s.region AS r, AVG(s.target) AS a FROM stores s JOIN orders o ON o.store_id "
     "= "
     "s.id GROUP BY s.region HAVING SUM(s.target) > 100 ORDER BY a",
     "north|75;"},
    /* the name goes with the key; behind a subquery no engine knows that any more */
    {once,
     "SELECT s.name, SUM(s.target) AS target, SUM(v.people) AS people FROM stores s JOIN "
     "visits v ON v.store_id = s.id GROUP BY s.id ORDER BY s.name",
     "Bergen|50|30;Oslo|100|30;Rome|50|90;"},
    {once, "SELECT COUNT(s.id) FROM stores s JOIN orders o ON o.store_id = s.id", "3;"},
    {once, "SELECT COUNT(s.target) FROM stores s JOIN visits v ON v.store_id = s.id",
     "3;"},
    {stores,
     "SELECT SUM(CASE WHEN o.total > 5 THEN 1 ELSE 0 END) AS some, COUNT(*) AS n FROM "
     "stores "
     "s JOIN orders o ON o.store_id = s.id",
     "3|3;"},
    {both, "SELECT SUM(s.target) FROM stores s JOIN orders o ON o.store_id = s.id",
     "400|200;"},
    {mend, "SELECT SUM(o.total) FROM stores s, orders o WHERE s.name = 'Oslo'", "18;"},
    {mend, "SELECT SUM(o.total) FROM stores s CROSS JOIN orders o", "35;"},
    {mend, "SELECT region, SUM(target) FROM stores WHERE id < 4 ORDER BY region",
     "north|150;south|50;"},
    {keep,
     "SELECT s.region, SUM(o.total) AS n FROM orders o JOIN stores s ON s.id = "
     "o.store_id GROUP BY s.region ORDER BY n",
     "|1;south|9;north|26;"},
    {keep,
     "SELECT s.region, SUM(o.total) AS n FROM stores s JOIN orders o ON s.id = "
     "o.store_id "
     "GROUP BY s.region ORDER BY n",
     "|1;south|9;north|26;"},
    {missing, "SELECT COUNT(*) FROM orders o JOIN stores s ON s.id = o.store_id", "6|5;"},
    {without_null, "SELECT name FROM stores ORDER BY target, name LIMIT 1", "Bergen;"},
    {without_null, "SELECT name FROM stores ORDER BY target DESC, name LIMIT 1", "Oslo;"},
    {with_childless,
     "SELECT s.name, COUNT(*) AS n FROM orders o JOIN stores s ON s.id = o.store_id "
     "GROUP "
     "BY s.id, s.name ORDER BY s.name",
     "Bari|0;Bergen|1;Oslo|3;Rome|1;"},
    {with_childless,
     "SELECT s.name, SUM(v.people) AS n FROM stores s JOIN visits v ON v.store_id = s.id "
     "GROUP BY s.id, s.name ORDER BY n, s.name",
     "Bari|0;Bergen|30;Oslo|30;Rome|90;"},
    {with_childless,
     "SELECT s.name, COUNT(*) AS n FROM orders o JOIN stores s ON s.id = o.store_id "
     "GROUP "
     "BY s.id, s.name ORDER BY n LIMIT 1",
     "Bari|0;"},
    {childless,
     "SELECT s.name, COUNT(*) AS n FROM orders o JOIN stores s ON s.id = o.store_id "
     "GROUP "
     "BY s.id, s.name ORDER BY s.name",
     "4|1;"},
    {overall,
     "SELECT AVG(x.a) AS a FROM (SELECT store_id, AVG(total) AS a FROM orders WHERE "
     "store_id IS NOT NULL GROUP BY store_id) x",
     "7;"},
    {over_all, "SELECT 1.0 * COUNT(*) / COUNT(DISTINCT store_id) FROM orders", "1.25;"},
};

static const char *shown(struct place *place, const char *sql)
{
    struct rows rows = place_rows(place, sql);
    const char *text = "";
    for (size_t r = 0; r < rows.count; r++) {
        for (size_t c = 0; c < rows.column_count; c++) {
            const char *cell = cell_text(place, &rows, r, c);
            char *end;
            double number = strtod(cell, &end);
            text =
                end != cell && !*end
                    ? arena_format(place->arena, "%s%s%.9g", text, c ? "|" : "", number)
                    : arena_format(place->arena, "%s%s%s", text, c ? "|" : "", cell);
        }
        text = arena_format(place->arena, "%s;", text);
    }
    return text;
}

static bool has_keys(void)
{
    return schema_table(schema, "orders")->foreign_keys.count > 0;
}

/* Where no key is declared and the data are not searched for any, nothing says whose rows an average
 * should be over. Without window functions the engine refuses the corrected statement: the user is
 * told. */
static bool is_beyond(struct place *place, const struct corrected *one, const char *sql)
{
    struct err err;
    struct datasource_limits limits = {.deadline_ms = clock_ms() + 20000};
    bool undeclared = one->correct == over_all && !has_keys();
    bool numbered = kind->no_windows && sql && strstr(sql, "ROW_NUMBER");
    err_clear(&err);
    if (undeclared) {
        assert_null(sql);
    }
    if (numbered) {
        assert_false(datasource_check(place->source, sql, &limits, &err));
    }
    return undeclared || numbered;
}

static void correct(struct place *place, const struct corrected *one)
{
    struct sql_statement statement;
    assert_true(sql_statement_read(place->arena, datasource_dialect(place->source),
                                   one->sql, strlen(one->sql), &statement));
    const char *sql =
        one->correct(place, &statement, sql_resolve(place->arena, &statement, schema));
    if (is_beyond(place, one, sql)) {
        return;
    }
    if (!sql) {
        fail_msg("not corrected: %s", one->sql);
    }
    const char *got = shown(place, sql);
    if (!str_equal(got, one->rows)) {
        fail_msg("%s\n  became %s\n  expected %s\n  got      %s", one->sql, sql,
                 one->rows, got);
    }
}

static void test_corrected(void **state)
{
    struct place *place = *state;
    struct err err;
    place_open(place, tables);
    schema = place_schema(place);
    err_clear(&err);
    if (kind->keys_measured) {
        assert_true(datasource_enrich(place->source, schema, NULL, &err));
        key_find(place->source, schema, NULL);
    }
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        correct(place, &all[i]);
    }
}

/* Amounts and dates that are kept as text, read as such. */
static const char ledger[] =
    "CREATE TABLE ledger (id INTEGER PRIMARY KEY, amount VARCHAR(20) NOT NULL, issued "
    "VARCHAR(20) NOT NULL, booked VARCHAR(20) NOT NULL);\n"
    "INSERT INTO ledger VALUES (1, '$1,200.50', '03.08.2023', '2023-08'), (2, "
    "'($200.25)', "
    "'13.03.2024', '2024-03'), (3, '$99.75', '25.03.2024', '2024-04'), (4, 'n/a', "
    "'01.04.2024', '2024-04');\n";

static void give_samples(struct place *place, const char *column, const char *samples)
{
    struct column *found = table_column(schema_table(schema, "ledger"), column);
    assert_non_null(found);
    found->samples = (struct texts){0};
    str_split(place->arena, arena_text(place->arena, samples), ';', &found->samples);
}

static void test_kept(void **state)
{
    static const struct {
        const char *sql;
        const char *rows;
    } kept[] = {
        {"SELECT SUM(amount) FROM ledger", "1100;"},
        {"SELECT COUNT(*) FROM ledger WHERE amount > 50", "2;"},
        {"SELECT id FROM ledger WHERE amount < 1000 ORDER BY amount", "2;3;"},
        {"SELECT COUNT(*) FROM ledger WHERE issued >= '2024-03-01' AND issued < "
         "'2024-04-01'",
         "2;"},
        {"SELECT COUNT(*) FROM ledger WHERE booked >= '2024-03-01' AND booked < "
         "'2024-04-01'",
         "1;"},
    };
    struct place *place = *state;
    place_open(place, ledger);
    schema = place_schema(place);
    give_samples(place, "amount", "$1,200.50;($200.25);$99.75");
    give_samples(place, "issued", "03.08.2023;13.03.2024");
    give_samples(place, "booked", "2023-08;2024-03");
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
        struct sql_statement statement;
        struct kept_uses uses = {0};
        enum dialect dialect = datasource_dialect(place->source);
        if (dialect == DIALECT_BIGQUERY) {
            skip(); /* the stand-in is SQLite and has none of its functions */
        }
        assert_true(sql_statement_read(place->arena, dialect, kept[i].sql,
                                       strlen(kept[i].sql), &statement));
        const char *sql = kept_sql(place->arena, &statement,
                                   sql_resolve(place->arena, &statement, schema), &uses);
        assert_non_null(sql);
        const char *got = shown(place, sql);
        if (!str_equal(got, kept[i].rows)) {
            fail_msg("%s\n  became %s\n  expected %s\n  got      %s", kept[i].sql, sql,
                     kept[i].rows, got);
        }
    }
}

int suite_counting(void)
{
    const struct CMUnitTest tests[] = {PLACE_TEST(test_corrected), PLACE_TEST(test_kept)};
    return cmocka_run_group_tests_name("counting", tests, NULL, NULL);
}
