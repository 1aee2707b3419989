/* Opens a stored question and its answer, if the account may see it. */
#ifndef DGM_SERVICE_STORED_H
#define DGM_SERVICE_STORED_H

#include "model/rows_json.h"
#include "service/instance.h"
#include "store/store.h"

struct stored {
    struct store_question question;
    const json_t *json; /* the answer object */
    const char *sql;    /* or NULL */
    const char *datasource;
    const char *title; /* its subject, for people */
};

/* QUERY_NOT_FOUND also for questions of other accounts, and for those without an
 * answer. */
bool stored_open(struct dgm *dgm, struct arena *arena, const struct dgm_access *access,
                 const char *query_id, struct stored *out, struct err *err);
/* The ids of the datasources that it was about, with commas; NULL: not known. */
const char *stored_sources(const struct stored *stored, struct arena *arena);
/* Its rows, borrowed from the answer; an error if it has none. */
bool stored_rows(const struct stored *stored, struct arena *arena, struct rows *rows,
                 struct err *err);

#endif
