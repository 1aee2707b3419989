/*
 * Enforces a policy on a datasource: what callers see of it, and which SQL its driver
 * gets. One open database serves all accounts; each account has a datasource of its own
 * that shares the driver's state.
 */
#ifndef DGM_DATASOURCE_RESTRICT_H
#define DGM_DATASOURCE_RESTRICT_H

#include "datasource/datasource.h"
#include "sql/narrow/narrow.h"
#include "sql/printed.h"

struct restricted;

/* A statement on its way to the driver. Release it with passage_end(). */
struct passage {
    struct arena *arena;
    const char *sql; /* the SQL for the driver */
    struct printed printed;
    struct narrow_result narrow;
    bool narrowed;
};

/* Restricts the source by the policy of an account (NULL: no account), whose claims are a
 * JSON object (NULL: none). Invalid conditions
 * are ERR_CONFIG. Without a policy nothing changes. */
bool restrict_source(struct datasource *source, const struct policy *policy,
                     const char *account, const char *claims, struct err *err);
void restrict_release(struct datasource *source);
/* The datasource that has the driver's state. */
struct datasource *restrict_base(struct datasource *source);

/* Adds the policy to the hash of a signature: with another policy, the schema differs. */
void restrict_hash(const struct datasource *source, struct hash *hash);
/* Drops the cached schema of the source if the signature has changed. */
void restrict_signature(struct datasource *source, const char *signature);
/* Removes from a new schema what the policy hides. */
bool restrict_schema(struct datasource *source, struct schema *schema, struct err *err);
void restrict_limits(const struct datasource *source, struct datasource_limits *limits);

/* Checks the statement with the guard and rewrites it by the policy. schema NULL: the
 * source's own, if there is a policy. Call passage_end() in any case. */
bool passage_begin(struct passage *passage, struct datasource *source, const char *sql,
                   const struct schema *schema, enum guard_verdict wanted,
                   const struct datasource_limits *limits, struct err *err);
/* The same for a statement that is only compiled. If no policy applies and we cannot
 * parse it, the engine's compiler decides. Never use it for a statement that runs. */
bool passage_look(struct passage *passage, const struct datasource *source,
                  const char *sql, const struct datasource_limits *limits,
                  struct err *err);
/* Converts the driver's error for the user: without hidden names, and with positions in
 * the original SQL. */
bool passage_outcome(const struct passage *passage, bool ok, bool ran, struct err *err);
void passage_end(struct passage *passage);
/* The SQL as people may see it: without the key of hash masks. */
const char *passage_shown(const struct passage *passage, const struct datasource *source);

/* Reads samples of a table of which only a part is visible, through the policy. False:
 * there is no restriction, so the driver may profile the table itself. */
bool restrict_profile(struct datasource *source, struct schema *schema,
                      struct table *table, struct arena *arena, int samples,
                      const struct datasource_limits *limits, bool *ok, struct err *err);

/* What a statement over hidden rows reads: the size of its tables, rounded down to a power
 * of two. The plan of a statement would tell how many hidden rows fit its conditions. */
bool restrict_estimate(struct datasource *base, const struct passage *passage,
                       const struct datasource_limits *limits,
                       struct datasource_estimate *out, struct err *err);

#endif
