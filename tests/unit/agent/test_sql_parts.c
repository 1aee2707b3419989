/* A query taken apart. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "agent/understand/sql_parts.h"
#include "base/arena.h"
#include "base/str.h"
#include "sql/statement.h"

static const struct {
    const char *sql;
    const char *parts; /* items | joins | filters | sums | groups | conditions | order */
    const char *limit;
} cases[] = {
    {"SELECT * FROM users", "* | | | | | |", NULL},
    {"SELECT COUNT(*) FROM users WHERE a = 1 AND b BETWEEN 2 AND 3 AND c = ' and '",
     "COUNT(*) | | a = 1; b BETWEEN 2 AND 3; c = ' and ' | COUNT(*) | | |", NULL},
    {"SELECT c.name, SUM(o.total) AS t FROM c JOIN o ON c.id = o.c_id LEFT JOIN p ON "
     "p.id "
     "= o.p_id WHERE o.x > (SELECT AVG(x) FROM o WHERE y = 1) GROUP BY c.name, c.id "
     "HAVING "
     "SUM(o.total) > 5 ORDER BY t DESC LIMIT 5",
     "c.name; SUM(o.total) AS t | c.id = o.c_id; p.id = o.p_id | o.x > (SELECT AVG(x) "
     "FROM "
     "o WHERE y = 1) | SUM(o.total) AS t | c.name; c.id | SUM(o.total) > 5 | t DESC",
     "5"},
    {"SELECT a FROM t WHERE x = 1 UNION SELECT b FROM u WHERE y = 2",
     "a | | x = 1 | | | |", NULL},
    {"SELECT \"order\" FROM \"group\" WHERE \"limit\" = 'from'",
     "\"order\" | | \"limit\" = 'from' | | | |", NULL},
    {"SELECT a FROM t WHERE (a = 1 OR b = 2) AND c = 3 LIMIT 5 OFFSET 2",
     "a | | (a = 1 OR b = 2); c = 3 | | | |", "5 OFFSET 2"},
    {"SELECT a FROM t RIGHT JOIN u ON t.x = u.x FULL JOIN v ON u.y = v.y WHERE a = 1 OR "
     "a "
     "= 2",
     "a | t.x = u.x; u.y = v.y | a = 1 OR a = 2 | | | |", NULL},
    {"WITH c AS (SELECT x FROM y WHERE z = 1) SELECT group_concat(x) FROM c ORDER BY 1",
     "group_concat(x) | | | group_concat(x) | | | 1", NULL},
    {"", "| | | | | |", NULL},
    {"SELECT", "| | | | | |", NULL},
    {"))) WHERE ((", "| | | | | |", NULL},
};

static void parts_of(struct arena *arena, const char *sql, struct sql_parts *out)
{
    struct sql_statement statement;
    (void)sql_statement_read(arena, DIALECT_SQLITE, sql, strlen(sql), &statement);
    sql_parts_read(arena, &statement, out);
}

static void a_query_is_taken_apart(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct arena *arena = arena_new();
        struct sql_parts parts;
        parts_of(arena, cases[i].sql, &parts);
        const struct texts *lists[] = {
            &parts.items,  &parts.joins,      &parts.filters, &parts.aggregations,
            &parts.groups, &parts.conditions, &parts.order};
        struct texts all = {0};
        for (size_t k = 0; k < sizeof lists / sizeof *lists; k++) {
            VEC_PUSH(arena, &all, str_join(arena, lists[k], "; "));
        }
        const char *got = str_squeeze(arena, str_join(arena, &all, " | "));
        assert_string_equal(got, cases[i].parts);
        assert_true(str_equal(parts.limit, cases[i].limit));
        arena_free(arena);
    }
}

static void the_parts_are_steps(void **state)
{
    (void)state;
    struct arena *arena = arena_new();
    struct sql_parts parts;
    struct texts tables = {0};
    struct texts steps = {0};
    VEC_PUSH(arena, &tables, "users");
    parts_of(arena,
             "SELECT status, COUNT(*) FROM users WHERE id > 1 GROUP BY status ORDER "
             "BY COUNT(*) DESC LIMIT 3",
             &parts);
    sql_parts_steps(arena, &parts, &tables, &steps);
    assert_string_equal(
        str_join(arena, &steps, " "),
        "Read users. Keep the rows where id > 1. Make a group for each "
        "status. Work out COUNT(*). Sort by COUNT(*) DESC. Take the first "
        "3.");
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_query_is_taken_apart),
        cmocka_unit_test(the_parts_are_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
