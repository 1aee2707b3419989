/* SQLite's own lock behind the guard: an authorizer that denies by default, and limits.
 */
#include "datasource/sqlite/sqlite_driver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/str.h"

/* Functions that compute and nothing else, in strcasecmp order. printf and format are our
 * own, with bounds. What can stall inside one opcode (zeroblob, randomblob), reach the
 * library (load_extension, fts3_tokenizer) or tell about it (sqlite_version,
 * sqlite_compileoption_*) is left out on purpose. */
static const char *const functions[] = {
    "->",
    "->>",
    "abs",
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "avg",
    "bm25",
    "ceil",
    "ceiling",
    "char",
    "coalesce",
    "concat",
    "concat_ws",
    "cos",
    "cosh",
    "count",
    "cume_dist",
    "current_date",
    "current_time",
    "current_timestamp",
    "date",
    "datetime",
    "degrees",
    "dense_rank",
    "dragoman_hash",
    "exp",
    "first_value",
    "floor",
    "format",
    "glob",
    "group_concat",
    "hex",
    "highlight",
    "if",
    "ifnull",
    "iif",
    "instr",
    "json",
    "json_array",
    "json_array_length",
    "json_each",
    "json_error_position",
    "json_extract",
    "json_group_array",
    "json_group_object",
    "json_insert",
    "json_object",
    "json_patch",
    "json_pretty",
    "json_quote",
    "json_remove",
    "json_replace",
    "json_set",
    "json_tree",
    "json_type",
    "json_valid",
    "jsonb",
    "jsonb_array",
    "jsonb_extract",
    "jsonb_group_array",
    "jsonb_group_object",
    "jsonb_insert",
    "jsonb_object",
    "jsonb_patch",
    "jsonb_remove",
    "jsonb_replace",
    "jsonb_set",
    "julianday",
    "lag",
    "last_value",
    "lead",
    "length",
    "like",
    "likelihood",
    "likely",
    "ln",
    "log",
    "log10",
    "log2",
    "lower",
    "ltrim",
    "match",
    "matchinfo",
    "max",
    "median",
    "min",
    "mod",
    "nth_value",
    "ntile",
    "nullif",
    "octet_length",
    "offsets",
    "percent_rank",
    "percentile",
    "percentile_cont",
    "percentile_disc",
    "pi",
    "pow",
    "power",
    "printf",
    "quote",
    "radians",
    "random",
    "rank",
    "replace",
    "round",
    "row_number",
    "rtrim",
    "sign",
    "sin",
    "sinh",
    "snippet",
    "soundex",
    "sqrt",
    "strftime",
    "string_agg",
    "substr",
    "substring",
    "subtype",
    "sum",
    "tan",
    "tanh",
    "time",
    "timediff",
    "total",
    "trim",
    "trunc",
    "typeof",
    "unhex",
    "unicode",
    "unixepoch",
    "unlikely",
    "upper",
};

static int function_compare(const void *name, const void *row)
{
    return strcasecmp(name, *(const char *const *)row);
}

static bool function_allowed(const char *name)
{
    return name && bsearch(name, functions, sizeof functions / sizeof *functions,
                           sizeof *functions, function_compare);
}

/* Tables that tell about the database or the library instead of holding its data. */
static bool table_allowed(const char *name)
{
    static const char *const internal[] = {"dbstat", "bytecode", "tables_used",
                                           "fts3tokenize", "fts5vocab"};
    if (!name) {
        return true;
    }
    if (str_starts_nocase(name, "sqlite_") || str_starts_nocase(name, "pragma_")) {
        return false;
    }
    for (size_t i = 0; i < sizeof internal / sizeof *internal; i++) {
        if (str_equal_nocase(name, internal[i])) {
            return false;
        }
    }
    return true;
}

static int sqlite_lock_refuse(struct sqlite_connection *connection, const char *what,
                              const char *name)
{
    (void)snprintf(connection->refused, sizeof connection->refused, "%s%s%s", what,
                   name ? " " : "", name ? name : "");
    return SQLITE_DENY;
}

