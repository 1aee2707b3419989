/* Runs SQL on a DuckDB file, through the library that the program loads.
 *
 * usage: duckdb FILE SQL    waits a moment while somebody else has the file
 */
#include <stdio.h>
#include <unistd.h>

#include "datasource/duckdb/duckdb.h"

enum { TRIES = 400, PAUSE_US = 50000 };

int main(int argc, char **argv)
{
    struct err err;
    const struct duckdb_library *library = argc == 3 ? duckdb_library(&err) : NULL;
    if (!library) {
        (void)fprintf(stderr, "usage: duckdb FILE SQL; the library must be there\n");
        return 2;
    }
    duckdb_database database = NULL;
    duckdb_connection connection = NULL;
    duckdb_result result;
    char *message = NULL;
    duckdb_state opened = DuckDBError;
    for (int i = 0; i < TRIES && opened != DuckDBSuccess; i++) {
        opened = library->open_ext(argv[1], &database, NULL, &message);
        if (opened != DuckDBSuccess) {
            library->free(message);
            message = NULL;
            (void)usleep(PAUSE_US);
        }
    }
    if (opened != DuckDBSuccess ||
        library->connect(database, &connection) != DuckDBSuccess) {
        (void)fprintf(stderr, "duckdb: %s\n", message ? message : "cannot be opened");
        return 1;
    }
    int failed = library->query(connection, argv[2], &result) != DuckDBSuccess;
    if (failed) {
        (void)fprintf(stderr, "duckdb: %s\n", library->result_error(&result));
    }
    library->destroy_result(&result);
    library->disconnect(&connection);
    library->close(&database);
    return failed;
}
