/* Where the stores under test lie. With DRAGOMAN_TEST_STORE_URL it is there alone. */
#ifndef DGM_TESTS_STORE_PLACE_H
#define DGM_TESTS_STORE_PLACE_H

#include <stdlib.h>

#include "store/store.h"
#ifdef DRAGOMAN_HAS_POSTGRES
#include "store/postgres/postgres_backend.h"
#endif

static inline const char *place_given(void)
{
    const char *url = getenv("DRAGOMAN_TEST_STORE_URL");
    return url && *url ? url : NULL;
}

/* What a test before this one has left there goes. */
static inline bool place_clear(struct err *err)
{
    bool ok = true;
#ifdef DRAGOMAN_HAS_POSTGRES
    if (place_given()) {
        PGconn *link = store_postgres_link(place_given(), err);
        ok = link &&
             store_postgres_run(link, "DROP SCHEMA IF EXISTS dragoman CASCADE", err);
        if (link) {
            PQfinish(link);
        }
    }
#endif
    (void)err;
    return ok;
}

#endif
