/* What a connection of an engine is asked: checks, queries with their rows, statements.
 */
#include <string.h>

#include "base/arena.h"
#include "base/memory.h"
#include "datasource/engine/engine_helper.h"

enum { REQUEST_MOST = 64 << 20 };

/* ------------------------------------------------------------------ answers */

/* Each says which request it belongs to. */
static void reply_begin(struct host_session *session, enum engine_message kind)
{
    frame_begin(&session->out, kind);
    frame_put_number(&session->out, session->serial);
}

static bool send_out(struct host_session *session)
{
    return frame_end(&session->out) && frame_send(&session->stream, &session->out, -1);
}

bool host_ok(struct host_session *session, uint64_t number)
{
    reply_begin(session, ENGINE_OK);
    frame_put_number(&session->out, number);
    return send_out(session);
}

bool host_fail(struct host_session *session, enum engine_failure why, const char *text)
{
    reply_begin(session, ENGINE_FAIL);
    frame_put_byte(&session->out, (uint8_t)why);
    frame_put_string(&session->out, text);
    return send_out(session);
}

/* ------------------------------------------------------------------ one statement */

/* NULL if that failed; the error was sent. */
static duckdb_prepared_statement
engine_serve_prepare(struct host_session *session, const char *sql, bool own, bool *alive)
{
    const struct duckdb_library *library = session->host->library;
    duckdb_extracted_statements statements = NULL;
    duckdb_prepared_statement statement = NULL;
    idx_t count = library->extract_statements(session->connection, sql, &statements);
    bool ready = count == 1 &&
                 library->prepare_extracted_statement(session->connection, statements, 0,
                                                      &statement) == DuckDBSuccess;
    if (count == 0) {
        const char *text = library->extract_statements_error(statements);
        *alive = host_fail(session, text ? ENGINE_SAID : ENGINE_NOTHING_TO_RUN, text);
    } else if (count > 1) {
        *alive = host_fail(session, ENGINE_MANY_STATEMENTS, "");
    } else if (!ready) {
        *alive = host_fail(session, ENGINE_SAID, library->prepare_error(statement));
    } else if (!own && library->prepared_statement_type(statement) !=
                           DUCKDB_STATEMENT_TYPE_SELECT) {
        ready = false;
        *alive = host_fail(session, ENGINE_NOT_A_QUERY, "");
    }
    library->destroy_extracted(&statements);
    if (!ready) {
        library->destroy_prepare(&statement);
    }
    return ready ? statement : NULL;
}

static bool check(struct host_session *session, struct frame_reader *in)
{
    const struct duckdb_library *library = session->host->library;
    bool own = frame_get_byte(in) != 0;
    bool alive = true;
    const char *sql = frame_get_string(in, session->arena);
    duckdb_prepared_statement statement = engine_serve_prepare(session, sql, own, &alive);
    if (statement) {
        alive = host_ok(session, library->prepared_statement_type(statement));
        library->destroy_prepare(&statement);
    }
    return alive;
}

/* ------------------------------------------------------------------ rows */

struct handing {
    struct host_session *session;
    duckdb_result result;
    struct duckdb_shape *shapes;
    size_t count;          /* columns */
    int64_t left;          /* rows that may still be handed out */
    size_t row_bytes;      /* the most of one row's texts that anybody takes */
    size_t cell_bytes;     /* and of one of them */
    struct arena *scratch; /* for one chunk */
    bool alive;
};

static bool hand_columns(struct handing *work)
{
    struct host_session *session = work->session;
    const struct duckdb_library *library = session->host->library;
    work->shapes = arena_array(session->arena, work->count, sizeof *work->shapes);
    reply_begin(session, ENGINE_COLUMNS);
    frame_put_number(&session->out, work->count);
    for (size_t i = 0; i < work->count; i++) {
        duckdb_logical_type type = library->column_logical_type(&work->result, i);
        duckdb_shape_read(library, session->arena, type, &work->shapes[i], 0);
        library->destroy_logical_type(&type);
        frame_put_string(&session->out, library->column_name(&work->result, i));
        frame_put_string(&session->out, work->shapes[i].name);
    }
    return send_out(session);
}

static bool rows_send(struct handing *work, uint64_t rows)
{
    struct buf *out = &work->session->out;
    memcpy(out->data + ENGINE_COUNT_AT, &rows, sizeof rows);
    work->alive = send_out(work->session);
    return work->alive;
}

/* False if no more rows are wanted, or the other process has gone. */
static bool hand_chunk(struct handing *work, duckdb_data_chunk chunk)
{
    const struct duckdb_library *library = work->session->host->library;
    struct buf *out = &work->session->out;
    idx_t rows = library->data_chunk_get_size(chunk);
    struct value *cells = arena_array(work->scratch, work->count, sizeof *cells);
    duckdb_vector *vectors = arena_array(work->scratch, work->count, sizeof *vectors);
    for (size_t i = 0; i < work->count; i++) {
        vectors[i] = library->data_chunk_get_vector(chunk, i);
    }
    uint64_t waiting = 0;
    for (idx_t row = 0; row < rows && work->left > 0; row++, work->left--) {
        if (waiting == 0) {
            reply_begin(work->session, ENGINE_ROWS);
            frame_put_number(out, 0);
        }
        for (size_t i = 0; i < work->count; i++) {
            cells[i] =
                duckdb_cell(library, work->scratch, &work->shapes[i], vectors[i], row);
        }
        frame_put_row(out, cells, work->count, work->cell_bytes, work->row_bytes);
        waiting++;
        if (out->size >= ENGINE_BATCH_BYTES) {
            if (!rows_send(work, waiting)) {
                return false;
            }
            waiting = 0;
        }
    }
    return (waiting == 0 || rows_send(work, waiting)) && work->left > 0;
}

