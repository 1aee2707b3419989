/* The private ClickHouse servers, for the tests of that driver alone. */
#ifndef DGM_TESTS_KIND_CLICKHOUSE_H
#define DGM_TESTS_KIND_CLICKHOUSE_H

#include <stdbool.h>
#include <stddef.h>

/* Runs a statement on server 1 or 2 as its owner; the answer's first line is kept. */
bool clickhouse_tell(int server, const char *database, const char *sql, char *answer,
                     size_t size);
int clickhouse_port(void);
const char *clickhouse_folder(void); /* of its configuration */
/* The name of a test's database. */
const char *clickhouse_database(const char *path);

#endif
