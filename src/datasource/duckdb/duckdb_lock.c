/* DuckDB's own lock behind the guard: a locked configuration, and what that leaves open.
 */
#include <sched.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "datasource/duckdb/duckdb.h"
#include "sql/lexer.h"

static bool settings_apply(const struct duckdb_library *library, duckdb_config config,
                           const char *const settings[][2], size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (library->set_config(config, settings[i][0], settings[i][1]) !=
            DuckDBSuccess) {
            return false;
        }
    }
    return true;
}

/* Those that this process may use, which may be fewer than there are. */
static int cores_allowed(void)
{
    cpu_set_t mine;
    CPU_ZERO(&mine);
    int count = sched_getaffinity(0, sizeof mine, &mine) == 0 ? CPU_COUNT(&mine) : 0;
    return count > 0 ? count : 1;
}

bool duckdb_lock_prepare(const struct duckdb_library *library, duckdb_config config,
                         const struct options *options, const char *spill)
{
    char memory[40];
    char disk[40];
    char threads[20];
    (void)snprintf(memory, sizeof memory, "%lldMB", (long long)options->sql_memory_mb);
    (void)snprintf(threads, sizeof threads, "%d", cores_allowed());
    (void)snprintf(disk, sizeof disk, "%lldMB",
                   (long long)(spill ? options->staging_disk_mb : 0));
    const char *const settings[][2] = {
        {"temp_directory", /* a file's queries fail when they do not fit in memory; */
         spill ? spill : ""},
        {"max_temp_directory_size", disk}, /* before external access, which locks it */
        {"autoinstall_known_extensions", "false"},
        {"autoload_known_extensions", "false"},
        {"allow_community_extensions", "false"},
        {"allow_unsigned_extensions", "false"},
        {"memory_limit", memory},
        {"threads", threads},
    };
    return settings_apply(library, config, settings, sizeof settings / sizeof *settings);
}

bool duckdb_lock_configure(const struct duckdb_library *library, duckdb_config config,
                           const struct options *options, const char *spill)
{
    static const char *const settings[][2] = {
        {"access_mode", "READ_ONLY"},
        {"enable_external_access", "false"},
        {"lock_configuration", "true"},
    };
    /* who spills is locked by duckdb_lock_finish */
    return duckdb_lock_prepare(library, config, options, spill) &&
           (spill || settings_apply(library, config, settings,
                                    sizeof settings / sizeof *settings));
}

bool duckdb_lock_writable(const struct duckdb_library *library, duckdb_config config,
                          const struct options *options)
{
    static const char *const settings[][2] = {
        {"access_mode", "READ_WRITE"},
        {"enable_external_access", "false"},
        {"lock_configuration", "true"},
    };
    return duckdb_lock_prepare(library, config, options, NULL) &&
           settings_apply(library, config, settings, sizeof settings / sizeof *settings);
}

/* Allows access to the spill folder; there is no other way than SQL to configure that. */
bool duckdb_lock_finish(const struct duckdb_library *library, duckdb_database database,
                        const char *spill)
{
    struct arena *arena = arena_new();
    duckdb_connection connection = NULL;
    duckdb_result result;
    const char *sql = arena_format(arena,
                                   "SET allowed_directories = ['%s/'];"
                                   "SET enable_external_access = false;"
                                   "SET lock_configuration = true",
                                   spill);
    bool ok =
        !strchr(spill, '\'') && library->connect(database, &connection) == DuckDBSuccess;
    if (ok) {
        ok = library->query(connection, sql, &result) == DuckDBSuccess;
        library->destroy_result(&result);
        library->disconnect(&connection);
    }
    arena_free(arena);
    return ok;
}

/* Names that tell about the engine, run SQL from texts, or reach outside; in any place.
 */
static bool name_allowed(const char *name)
{
    static const char *const prefixes[] = {
        "duckdb_", "pragma_",  "read_",  "parquet_", "sqlite_",           "postgres_",
        "mysql_",  "iceberg_", "delta_", "pg_",      "information_schema"};
    static const char *const words[] = {
        "query",
        "query_table",
        "json_execute_serialized_sql",
        "glob",
        "sniff_csv",
        "getenv",
        "current_setting",
        "write_log",
        "getvariable",
        "nextval",
        "which_secret",
        "sql_auto_complete",
        "arrow_scan",
        "arrow_scan_dumb",
        "pandas_scan",
        "python_map_function",
        "checkpoint",
        "force_checkpoint",
        "enable_logging",
        "test_all_types",
    };
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        if (str_starts_nocase(name, prefixes[i])) {
            return false;
        }
    }
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (str_equal_nocase(name, words[i])) {
            return false;
        }
    }
    return true;
}

/* A name that is called or stands behind FROM, JOIN or a comma may be a function or a
 * view of the engine; elsewhere it is only a column. */
static bool names_hold(const struct tokens *tokens, bool staged, struct err *err)
{
    for (size_t i = 0; i < tokens->count; i++) {
        const struct token *token = &tokens->items[i];
        if (!duckdb_count_holds(token, i > 0 && token_is_punct(token - 1, "."))) {
            (void)err_set(err, ERR_UNSAFE,
                          "The database lock refused '%s' with a count "
                          "that is large or not plain.",
                          token->text);
            err->position = (int)token->start;
            return false;
        }
        if ((token->kind != TOKEN_WORD && token->kind != TOKEN_NAME) ||
            name_allowed(token->text)) {
            continue;
        }
        const struct token *before = i > 0 ? token - 1 : NULL;
        bool called = token_is_punct(token + 1, "(");
        /* a staged database has no views that tell anything, but any name for a table */
        bool relation = !staged && before &&
                        (token_is(before, "from") || token_is(before, "join") ||
                         token_is_punct(before, ",") || token_is_punct(before, "."));
        bool qualifies = !staged && token_is_punct(token + 1, ".");
        if (called || relation || qualifies) {
            (void)err_set(err, ERR_UNSAFE, "The database lock refused '%s'.",
                          token->text);
            err->position = (int)token->start;
            return false;
        }
    }
    return true;
}

bool duckdb_lock_holds(const char *sql, bool staged, struct err *err)
{
    static const char *const starts[] = {"select", "with", "from", "values"};
    struct arena *arena = arena_new();
    struct tokens tokens = {0};
    size_t size = 0;
    while (sql[size]) {
        size++;
    }
    lexer_run(arena, DIALECT_DUCKDB, sql, size, &tokens);
    size_t first = 0;
    while (first < tokens.count && token_is_punct(&tokens.items[first], "(")) {
        first++;
    }
    bool reads = false;
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
        reads = reads || token_is(&tokens.items[first], starts[i]);
    }
    /* PRAGMA, DESCRIBE, SUMMARIZE, SHOW and PIVOT all call themselves SELECT later. */
    if (!reads) {
        (void)err_set(err, tokens.count ? ERR_UNSAFE : ERR_INVALID_SQL,
                      tokens.count ? "Only a query that reads may run."
                                   : "There is no SQL statement.");
    }
    bool holds = reads && names_hold(&tokens, staged, err);
    arena_free(arena);
    return holds;
}
