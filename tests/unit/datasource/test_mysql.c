/* What of the MySQL driver needs no server: the gate, names of types, cells, errors. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/arena.h"
#include "base/str.h"
#ifdef DRAGOMAN_HAS_MYSQL
#include "datasource/mysql/mysql_driver.h"

static void gate_lets_queries_pass(void **state)
{
    (void)state;
    static const char *const good[] = {
        "SELECT 1",
        "  -- a comment\n (SELECT 1) UNION (SELECT 2);",
        "WITH x AS (SELECT 1 AS a) SELECT * FROM x",
        "VALUES (1), (2)",
        "SELECT `into`, 'INTO OUTFILE', \"lock\" FROM t # into",
        "SELECT SUBSTRING(name FROM 1 FOR 3) FROM t",
        "SELECT 1--1",
        "SELECT sleep FROM t",
        "SELECT handler FROM t",
    };
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        struct err err;
        err_clear(&err);
        if (!mysql_gate(good[i], &err)) {
            fail_msg("%s: %s", good[i], err.message);
        }
    }
}

static void gate_refuses_the_rest(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "",
        ";",
        "(((",
        "/* nothing */",
        "DELETE FROM t",
        "(DELETE FROM t)",
        "SHOW TABLES",
        "SET @a = 1",
        "DO SLEEP(1)",
        "SELECT 1; SELECT 2",
        "SELECT 1 INTO OUTFILE '/tmp/x'",
        "SELECT 1 iNtO @v",
        "SELECT @v := 1",
        "SELECT @@version",
        "SELECT ?",
        "SELECT * FROM t FOR UPDATE",
        "SELECT * FROM t FOR /**/ SHARE",
        "SELECT * FROM t LOCK IN SHARE MODE",
        "SELECT * FROM t PROCEDURE ANALYSE()",
        "SELECT SLEEP(1)",
        "SELECT `SLEEP` (1)",
        "SELECT load_file('/etc/passwd')",
        "SELECT 1 /*! INTO OUTFILE 'x' */",
        "SELECT /*M!100000 1 */",
        "SELECT 'open",
        "SELECT 'a\\'; DROP TABLE t -- ",
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct err err;
        err_clear(&err);
        if (mysql_gate(bad[i], &err)) {
            fail_msg("passed: %s", bad[i]);
        }
        assert_true(err.code == ERR_UNSAFE || err.code == ERR_INVALID_SQL);
    }
}

static void types_have_plain_names(void **state)
{
    (void)state;
    static const char *const names[][2] = {
        {"int(11)", "INTEGER"},
        {"int", "INTEGER"},
        {"bigint(20) unsigned", "BIGINT UNSIGNED"},
        {"tinyint(1)", "BOOLEAN"},
        {"tinyint(4)", "TINYINT"},
        {"varchar(20)", "VARCHAR(20)"},
        {"decimal(10,2) unsigned", "DECIMAL(10,2) UNSIGNED"},
        {"enum('a','B c')", "ENUM('a','B c')"},
        {"year(4)", "YEAR"},
        {"int(", "INTEGER"},
        {"", ""},
    };
    struct arena *arena = arena_new();
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        assert_string_equal(mysql_type_name(arena, names[i][0]), names[i][1]);
    }
    arena_free(arena);
}

static void cells_keep_their_digits(void **state)
{
    (void)state;
    struct arena *arena = arena_new();
    struct value value = mysql_value(arena, MARIA_NUMBER, "18446744073709551615", 20);
    assert_int_equal(value.kind, VALUE_NUMBER);
    value = mysql_value(arena, MARIA_BOOL, "2", 1);
    assert_int_equal(value.kind, VALUE_INT);
    value = mysql_value(arena, MARIA_BITS, "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF", 9);
    assert_int_equal(value.kind, VALUE_NUMBER); /* more than a server may send */
    value = mysql_value(arena, MARIA_BITS, "", 0);
    assert_int_equal(value.integer, 0);
    value = mysql_value(arena, MARIA_TEXT, "a\xFFz", 3);
    assert_int_equal(value.text.size, 5); /* no UTF-8: made good */
    arena_free(arena);
}

