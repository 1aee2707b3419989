/*
 * What DuckDB's own client does for a result as JSON, with nothing of ours in between:
 * duckdb_rows FILE make    makes the table `many` of a million rows
 * duckdb_rows FILE json    writes it to standard output by COPY … (FORMAT json)
 */
#include <stdio.h>
#include <string.h>

#include "datasource/duckdb/duckdb.h"

static const char make[] =
    "CREATE TABLE many AS SELECT i AS id, 'name ' || i AS name, "
    "(i * 1.25)::DECIMAL(12, 2) AS price, TIMESTAMPTZ '2026-01-01 00:00:00+00' AS at "
    "FROM range(1, 1000001) t(i)";
static const char json[] =
    "COPY (SELECT * FROM many) TO '/dev/stdout' (FORMAT json, ARRAY true)";

int main(int count, char **arguments)
{
    struct err err;
    err_clear(&err);
    const struct duckdb_library *duck = duckdb_library(&err);
    duckdb_database database = NULL;
    duckdb_connection connection = NULL;
    duckdb_result result;
    if (count < 3 || !duck || duck->open_ext(arguments[1], &database, NULL, NULL) ||
        duck->connect(database, &connection)) {
        (void)fprintf(stderr, "duckdb_rows: no DuckDB, or no file\n");
        return 1;
    }
    bool making = strcmp(arguments[2], "make") == 0;
    bool failed = duck->query(connection, making ? make : json, &result) == DuckDBError;
    if (failed) {
        (void)fprintf(stderr, "%s\n", duck->result_error(&result));
    }
    duck->destroy_result(&result);
    duck->disconnect(&connection);
    duck->close(&database);
    return failed ? 1 : 0;
}
