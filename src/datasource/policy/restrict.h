/*
 * A datasource held to a policy: what everybody else sees of it, and what is sent to its
 * driver. One open database serves all accounts; each sees it through a datasource of its
 * own, which shares the driver's state.
 */
#ifndef DGM_DATASOURCE_RESTRICT_H
#define DGM_DATASOURCE_RESTRICT_H

#include "datasource/datasource.h"
#include "sql/narrow/narrow.h"
#include "sql/printed.h"

struct restricted;

/* A statement on its way to the driver. */
struct passage {
    struct arena *arena;
    const char *sql; /* what the driver runs */
    struct printed printed;
    struct narrow_result narrow;
    bool narrowed;
};

/* Holds the source to the policy of an account (NULL: no account). Conditions
 * that cannot be used are ERR_CONFIG. No policy: nothing is done. */
bool restrict_source(struct datasource *source, const struct policy *policy,
                     const char *account, struct err *err);
void restrict_release(struct datasource *source);
/* The one that has the driver's state. */
struct datasource *restrict_base(struct datasource *source);

/* For signatures: another policy is another database to whoever looks. */
void restrict_hash(const struct datasource *source, struct hash *hash);
/* Is what was kept of its schema still right? */
void restrict_signature(struct datasource *source, const char *signature);
/* Takes out of a schema just read what the policy holds back. */
bool restrict_schema(struct datasource *source, struct schema *schema, struct err *err);
void restrict_limits(const struct datasource *source, struct datasource_limits *limits);

/* The statement as the guard lets it pass and the policy leaves it; schema NULL: the
 * source's own where there is a policy. passage_end() in any case. */
bool passage_begin(struct passage *passage, struct datasource *source, const char *sql,
                   const struct schema *schema, enum guard_verdict wanted,
                   const struct datasource_limits *limits, struct err *err);
/* The same for a statement that is only compiled, and where no policy asks for more: the
 * engine's own compiler is the judge, of its print, or of the text when we cannot read
 * it. Never for what runs. */
bool passage_look(struct passage *passage, const struct datasource *source,
                  const char *sql, const struct datasource_limits *limits,
                  struct err *err);
/* Hands the driver's outcome on, without what the user must not read, and with places in
 * the SQL as it was written. */
bool passage_outcome(const struct passage *passage, bool ok, bool ran, struct err *err);
void passage_end(struct passage *passage);
/* What runs, as a person may read it: without the key that hashes are made with. */
const char *passage_shown(const struct passage *passage, const struct datasource *source);

/* Samples of a table that is not seen as a whole, read as anybody would read it. False
 * when the driver may look at the table itself. */
bool restrict_profile(struct datasource *source, struct schema *schema,
                      struct table *table, struct arena *arena, int samples,
                      const struct datasource_limits *limits, bool *ok, struct err *err);

#endif