/* As MySQL and MariaDB write them, and as nobody should. */
static void grants_come_to_dangers(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"GRANT USAGE ON *.* TO `a`@`%` IDENTIFIED BY PASSWORD '*00'", ""},
        {"GRANT SELECT, SHOW VIEW, EXECUTE ON `shop`.* TO `a`@`%`", ""},
        {"GRANT SELECT (`on`, `INSERT`), REFERENCES ON `s`.`t` TO `a`@`%`", ""},
        {"GRANT `boss`@`%` TO `a`@`%`", ""},
        {"GRANT ALL PRIVILEGES ON *.* TO `a`@`%` WITH GRANT OPTION", "is a superuser"},
        {"GRANT SELECT, INSERT, FILE, SUPER, XA_RECOVER_ADMIN ON *.* TO `a`@`%`",
         "is a superuser"},
        {"GRANT SELECT ON *.* TO `a`@`%`", "may read the password hashes of the server"},
        {"GRANT SELECT ON `mysql`.`user` TO `a`@`%`",
         "may read the password hashes of the server"},
        {"GRANT FILE ON *.* TO `a`@`%`", "may read and write files of the server"},
        {"GRANT BACKUP_ADMIN,CLONE_ADMIN ON *.* TO `a`@`%`",
         "has BACKUP_ADMIN, CLONE_ADMIN on the whole server"},
        {"GRANT A, B, C, D, E, F, G, H ON *.* TO `a`@`%`",
         "has A, B, C, D, E, F and 2 more on the whole server"},
        {"GRANT ALL PRIVILEGES ON `a``.* TO b`.* TO `a`@`%`",
         "has ALL PRIVILEGES on the database 'a`.* TO b'"},
        {"GRANT SELECT, DELETE ON `s`.`t` TO `a`@`%` WITH GRANT OPTION",
         "may change 1 table, may give its rights to others"},
        {"GRANT UPDATE (`a`, `b`) ON s.t TO a@`%`", "may change 1 table"},
        {"GRANT EXECUTE, ALTER ROUTINE ON PROCEDURE `s`.`p` TO `a`@`%`",
         "may change 1 routine"},
        {"GRANT SELECT ON `s`.* TO ` WITH GRANT OPTION`@`%`", ""},
        {"GRANT INSERT ON `s", "may change 1 table"},
        {"GRANT INSERT, ((((", ""},
        {"GRANT ", ""},
        {"", ""},
    };
    struct arena *arena = arena_new();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct server_grants rights = {.arena = arena};
        struct texts out = {0};
        server_grants_add(&rights, cases[i][0]);
        server_grants_tell(&rights, &out);
        if (!str_equal(str_join(arena, &out, ", "), cases[i][1])) {
            fail_msg("%s: %s", cases[i][0], str_join(arena, &out, ", "));
        }
    }
    struct server_grants silent = {.arena = arena, .unknown = true};
    struct texts guessed = {0};
    server_grants_tell(&silent, &guessed);
    assert_string_equal(guessed.items[0], "has rights that the server does not tell");
    struct server_grants many = {.arena = arena};
    struct texts told = {0};
    for (int i = 0; i < 100; i++) {
        server_grants_add(&many, arena_format(arena, "GRANT DROP ON `d%d`.* TO a", i));
        server_grants_add(&many, arena_format(arena, "GRANT DROP ON `d`.`t%d` TO a", i));
    }
    server_grants_tell(&many, &told);
    assert_int_equal(told.count, 6);
    assert_string_equal(told.items[4], "may change 96 more databases");
    assert_string_equal(told.items[5], "may change 100 tables");
    arena_free(arena);
}
#endif

int main(void)
{
#ifdef DRAGOMAN_HAS_MYSQL
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gate_lets_queries_pass),
        cmocka_unit_test(gate_refuses_the_rest),
        cmocka_unit_test(types_have_plain_names),
        cmocka_unit_test(cells_keep_their_digits),
        cmocka_unit_test(grants_come_to_dangers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
#else
    return 0;
#endif
}
