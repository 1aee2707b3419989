/*
 * Looks for SQL that the guard passes and should not. layers: sql
 *
 * Every dialect must survive the bytes. For SQLite the engine is the judge: a query that
 * the guard calls a read is prepared under an authorizer that knows only reading, and
 * anything else it is asked for is a hole in the guard.
 */
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/vec.h"
#include "model/schema.h"
#include "sql/bind.h"
#include "sql/describe/describe.h"
#include "sql/function.h"
#include "sql/guard.h"
#include "sql/limit.h"
#include "sql/printed.h"
#include "sql/statement.h"

static sqlite3 *database;
static struct schema *schema;
static const char *current; /* the SQL being prepared, for the report */

static void report(const char *what, const char *detail)
{
    fprintf(stderr, "%s: %s\nSQL: %s\n", what, detail ? detail : "", current);
    abort();
}

/* Functions behind operators: LIKE, GLOB, REGEXP, MATCH, -> and ->>. */
static int function_is_expected(const char *name)
{
    static const char *const operators[] = {"like",  "glob", "regexp",
                                            "match", "->",   "->>"};
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
        if (strcasecmp(name, operators[i]) == 0) {
            return 1;
        }
    }
    return function_find(DIALECT_SQLITE, name) != NULL;
}

static int authorize(void *context, int action, const char *first, const char *second,
                     const char *base, const char *trigger)
{
    (void)context;
    (void)base;
    (void)trigger;
    static const char *const readable[] = {"t", "u", "json_each", "json_tree", ""};
    if (action == SQLITE_SELECT || action == SQLITE_RECURSIVE) {
        return SQLITE_OK;
    }
    if (action == SQLITE_FUNCTION) {
        if (!function_is_expected(second)) {
            report("an unlisted function passed", second);
        }
        return SQLITE_OK;
    }
    if (action != SQLITE_READ) {
        report("something other than a read passed", first);
    }
    for (size_t i = 0; i < sizeof readable / sizeof *readable; i++) {
        if (strcasecmp(first, readable[i]) == 0) {
            return SQLITE_OK;
        }
    }
    /* SQLite also names CTEs here, without a column, when none of their columns is used
     */
    if (second[0] == '\0' && strcasestr(current, "with")) {
        return SQLITE_OK;
    }
    report("an unlisted table passed", first);
    return SQLITE_DENY;
}

static void add_table(const char *name, const char *a, const char *b)
{
    struct table *table = schema_add_table(schema, name);
    VEC_ADD(schema->arena, &table->columns)->name = a;
    VEC_ADD(schema->arena, &table->columns)->name = b;
}

static void prepare_world(void)
{
    if (database) {
        return;
    }
    sqlite3_open(":memory:", &database);
    sqlite3_exec(database,
                 "CREATE TABLE t(a, b); CREATE TABLE u(a, c); CREATE TABLE secret(k);",
                 NULL, NULL, NULL);
    /* SQLite declares these on first use, which looks like a CREATE to the authorizer */
    sqlite3_exec(database, "SELECT * FROM json_each('[]'), json_tree('[]')", NULL, NULL,
                 NULL);
    sqlite3_set_authorizer(database, authorize, NULL);
    schema = schema_new();
    add_table("t", "a", "b");
    add_table("u", "a", "c");
}

/* Prepares; true when SQLite takes it. The statement must be one, and only read. */
static int engine_takes(const char *sql)
{
    current = sql;
    sqlite3_stmt *statement = NULL;
    const char *tail = "";
    int status = sqlite3_prepare_v2(database, sql, -1, &statement, &tail);
    if (status != SQLITE_OK) {
        return 0;
    }
    if (statement && !sqlite3_stmt_readonly(statement)) {
        report("a write passed", "");
    }
    if (!statement || sqlite3_column_count(statement) == 0) {
        report("a statement without columns passed", "");
    }
    if (strspn(tail, " \t\r\n\f;") != strlen(tail)) {
        report("a second statement passed", tail);
    }
    sqlite3_finalize(statement);
    return 1;
}

