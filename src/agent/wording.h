/*
 * How cells of an answer are shown: names for weekdays and months, and "(no store)" for a
 * group without a partner. The SQL still returns numbers, so that they sort correctly and
 * follow-up questions can use them.
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
    const char *absent; /* ABSENT: the text for NULL */
};

/* A sink in front of another one that replaces cells by their names. */
struct wording_sink {
    struct run *run;
    const struct datasource_sink *next;
    struct wording_column *columns; /* NULL: no cell is changed */
    struct value *cells;
    size_t count;
};

/* Both arguments must outlive the returned sink. */
struct datasource_sink wording_sink(struct run *run, const struct datasource_sink *next,
                                    struct wording_sink *state);
/* The same for rows that are in the answer. */
void wording_answer(struct run *run);
/* "(no store)": the text for the first label of a group without a partner in this
 * statement's result; NULL: none. */
const char *wording_absent(struct run *run, const struct sql_statement *statement,
                           const struct sql_resolved *resolved);

#endif
