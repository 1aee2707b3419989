/*
 * The files driver's data types. It makes a DuckDB database in memory from CSV, JSON,
 * Parquet and XLSX files. DuckDB never gets a path: files are opened and examined here
 * and passed to its process as descriptors. So a path is never resolved twice, and the
 * file that was checked is the file that is read.
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
    FILES_JSON, /* also one JSON object per line */
    FILES_PARQUET,
    FILES_XLSX,
};

struct files_file {
    const char *path; /* absolute, without symbolic links */
    const char *name; /* the file name, for people */
    enum files_format format;
    bool packed; /* compressed by gzip */
    bool tabs;   /* by its name, cells are separated by tabs */
    bool lines;  /* by its name, each line is a JSON value */
    struct stat_mark mark;
    const struct err *failure; /* why it cannot be read; NULL: it can be */
};

struct files_list {
    struct files_file *items;
    size_t count, capacity;
};

/* files_list.c: the files for a path: the file itself, those in a folder, or several
 * separated by commas. Skipped files are warnings; no file at all is an error. */
bool files_list_read(struct arena *arena, const char *path, const struct options *options,
                     struct files_list *out, struct texts *warnings, struct err *err);
/* Determines the format by the first bytes, not by the name; errors say what the file is
 * instead. Sets format, packed and mark. The caller closes *fd. */
bool files_open(struct arena *arena, struct files_file *file, int *fd,
                struct texts *warnings, struct err *err);
/* Examines all files of a list and stores the error of each. */
void files_look(struct arena *arena, struct files_list *list, struct texts *warnings);
/* Opens the file again if it is unchanged; else -1. */
int files_open_again(const struct files_file *file);
/* The same for the process that reads it; -1 for files that are read in this process. */
int files_pass(const struct files_file *file);
bool files_mark_equal(const struct stat_mark *a, const struct stat_mark *b);
/* A text that changes when a file of the list does. */
bool files_list_signature(const struct files_list *list, const struct options *options,
                          char out[33], struct err *err);

/* A table that is being made from a file or a sheet. */
struct files_column {
    const char *name; /* name in queries */
    const char *sql;  /* expression that converts the raw text to the type */
    const char *type;
};

struct files_columns {
    struct files_column *items;
    size_t count, capacity;
};

/* A row or a cell that could not be converted. */
struct files_reject {
    const char *table;
    int64_t line;       /* line in the file; 0: unknown */
    const char *column; /* or NULL: the whole row */
    const char *reason;
    const char *text; /* the text in the file; may be shortened */
};

/* The state while a database is made from files. */
struct files_work {
    struct duckdb_session *session;
    const struct options *options;
    struct arena *arena;    /* lives until the database is complete */
    struct texts *warnings; /* warnings, in the arena `kept` */
    struct arena *kept;     /* that of the warnings */
    struct map tables;      /* table names in use */
    struct buf sql;         /* the statement being written */
    bool load; /* an import: load all rows and apply the limits, never make a view */
    int64_t unpacked;  /* unpacked bytes of all files so far */
    int64_t rows_most; /* upper bound for the rows of a compressed file, if known */
    bool over;         /* an import exceeded a limit; err says which */
    /* prefix of helper tables, such as "x."; "": they are temporary */
    const char *scratch;
    struct texts places; /* files that DuckDB may still read afterwards */
    const int *numbers;  /* descriptor numbers of the files in DuckDB's process */
    size_t serial;       /* number of the next helper table */
    const char *only;    /* name for the only table; NULL: as the file */
    const struct files_file *file;
    const char *place; /* path for DuckDB: /dev/fd/5 */
    bool big;          /* current file: too large to load, so it becomes a view */
    bool comma;        /* current file: numbers may have a decimal comma */
    /* Called for every row and cell that is left out; or NULL. */
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

/* files_bounds.c: limits of imports. Files that are not imported have no such limits. */
/* Counts further unpacked bytes; false and err: too many. */
bool files_unpacked_add(struct files_work *work, int64_t bytes, struct err *err);
/* The same for a whole text file, compressed or not. */
bool files_text_hold(struct files_work *work, int fd, struct err *err);
/* Is this number of rows allowed in a table? False and err: it is not. */
bool files_rows_hold(struct files_work *work, int64_t rows, struct err *err);
/* Appends a LIMIT to work->sql for compressed files, which can contain many rows. */
void files_rows_limit(struct files_work *work);
bool files_parquet_hold(struct files_work *work, const struct texts *names,
                        const struct texts *types, struct err *err);

/* files_name.c */
const char *files_table_name(struct files_work *work, const char *file,
                             const char *sheet);
/* Column names: trimmed, not empty, unique; adds warnings about changes. */
void files_column_names(struct files_work *work, const char *table,
                        const char *const *cells, size_t count,
                        struct files_columns *out);

/* files_types.c: chooses a type for each column of a helper table with text columns c0,
 * c1… */
bool files_types(struct files_work *work, const char *table, const char *helper,
                 struct files_columns *columns, struct err *err);
/* files_total.c: removes a row of totals at the end of the helper table, with a
 * warning. */
bool files_total(struct files_work *work, const char *table, const char *helper,
                 size_t columns, int64_t *rows, struct err *err);
/* Writes SELECT … FROM with all columns converted to work->sql. */
void files_select(struct files_work *work, const struct files_columns *columns);

/* files_sniff.c: the dialect of a CSV file. */
struct files_shape {
    char sign;          /* the separator of cells */
    size_t skip;        /* number of lines above the header row */
    bool heading;       /* the first row is a header */
    struct texts cells; /* cells of that row */
};
void files_sniff(struct arena *arena, const char *text, size_t size, bool tabs,
                 struct files_shape *out);

/* Make tables from one file each. */
bool files_csv(struct files_work *work, int fd, struct err *err);
bool files_json(struct files_work *work, int fd, struct err *err);
bool files_parquet(struct files_work *work, int fd, struct err *err);
bool files_xlsx(struct files_work *work, int fd, struct err *err);

#endif
