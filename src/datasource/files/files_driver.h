/*
 * Files opened as tables: nouns of the driver that makes a DuckDB database in memory from
 * CSV, JSON, Parquet and XLSX files. DuckDB never sees a path: files are opened here,
 * looked at, and read by it through a descriptor that its process is given, so that no
 * name can mean another file, and what was checked is what is read.
 */
#ifndef DGM_DATASOURCE_FILES_DRIVER_H
#define DGM_DATASOURCE_FILES_DRIVER_H

#include <sys/stat.h>
#include <time.h>

#include "base/buf.h"
#include "base/map.h"
#include "base/vec.h"
#include "datasource/duckdb/duckdb.h"

enum files_format {
    FILES_UNKNOWN,
    FILES_CSV,
    FILES_JSON, /* also a JSON object in each line */
    FILES_PARQUET,
    FILES_XLSX,
};

struct files_file {
    const char *path; /* absolute, without links */
    const char *name; /* the last part, for people */
    enum files_format format;
    bool packed; /* with gzip */
    bool tabs;   /* its name says that tabs divide its cells */
    bool lines;  /* its name says that each line is a value */
    struct stat_mark mark;
    const struct err *failure; /* why it cannot be read; NULL: it can */
};

struct files_list {
    struct files_file *items;
    size_t count, capacity;
};

/* files_list.c: the files that a path names: itself, those of a folder, or several with
 * commas in between. What is left out is a warning; nothing at all is an error. */
bool files_list_read(struct arena *arena, const char *path, const struct options *options,
                     struct files_list *out, struct texts *warnings, struct err *err);
/* What the first bytes say it is, whatever the name does; errors say what it is instead.
 * Fills format, packed and mark; *fd is open and yours. */
bool files_open(struct arena *arena, struct files_file *file, int *fd,
                struct texts *warnings, struct err *err);
/* All of a list are looked at; what is wrong with one is kept beside it. */
void files_look(struct arena *arena, struct files_list *list, struct texts *warnings);
/* The same file once more, or -1. */
int files_open_again(const struct files_file *file);
/* The same for the process that reads it; those that are read here it does not get. */
int files_pass(const struct files_file *file);
bool files_mark_read(const char *path, struct stat_mark *mark);
bool files_mark_equal(const struct stat_mark *a, const struct stat_mark *b);
/* A text that changes when one of the files does. */
bool files_list_signature(const struct files_list *list, const struct options *options,
                          char out[33], struct err *err);

/* A table being made from one file or sheet. */
struct files_column {
    const char *name; /* as it is asked for */
    const char *sql;  /* its typed value, from the raw text */
    const char *type;
};

struct files_columns {
    struct files_column *items;
    size_t count, capacity;
};

/* A row or a cell that could not be taken as it is. */
struct files_reject {
    const char *table;
    int64_t line;       /* of the file; 0 when not known */
    const char *column; /* or NULL: the whole row */
    const char *reason;
    const char *text; /* as the file has it; may be cut */
};

/* One making of a database from files. */
struct files_work {
    struct duckdb_session *session;
    const struct options *options;
    struct arena *arena;    /* of the making */
    struct texts *warnings; /* in their own arena */
    struct arena *kept;     /* that of the warnings */
    struct map tables;      /* names that are taken */
    struct buf sql;         /* the statement being written */
    bool load;              /* an import: never leave a view on the file; within bounds */
    int64_t unpacked;       /* bytes that an import has read, of all its files */
    int64_t rows_most;      /* that a packed file can hold, as far as is known */
    bool over;              /* a bound of the import was met; err says which */
    const char *scratch;    /* "": helper tables are temporary; or where they go: "x." */
    struct texts places;    /* what DuckDB may still read afterwards */
    const int *numbers;     /* of the files, where DuckDB runs */
    size_t serial;          /* of the next helper table */
    const char *only;       /* what a single table is called; NULL: like its file */
    const struct files_file *file;
    const char *place; /* where DuckDB reads it: /dev/fd/5 */
    bool big;          /* of the file: it is read where it lies */
    bool comma;        /* of the file: numbers may have a decimal comma */
    /* Told of every row and cell that is left out; or NULL. */
    void (*reject)(void *context, const struct files_reject *reject);
    void *context;
    int64_t rejected;
    struct cancel *cancel; /* or NULL */
};

/* files_make.c */
bool files_make(struct files_work *work, const struct files_list *list, struct err *err);
/* Runs the statement written in work->sql; rows may be NULL. */
bool files_run(struct files_work *work, bool (*row)(void *, const char *const *),
               void *context, struct err *err);
void files_warn(struct files_work *work, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void files_reject(struct files_work *work, const struct files_reject *reject);

/* files_bounds.c: for imports only; whoever opens a file in place may read all of it. */
/* So many bytes more, unpacked. */
bool files_unpacked_add(struct files_work *work, int64_t bytes, struct err *err);
/* All bytes of a file that is text, packed or not. */
bool files_text_hold(struct files_work *work, int fd, struct err *err);
/* May a table have so many rows? */
bool files_rows_hold(struct files_work *work, int64_t rows, struct err *err);
/* Writes to work->sql that no more of them are read, where a small file may hold many. */
void files_rows_limit(struct files_work *work);
bool files_parquet_hold(struct files_work *work, const struct texts *names,
                        const struct texts *types, struct err *err);

/* files_name.c */
const char *files_table_name(struct files_work *work, const char *file,
                             const char *sheet);
/* Names for columns: trimmed, never empty, all different; warns of what it changed. */
void files_column_names(struct files_work *work, const char *table,
                        const char *const *cells, size_t count,
                        struct files_columns *out);

/* files_types.c: chooses a type for each column of a helper table whose columns c0, c1…
 * hold texts. */
bool files_types(struct files_work *work, const char *table, const char *helper,
                 struct files_columns *columns, struct err *err);
/* files_total.c: a row of totals at the end is taken out of the helper table, with a warning. */
bool files_total(struct files_work *work, const char *table, const char *helper,
                 size_t columns, int64_t *rows, struct err *err);
/* Writes SELECT … FROM, with all columns typed, to work->sql. */
void files_select(struct files_work *work, const struct files_columns *columns);

/* files_sniff.c: how the text of a CSV file is divided. */
struct files_shape {
    char sign;          /* between cells */
    size_t skip;        /* lines above the heading */
    bool heading;       /* the first row names the columns */
    struct texts cells; /* of that first row */
};
void files_sniff(struct arena *arena, const char *text, size_t size, bool tabs,
                 struct files_shape *out);

/* One file each, into tables. */
bool files_csv(struct files_work *work, int fd, struct err *err);
bool files_json(struct files_work *work, int fd, struct err *err);
bool files_parquet(struct files_work *work, int fd, struct err *err);
bool files_xlsx(struct files_work *work, int fd, struct err *err);

#endif
