/* Writes the sample shop and takes most of its rows out. */
#include "faults/small_shop.h"

#include <sqlite3.h>
#include <stdio.h>

#include "dragoman_server.h"

static const char fewer[] = "PRAGMA synchronous = OFF;"
                            "BEGIN;"
                            "DELETE FROM customers WHERE id % 10;"
                            "DELETE FROM addresses WHERE customer_id % 10;"
                            "DELETE FROM orders WHERE id % 10;"
                            "DELETE FROM order_items WHERE order_id % 10;"
                            "DELETE FROM payments WHERE order_id % 10;"
                            "DELETE FROM shipments WHERE order_id % 10;"
                            "DELETE FROM returns WHERE id % 10;"
                            "DELETE FROM reviews WHERE id % 10;"
                            "COMMIT;"
                            "VACUUM;";

bool small_shop(const char *path)
{
    struct dgm_error error;
    sqlite3 *db = NULL;
    if (!dgm_sample(path, &error)) {
        (void)fprintf(stderr, "%s\n", error.message);
        return false;
    }
    bool ok = sqlite3_open(path, &db) == SQLITE_OK &&
              sqlite3_exec(db, fewer, NULL, NULL, NULL) == SQLITE_OK;
    if (!ok) {
        (void)fprintf(stderr, "%s: %s\n", path, db ? sqlite3_errmsg(db) : "not opened");
    }
    (void)sqlite3_close(db);
    return ok;
}
