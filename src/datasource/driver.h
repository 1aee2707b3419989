/* What drivers share: the table of them, limits, and the checks before a file is opened.
 */
#ifndef DGM_DATASOURCE_DRIVER_H
#define DGM_DATASOURCE_DRIVER_H

#include "datasource/datasource.h"

/* The registry. A driver is found by scheme, by extension, or by a file's first bytes. */
const struct datasource_driver *registry_by_scheme(const char *scheme);
const struct datasource_driver *registry_by_extension(const char *path);
const struct datasource_driver *registry_by_name(const char *name);
/* "sqlite, duckdb": for messages. */
char *registry_names(struct arena *arena);

/* False, with STOPPED or TIMEOUT, when the work must end now. */
bool limits_hold(const struct datasource_limits *limits, struct err *err);
/* The same without the error; for inner loops. */
bool limits_spent(const struct datasource_limits *limits);
/* Milliseconds left, at most `most`; never below 0. */
int64_t limits_left_ms(const struct datasource_limits *limits, int64_t most);

/* Most bytes of one cell. Where nobody set any, enough for whatever is read. */
size_t limits_cell_bytes(const struct datasource_limits *limits);

/* How many connections to its server a datasource may have at the same time, and how many
 * of them may read samples: one or two are left for questions. */
size_t driver_connections(const struct datasource *source);
size_t driver_samplers(const struct datasource *source);

/* writing.c: what is done with a write that changed `touched` rows in its transaction. */
enum writing_end {
    WRITING_ROLLS_BACK, /* it was a preview */
    WRITING_COMMITS,
    WRITING_DIFFERS /* from what was approved: rolled back, and err says so */
};
enum writing_end writing_ends(int64_t approved, int64_t touched, struct err *err);
/* writing.c: the checks before every write. Is it one INSERT, UPDATE or DELETE
 * and nothing else? */
bool writing_holds(enum dialect dialect, const char *sql, struct err *err);
/* The commit was sent, and nobody answered. Returns false. */
bool writing_unsure(struct err *err);

/* statement.c: the tree of the SQL that a driver was given, which the limits may hold
 * already; without a root when it cannot be read. */
void statement_read(struct arena *arena, enum dialect dialect, const char *sql,
                    const struct datasource_limits *limits, struct sql_statement *out);
/* The SQL without the ; at its end, which would not do inside of another query. */
const char *statement_bare(struct arena *arena, enum dialect dialect, const char *sql);

/* The part of a path that may be shown. */
const char *file_base_name(const char *path);

enum { FILE_HEAD_SIZE = 16 };
struct file_head {
    unsigned char bytes[FILE_HEAD_SIZE];
    size_t size; /* bytes read: 0 for an empty file */
};
/* Is it a file that can be read? Errors name the file and what to do, and a file with a
 * similar name when there is one. Nothing is created, and nothing is opened: closing a
 * file would drop the locks that a database library in this process holds on it. */
bool file_source_check(const char *path, struct err *err);
/* The first bytes; opens the file, so only where nobody here has it open. */
bool file_head_read(const char *path, struct file_head *head, struct err *err);
bool file_head_is_sqlite(const struct file_head *head);
bool file_head_is_duckdb(const struct file_head *head);
bool file_head_is_table(const struct file_head *head); /* Parquet or a spreadsheet */

/* Text that may hold bad UTF-8, made good in the arena; NUL becomes U+FFFD too. */
const char *text_clean(struct arena *arena, const char *data, size_t *size);

/* What the words of a declared type say about its values. */
bool type_is_bytes(const char *type);
/* "2024-01-31…": worth keeping as least or greatest although it is text. */
bool text_is_date(const char *data, size_t size);

#endif
