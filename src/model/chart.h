/*
 * Chooses a chart for a result by its columns: time gives a line, a category a bar, two
 * numbers a scatter plot, a share an arc or a stack, one number a single figure.
 *
 * The generated Vega-Lite contains nothing of a result but data and plain titles: fields
 * have generated names (c0, c1, …), and no channel reads an address or an expression from
 * a cell.
 */
#ifndef DGM_MODEL_CHART_H
#define DGM_MODEL_CHART_H

#include "model/rows.h"

struct chart;
struct writer;

enum chart_kind {
    CHART_FIGURE,
    CHART_LINE,
    CHART_AREA,
    CHART_STACKED,
    CHART_ARC,
    CHART_BAR,
    CHART_SCATTER,
    CHART_MULTIPLES, /* a small line chart for each series */
    CHART_SHARE,     /* stacked, and each stack is 100 % */
    CHART_KIND_COUNT
};

enum { CHART_NO_COLUMN = 0xffff, CHART_LINES_MOST = 4 };

/* The role of a column in a chart. */
enum chart_role {
    CHART_NOTHING,
    CHART_TIME,     /* a point in time: dates, times, years */
    CHART_ORDER,    /* an ordered part of one: month 1 to 12, "2024-Q1" */
    CHART_CATEGORY, /* words, true and false */
    CHART_NUMBER,
    CHART_NAME /* a number that only identifies rows: an id, a code */
};

struct chart_column {
    enum chart_role role;
    bool is_number;  /* all values that are not NULL are */
    bool whole;      /* without fractions */
    bool share;      /* a share, by its name or because it sums to 1 or 100 */
    bool additive;   /* by its name: counts, sums, and no averages or rates */
    size_t nulls;    /* of the rows looked at */
    size_t distinct; /* at most CHART_DISTINCT_MOST */
    double least;
    double greatest;
    double sum;
};

enum { CHART_DISTINCT_MOST = 256, CHART_ROWS_SEEN = 2000 };

struct chart {
    enum chart_kind kind;
    const char *reason;
    size_t x;                   /* column, or CHART_NO_COLUMN */
    size_t y[CHART_LINES_MOST]; /* columns of numbers */
    size_t y_count;
    size_t series; /* column that separates the series, or CHART_NO_COLUMN */
    enum chart_role x_role;
    bool share;
    bool
        at_once; /* it says more than the table, so it is shown without being asked for */
    enum chart_kind others[CHART_KIND_COUNT]; /* other kinds that would fit */
    size_t other_count;
};

const char *chart_kind_name(enum chart_kind kind);
bool chart_kind_find(const char *name, enum chart_kind *out);

/* chart_column.c */
void chart_column_read(const struct rows *rows, size_t column, struct chart_column *out);
/* Whether each place of the chart has one value: the rows are groups, and not a list that
 * happens to have numbers. */
bool chart_is_summed(const struct rows *rows, const struct chart *chart);
/* The value as a number; false when it is none. */
bool chart_number(const struct value *value, double *out);
/* Writes a date or time as ISO 8601 in UTC to out; "" if it is not one. */
enum { CHART_TIME_SIZE = 40 };
void chart_time(const struct value *value, char out[CHART_TIME_SIZE]);

/* How the question says that the rows should be shown. */
struct chart_wish {
    bool given;
    bool table; /* no chart */
    bool any;   /* any chart; else `kind` */
    enum chart_kind kind;
    const char *by; /* the column of the parts, in words; or NULL */
};

/* False if no chart is more useful than the table. */
bool chart_recommend(const struct rows *rows, struct chart *out);
/* The same result as this kind of chart; false if it does not fit. */
bool chart_as(const struct rows *rows, enum chart_kind kind, struct chart *out);
/* As it was wished if that fits, else as recommended, and the note says why; "": it fits or
 * nothing was wished. False: no chart is to be shown. */
enum { CHART_NOTE_SIZE = 256 };
bool chart_wished(const struct rows *rows, const struct chart_wish *wish,
                  struct chart *out, char note[CHART_NOTE_SIZE]);
/* "line", "table", "chart"; NULL: nothing was wished. */
const char *chart_wish_name(const struct chart_wish *wish);

/* {kind, at_once, reason, x, y, series, alternatives}: columns by number, without data. */
void chart_write(const struct chart *chart, struct writer *writer);
/* Vega-Lite v5 with the data inline, at most CHART_POINTS_MOST of them. */
enum { CHART_POINTS_MOST = 5000, CHART_BARS_MOST = 60 };
void chart_write_spec(const struct chart *chart, const struct rows *rows,
                      const char *title, struct writer *writer);

#endif
