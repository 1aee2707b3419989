/* Shared by the files of the profiler. */
#ifndef DGM_DATASOURCE_PROFILE_PROFILE_STATE_H
#define DGM_DATASOURCE_PROFILE_PROFILE_STATE_H

#include "base/buf.h"
#include "datasource/profile/profile.h"

/*
 * The statements for a dialect. In the SQL, {table} and {column} are quoted names,
 * {columns} are those being profiled, {end} is min or max, {index} is the column's
 * number, {scan}, {over}, {bytes} and {samples} are numbers, {schema} and {name} are the
 * table's names as string literals.
 *
 * A list of types has words separated by spaces. A word matches the beginning of a type
 * in any case, *WORD any part of it, =WORD the whole type. A word after ! excludes. The
 * first match decides.
 */
struct profile_dialect {
    int64_t exact_rows;      /* tables with at most this many rows are read as a whole */
    int64_t distinct_rows;   /* distinct values are counted up to this many rows */
    size_t distinct_columns; /* and up to this many columns; 0: any number */
    int estimate_factor;   /* an estimate above exact_rows times this is used; 0: never */
    bool counts_all;       /* count_table counts all rows, however many */
    size_t batch_columns;  /* per statement of statistics */
    size_t sample_columns; /* per statement of samples; combined by UNION ALL */
    int samples_seen; /* the statement of samples has no LIMIT: read this many rows */

    const char *count_table;
    const char *count_view; /* NULL: the same as for a table */
    const char *rows;       /* expression: number of rows read */
    const char *present;    /* expression: number of values that are not NULL */
    const char *distinct;
    /* if there are too many to count; NULL: not determined */
    const char *distinct_estimate;
    const char *extreme;
    const char *extreme_word; /* for texts; NULL: the same as `extreme` */
    /* for indexed columns of large tables; NULL: not determined */
    const char *extreme_index;
    const char *first_rows; /* the part of a large table that is read; NULL: nothing */
    const char *samples;    /* two columns: {index}, value */
    /*
     * For a large table, the server's own statistics: column name, share of NULL, number
     * of distinct values (below 0: share of the rows), minimum, maximum, frequent value.
     * NULL: none.
     */
    const char *known;

    const char *words;     /* types whose values are words, which are sampled */
    const char *ordered;   /* types with a useful minimum and maximum */
    const char *countable; /* further types whose distinct values can be counted */
    bool extremes_checked; /* the SQL already excludes texts that are no dates */
};

enum profile_figure {
    FIGURE_PRESENT,
    FIGURE_DISTINCT,
    FIGURE_LEAST,
    FIGURE_GREATEST,
    FIGURE_COUNT
};

/* The state while a table is profiled. */
struct profiling {
    const struct profile_session *session;
    const struct profile_dialect *dialect;
    struct table *table;
    struct arena *arena;
    int samples;
    int64_t scan; /* rows that are read for samples */
    struct buf sql;
    bool small;  /* all rows may be read */
    size_t from; /* range of columns in the current statement */
    size_t to;
    struct column *column; /* the column of the previous row of the server's statistics */
    int seen;              /* sample rows so far */
};

/* profile_few.c: reads all values of columns with few of them, and at most `most` samples
 * of others. */
bool profile_few(struct profiling *work, int most, struct err *err);
/* Samples that tell the day from the month, where the others do not; profile_days.c */
bool profile_days(struct profiling *work, struct err *err);
/* profile.c: the samples of one column, read into it. */
bool profile_samples_of(struct profiling *work, size_t column, struct err *err);

/* profile_sql.c */
/* Are the distinct values of the column counted, not estimated? */
bool profile_counts(const struct profiling *work, const struct column *column);
bool profile_holds_words(const struct profiling *work, const struct column *column);
/* The expression for a figure of a column; NULL: not determined. */
const char *profile_figure_form(const struct profiling *work, const struct column *column,
                                enum profile_figure figure);
/* Appends SQL with its placeholders replaced. end: "min", "max" or NULL. */
void profile_sql_add(struct profiling *work, const char *form, size_t column,
                     const char *end);
/* Writes the statement for statistics of columns from..to; returns its number of result
 * columns. */
size_t profile_statistics_sql(struct profiling *work);

#endif
