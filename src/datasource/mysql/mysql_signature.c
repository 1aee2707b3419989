/* A short text that changes whenever the schema of a MySQL database does. */
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/hash.h"
#include "base/vec.h"
#include "datasource/mysql/mysql_driver.h"

/*
 * Sums over the catalog, computed by the server; a sum does not depend on the order. Each
 * database is named by a constant, so that the server reads only that one; several are
 * queried at once. CRC32 takes half the time of a longer hash, and misses one change in
 * four billion. Values that ANALYZE changes are not included.
 */
#define SUM_IN(fields, from, schema)                                                     \
    "(SELECT CONCAT(COUNT(*), ':', COALESCE(SUM(CRC32(CONCAT_WS(0x01, " fields           \
    "))), '')) FROM information_schema." from " WHERE " schema " = "
#define SUM(fields, from) SUM_IN(fields, from, "TABLE_SCHEMA")

static const char *const sums[] = {
    SUM("TABLE_NAME, TABLE_TYPE, TABLE_COMMENT", "TABLES"),
    SUM("TABLE_NAME, ORDINAL_POSITION, COLUMN_NAME, COLUMN_TYPE, IS_NULLABLE,"
        " COALESCE(COLUMN_DEFAULT, 0x02), COLUMN_COMMENT, PRIVILEGES",
        "COLUMNS"),
    SUM("TABLE_NAME, INDEX_NAME, NON_UNIQUE, SEQ_IN_INDEX, COLUMN_NAME", "STATISTICS"),
    SUM("TABLE_NAME, CONSTRAINT_NAME, ORDINAL_POSITION, COLUMN_NAME,"
        " REFERENCED_TABLE_SCHEMA, REFERENCED_TABLE_NAME, REFERENCED_COLUMN_NAME",
        "KEY_COLUMN_USAGE"),
    SUM("TABLE_NAME, VIEW_DEFINITION", "VIEWS"),
    SUM_IN("ROUTINE_TYPE, ROUTINE_NAME", "ROUTINES", "ROUTINE_SCHEMA"),
};

enum { SUMS = sizeof sums / sizeof *sums, AT_ONCE = 40, SQL_MOST = 1 << 18 };

static bool signature_row(void *context, const char *const *texts)
{
    struct hash *hash = context;
    for (size_t i = 0; i <= SUMS; i++) {
        hash_text(hash, texts[i] ? texts[i] : "");
    }
    return true;
}

static void question_add(struct buf *sql, const char *database)
{
    (void)buf_text(sql, sql->size ? " UNION ALL SELECT " : "SELECT ");
    mysql_literal(sql, database);
    for (size_t i = 0; i < SUMS; i++) {
        (void)buf_format(sql, ", %s", sums[i]);
        mysql_literal(sql, database);
        (void)buf_char(sql, ')');
    }
}

static bool signature_work(struct mysql_session *session, void *context, struct err *err)
{
    struct arena *arena = arena_new();
    struct texts databases = {0};
    struct buf sql;
    struct hash *hash = hash_new();
    buf_init(&sql, SQL_MOST);
    bool ok = mysql_databases(session, arena, &databases, err);
    hash_text(hash, "mysql 2");
    hash_text(hash, session->state->database);
    for (size_t i = 0; ok && i < databases.count; i++) {
        question_add(&sql, databases.items[i]);
        if ((i + 1) % AT_ONCE == 0 || i + 1 == databases.count) {
            ok = mysql_rows(session, buf_get(&sql), signature_row, hash, err);
            buf_clear(&sql);
        }
    }
    if (ok) {
        hash_hex(hash, context);
    }
    hash_free(hash);
    buf_release(&sql);
    arena_free(arena);
    return ok;
}

bool mysql_signature(struct datasource *source, const struct datasource_limits *limits,
                     char out[33], struct err *err)
{
    out[0] = '\0';
    return mysql_with(source, limits, signature_work, out, err);
}
