/* Runs one statement and hands its rows out, chunk by chunk. */
#include <string.h>

#include "base/arena.h"
#include "datasource/duckdb_driver.h"

/* Prepares the only statement of the text. */
static bool prepare_extracted(struct duck_session *session, const char *sql,
                              duckdb_extracted_statements statements, idx_t count,
                              duckdb_prepared_statement *out, struct err *err)
{
    const struct duck_library *library = session->library;
    if (count == 0) {
        const char *text = library->extract_statements_error(statements);
        return text ? duck_fail(session->limits, text, sql, err)
                    : err_set(err, ERR_INVALID_SQL, "There is no SQL statement.");
    }
    if (count > 1) {
        return err_set(err, ERR_UNSAFE, "Only one statement may run at a time.");
    }
    if (library->prepare_extracted_statement(session->connection, statements, 0, out) !=
        DuckDBSuccess) {
        return duck_fail(session->limits, library->prepare_error(*out), sql, err);
    }
    return true;
}

bool duck_prepare_one(struct duck_session *session, const char *sql, bool own,
                      duckdb_prepared_statement *out, struct err *err)
{
    const struct duck_library *library = session->library;
    duckdb_extracted_statements statements = NULL;
    *out = NULL;
    if (!own && !duck_lock_holds(sql, session->staged, err)) {
        return false;
    }
    idx_t count = library->extract_statements(session->connection, sql, &statements);
    bool ok = prepare_extracted(session, sql, statements, count, out, err);
    library->destroy_extracted(&statements);
    if (ok && !own &&
        library->prepared_statement_type(*out) != DUCKDB_STATEMENT_TYPE_SELECT) {
        ok = err_set(err, ERR_UNSAFE, "Only a query that reads may run.");
    }
    if (!ok) {
        library->destroy_prepare(out);
    }
    return ok;
}

struct handing {
    struct duck_session *session;
    duckdb_result result;
    struct duck_shape *shapes;
    size_t count; /* columns */
    int64_t left; /* rows that may still be handed out */
    const struct datasource_sink *sink;
    struct arena *arena;   /* for the whole result */
    struct arena *scratch; /* for one chunk */
};

static bool hand_columns(struct handing *work)
{
    const struct duck_library *library = work->session->library;
    struct rows_column *columns = arena_array(work->arena, work->count, sizeof *columns);
    work->shapes = arena_array(work->arena, work->count, sizeof *work->shapes);
    for (size_t i = 0; i < work->count; i++) {
        duckdb_logical_type type = library->column_logical_type(&work->result, i);
        duck_shape_read(library, work->arena, type, &work->shapes[i], 0);
        library->destroy_logical_type(&type);
        columns[i].name = library->column_name(&work->result, i);
        columns[i].name = columns[i].name ? columns[i].name : "";
        columns[i].type = work->shapes[i].name;
    }
    return work->sink->columns(work->sink->context, columns, work->count);
}

/* False when nothing more is wanted. */
static bool hand_chunk(struct handing *work, duckdb_data_chunk chunk)
{
    const struct duck_library *library = work->session->library;
    idx_t rows = library->data_chunk_get_size(chunk);
    struct value *cells = arena_array(work->scratch, work->count, sizeof *cells);
    duckdb_vector *vectors = arena_array(work->scratch, work->count, sizeof *vectors);
    for (size_t i = 0; i < work->count; i++) {
        vectors[i] = library->data_chunk_get_vector(chunk, i);
    }
    for (idx_t row = 0; row < rows; row++) {
        for (size_t i = 0; i < work->count; i++) {
            cells[i] =
                duck_cell(library, work->scratch, &work->shapes[i], vectors[i], row);
        }
        if (!work->sink->row(work->sink->context, cells) || --work->left <= 0) {
            return false;
        }
    }
    return true;
}

static bool hand_rows(struct handing *work, struct err *err)
{
    const struct duck_library *library = work->session->library;
    const struct datasource_limits *limits = work->session->limits;
    for (bool more = true; more;) {
        duckdb_data_chunk chunk = library->fetch_chunk(work->result);
        if (!chunk) {
            const char *text = library->result_error(&work->result);
            return !text || duck_fail(limits, text, NULL, err);
        }
        more = hand_chunk(work, chunk);
        library->destroy_data_chunk(&chunk);
        arena_reset(work->scratch);
    }
    return true;
}

bool duck_run(struct duck_session *session, const char *sql, bool own,
              const struct datasource_sink *sink, struct err *err)
{
    const struct duck_library *library = session->library;
    duckdb_prepared_statement statement = NULL;
    if (!duck_prepare_one(session, sql, own, &statement, err)) {
        return false;
    }
    const struct datasource_limits *limits = session->limits;
    bool capped = !own && limits && limits->max_rows > 0; /* our own SQL bounds itself */
    struct handing work = {.session = session,
                           .sink = sink,
                           .left = capped ? limits->max_rows + 1 : INT64_MAX};
    bool ok = limits_hold(session->limits, err);
    if (ok) {
        ok = (library->execute_streaming ? library->execute_streaming
                                         : library->execute_prepared)(
                 statement, &work.result) == DuckDBSuccess ||
             duck_fail(session->limits, library->result_error(&work.result), sql, err);
        if (ok) {
            work.arena = arena_new();
            work.scratch = arena_new();
            work.count = library->column_count(&work.result);
            ok = !hand_columns(&work) || hand_rows(&work, err);
            arena_free(work.scratch);
            arena_free(work.arena);
        }
        library->destroy_result(&work.result);
    }
    library->destroy_prepare(&statement);
    return ok;
}

struct texting {
    bool (*row)(void *context, const char *const *texts);
    void *context;
    struct arena *arena;
    const char **texts;
    size_t count;
};

static bool text_columns(void *context, const struct rows_column *columns, size_t count)
{
    struct texting *work = context;
    (void)columns;
    work->count = count;
    return true;
}

static bool text_row(void *context, const struct value *cells)
{
    struct texting *work = context;
    const char **texts = arena_array(work->arena, work->count, sizeof *texts);
    for (size_t i = 0; i < work->count; i++) {
        bool text = cells[i].kind == VALUE_TEXT || cells[i].kind == VALUE_NUMBER;
        texts[i] =
            text ? arena_copy(work->arena, cells[i].text.data, cells[i].text.size) : NULL;
    }
    bool more = work->row(work->context, texts);
    arena_reset(work->arena);
    return more;
}

bool duck_rows(struct duck_session *session, const char *sql,
               bool (*row)(void *context, const char *const *texts), void *context,
               struct err *err)
{
    struct texting work = {.row = row, .context = context, .arena = arena_new()};
    const struct datasource_sink sink = {
        .columns = text_columns, .row = text_row, .context = &work};
    bool ok = duck_run(session, sql, true, &sink, err);
    arena_free(work.arena);
    return ok;
}
