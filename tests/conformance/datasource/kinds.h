/* The drivers that the suite runs over. */
#ifndef DGM_TESTS_CONFORMANCE_KINDS_H
#define DGM_TESTS_CONFORMANCE_KINDS_H

#include <stdbool.h>

struct kind;
const struct kind *kind_find(const char *name); /* NULL: not in this build */

extern const struct kind kind_sqlite;
extern const struct kind kind_duckdb;
extern const struct kind kind_files;
extern const struct kind kind_postgres;
extern const struct kind kind_mysql;
/* Stops the whole server, as a dead machine would be, or lets it go on. */
void kind_mysql_freeze(bool frozen);
/* A number that the owner of the server is told, or 0; -1: the statements failed. */
long kind_mysql_number(const char *sql);
const struct kind *kind_odbc_find(const char *name);
extern const struct kind kind_clickhouse;
extern const struct kind kind_clickhouse_today;
extern const struct kind kind_bigquery;
extern const struct kind kind_mongodb;

#endif
