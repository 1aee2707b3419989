/*
 * All rows of a result, one after the other: of an answer that is whole as it was given,
 * of one that was cut by running its SQL again, without the LIMIT that was ours, through
 * the same checks.
 */
#ifndef DGM_SERVICE_RESULT_H
#define DGM_SERVICE_RESULT_H

#include "datasource/datasource.h"
#include "model/rows.h"
#include "service/instance.h"

struct result {
    const char *account;             /* whose it is; or NULL */
    const struct dgm_access *access; /* who wants it; or NULL */
    const char *datasource; /* ids with commas between them; NULL: the only one */
    const char *sql;        /* NULL: only the rows are known */
    struct rows rows;       /* when `whole` */
    bool again;             /* it is of an answer: it ran before */
    bool worded;            /* and its SQL is not a person's own */
    bool whole;
    const char *title;
    dgm_observer *observer; /* of the run, if it runs again; or NULL */
    void *context;
};

/* Of a question in the store. */
bool result_open(struct dgm *dgm, struct arena *arena, const struct dgm_access *access,
                 const char *query_id, struct result *out, struct err *err);
/* Ends early, without an error, when the sink says so or at the limits; the sink is
 * handed one row more than max_rows when there is one. */
bool result_stream(struct dgm *dgm, const struct result *result,
                   const struct datasource_sink *sink, int64_t max_rows,
                   int64_t max_bytes, struct err *err);
/* How its SQL is written; a guess when its database cannot be opened. */
enum dialect result_dialect(struct dgm *dgm, const struct result *result);

#endif
