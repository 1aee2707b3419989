/* What the files of the profiler share. */
#ifndef DGM_DATASOURCE_PROFILE_PROFILE_STATE_H
#define DGM_DATASOURCE_PROFILE_PROFILE_STATE_H

#include "base/buf.h"
#include "datasource/profile/profile.h"

/*
 * How a dialect is asked. In SQL, {table} and {column} are quoted names, {columns} are
 * those being asked about, {end} is min or max, {index} is the column's number, {scan},
 * {over}, {bytes} and {samples} are numbers, {schema} and {name} are the table's names as
 * string literals.
 *
 * A list of types has its words apart by spaces. A word matches the beginning of a type
 * in any case, *WORD any part of it, =WORD all of it. A word after ! excludes; the first
 * that matches decides.
 */
struct profile_dialect {
    int64_t exact_rows;      /* tables of up to so many rows are read as a whole */
    int64_t distinct_rows;   /* up to here distinct values are counted */
    size_t distinct_columns; /* and up to so many columns; 0: any number */
    int estimate_factor;   /* an estimate above exact_rows times this is kept; 0: never */
    bool counts_all;       /* count_table counts to the end, however far that is */
    size_t batch_columns;  /* per statement of statistics */
    size_t sample_columns; /* per statement of samples; they are joined by UNION ALL */
    int samples_seen; /* the statement of samples has no LIMIT: read so many rows of it */

    const char *count_table;
    const char *count_view; /* NULL: as of a table */
    const char *rows;       /* one figure: all rows that are read */
    const char *present;    /* the rows with a value */
    const char *distinct;
    const char *distinct_estimate; /* where too many to count; NULL: not asked for */
    const char *extreme;
    const char *extreme_word;  /* of texts; NULL: as extreme */
    const char *extreme_index; /* found by an index in a large table; NULL: not asked */
    const char *first_rows;    /* what is read of a large table; NULL: nothing */
    const char *samples;       /* two columns: {index}, value */
    /* Of a large table, what the server knows: a column's name, share of NULL, number of
     * distinct values (below 0: a share of the rows), least, greatest, frequent value.
     * NULL: nothing. */
    const char *known;

    const char *words;     /* types whose values are words: sampled */
    const char *ordered;   /* types with extremes worth knowing */
    const char *countable; /* types besides them whose distinct values can be counted */
    bool extremes_checked; /* the SQL already leaves out texts that are no dates */
};

enum profile_figure {
    FIGURE_PRESENT,
    FIGURE_DISTINCT,
    FIGURE_LEAST,
    FIGURE_GREATEST,
    FIGURE_COUNT
};

/* One table being profiled. */
struct profiling {
    const struct profile_session *session;
    const struct profile_dialect *dialect;
    struct table *table;
    struct arena *arena;
    int samples;
    int64_t scan; /* rows in which samples are looked for */
    struct buf sql;
    bool small;  /* all rows may be read */
    size_t from; /* the columns being asked about */
    size_t to;
    struct column *column; /* of the row before, of what the server knows */
    int seen;              /* rows of samples so far */
};

/* profile_few.c: of columns with few values all of them, of others `most` samples. */
bool profile_few(struct profiling *work, int most, struct err *err);
/* profile.c: the samples of one column, read into it. */
bool profile_samples_of(struct profiling *work, size_t column, struct err *err);

/* profile_sql.c */
/* Are the distinct values of the column counted, not estimated? */
bool profile_counts(const struct profiling *work, const struct column *column);
bool profile_type_among(const char *type, const char *words);
bool profile_holds_words(const struct profiling *work, const struct column *column);
/* How a figure of a column is asked for; NULL: it is not. */
const char *profile_figure_form(const struct profiling *work, const struct column *column,
                                enum profile_figure figure);
/* Appends SQL with everything in braces filled in. end: "min", "max" or NULL. */
void profile_sql_add(struct profiling *work, const char *form, size_t column,
                     const char *end);
/* The statement of statistics of the columns from..to; returns its number of columns. */
size_t profile_statistics_sql(struct profiling *work);

#endif
