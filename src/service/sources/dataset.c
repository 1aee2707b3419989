/* Datasets (imported files) of one account. */
#include <string.h>

#include "agent/sources/dataset_rows.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/json.h"
#include "base/str.h"
#include "base/writer.h"
#include "datasource/files/dataset.h"
#include "datasource/datasource.h"
#include "model/actor.h"
#include "service/sources/dataset_import.h"
#include "service/instance.h"
#include "store/store.h"

enum { TEXT_MOST = 256 << 20, ROWS_MOST = 10000 };

static bool account_check(const char *account, struct err *err)
{
    return str_empty(account) || dataset_name_check(account, err);
}

/* ------------------------------------------------------------------ writing */

static void write_fields(struct arena *arena, struct writer *writer,
                         const struct store_dataset *dataset, const json_t *report)
{
    writer_key_text(writer, "id", dataset->id);
    writer_key_text(writer, "name", dataset->name);
    writer_key_text(writer, "file", dataset->file);
    writer_key_int(writer, "bytes", dataset->bytes);
    writer_key_text(writer, "created_at", clock_iso(arena, dataset->created_at));
    writer_key_int(writer, "rejected",
                   json_integer_value(json_object_get(report, "rejected")));
}

static void write_table(struct writer *writer, const struct table *table)
{
    writer_key_text(writer, "table_name", table->name);
    writer_key(writer, "columns");
    writer_array(writer);
    for (size_t i = 0; i < table->columns.count; i++) {
        const struct column *column = &table->columns.items[i];
        writer_object(writer);
        writer_key_text(writer, "name", column->name);
        writer_key_text(writer, "type", column->type);
        writer_key(writer, "sample_values");
        if (column->samples.count == 0) {
            writer_null(writer);
        } else {
            writer_array(writer);
            for (size_t s = 0; s < column->samples.count; s++) {
                writer_text(writer, column->samples.items[s]);
            }
            writer_array_end(writer);
        }
        writer_object_end(writer);
    }
    writer_array_end(writer);
    writer_key_int(writer, "row_count", table->row_count);
}

/* Writes the list of all tables, and the fields of a single table also at the top
 * level. */
static void write_schema(struct writer *writer, const struct schema *schema)
{
    writer_key(writer, "schema");
    writer_object(writer);
    if (schema->tables.count == 1) {
        write_table(writer, &schema->tables.items[0]);
    }
    writer_key(writer, "tables");
    writer_array(writer);
    for (size_t i = 0; i < schema->tables.count; i++) {
        writer_object(writer);
        write_table(writer, &schema->tables.items[i]);
        writer_object_end(writer);
    }
    writer_array_end(writer);
    writer_object_end(writer);
}

static json_t *report_of(struct arena *arena, const struct store_dataset *dataset)
{
    struct err ignored;
    err_clear(&ignored);
    const char *text = dataset->json ? dataset->json : "{}";
    return json_parse(arena, text, strlen(text), &ignored);
}

static void write_part(struct writer *writer, const json_t *report, const char *key)
{
    const json_t *part = json_object_get(report, key);
    writer_key(writer, key);
    if (part) {
        json_write_item(part, writer);
    } else {
        writer_raw(writer, "[]");
    }
}

/* ------------------------------------------------------------------ opening */

struct opened {
    struct store_dataset dataset;
    struct datasource *source;
    struct schema *schema;
};

static void opened_close(struct opened *opened)
{
    schema_unref(opened->schema);
    datasource_close(opened->source);
}

static bool opened_init(struct dgm *dgm, struct arena *arena, const char *account,
                        const char *name, struct opened *out, struct err *err)
{
    *out = (struct opened){.source = NULL};
    account = actor_account(arena, account);
    if (!account_check(account, err) || !instance_store(dgm, err) ||
        !store_dataset_get(dgm->agent.store, arena, account, name, &out->dataset, err) ||
        !dataset_rows_fetch(dgm->agent.sources, dgm->agent.store, &out->dataset, err)) {
        return false;
    }
    const struct datasource_setting setting = {
        .id = out->dataset.name,
        .url = str_empty(account)
                   ? arena_format(arena, "dataset:%s", out->dataset.name)
                   : arena_format(arena, "dataset:%s/%s", account, out->dataset.name)};
    out->source = datasource_open(&setting, dgm->options, err);
    out->schema = out->source ? instance_schema(dgm, out->source, err) : NULL;
    if (!out->schema) {
        opened_close(out);
        return false;
    }
    return true;
}

