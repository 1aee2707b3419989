/* The shape of a result: which columns name its rows, which are figures, and the extremes of one. */
#ifndef DGM_AGENT_SENTENCE_SHAPE_H
#define DGM_AGENT_SENTENCE_SHAPE_H

#include "agent/sentence/telling.h"

enum {
    NO_COLUMN = FACTS_COLUMNS,
    LABELS_MOST = 3,
    TOP_MOST = 3,
    RANKED_MOST = 5000 /* figures of a larger result are not compared */
};

struct shape {
    size_t labels[LABELS_MOST]; /* words */
    size_t label_count;
    size_t time;       /* dates, years, months; or NO_COLUMN */
    bool years;        /* a whole number in it is a year */
    bool months;       /* … or a month */
    size_t identifier; /* a number that only identifies rows; or NO_COLUMN */
    size_t figure;     /* the one to tell about; or NO_COLUMN */
    bool share;        /* it is a share already */
};

void shape_read(const struct telling *telling, struct shape *out);
/* What names the row: its words, or its time, or its number. */
const char *shape_name(const struct telling *telling, const struct shape *shape,
                       size_t row);
/* Does the row belong to no group: are its words NULL, or "(no store)"? */
bool shape_is_unnamed(const struct telling *telling, const struct shape *shape,
                      size_t row);
/* Of several words that describe a thing, keeps those that are its name. */
void shape_keep_name(const struct telling *telling, struct shape *shape);
/* Do two rows have the same name? */
bool shape_same_name(const struct telling *telling, const struct shape *shape, size_t a,
                     size_t b);

/* A column of figures, read through. */
struct extremes {
    size_t numbers; /* rows that have one */
    size_t nulls;
    bool clean; /* nothing else than numbers and NULL, and all of them exact enough */
    double sum;
    double least;
    double greatest;
    size_t least_row; /* the first of those */
    size_t greatest_row;
    size_t least_count; /* rows that have it */
    size_t greatest_count;
    double top[TOP_MOST]; /* the greatest ones */
};

void extremes_read(const struct rows *rows, size_t column, struct extremes *out);
/* Equal, but for the rounding of binary sums. */
bool extremes_equal(double a, double b);
/* The number in a cell that extremes_read() found clean; NAN: NULL. */
double extremes_cell(const struct rows *rows, size_t row, size_t column);
/* Does the result contain every row? */
bool shape_is_whole(const struct telling *telling);
/* May a group or a period of which there is no row have a lower count or sum than this? */
bool shape_may_be_lower(const struct telling *telling, const struct shape *shape,
                        double number);
/* Is the only word that names the rows the name of a thing, and not a property of it? */
bool shape_has_name(const struct telling *telling, const struct shape *shape);

#endif
