/*
 * What may be seen of a datasource, as configured. The policy of an account is inside the
 * datasource's and both apply, so it can only narrow, never widen.
 */
#ifndef DGM_MODEL_POLICY_H
#define DGM_MODEL_POLICY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"

struct err;
struct hash;
struct schema;
struct table;

/* What is shown instead of a value, strictest last: of two masks the later one
 * applies. */
enum policy_mask {
    POLICY_MASK_NONE,
    POLICY_MASK_YEAR,    /* of a date */
    POLICY_MASK_LAST4,   /* the last four characters of five or more */
    POLICY_MASK_INITIAL, /* the first character */
    POLICY_MASK_HASH,    /* equal values stay equal */
    POLICY_MASK_REDACT,  /* '***' */
    POLICY_MASK_NULL,
    POLICY_MASK_DENIED, /* the column is not there at all */
    POLICY_MASK_COUNT
};

/* "sales.orders.card" may be a column of "sales.orders" or a field "orders.card" of
 * "sales": there is one entry for each interpretation. */
struct policy_column {
    const char *name; /* as written */
    const char *table;
    const char *column;
    enum policy_mask mask;
};

struct policy_columns {
    struct policy_column *items;
    size_t count;
    size_t capacity;
};

/* Only rows for which the predicate is true may be seen. */
struct policy_filter {
    const char *table;
    const char *predicate; /* SQL of the datasource's dialect */
};

struct policy_filters {
    struct policy_filter *items;
    size_t count;
    size_t capacity;
};

struct policy_account {
    const char *name; /* "*": every account without its own entry */
    struct policy *policy;
};

struct policy_accounts {
    struct policy_account *items;
    size_t count;
    size_t capacity;
};

/*
 * What may be seen of a datasource. Lists that are empty restrict nothing, except for
 * `allow` with `allow_only`. A policy with an `outer` one can only restrict further.
 */
struct policy {
    const struct policy *outer; /* of an account's policy: the datasource's; else NULL */
    struct texts allow;         /* tables; may end or begin in '*' */
    bool allow_only;            /* `allow` was configured: other tables are hidden */
    struct texts deny;
    struct policy_columns columns;
    struct policy_filters filters;
    int64_t max_rows; /* 0: no own limit; likewise the next ones */
    int64_t max_bytes;
    int64_t timeout_ms;
    int64_t max_cost;  /* maximum number of rows that the database expects to read */
    bool keep_rows;    /* never send cell values to a model */
    bool approval;     /* a person must approve each statement */
    bool hide_filters; /* do not show the executed SQL */
    struct policy_accounts accounts;
    struct policy_accounts roles; /* by role, in the configured order */
    /* with roles: for an account that has none of them, and no entry; shows nothing */
    struct policy *nobody;
};

/*
 * The policy for an account (NULL and "": no account) with these roles (or NULL): the
 * account's own entry, else that of its first role in the configured order, else "*".
 * NULL for NULL.
 */
const struct policy *policy_for(const struct policy *policy, const char *account,
                                const struct texts *roles);
/* The next claim that a condition of the policy asks for, from `*at` on: its name as a
 * part of the condition. False: there is none. */
bool policy_claim_at(const char *condition, size_t *at, const char **name, size_t *size);
/* Adds the names of all claims that the conditions of the chain ask for, each once. */
void policy_claims_of(const struct policy *policy, struct arena *arena,
                      struct texts *out);
/* The same of a datasource's policy and all that are inside it. */
void policy_claims_within(const struct policy *policy, struct arena *arena,
                          struct texts *out);

/* Is the table visible? Names match in any case. */
bool policy_has_table(const struct policy *policy, const struct table *table);
/* Does each policy with restrictions allow it by its full name, without a '*'? */
bool policy_lists_table(const struct policy *policy, const struct table *table);
/* The strictest mask for it; POLICY_MASK_DENIED: it is hidden. */
enum policy_mask policy_mask_of(const struct policy *policy, const struct table *table,
                                const char *column);
/* Does the entry of a policy name this table? */
bool policy_names_table(const char *entry, const struct table *table);
/* Its predicates, of all policies. */
void policy_filters_of(const struct policy *policy, const struct table *table,
                       struct arena *arena, struct texts *out);
/* Is anything of the table restricted: a column, a mask, rows? */
bool policy_touches(const struct policy *policy, const struct table *table);

/* The smallest configured limit; 0: none. */
int64_t policy_max_rows(const struct policy *policy);
int64_t policy_max_bytes(const struct policy *policy);
int64_t policy_timeout_ms(const struct policy *policy);
int64_t policy_max_cost(const struct policy *policy);
bool policy_keeps_rows(const struct policy *policy);
bool policy_wants_approval(const struct policy *policy);
bool policy_shows_filters(const struct policy *policy);

bool policy_mask_find(const char *name, enum policy_mask *mask);

/* An entry for a single table or column that does not exist in this schema is probably a
 * typing error that would leave something visible: then *entry is set, and nothing may be
 * read. */
bool policy_fits(const struct policy *policy, const struct schema *schema,
                 const char **entry);
struct policy *policy_clone(struct arena *arena, const struct policy *policy);
/* Adds the whole policy to a hash, so that data cached under another policy is not
 * found. */
void policy_hash(const struct policy *policy, struct hash *hash);

#endif
