/* What a link shows: a copy, made when the link is made. */
#ifndef DGM_SERVICE_LINK_TAKING_H
#define DGM_SERVICE_LINK_TAKING_H

#include "base/json.h"
#include "service/instance.h"

/* A copy, and where its rows came from. */
struct taking {
    json_t *document; /* kept_document() */
    const char *kind; /* "answer" or "conversation" */
    const char *subject;
    const char *title;
    const char *datasources; /* ids, with commas; "": none was needed */
};

/* False: the answer does not exist for the caller, or is not finished. */
bool taking_make(struct dgm *dgm, struct arena *arena, const struct dgm_access *access,
                 const struct dgm_share *share, struct taking *out, struct err *err);

#endif