static char *failed(struct dgm_error *error, const struct err *err, struct arena *arena)
{
    (void)instance_fail(error, err);
    arena_free(arena);
    return NULL;
}

/* ------------------------------------------------------------------ the interface */

char *dgm_dataset_get(struct dgm *dgm, const char *account, const char *name,
                      struct dgm_error *error)
{
    struct err err;
    struct opened opened;
    struct arena *arena = arena_new();
    err_clear(&err);
    instance_no_error(error);
    if (!opened_init(dgm, arena, account, name, &opened, &err)) {
        return failed(error, &err, arena);
    }
    const json_t *report = report_of(arena, &opened.dataset);
    struct buf buf;
    struct writer writer;
    buf_init(&buf, TEXT_MOST);
    writer_init(&writer, &buf);
    writer_object(&writer);
    write_fields(arena, &writer, &opened.dataset, report);
    write_schema(&writer, opened.schema);
    write_part(&writer, report, "warnings");
    write_part(&writer, report, "rejects");
    writer_object_end(&writer);
    opened_close(&opened);
    arena_free(arena);
    return buf_take(&buf);
}

/* Is the name free, or may the dataset be replaced? */
static bool name_take(struct dgm *dgm, struct arena *arena, const char *account,
                      const char *name, bool replace, struct err *err)
{
    struct store_dataset old;
    if (!dataset_name_check(name, err) || !account_check(account, err) ||
        !instance_store(dgm, err)) {
        return false;
    }
    if (store_dataset_get(dgm->agent.store, arena, account, name, &old, err)) {
        return replace ||
               err_set(err, ERR_DATASET_EXISTS, "There is a dataset '%s' already.", name);
    }
    bool missing = err->code == ERR_DATASET_NOT_FOUND;
    err_clear(err);
    return missing || err_set(err, ERR_STORE, "The data folder could not be read.");
}

char *dgm_dataset_add(struct dgm *dgm, const char *account, const char *name,
                      const char *path, bool replace, struct dgm_error *error)
{
    struct err err;
    struct arena *arena = arena_new();
    err_clear(&err);
    instance_no_error(error);
    account = actor_account(arena, account);
    const char *called =
        str_empty(name) ? dataset_name_of(arena, str_or_empty(path)) : name;
    if (str_empty(path)) {
        (void)err_set(&err, ERR_USAGE, "No file was named.");
        return failed(error, &err, arena);
    }
    struct instance_import import = {
        .account = str_or_empty(account), .name = called, .path = path};
    struct store_dataset kept;
    instance_import_begin(dgm, &import);
    bool ok = name_take(dgm, arena, account, called, replace, &err) &&
              instance_import_run(dgm, arena, &import, &err) &&
              store_dataset_get(dgm->agent.store, arena, account, called, &kept, &err);
    instance_import_end(dgm, &import);
    if (!ok) {
        return failed(error, &err, arena);
    }
    sources_return(dgm->agent.sources, kept.id); /* it may have been another until now */
    char *text = dgm_dataset_get(dgm, account, called, error);
    arena_free(arena);
    return text;
}

char *dgm_dataset_list(struct dgm *dgm, const char *account, struct dgm_error *error)
{
    struct err err;
    struct store_datasets datasets = {0};
    struct arena *arena = arena_new();
    err_clear(&err);
    instance_no_error(error);
    account = actor_account(arena, account);
    if (!account_check(account, &err) || !instance_store(dgm, &err) ||
        !store_dataset_list(dgm->agent.store, arena, account, &datasets, &err)) {
        return failed(error, &err, arena);
    }
    struct buf buf;
    struct writer writer;
    buf_init(&buf, TEXT_MOST);
    writer_init(&writer, &buf);
    writer_array(&writer);
    for (size_t i = 0; i < datasets.count; i++) {
        writer_object(&writer);
        write_fields(arena, &writer, &datasets.items[i],
                     report_of(arena, &datasets.items[i]));
        writer_object_end(&writer);
    }
    writer_array_end(&writer);
    arena_free(arena);
    return buf_take(&buf);
}

