/* A scratch database in a folder of its own, with canaries around it. */
#include <dirent.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/vec.h"
#include "oracle.h"
#ifdef DRAGOMAN_HAS_DUCKDB
#include "datasource/duckdb/duckdb.h"
#endif

static const char *const script[] = {
    "CREATE TABLE customers (id INTEGER PRIMARY KEY, name VARCHAR, city VARCHAR,"
    " email VARCHAR)",
    "CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER, status VARCHAR,"
    " total DOUBLE, ordered_on DATE)",
    "CREATE TABLE vault (id INTEGER, secret VARCHAR)",
    "INSERT INTO customers VALUES (1, 'Ada', 'Rome', 'a@x.org'), (2, 'Bob', 'Oslo', "
    "NULL),"
    " (3, 'Céline', 'Lyon', 'c@x.org'), (4, 'Дана', 'Rome', ''), (5, 'Eve', NULL, 'e')",
    "INSERT INTO orders VALUES (1, 1, 'paid', 10.5, '2024-01-31'), (2, 1, 'open', -3,"
    " '2024-02-29'), (3, 2, 'paid', 1e10, '2023-12-31'), (4, 3, NULL, NULL, NULL),"
    " (5, 4, 'lost', 0.1, '1999-07-04'), (6, 5, 'paid', 99, '2024-06-01')",
    "INSERT INTO vault VALUES (1, '" CANARY "')",
    "CREATE VIEW vault_keys AS SELECT secret AS k FROM vault",
};

static bool make_sqlite(const char *path)
{
    sqlite3 *db = NULL;
    bool ok = sqlite3_open(path, &db) == SQLITE_OK;
    for (size_t i = 0; ok && i < sizeof script / sizeof *script; i++) {
        ok = sqlite3_exec(db, script[i], NULL, NULL, NULL) == SQLITE_OK;
    }
    return sqlite3_close(db) == SQLITE_OK && ok;
}

#ifdef DRAGOMAN_HAS_DUCKDB
static bool make_duckdb(const char *path)
{
    struct err err;
    const struct duckdb_library *library = duckdb_library(&err);
    duckdb_database database = NULL;
    duckdb_connection connection = NULL;
    if (!library) {
        return false;
    }
    bool ok = library->open_ext(path, &database, NULL, NULL) == DuckDBSuccess &&
              library->connect(database, &connection) == DuckDBSuccess;
    for (size_t i = 0; ok && i < sizeof script / sizeof *script; i++) {
        duckdb_result result;
        ok = library->query(connection, script[i], &result) == DuckDBSuccess;
        library->destroy_result(&result);
    }
    library->disconnect(&connection);
    library->close(&database);
    return ok;
}
#else
static bool make_duckdb(const char *path)
{
    (void)path;
    return false;
}
#endif

static bool write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    return file && fputs(text, file) >= 0 && fclose(file) == 0;
}

static uint64_t digest_of(const char *path)
{
    static char bytes[1 << 20];
    FILE *file = fopen(path, "r");
    size_t size = file ? fread(bytes, 1, sizeof bytes, file) : 0;
    if (file) {
        (void)fclose(file);
    }
    return hash_of(bytes, size);
}

static size_t files_in(const char *folder)
{
    size_t count = 0;
    DIR *list = opendir(folder);
    while (list && readdir(list)) {
        count++;
    }
    if (list) {
        (void)closedir(list);
    }
    return count;
}

static void add_table(struct schema *schema, const char *name, const char *const *columns)
{
    struct table *table = schema_add_table(schema, name);
    for (; *columns; columns++) {
        VEC_ADD(schema->arena, &table->columns)->name = *columns;
    }
}

bool world_make(struct world *world, enum dialect dialect)
{
    static const char *const customers[] = {"id", "name", "city", "email", NULL};
    static const char *const orders[] = {"id",    "customer_id", "status",
                                         "total", "ordered_on",  NULL};
    struct err err;
    memset(world, 0, sizeof *world);
    world->dialect = dialect;
    (void)snprintf(world->folder, sizeof world->folder, "/tmp/dragoman-XXXXXX");
    if (!mkdtemp(world->folder) || chdir(world->folder) != 0) {
        return false;
    }
    (void)snprintf(world->path, sizeof world->path, "%s/shop.%s", world->folder,
                   dialect == DIALECT_DUCKDB ? "duckdb" : "db");
    bool made =
        dialect == DIALECT_DUCKDB ? make_duckdb(world->path) : make_sqlite(world->path);
    if (!made || !write_text("canary.csv", "k\n" CANARY "\n") ||
        !write_text("canary.json", "{\"k\":\"" CANARY "\"}\n") ||
        !write_text("canary.txt", CANARY "\n")) {
        return false;
    }
    world->options = options_new();
    world->options->sql_memory_mb = 200;
    const struct datasource_setting setting = {.id = "shop", .url = world->path};
    world->source = datasource_open(&setting, world->options, &err);
    if (!world->source) {
        (void)fprintf(stderr, "oracle: %s\n", err.message);
        return false;
    }
    world->schema = schema_new();
    add_table(world->schema, "customers", customers);
    add_table(world->schema, "orders", orders);
    world->digest = digest_of(world->path);
    world->files = files_in(world->folder);
    return true;
}

const char *world_changed(const struct world *world, bool thorough)
{
    struct stat status;
    if (stat(world->path, &status) != 0) {
        return "the database went away";
    }
    if (!thorough) {
        return NULL;
    }
    if (digest_of(world->path) != world->digest) {
        return "the database changed";
    }
    return files_in(world->folder) != world->files ? "a file appeared or went away"
                                                   : NULL;
}

void world_end(struct world *world)
{
    static const char *const names[] = {"shop.db", "shop.duckdb", "canary.csv",
                                        "canary.json", "canary.txt"};
    datasource_close(world->source);
    if (world->schema) {
        schema_unref(world->schema);
    }
    if (world->options) {
        options_free(world->options);
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        (void)unlink(names[i]);
    }
    if (chdir("/") == 0) {
        (void)rmdir(world->folder);
    }
}