static bool wanted(struct host_session *session)
{
    (void)pthread_mutex_lock(&session->host->lock);
    bool more = session->enough != session->serial;
    (void)pthread_mutex_unlock(&session->host->lock);
    return more;
}

static bool hand_rows(struct handing *work)
{
    const struct duckdb_library *library = work->session->host->library;
    for (bool more = work->left > 0; more && wanted(work->session);) {
        duckdb_data_chunk chunk = library->fetch_chunk(work->result);
        if (!chunk) {
            const char *text = library->result_error(&work->result);
            if (text) {
                return host_fail(work->session, ENGINE_SAID, text);
            }
            break;
        }
        more = hand_chunk(work, chunk);
        library->destroy_data_chunk(&chunk);
        arena_reset(work->scratch);
    }
    return work->alive && host_ok(work->session, 0);
}

static bool engine_serve_run(struct host_session *session, struct frame_reader *in)
{
    const struct duckdb_library *library = session->host->library;
    struct handing work = {.session = session, .alive = true};
    bool own = frame_get_byte(in) != 0;
    work.left = (int64_t)frame_get_number(in);
    work.row_bytes = (size_t)frame_get_number(in);
    work.cell_bytes = (size_t)frame_get_number(in);
    const char *sql = frame_get_string(in, session->arena);
    duckdb_prepared_statement statement =
        engine_serve_prepare(session, sql, own, &work.alive);
    if (!statement) {
        return work.alive;
    }
    bool alive = true;
    if ((library->execute_streaming
             ? library->execute_streaming
             : library->execute_prepared)(statement, &work.result) != DuckDBSuccess) {
        alive = host_fail(session, ENGINE_SAID, library->result_error(&work.result));
    } else {
        work.scratch = arena_new();
        work.count = library->column_count(&work.result);
        alive = hand_columns(&work) && hand_rows(&work);
        arena_free(work.scratch);
    }
    library->destroy_result(&work.result);
    library->destroy_prepare(&statement);
    return alive;
}

bool host_statement(struct host_session *session, const char *sql)
{
    const struct duckdb_library *library = session->host->library;
    duckdb_result result;
    bool done = library->query(session->connection, sql, &result) == DuckDBSuccess;
    if (!done) {
        (void)host_fail(session, ENGINE_SAID, library->result_error(&result));
    }
    library->destroy_result(&result);
    return done;
}

static bool statement(struct host_session *session, struct frame_reader *in)
{
    return !host_statement(session, frame_get_string(in, session->arena)) ||
           host_ok(session, 0);
}

static bool table_end(struct host_session *session, struct frame_reader *in)
{
    (void)in;
    return host_table_end(session);
}

/* ------------------------------------------------------------------ the thread */

static const struct {
    enum engine_message kind;
    bool (*serve)(struct host_session *session, struct frame_reader *in);
} requests[] = {
    {ENGINE_CHECK, check},
    {ENGINE_RUN, engine_serve_run},
    {ENGINE_STATEMENT, statement},
    {ENGINE_TABLE, host_table_begin},
    {ENGINE_BATCH, host_table_batch},
    {ENGINE_TABLE_END, table_end},
};

static void serial_set(struct host_session *session, uint64_t serial)
{
    (void)pthread_mutex_lock(&session->host->lock);
    session->serial = serial;
    (void)pthread_mutex_unlock(&session->host->lock);
}

static bool serve(struct host_session *session, enum engine_message kind,
                  struct frame_reader *in)
{
    serial_set(session, frame_get_number(in));
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++) {
        if (requests[i].kind == kind && !in->bad) {
            bool alive = session->connection
                             ? requests[i].serve(session, in)
                             : host_fail(session, ENGINE_NO_CONNECTION, "");
            arena_reset(session->arena);
            return alive && !in->bad;
        }
    }
    return false;
}

static void session_leave(struct host_session *session)
{
    struct host *host = session->host;
    (void)pthread_mutex_lock(&host->lock);
    for (struct host_session **at = &host->sessions; *at; at = &(*at)->next) {
        if (*at == session) {
            *at = session->next;
            break;
        }
    }
    (void)pthread_mutex_unlock(&host->lock);
}

void *host_session_main(void *context)
{
    struct host_session *session = context;
    struct host *host = session->host;
    duckdb_connection connection = NULL;
    struct frame_reader in;
    session->arena = arena_new();
    if (host->library->connect(host->database, &connection) != DuckDBSuccess) {
        connection = NULL;
    }
    (void)pthread_mutex_lock(&host->lock);
    session->connection = connection;
    (void)pthread_mutex_unlock(&host->lock);
    for (enum engine_message kind;
         (kind = frame_receive(&session->stream, REQUEST_MOST, &in)) != 0;) {
        if (!serve(session, kind, &in)) {
            break;
        }
    }
    serial_set(session, 0);
    host_table_drop(session);
    (void)pthread_mutex_lock(&host->lock);
    session->connection = NULL;
    (void)pthread_mutex_unlock(&host->lock);
    if (connection) {
        host->library->disconnect(&connection);
    }
    session_leave(session);
    frame_stream_release(&session->stream);
    buf_release(&session->out);
    arena_free(session->arena);
    memory_free(session);
    return NULL;
}
