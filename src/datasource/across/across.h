/*
 * Several datasources as one: their tables side by side, each under the name of its
 * source ("crm.customers", "shop.orders"), queried in DuckDB's SQL. For a query, each
 * source is asked in its own dialect for the rows it must contribute (only the columns
 * that are used, and simple conditions); they are streamed into a staging database and
 * joined there. For callers it is a datasource like any other.
 */
#ifndef DGM_DATASOURCE_ACROSS_H
#define DGM_DATASOURCE_ACROSS_H

#include "datasource/staging/staging.h"

struct across_member {
    struct datasource *source; /* open; must outlive the combined datasource */
    struct schema *schema; /* its current schema; across_open takes its own reference */
    const char *signature;
};

/* Close it with datasource_close(). Two to sixteen members. */
struct datasource *across_open(const struct across_member *members, size_t count,
                               const struct options *options, struct err *err);
/* All tables; borrowed. The opener may add keys between sources, then normalizes and
 * hashes the schema; after that it is immutable. */
struct schema *across_schema(const struct datasource *source);
/* Was the datasource made by across_open? */
bool across_is(const struct datasource *source);
size_t across_count(const struct datasource *source);
/* The members in their order; borrowed. */
struct datasource *across_member_at(const struct datasource *source, size_t index,
                                    struct schema **schema);
/* The name of a member's table in the combined schema; NULL: no such table. */
const char *across_table_name(const struct datasource *source, size_t member,
                              const char *table);
/* The member that has the table with this full name; NULL: none. */
struct datasource *across_member_of(const struct datasource *source, const char *table);
/* Sets who is told about arriving rows; not while a query runs. */
void across_watch(struct datasource *source, const struct staging_watcher *watcher);

/* The SQL that each source would get: "shop: SELECT …", one per line; for people and
 * tests. */
bool across_explain(struct datasource *source, const char *sql, struct arena *arena,
                    const struct datasource_limits *limits, struct texts *out,
                    struct err *err);

#endif