static int authorize(void *context, int action, const char *first, const char *second,
                     const char *database, const char *trigger)
{
    struct sqlite_connection *connection = context;
    (void)database;
    (void)trigger;
    if (connection->lock == SQLITE_FOR_SCHEMA || connection->own_sql) {
        return SQLITE_OK;
    }
    switch (action) {
    case SQLITE_SELECT:
    case SQLITE_RECURSIVE:
        return SQLITE_OK;
    case SQLITE_READ:
        return table_allowed(first) ? SQLITE_OK
                                    : sqlite_lock_refuse(connection, "the table", first);
    case SQLITE_FUNCTION:
        return function_allowed(second)
                   ? SQLITE_OK
                   : sqlite_lock_refuse(connection, "the function", second);
    case SQLITE_PRAGMA: /* full-text tables look whether their data changed */
        return str_equal(first, "data_version") && !second
                   ? SQLITE_OK
                   : sqlite_lock_refuse(connection, "PRAGMA", first);
    case SQLITE_INSERT:
    case SQLITE_UPDATE:
    case SQLITE_DELETE:
        return connection->lock == SQLITE_FOR_WRITING && table_allowed(first)
                   ? SQLITE_OK
                   : sqlite_lock_refuse(connection, "writing to", first);
    default:
        return sqlite_lock_refuse(connection, "this kind of statement", NULL);
    }
}

/* The progress handler: SQLite calls it after a number of steps, to check deadline and
 * stop. */
static int progress(void *context)
{
    const struct sqlite_connection *connection = context;
    if (connection->limits && connection->limits->steps) {
        *connection->limits->steps -= connection->progress_steps;
    }
    return limits_spent(connection->limits);
}

void sqlite_watch_steps(struct sqlite_connection *connection, int steps)
{
    if (connection->progress_steps != steps) {
        connection->progress_steps = steps;
        sqlite3_progress_handler(connection->db, steps, progress, connection);
    }
}

/* Waits for another program's lock, at most two seconds and never past the deadline. */
static int busy(void *context, int tries)
{
    enum { BUSY_MOST_MS = 2000 };
    struct sqlite_connection *connection = context;
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    int64_t now_ms = (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
    if (tries == 0) {
        connection->busy_since_ms = now_ms;
    }
    if (now_ms - connection->busy_since_ms >= BUSY_MOST_MS ||
        limits_spent(connection->limits)) {
        return 0;
    }
    (void)sqlite3_sleep(tries < 4 ? 2 : 15);
    return 1;
}

void sqlite_lock_apply(struct sqlite_connection *connection)
{
    static const int switches[][2] = {
        {SQLITE_DBCONFIG_DEFENSIVE, 1},
        {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
        {SQLITE_DBCONFIG_DQS_DML, 0}, /* "nope" is a name, never quietly a text */
        {SQLITE_DBCONFIG_DQS_DDL, 0},
        {SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0},
        {SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, 0},
        {SQLITE_DBCONFIG_WRITABLE_SCHEMA, 0},
    };
    /* SQL_LENGTH also bounds the CREATE texts stored in the file, and a wide table's is
     * long: the length of a question's SQL is checked before it gets here. */
    static const int limits[][2] = {
        {SQLITE_LIMIT_ATTACHED, 0},          {SQLITE_LIMIT_LENGTH, 16 << 20},
        {SQLITE_LIMIT_SQL_LENGTH, 1 << 20},  {SQLITE_LIMIT_EXPR_DEPTH, 500},
        {SQLITE_LIMIT_COMPOUND_SELECT, 100}, {SQLITE_LIMIT_VDBE_OP, 25000},
        {SQLITE_LIMIT_FUNCTION_ARG, 100},    {SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 500},
        {SQLITE_LIMIT_TRIGGER_DEPTH, 20},    {SQLITE_LIMIT_WORKER_THREADS, 0},
    };
    for (size_t i = 0; i < sizeof switches / sizeof *switches; i++) {
        (void)sqlite3_db_config(connection->db, switches[i][0], switches[i][1], NULL);
    }
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        (void)sqlite3_limit(connection->db, limits[i][0], limits[i][1]);
    }
    sqlite_functions_add(connection);
    (void)sqlite3_extended_result_codes(connection->db, 1);
    (void)sqlite3_set_authorizer(connection->db, authorize, connection);
    sqlite_watch_steps(connection, 1000);
    (void)sqlite3_busy_handler(connection->db, busy, connection);
}
