/* DuckDB's messages as errors that say what to do, with the place in the SQL. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/utf8.h"
#include "datasource/duckdb/duckdb.h"
#include "datasource/failures.h"

static const struct failure_phrase phrases[] = {
    {"Referenced column \"", "\"", "Column '%s' does not exist."},
    {"does not have a column named \"", "\"", "Column '%s' does not exist."},
    {"Referenced table \"", "\"", "Table '%s' does not exist."},
    {"Table with name ", " does not exist", "Table '%s' does not exist."},
    {"Function with name ", " does not exist", "Function '%s' does not exist in DuckDB."},
    {"Ambiguous reference to column name \"", "\"",
     "Column '%s' is in several tables: say which."},
    {"syntax error at or near \"", "\"", "The SQL has a syntax error near '%s'."},
    {"No function matches the given name and argument types '", "'",
     "No function fits '%s': a cast may be missing."},
    {NULL, NULL, NULL},
};

/* The kinds, by the words the message begins with. */
static const struct err_row kinds[] = {
    {"Permission Error", ERR_UNSAFE, "The database lock refused this.", NULL},
    {"Out of Memory Error", ERR_RESULT_TOO_LARGE,
     "The query needs more memory than sql.memory_mb allows.", NULL},
    {"IO Error", ERR_DATASOURCE_UNREACHABLE, "The database file could not be read.",
     NULL},
    {"INTERNAL Error", ERR_DATASOURCE_UNREACHABLE, "DuckDB reported an internal error.",
     NULL},
    {"FATAL Error", ERR_DATASOURCE_UNREACHABLE, "DuckDB reported an internal error.",
     NULL},
    {"Extension Autoloading Error", ERR_UNSAFE, "The query needs an extension.", NULL},
    {"Missing Extension Error", ERR_UNSAFE, "The query needs an extension.", NULL},
    {"Invalid Configuration", ERR_UNSAFE, "The configuration is locked.", NULL},
    {"Invalid Input Error: Cannot execute statement", ERR_UNSAFE,
     "The database is open for reading only.", NULL},
    {"Invalid Input Error: Cannot change configuration", ERR_UNSAFE,
     "The configuration is locked.", NULL},
    {"Constraint Error", FAILS_RULE, NULL},
    {NULL, ERR_COUNT, NULL, NULL},
};

static const char *line_start(const char *sql, long line)
{
    while (line > 1 && (sql = strchr(sql, '\n'))) {
        sql++;
        line--;
    }
    return sql;
}

/* Number of bytes of `text` that fill this many terminal columns. */
static size_t bytes_of_columns(const char *text, size_t size, size_t columns)
{
    size_t at = 0;
    for (size_t seen = 0; at < size && seen < columns;) {
        uint32_t code = 0;
        size_t step = utf8_next(text + at, size - at, &code);
        seen += (size_t)utf8_width(code);
        at += step ? step : 1;
    }
    return at;
}

/*
 * "LINE 2: 'x', price from item" and below it a caret: that is all the engine says about
 * the place. A long line is cut to an excerpt between dots.
 */
static int caret_position(const char *text, const char *sql)
{
    const char *mark = NULL;
    for (const char *at = strstr(text, "LINE "); at; at = strstr(at + 1, "LINE ")) {
        mark = at == text || at[-1] == '\n' ? at : mark;
    }
    char *after = NULL;
    long line = mark ? strtol(mark + 5, &after, 10) : 0;
    if (line < 1 || !after || strncmp(after, ": ", 2) != 0) {
        return -1;
    }
    const char *excerpt = after + 2;
    size_t size = strcspn(excerpt, "\n");
    size_t indent = excerpt[size] ? strspn(excerpt + size + 1, " ") : 0;
    size_t prefix = (size_t)(excerpt - mark);
    const char *start = line_start(sql, line);
    if (!start || indent < prefix || excerpt[size + 1 + indent] != '^') {
        return -1;
    }
    size_t offset = bytes_of_columns(excerpt, size, indent - prefix);
    size_t cut = strncmp(excerpt, "...", 3) == 0 ? 3 : 0;
    size_t tail = size >= 6 && strncmp(excerpt + size - 3, "...", 3) == 0 ? 3 : 0;
    struct arena *arena = arena_new();
    const char *piece = arena_copy(arena, excerpt + cut, size - cut - tail);
    const char *found = strstr(start, piece);
    arena_free(arena);
    return found && offset >= cut ? (int)(found - sql + (ptrdiff_t)(offset - cut)) : -1;
}

bool duckdb_says_starved(const char *text)
{
    return str_starts(text, "Out of Memory Error") || str_starts(text, "FATAL Error") ||
           str_starts(text, "INTERNAL Error") || strstr(text, "std::bad_alloc");
}

bool duckdb_fail(const struct datasource_limits *limits, const char *text,
                 const char *sql, struct err *err)
{
    text = text ? text : "";
    if (str_starts(text, "INTERRUPT Error")) {
        return limits_hold(limits, err)
                   ? err_set(err, ERR_STOPPED, "The query was stopped.")
                   : false;
    }
    const struct err_row *kind = err_rows_find(kinds, ERR_ROWS_START, text);
    if (kind) {
        (void)err_rows_tell(kind, err);
    } else {
        (void)failure_phrase_tell(phrases, text, err);
        err->position = sql ? caret_position(text, sql) : -1;
    }
    return err_detail(err, "%.*s", (int)strcspn(text, "\n"), text);
}

bool duckdb_open_fail(const char *path, const char *text, struct err *err)
{
    const char *name = file_base_name(path);
    if (strstr(text, "lock on file") || strstr(text, "Conflicting lock")) {
        return err_set(err, ERR_DATABASE_LOCKED, "'%s' is open in another program.",
                       name);
    }
    if (strstr(text, "Permission denied")) {
        return err_set(err, ERR_ACCESS, "'%s' may not be read.", name);
    }
    if (strstr(text, "version number")) {
        (void)err_set(err, ERR_NOT_A_DATABASE, "'%s' is from another version of DuckDB.",
                      name);
        return err_hint(err, "Export it there and import it with the version used here.");
    }
    (void)err_set(err, ERR_NOT_A_DATABASE, "'%s' is not a DuckDB database.", name);
    return false;
}
