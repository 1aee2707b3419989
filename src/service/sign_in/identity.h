/* The claims of a verified token as an account with its rights. */
#ifndef DGM_SERVICE_IDENTITY_H
#define DGM_SERVICE_IDENTITY_H

#include "base/json.h"
#include "service/instance.h"

struct identity {
    const char *account;
    unsigned scopes;         /* bits of enum dgm_scope */
    const char *datasources; /* ids with commas; "": all */
    const char
        *text; /* roles and claims for policies, see sources_introduce; "{}": none */
    int64_t issued_at;
    const json_t *claims; /* all of them */
    int64_t expires_at;
};

/* UNAUTHORIZED or FORBIDDEN: why not, for the operator. */
bool identity_read(const struct options *options, struct arena *arena,
                   const json_t *claims, struct identity *out, struct err *err);

#endif
