/* Rows for a table of the engine, sent in batches: the next is made while it works. */
#include <string.h>

#include "base/arena.h"
#include "datasource/duckdb/duckdb.h"

/* The answer of a table: true when all is well. */
static bool answer(struct duckdb_session *session, struct err *err)
{
    struct frame_reader in;
    enum engine_message kind = engine_answer(&session->line, ENGINE_OWN_MOST, &in);
    if (kind == ENGINE_OK) {
        return true;
    }
    session->line.appending = false;
    if (kind != ENGINE_FAIL) {
        engine_kill(session->line.engine);
        return engine_lost(&session->line, err);
    }
    struct arena *arena = arena_new();
    (void)frame_get_byte(&in);
    const char *text = frame_get_string(&in, arena);
    /* an interrupted appender speaks of a failed append: the limits know better */
    bool ok = limits_hold(session->limits, err) &&
              duckdb_fail(session->limits, text, NULL, err);
    arena_free(arena);
    return ok;
}

static void batch_begin(struct duckdb_session *session)
{
    struct buf *out = &session->line.out;
    frame_begin(out, ENGINE_BATCH);
    frame_put_number(out, session->line.serial); /* all that belongs to the table */
    frame_put_number(out, 0);
    session->waiting = 0;
}

bool duckdb_append_begin(struct duckdb_session *session, const struct duckdb_table *table,
                         struct err *err)
{
    struct buf *out = engine_request(&session->line, ENGINE_TABLE);
    frame_put_byte(out, table->wanted);
    frame_put_string(out, table->namespace);
    frame_put_string(out, table->name);
    frame_put_number(out, table->count);
    for (size_t i = 0; i < table->count; i++) {
        frame_put_string(out, table->names ? table->names[i] : "");
        frame_put_byte(out, (uint8_t)table->types[i].kind);
        frame_put_byte(out, (uint8_t)table->types[i].width);
        frame_put_byte(out, (uint8_t)table->types[i].scale);
    }
    session->columns = table->count;
    if (!engine_send(&session->line)) {
        engine_kill(session->line.engine);
        return engine_lost(&session->line, err);
    }
    if (!answer(session, err)) {
        return false;
    }
    session->line.appending = true;
    batch_begin(session);
    return true;
}

static bool batch_send(struct duckdb_session *session, struct err *err)
{
    struct buf *out = &session->line.out;
    uint64_t rows = session->waiting;
    if (!limits_hold(session->limits, err)) {
        return false;
    }
    if (rows == 0) {
        return true;
    }
    if (out->full) {
        return err_set(err, ERR_RESULT_TOO_LARGE, "A row is larger than 64 MB.");
    }
    memcpy(out->data + ENGINE_COUNT_AT, &rows, sizeof rows);
    /* a batch gets a reply only if it failed */
    if (engine_answered(&session->line)) {
        return answer(session, err) &&
               err_set(err, ERR_INTERNAL,
                       "The process that runs DuckDB sent an unexpected reply.");
    }
    if (!engine_send(&session->line)) {
        engine_kill(session->line.engine);
        return engine_lost(&session->line, err);
    }
    batch_begin(session);
    return true;
}

bool duckdb_append_row(struct duckdb_session *session, const struct value *cells,
                       struct err *err)
{
    struct buf *out = &session->line.out;
    frame_put_row(out, cells, session->columns, SIZE_MAX, SIZE_MAX);
    session->waiting++;
    return (session->waiting < ENGINE_BATCH_ROWS && out->size < ENGINE_BATCH_BYTES * 4) ||
           batch_send(session, err);
}

bool duckdb_append_end(struct duckdb_session *session, struct err *err)
{
    if (!session->line.appending) {
        return err_set(err, ERR_INTERNAL, "The rows before were not taken.");
    }
    if (!batch_send(session, err)) {
        return false;
    }
    frame_begin(&session->line.out, ENGINE_TABLE_END);
    frame_put_number(&session->line.out, session->line.serial);
    session->line.appending = false;
    if (!engine_send(&session->line)) {
        engine_kill(session->line.engine);
        return engine_lost(&session->line, err);
    }
    return answer(session, err);
}
