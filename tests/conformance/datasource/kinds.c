/* The drivers that the suite runs over: a row each. */
#include "kinds.h"

#include <stddef.h>
#include <string.h>

#include "conformance.h"

static const struct kind *const kinds[] = {
    &kind_sqlite,
#ifdef DRAGOMAN_HAS_DUCKDB
    &kind_duckdb,     &kind_files,
#endif
#ifdef DRAGOMAN_HAS_POSTGRES
    &kind_postgres,
#endif
#ifdef DRAGOMAN_HAS_MYSQL
    &kind_mysql,
#endif
    &kind_clickhouse, &kind_clickhouse_today,
    &kind_bigquery,
#ifdef DRAGOMAN_HAS_MONGODB
    &kind_mongodb,
#endif
};

const struct kind *kind_find(const char *name)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const char *called = kinds[i]->called ? kinds[i]->called : kinds[i]->name;
        if (strcmp(called, name) == 0) {
            return kinds[i];
        }
    }
#ifdef DRAGOMAN_ODBC_SUITE
    return kind_odbc_find(name);
#else
    return NULL;
#endif
}
