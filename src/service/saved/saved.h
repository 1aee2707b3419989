/* Saved queries of one account. */
#ifndef DGM_SERVICE_SAVED_H
#define DGM_SERVICE_SAVED_H

#include "base/json.h"
#include "service/instance.h"
#include "sql/parameters.h"

struct saved_parameter {
    const char *name;
    enum parameter_type type;
    bool has_default;
    const char *fallback; /* the default, as text; NULL: SQL's NULL */
};

struct saved {
    const char *id;
    const char *name;
    const char *question; /* or NULL */
    const char *sql;
    const char *datasource;
    struct saved_parameter parameters[PARAMETERS_MOST];
    size_t count;
    int64_t created_at;
    int64_t updated_at;
};

/* By id or name, for this account; SAVED_NOT_FOUND. */
bool saved_open(struct dgm *dgm, struct arena *arena, const struct dgm_access *access,
                const char *id, struct saved *out, struct err *err);
/* Parses a JSON array of {name, type, default}; *found: the parameters in the SQL. */
bool saved_parameters_read(struct arena *arena, const json_t *json,
                           const struct texts *found, struct saved *out, struct err *err);
/* The SQL with these values (an object; NULL: the defaults). sample: parameters without a
 * value get a suitable one, to check the SQL. */
const char *saved_bind(struct arena *arena, const struct saved *saved,
                       enum dialect dialect, const json_t *values, bool sample,
                       struct err *err);

#endif
