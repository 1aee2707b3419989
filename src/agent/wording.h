/*
 * How cells of an answer read: weekdays and months by their names, a group without a
 * partner as "(no store)". The SQL keeps the numbers, so that they stay in their order and
 * follow-ups can go on from it.
 */
#ifndef DGM_AGENT_WORDING_H
#define DGM_AGENT_WORDING_H

#include <stdbool.h>
#include <stddef.h>

#include "datasource/datasource.h"

struct run;
struct sql_resolved;
struct sql_statement;

enum wording { WORDING_NONE, WORDING_WEEKDAY, WORDING_MONTH, WORDING_ABSENT };

struct wording_column {
    enum wording wording;
    const char *absent; /* ABSENT: what stands for NULL */
};

/* Rows on their way: names take the place of numbers in what is handed on. */
struct wording_sink {
    struct run *run;
    const struct datasource_sink *next;
    struct wording_column *columns; /* NULL: all cells stay as they are */
    struct value *cells;
    size_t count;
};

/* Both outlive the returned sink. */
struct datasource_sink wording_sink(struct run *run, const struct datasource_sink *next,
                                    struct wording_sink *state);
/* The rows that an answer holds. */
void wording_answer(struct run *run);
/* "(no store)": what the first label of a group without a partner will be called in the
 * result of this statement; NULL: none is. */
const char *wording_absent(struct run *run, const struct sql_statement *statement,
                           const struct sql_resolved *resolved);

#endif
