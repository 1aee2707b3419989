/* What a statement could leave in a session of MariaDB, for the suite. */
#include "conformance.h"

/* Functions of the database may do what our own statements may not. */
#define FUNCTION(name, does)                                                             \
    "CREATE FUNCTION " name "() RETURNS VARCHAR(100) DETERMINISTIC BEGIN " does          \
    " END; GRANT EXECUTE ON FUNCTION " name " TO reader@'127.0.0.1';"
#define SETTING_FUNCTIONS(name, value)                                                   \
    FUNCTION("leave_" name, "SET SESSION " name " = " value "; RETURN @@" name ";")      \
    FUNCTION("see_" name, "RETURN @@" name ";")
#define SETTING(name, kept)                                                              \
    {                                                                                    \
        .what = "the setting " name, .leave = "SELECT leave_" name "()",                 \
        .during = "SELECT leave_" name "()", .probe = "SELECT see_" name "()",           \
        .clean = (kept)                                                                  \
    }

const char leftovers_mysql_script[] =
    "CREATE TABLE item (id INTEGER); INSERT INTO item VALUES (1);"
    /* clang-format off */
    SETTING_FUNCTIONS("time_zone", "'+11:00'")
    SETTING_FUNCTIONS("div_precision_increment", "3")
    SETTING_FUNCTIONS("character_set_results", "'latin1'")
    SETTING_FUNCTIONS("sql_select_limit", "100")
    FUNCTION("leave_mode", "SET SESSION sql_mode = 'ANSI_QUOTES'; RETURN 'x';")
    FUNCTION("see_mode", "RETURN @@session.sql_mode LIKE '%ANSI%';")
    FUNCTION("leave_reading", "SET SESSION tx_read_only = 0; RETURN 'x';")
    FUNCTION("see_reading", "RETURN @@session.tx_read_only;")
    FUNCTION("leave_variable", "SET @left_behind = 'x'; RETURN @left_behind;")
    FUNCTION("see_variable", "RETURN coalesce(@left_behind, 'none');")
    FUNCTION("leave_lock", "RETURN GET_LOCK('left_behind', 0);")
    FUNCTION("see_lock", "RETURN IS_FREE_LOCK('left_behind');")
    FUNCTION("leave_identity", "RETURN LAST_INSERT_ID(77);")
    FUNCTION("see_identity", "RETURN LAST_INSERT_ID();")
    FUNCTION("leave_temporary", "CREATE TEMPORARY TABLE left_behind (a INTEGER); RETURN 'x';")
    FUNCTION("see_temporary", "RETURN (SELECT count(*) FROM left_behind);")
    /* clang-format on */
    "SELECT 1";

const struct leftover leftovers_mysql[] = {
    SETTING("time_zone", "+00:00"),
    SETTING("div_precision_increment", "8"),
    SETTING("character_set_results", "utf8mb4"),
    SETTING("sql_select_limit", "18446744073709551615"),
    {.what = "how SQL is read",
     .leave = "SELECT leave_mode()",
     .probe = "SELECT see_mode()",
     .clean = "0"},
    {.what = "a session that writes",
     .leave = "SELECT leave_reading()",
     .probe = "SELECT see_reading()",
     .clean = "1"},
    {.what = "a variable",
     .leave = "SELECT leave_variable()",
     .during = "SELECT leave_variable()",
     .probe = "SELECT see_variable()",
     .clean = "none"},
    {.what = "a lock",
     .leave = "SELECT leave_lock()",
     .during = "SELECT CONCAT('held', leave_lock())",
     .probe = "SELECT see_lock()",
     .clean = "1"},
    {.what = "the last key",
     .leave = "SELECT leave_identity()",
     .during = "SELECT leave_identity()",
     .probe = "SELECT see_identity()",
     .clean = "0"},
    {.what = "a temporary table",
     .leave = "SELECT leave_temporary()",
     .refused = true, /* the session only reads */
     .probe = "SELECT see_temporary()"},
    {.what = NULL},
};
