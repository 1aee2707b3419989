/* Checks SQL with the guard without running it. */
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/str.h"
#include "base/writer.h"
#include "service/instance.h"
#include "sql/guard.h"

enum { TEXT_MOST = 16 * 1024 * 1024 };

/* The SQL to check, and the guard's verdict. */
struct judging {
    struct arena *arena;
    struct schema *schema; /* of the datasource, as the account sees it; or NULL */
    struct guard_result result;
};

static bool judge_statement(struct dgm *dgm, const char *account, const char *datasource,
                            const char *dialect, const char *sql, size_t size,
                            struct judging *out, struct err *err)
{
    enum dialect found = DIALECT_SQLITE;
    if (dgm && !str_empty(datasource)) {
        struct datasource *source =
            instance_datasource_for(dgm, out->arena, account, datasource, err);
        out->schema = source ? instance_schema(dgm, source, err) : NULL;
        if (!out->schema) {
            return false;
        }
        found = datasource_dialect(source);
    }
    if (!str_empty(dialect) && !dialect_find(dialect, &found)) {
        (void)err_set(err, ERR_USAGE, "There is no dialect '%.32s'.", dialect);
        return err_hint(err,
                        "Use sqlite, duckdb, postgres, mysql, clickhouse, bigquery or "
                        "odbc.");
    }
    guard_check(out->arena, found, sql, size, out->schema, &out->result);
    return true;
}

static struct dgm_verdict verdict_of(const struct guard_result *result)
{
    struct dgm_verdict verdict = {.allowed = result->verdict == GUARD_READ &&
                                             result->unknown.count == 0,
                                  .is_write = result->verdict == GUARD_WRITE,
                                  .unparsable = result->unparsable,
                                  .position = result->position};
    if (result->verdict == GUARD_READ && result->unknown.count) {
        (void)snprintf(verdict.reason, sizeof verdict.reason,
                       "Column '%s' doesn't exist.", result->unknown.items[0]);
    } else {
        (void)snprintf(verdict.reason, sizeof verdict.reason, "%s", result->reason);
    }
    return verdict;
}

bool dgm_guard_for(struct dgm *dgm, const char *account, const char *datasource,
                   const char *dialect, const char *sql, size_t size,
                   struct dgm_verdict *verdict, struct dgm_error *error)
{
    struct err err;
    struct judging judging = {.arena = arena_new()};
    err_clear(&err);
    instance_no_error(error);
    bool ok =
        judge_statement(dgm, account, datasource, dialect, sql, size, &judging, &err);
    *verdict = ok ? verdict_of(&judging.result) : (struct dgm_verdict){.position = -1};
    schema_unref(judging.schema);
    arena_free(judging.arena);
    return ok || instance_fail(error, &err);
}

bool dgm_guard(struct dgm *dgm, const char *datasource, const char *dialect,
               const char *sql, size_t size, struct dgm_verdict *verdict,
               struct dgm_error *error)
{
    return dgm_guard_for(dgm, NULL, datasource, dialect, sql, size, verdict, error);
}

/* ------------------------------------------------------------------ as JSON */

static bool judge_holds(const struct texts *texts, const char *name)
{
    for (size_t i = 0; i < texts->count; i++) {
        if (str_equal_nocase(texts->items[i], name)) {
            return true;
        }
    }
    return false;
}

/* "orders.total" of "orders"; NULL when it is of another table. */
static const char *column_of(const char *name, const char *table)
{
    size_t size = strlen(table);
    return str_starts_nocase(name, table) && name[size] == '.' ? name + size + 1 : NULL;
}

static void write_table(struct writer *writer, const struct judging *judging,
                        const char *name)
{
    const struct guard_result *result = &judging->result;
    const struct table *table =
        judging->schema ? schema_table(judging->schema, name) : NULL;
    bool whole = judge_holds(&result->wholes, table ? table->name : name);
    writer_object(writer);
    writer_key_text(writer, "name", table ? table->name : name);
    writer_key(writer, "columns");
    writer_array(writer);
    for (size_t i = 0; whole && table && i < table->columns.count; i++) {
        writer_text(writer, table->columns.items[i].name);
    }
    for (size_t i = 0; !whole && i < result->columns.count; i++) {
        const char *column =
            column_of(result->columns.items[i], table ? table->name : name);
        if (column) {
            writer_text(writer, column);
        }
    }
    writer_array_end(writer);
    writer_object_end(writer);
}

/* Columns that may belong to one of several tables. */
static void write_loose(struct writer *writer, const struct judging *judging)
{
    const struct guard_result *result = &judging->result;
    bool any = false;
    for (size_t i = 0; i < result->columns.count; i++) {
        const char *name = result->columns.items[i];
        bool placed = false;
        for (size_t t = 0; t < result->tables.count && !placed; t++) {
            const struct table *table =
                judging->schema ? schema_table(judging->schema, result->tables.items[t])
                                : NULL;
            placed = column_of(name, table ? table->name : result->tables.items[t]);
        }
        if (!placed && !any) {
            writer_key(writer, "columns");
            writer_array(writer);
            any = true;
        }
        if (!placed) {
            writer_text(writer, name);
        }
    }
    if (any) {
        writer_array_end(writer);
    }
}

static char *write_verdict(const struct judging *judging)
{
    struct dgm_verdict verdict = verdict_of(&judging->result);
    struct buf buf;
    struct writer writer;
    buf_init(&buf, TEXT_MOST);
    writer_init(&writer, &buf);
    writer_object(&writer);
    writer_key_bool(&writer, "allowed", verdict.allowed);
    writer_key_bool(&writer, "write", verdict.is_write);
    writer_key_bool(&writer, "unparsable", verdict.unparsable);
    if (verdict.position >= 0) {
        writer_key_int(&writer, "position", verdict.position);
    }
    writer_key_text(&writer, "reason", *verdict.reason ? verdict.reason : NULL);
    if (verdict.allowed || verdict.is_write) {
        writer_key(&writer, "tables");
        writer_array(&writer);
        for (size_t i = 0; i < judging->result.tables.count; i++) {
            write_table(&writer, judging, judging->result.tables.items[i]);
        }
        writer_array_end(&writer);
        write_loose(&writer, judging);
    }
    writer_object_end(&writer);
    return buf_take(&buf);
}

char *dgm_guard_json(struct dgm *dgm, const char *account, const char *datasource,
                     const char *dialect, const char *sql, size_t size,
                     struct dgm_error *error)
{
    struct err err;
    struct judging judging = {.arena = arena_new()};
    err_clear(&err);
    instance_no_error(error);
    char *text = NULL;
    if (judge_statement(dgm, account, datasource, dialect, sql, size, &judging, &err)) {
        text = write_verdict(&judging);
    } else {
        (void)instance_fail(error, &err);
    }
    schema_unref(judging.schema);
    arena_free(judging.arena);
    return text;
}
