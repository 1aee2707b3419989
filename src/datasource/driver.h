/* Functions shared by drivers: the registry, limits, and checks before a file is
 * opened. */
#ifndef DGM_DATASOURCE_DRIVER_H
#define DGM_DATASOURCE_DRIVER_H

#include "datasource/datasource.h"

/* The registry. A driver is found by scheme, by extension, or by a file's first bytes. */
const struct datasource_driver *registry_by_scheme(const char *scheme);
const struct datasource_driver *registry_by_extension(const char *path);
const struct datasource_driver *registry_by_name(const char *name);
/* "sqlite, duckdb": for messages. */
char *registry_names(struct arena *arena);

/* False with STOPPED or TIMEOUT if the work must end now. */
bool limits_hold(const struct datasource_limits *limits, struct err *err);
/* The same, negated and without the error; for inner loops. */
bool limits_spent(const struct datasource_limits *limits);
/* Milliseconds left, at most `most`; never below 0. */
int64_t limits_left_ms(const struct datasource_limits *limits, int64_t most);

/* Maximum bytes of one cell; a very large number if none is set. */
size_t limits_cell_bytes(const struct datasource_limits *limits);

/* Maximum number of connections to the server, and how many of them may read samples: one
 * or two are reserved for questions. */
size_t driver_connections(const struct datasource *source);

/* writing.c: what happens to a write that changed `touched` rows in its transaction. */
enum writing_end {
    WRITING_ROLLS_BACK, /* it was a preview */
    WRITING_COMMITS,
    /* the number differs from the approved one: rolled back, and err says so */
    WRITING_DIFFERS
};
enum writing_end writing_ends(int64_t approved, int64_t touched, struct err *err);
/* writing.c: checks before every write. Is it a single INSERT, UPDATE or DELETE? */
bool writing_holds(enum dialect dialect, const char *sql, struct err *err);
/* The error after a commit without a reply. Returns false. */
bool writing_unsure(struct err *err);

/* statement.c: the parsed SQL, from the limits if they have it; without a root if it
 * cannot be parsed. */
void statement_read(struct arena *arena, enum dialect dialect, const char *sql,
                    const struct datasource_limits *limits, struct sql_statement *out);
/* The SQL without its final semicolon, so that it can be put into another query. */
const char *statement_bare(struct arena *arena, enum dialect dialect, const char *sql);

/* The part of a path that may be shown: the file name. */
const char *file_base_name(const char *path);

enum { FILE_HEAD_SIZE = 16 };
struct file_head {
    unsigned char bytes[FILE_HEAD_SIZE];
    size_t size; /* bytes read: 0 for an empty file */
};
/*
 * Is it a readable file? Errors name the file, what to do, and a file with a similar
 * name. Nothing is created or opened: closing a file would drop the locks that a database
 * library in this process has on it.
 */
bool file_source_check(const char *path, struct err *err);
/* Reads the first bytes. It opens and closes the file, so do not use it on a file that is
 * open in this process. */
bool file_head_read(const char *path, struct file_head *head, struct err *err);
bool file_head_is_sqlite(const struct file_head *head);
bool file_head_is_duckdb(const struct file_head *head);
bool file_head_is_table(const struct file_head *head); /* Parquet or a spreadsheet */

/* The warning of a schema that has schema.max_tables tables, while the database has
 * more. */
void limits_warn_tables(struct schema *schema);

/* Replaces invalid UTF-8 and NUL by U+FFFD; in the arena. */
const char *text_clean(struct arena *arena, const char *data, size_t *size);
/* The same as a cell of a kind that is text. */
struct value text_as_value(struct arena *arena, enum value_kind kind, const char *text,
                           size_t size);

/* "2024-01-31…": a date as text, whose minimum and maximum are worth keeping. */
bool text_is_date(const char *data, size_t size);

#endif
