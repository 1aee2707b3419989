/* Shows an answer: rows and text on standard output, everything about them on standard
 * error. */
#ifndef DGM_CLI_SHOW_H
#define DGM_CLI_SHOW_H

#include <stdbool.h>
#include <stddef.h>

#include "cli/lines.h"

struct out;
struct cli;
struct grid;

struct show {
    const char *format;   /* "table", "csv", "json", "markdown" */
    size_t most_rows;     /* of a table on a terminal; 0: all */
    bool sql_only;        /* nothing but the SQL */
    bool explain;         /* how the answer came about */
    bool chart;           /* a chart stands above the table */
    bool follow_ups;      /* what could be asked next */
    bool says;            /* the answer in a sentence stands above a table */
    bool dry_run;         /* the SQL is the answer */
    const char *all_hint; /* how to see rows that are not shown */
    struct out *rows_out; /* where rows are written as they come; */
    struct lines lines;   /* in this form */
    struct dgm_rows_sink sink;
};

/* From --format, --rows, --explain, … False when --rows is no number (reported). */
bool show_init(struct show *show, struct cli *cli);
/* Writes the rows of a question as they are read, if the format and the output allow it,
 * so that results of any size need no memory. The show must not be moved. */
void show_attach(struct show *show, struct cli *cli, struct dgm_request *request);
/* Returns the exit status that the answer asks for. */
int show_answer(struct cli *cli, const struct dgm_answer *answer, struct show *show);
void show_grid(struct cli *cli, const struct grid *grid, const struct show *show);
/* The ways to read the question by their numbers, and how to have another one. */
void show_readings(struct cli *cli, const struct dgm_answer *answer);
/* "0.70" and, below it, what it is made of: "0.30 of 0.30  The question is clear." */
void show_confidence(struct out *out, const struct dgm_answer *answer);
/* The answer in a sentence, above a table. Other formats are for programs and get none. */
void show_sentence(struct cli *cli, const struct show *show, const char *text);
void show_explanation(struct cli *cli, const struct dgm_answer *answer);
/* The clarifying question with its numbered options. */
void show_clarification(struct cli *cli, const struct dgm_answer *answer);
/* It waits for its user: for an answer, or (approval) for a yes. */
bool show_is_waiting(const struct dgm_answer *answer);
bool show_wants_approval(const struct dgm_answer *answer);
/* "5 rows · sqlite · …" on a terminal. */
void show_footer(struct cli *cli, const struct dgm_answer *answer);

#endif