static void write_rows(struct writer *writer, const struct rows *rows)
{
    writer_key(writer, "columns");
    writer_array(writer);
    for (size_t i = 0; i < rows->column_count; i++) {
        writer_text(writer, rows->columns[i].name);
    }
    writer_array_end(writer);
    writer_key(writer, "rows");
    writer_array(writer);
    for (size_t i = 0; i < rows->count; i++) {
        writer_array(writer);
        for (size_t c = 0; c < rows->column_count; c++) {
            value_show_json(writer, rows_cell(rows, i, c));
        }
        writer_array_end(writer);
    }
    writer_array_end(writer);
    writer_key_int(writer, "row_count", (int64_t)rows->count);
    writer_key_bool(writer, "truncated", rows->cut != ROWS_WHOLE);
}

static bool preview_rows(struct opened *opened, const char *table, int64_t most,
                         struct rows *rows, struct err *err)
{
    const struct table *found = str_empty(table) ? &opened->schema->tables.items[0]
                                                 : schema_table(opened->schema, table);
    if (!found) {
        return err_set(err, ERR_INVALID_SQL, "The dataset has no table '%.80s'.", table);
    }
    struct buf sql;
    buf_init(&sql, 1 << 16);
    (void)buf_text(&sql, "SELECT * FROM ");
    dialect_quote(&sql, DIALECT_DUCKDB, found->name, false);
    struct datasource_limits limits = {
        .max_rows = most > 0 && most < ROWS_MOST ? most : ROWS_MOST};
    bool ok = datasource_execute(opened->source, buf_get(&sql), opened->schema, &limits,
                                 rows, err);
    buf_release(&sql);
    return ok;
}

char *dgm_dataset_preview(struct dgm *dgm, const char *account, const char *name,
                          const char *table, int64_t rows, struct dgm_error *error)
{
    struct err err;
    struct opened opened;
    struct rows found;
    struct arena *arena = arena_new();
    err_clear(&err);
    instance_no_error(error);
    rows_init(&found, arena);
    if (!opened_init(dgm, arena, account, name, &opened, &err)) {
        return failed(error, &err, arena);
    }
    bool ok = preview_rows(&opened, table, rows, &found, &err);
    opened_close(&opened);
    if (!ok) {
        return failed(error, &err, arena);
    }
    struct buf buf;
    struct writer writer;
    buf_init(&buf, TEXT_MOST);
    writer_init(&writer, &buf);
    writer_object(&writer);
    write_rows(&writer, &found);
    writer_object_end(&writer);
    arena_free(arena);
    return buf_take(&buf);
}

/* Deletes the entry first: a file without an entry does less harm than the reverse. */
bool dgm_dataset_remove(struct dgm *dgm, const char *account, const char *name,
                        struct dgm_error *error)
{
    struct err err;
    struct store_dataset dataset;
    struct arena *arena = arena_new();
    err_clear(&err);
    instance_no_error(error);
    account = actor_account(arena, account);
    bool stopped = instance_import_stopped(dgm, account, str_or_empty(name));
    bool ok = account_check(account, &err) && instance_store(dgm, &err) &&
              store_dataset_get(dgm->agent.store, arena, account, name, &dataset, &err);
    if (ok && !str_equal(dataset.name, name)) { /* said by its id */
        (void)instance_import_stopped(dgm, account, dataset.name);
    }
    ok = ok && store_dataset_delete(dgm->agent.store, account, dataset.name, &err) &&
         dataset_remove(dataset_path(arena, dgm->options, account, dataset.name), &err);
    if (ok) {
        sources_return(dgm->agent.sources, dataset.id);
    }
    arena_free(arena);
    /* one that was only about to be there is gone as well */
    ok = ok || (stopped && err.code == ERR_DATASET_NOT_FOUND);
    return ok || instance_fail(error, &err);
}
