/* Staging in a build without DuckDB: it says so, and nothing else is ever reached. */
#ifndef DRAGOMAN_HAS_DUCKDB
#include "datasource/staging/staging.h"

bool staging_ready(const struct options *options, struct err *err)
{
    (void)staging_open(options, err);
    return false;
}

struct staging *staging_open(const struct options *options, struct err *err)
{
    (void)options;
    (void)err_set(err, ERR_DATASOURCE_KIND,
                  "This dragoman was built without DuckDB, which "
                  "brings rows of several sources together.");
    (void)err_hint(err, "Run tools/duckdb/fetch and build it again.");
    return NULL;
}

void staging_close(struct staging *staging)
{
    (void)staging;
}

void staging_watch(struct staging *staging, const struct staging_watcher *watcher)
{
    (void)staging;
    (void)watcher;
}

struct staging_table *staging_table_new(struct staging *staging,
                                        const struct staging_shape *shape,
                                        const struct datasource_limits *limits,
                                        struct err *err)
{
    (void)staging;
    (void)shape;
    (void)limits;
    (void)err;
    return NULL;
}

bool staging_table_add(struct staging_table *table, const struct value *cells,
                       struct err *err)
{
    (void)table;
    (void)cells;
    (void)err;
    return false;
}

bool staging_table_fill(struct staging_table *table, struct datasource *source,
                        const char *sql, struct err *err)
{
    (void)table;
    (void)source;
    (void)sql;
    (void)err;
    return false;
}

bool staging_table_read(struct staging_table *table, struct datasource *source,
                        const char *sql, const struct schema *schema, struct err *err)
{
    (void)schema;
    return staging_table_fill(table, source, sql, err);
}

bool staging_unreadable(struct staging *staging, const struct sql_statement *statement,
                        const struct datasource_limits *limits, struct err *err)
{
    (void)statement;
    return staging_check(staging, "", limits, err);
}

bool staging_table_end(struct staging_table *table, struct err *err)
{
    (void)table;
    (void)err;
    return false;
}

void staging_lock(struct staging *staging)
{
    (void)staging;
}

bool staging_check(struct staging *staging, const char *sql,
                   const struct datasource_limits *limits, struct err *err)
{
    (void)staging;
    (void)sql;
    (void)limits;
    (void)err;
    return false;
}

bool staging_run(struct staging *staging, const char *sql,
                 const struct datasource_limits *limits,
                 const struct datasource_sink *sink, struct err *err)
{
    (void)staging;
    (void)sql;
    (void)limits;
    (void)sink;
    (void)err;
    return false;
}

bool staging_parquet(struct staging *staging, const char *table, int fd,
                     const struct datasource_limits *limits, struct err *err)
{
    (void)table;
    (void)fd;
    return staging_run(staging, "", limits, NULL, err);
}
#else
extern const int staging_none_is_empty; /* a file must hold something */
#endif