/* A statement with a LIMIT that was made from a tree is the one its text would give. */
static void check_limited(struct arena *arena, const struct limit_result *limit)
{
    const struct sql_statement *made = limit->statement;
    struct sql_statement read;
    if (made && (!sql_statement_read(arena, made->dialect, limit->sql, strlen(limit->sql),
                                     &read) ||
                 !sql_equal(made->root, read.root))) {
        report("a statement with a limit is not what its text says", limit->sql);
    }
}

static void check_sqlite(struct arena *arena, const struct guard_result *result)
{
    if (!engine_takes(result->sql)) {
        return;
    }
    struct printed printed;
    struct err err;
    if (!printed_make(arena, DIALECT_SQLITE, result->sql, &printed, &err) ||
        !engine_takes(printed.sql)) {
        report("printing broke the query", printed.sql);
    }
    struct limit_result limit;
    struct sql_statement statement;
    (void)sql_statement_read(arena, DIALECT_SQLITE, result->sql, strlen(result->sql),
                             &statement);
    limit_apply(arena, &statement, 10, 100, &limit);
    check_limited(arena, &limit);
    if (!engine_takes(limit.sql)) {
        report("a limit broke the query", limit.sql);
    }
}

/* Names put right make no write, and nothing that the guard would not let through. */
static void check_bound(struct arena *arena, enum dialect dialect, const uint8_t *data,
                        size_t size)
{
    const char *text = arena_copy(arena, (const char *)data, size);
    struct bind_result bound;
    struct sql_statement statement;
    (void)sql_statement_read(arena, dialect, text, size, &statement);
    bind_check(arena, &statement, schema, &bound);
    if (bound.sql) {
        struct guard_result result;
        current = bound.sql;
        guard_check(arena, dialect, bound.sql, strlen(bound.sql), schema, &result);
        if (result.verdict != GUARD_READ || result.misses.count) {
            report("the binder made SQL that is refused", text);
        }
    }
}

/* Whatever can be read is printed as a statement that reads the same, and printing that
 * again changes nothing. What SQLite takes, it takes printed, too. */
static void check_printed(struct arena *arena, enum dialect dialect, const uint8_t *data,
                          size_t size)
{
    const char *text = arena_copy(arena, (const char *)data, size);
    struct printed printed;
    struct printed again;
    struct err err;
    err_clear(&err);
    current = text;
    if (strlen(text) != size) {
        return;
    }
    if (!printed_make(arena, dialect, text, &printed, &err)) {
        if (err.code != ERR_INVALID_SQL) {
            report("the print is another statement", err.detail);
        }
        return;
    }
    if (!printed_make(arena, dialect, printed.sql, &again, &err) ||
        strcmp(again.sql, printed.sql) != 0) {
        report("the print of a print is another text", printed.sql);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    prepare_world();
    struct arena *arena = arena_new();
    for (int dialect = 0; dialect < DIALECT_COUNT; dialect++) {
        struct guard_result result;
        guard_check(arena, (enum dialect)dialect, (const char *)data, size, schema,
                    &result);
        if (result.verdict == GUARD_READ && dialect == DIALECT_SQLITE) {
            check_sqlite(arena, &result);
        }
        check_printed(arena, (enum dialect)dialect, data, size);
        if (result.verdict != GUARD_REFUSED) {
            struct sql_shape shape;
            struct limit_result limit;
            struct sql_statement statement;
            (void)sql_statement_read(arena, (enum dialect)dialect, result.sql,
                                     strlen(result.sql), &statement);
            describe_sql(arena, &statement);
            describe_shape(&statement, &shape);
            limit_apply(arena, &statement, 10, 100, &limit);
            check_limited(arena, &limit);
        }
        guard_check(arena, (enum dialect)dialect, (const char *)data, size, NULL,
                    &result);
        check_bound(arena, (enum dialect)dialect, data, size);
    }
    arena_free(arena);
    return 0;
}
