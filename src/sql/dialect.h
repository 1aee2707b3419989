/* How each database writes SQL: quotes, comments, limits. One row per dialect. */
#ifndef DGM_SQL_DIALECT_H
#define DGM_SQL_DIALECT_H

#include <stdbool.h>
#include <stddef.h>

struct buf;

enum dialect {
    DIALECT_SQLITE,
    DIALECT_DUCKDB,
    DIALECT_POSTGRES,
    DIALECT_MYSQL,
    DIALECT_CLICKHOUSE,
    DIALECT_BIGQUERY,
    DIALECT_ODBC, /* the common ground of SQL, for whatever sits behind ODBC */
    DIALECT_COUNT
};

struct dialect_info {
    const char *name;
    const char *title;           /* "SQLite", for prompts */
    char name_quote;             /* " or ` */
    bool backslash_escapes;      /* in '…' strings */
    bool double_quote_is_string; /* MySQL, BigQuery */
    bool backtick_names;
    bool bracket_names;      /* [name]: SQLite */
    bool nested_comments;    /* PostgreSQL, DuckDB */
    bool hash_comments;      /* MySQL, BigQuery */
    bool dash_needs_space;   /* MySQL: `--` starts a comment only before white space */
    bool dollar_quotes;      /* PostgreSQL, DuckDB */
    bool versioned_comments; /* MySQL: the inside of a versioned comment is code */
    const char *rules;       /* lines for the prompt: what to mind in this dialect */
};

const struct dialect_info *dialect_get(enum dialect dialect);
const char *dialect_name(enum dialect dialect);
bool dialect_find(const char *name, enum dialect *dialect); /* mariadb = mysql, … */
/* A word that some server does not read as a name unless it is quoted: "lines", "rank". */
bool dialect_is_reserved(const char *name);
/* Appends the name, quoted when it needs it; dots are kept as parts separators only when
 * `qualified` says so. */
void dialect_quote(struct buf *out, enum dialect dialect, const char *name,
                   bool qualified);

#endif
