/*
 * A question with its options, as passed by the command line, the server or the library.
 */
#ifndef DGM_MODEL_QUESTION_H
#define DGM_MODEL_QUESTION_H

#include <stdbool.h>

#include "model/brain.h"

struct question {
    const char *text;
    const char *datasource; /* id, or NULL: to be determined */
    const char *session_id; /* or NULL: no conversation */
    const char *account;    /* or NULL: the local user */
    enum brain_kind brain;  /* AUTO, PARSER or LLM; UNSET: as configured */
    bool skip_plan;         /* in requests: ignore_sql_reasoning */
    bool skip_diagnosis;    /* in requests: allow_sql_diagnosis: false */
    bool allow_write;       /* writes are allowed (in requests: allow_write) */
    bool dry_run;           /* stop before executing: the SQL is the answer */
    bool fresh;             /* do not reuse history */
    bool skip_memory;       /* in requests: apply_memory: false */
    /* of the sentence that states the answer, as in Accept-Language; a run keeps the code of the
     * first known one. NULL: as configured */
    const char *language;
    const char
        *parameters; /* of a saved query: values by name, as a JSON object; or NULL */
    bool datasets; /* without a datasource: the account's datasets are candidates, too */
    const char *key_id; /* id of the access key whose quota is used; NULL: none */
    /* comma-separated ids of the datasources that it may see; NULL: all */
    const char *reach;
};

#endif
