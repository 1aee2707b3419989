/*
 * A question as the command line, the server or the library hands it over, with its
 * options.
 */
#ifndef DGM_MODEL_QUESTION_H
#define DGM_MODEL_QUESTION_H

#include <stdbool.h>

struct question {
    const char *text;
    const char *datasource; /* id, or NULL: find out */
    const char *session_id; /* or NULL: no conversation */
    const char *account;    /* or NULL: the local user */
    const char *brain;      /* "auto", "parser", "llm", or NULL for the option */
    bool skip_plan;         /* in requests: ignore_sql_reasoning */
    bool skip_diagnosis;    /* in requests: allow_sql_diagnosis: false */
    bool allow_write;       /* design 4.5 */
    bool dry_run;           /* stop before executing: the SQL is the answer */
    bool fresh;             /* do not reuse history */
    bool skip_memory;       /* in requests: apply_memory: false */
    bool datasets;      /* without a datasource: its asker's datasets may be meant, too */
    const char *key_id; /* id of the key that pays; NULL: none */
    const char *reach;  /* ids of datasources with commas: it may see those; NULL: all */
};

#endif
