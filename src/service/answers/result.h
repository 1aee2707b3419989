/*
 * Reads all rows of a result. A complete answer gives its stored rows; a truncated one
 * runs its SQL again, without the LIMIT that dragoman added, through the same checks.
 */
#ifndef DGM_SERVICE_RESULT_H
#define DGM_SERVICE_RESULT_H

#include "datasource/datasource.h"
#include "model/rows.h"
#include "service/instance.h"

struct result {
    const char *account;             /* account of the answer; or NULL */
    const struct dgm_access *access; /* the caller; or NULL */
    const char *datasource;          /* comma-separated ids; NULL: the only datasource */
    const char *sql;                 /* NULL: only the stored rows are available */
    struct rows rows;                /* when `whole` */
    bool again;                      /* the SQL of an answer, which ran before */
    bool worded;                     /* the SQL was generated, not written by the user */
    bool whole;
    const char *title;
    dgm_observer *observer; /* observes the second run; or NULL */
    void *context;
};

/* For a question in the store. */
bool result_open(struct dgm *dgm, struct arena *arena, const struct dgm_access *access,
                 const char *query_id, struct result *out, struct err *err);
/* Ends early without an error if the sink returns false or a limit is reached; the sink
 * gets one row more than max_rows, if there is one. */
bool result_stream(struct dgm *dgm, const struct result *result,
                   const struct datasource_sink *sink, int64_t max_rows,
                   int64_t max_bytes, struct err *err);
/* The dialect of its SQL; a guess if the datasource cannot be opened. */
enum dialect result_dialect(struct dgm *dgm, const struct result *result);

#endif
