/*
 * Several datasources as one: their tables side by side under the name of their source
 * ("crm.customers", "shop.orders"), asked in DuckDB's SQL. What a query needs of each
 * source is asked of it in its own dialect (only the columns that are used, and simple
 * conditions), streamed into a staging, and joined there. To everybody else it is a
 * datasource like any other.
 */
#ifndef DGM_DATASOURCE_ACROSS_H
#define DGM_DATASOURCE_ACROSS_H

#include "datasource/staging/staging.h"

struct across_member {
    struct datasource *source; /* open; outlives what is made of it */
    struct schema *schema;     /* its present one; a reference of its own is taken */
    const char *signature;
};

/* Close it with datasource_close(). Two to sixteen members. */
struct datasource *across_open(const struct across_member *members, size_t count,
                               const struct options *options, struct err *err);
/* All tables; borrowed. Whoever opens it may add keys between sources, then normalizes
 * and hashes it; from then on nothing of it may be changed. */
struct schema *across_schema(const struct datasource *source);
/* Is it several in one? */
bool across_is(const struct datasource *source);
size_t across_count(const struct datasource *source);
/* The members in their order; borrowed. */
struct datasource *across_member_at(const struct datasource *source, size_t index,
                                    struct schema **schema);
/* How a table of a member is called among all; NULL when it has no such table. */
const char *across_table_name(const struct datasource *source, size_t member,
                              const char *table);
/* The member that has the table of this full name; NULL when none has. */
struct datasource *across_member_of(const struct datasource *source, const char *table);
/* Who is told about rows that arrive; not thread-safe against a running query. */
void across_watch(struct datasource *source, const struct staging_watcher *watcher);

/* What would be asked of each source for this SQL: "shop: SELECT …", one a line; for
 * people and tests. */
bool across_explain(struct datasource *source, const char *sql, struct arena *arena,
                    const struct datasource_limits *limits, struct texts *out,
                    struct err *err);

#endif
