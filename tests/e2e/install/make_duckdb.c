/* Makes a small DuckDB file with the library that was installed: make_duckdb LIBRARY FILE
 */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

/* The three functions of DuckDB that are needed, by their C signatures. */
typedef int open_function(const char *path, void **database);
typedef int connect_function(void *database, void **connection);
typedef int query_function(void *connection, const char *sql, void *result);

/* POSIX says that a dlsym result may be called; C does not, so it goes through bytes. */
static int find(void *library, const char *name, void *slot)
{
    void *symbol = dlsym(library, name);
    memcpy(slot, &symbol, sizeof symbol);
    return symbol != NULL;
}

int main(int argc, char **argv)
{
    void *library = argc == 3 ? dlopen(argv[1], RTLD_NOW) : NULL;
    open_function *open = NULL;
    connect_function *connect = NULL;
    query_function *query = NULL;
    if (!library || !find(library, "duckdb_open", &open) ||
        !find(library, "duckdb_connect", &connect) ||
        !find(library, "duckdb_query", &query)) {
        fprintf(stderr, "make_duckdb: no library\n");
        return 1;
    }
    void *database = NULL;
    void *connection = NULL;
    if (open(argv[2], &database) || connect(database, &connection) ||
        query(connection,
              "CREATE TABLE goods AS SELECT * FROM (VALUES ('pen', 2), ('ink', 5)) "
              "t(name, price)",
              NULL) ||
        query(connection, "CHECKPOINT", NULL)) {
        fprintf(stderr, "make_duckdb: it did not work\n");
        return 1;
    }
    return 0;
}
