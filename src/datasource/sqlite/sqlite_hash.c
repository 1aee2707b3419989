/* dragoman_hash(key, value): SQLite has no hash of its own to mask a column with. The
 * guard does not know it, so only a policy can bring it into a query. */
#include "base/sha256.h"
#include "base/str.h"
#include "datasource/sqlite/sqlite_driver.h"

enum { DIGITS = 32 };

static void keyed_hash(sqlite3_context *context, int count, sqlite3_value **values)
{
    unsigned char digest[SHA256_SIZE];
    char text[DIGITS + 1];
    if (count != 2 || sqlite3_value_type(values[1]) == SQLITE_NULL) {
        return;
    }
    const void *key = sqlite3_value_blob(values[0]);
    const void *data = sqlite3_value_blob(values[1]);
    int key_size = sqlite3_value_bytes(values[0]);
    int size = sqlite3_value_bytes(values[1]);
    sha256_keyed(key ? key : "", (size_t)key_size, data ? data : "", (size_t)size,
                 digest);
    str_hex(text, digest, DIGITS / 2);
    sqlite3_result_text(context, text, DIGITS, SQLITE_TRANSIENT);
}

void sqlite_hash_add(sqlite3 *db)
{
    const int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY;
    (void)sqlite3_create_function_v2(db, "dragoman_hash", 2, flags, NULL, keyed_hash,
                                     NULL, NULL, NULL);
}
