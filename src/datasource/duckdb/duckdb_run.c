/* One statement asked of the process that runs the engine, and its rows as they come. */
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "datasource/duckdb/duckdb.h"

enum {
    COLUMNS_MOST = 100000,
    CELL_ROOM = 16,       /* beside a cell's text */
    FRAME_ROOM = 4 << 20, /* beside the longest row */
    RENEW_MOST = 3,
};

static const struct {
    enum err_code code;
    const char *message;
} failures[ENGINE_FAILURES] = {
    [ENGINE_NOTHING_TO_RUN] = {ERR_INVALID_SQL, "There is no SQL statement."},
    [ENGINE_MANY_STATEMENTS] = {ERR_UNSAFE, "Only one statement may run at a time."},
    [ENGINE_NOT_A_QUERY] = {ERR_UNSAFE, "Only a query that reads may run."},
    [ENGINE_NO_CONNECTION] = {ERR_DATASOURCE_UNREACHABLE, "DuckDB gave no connection."},
};

/* What the engine's process says went wrong. */
static bool answer_fail(struct duckdb_session *session, struct frame_reader *in,
                        const char *sql, struct err *err)
{
    uint8_t why = frame_get_byte(in);
    struct arena *arena = arena_new();
    const char *text = frame_get_string(in, arena);
    session->starved = why == ENGINE_NO_CONNECTION || duckdb_says_starved(text);
    if (str_starts(text, "FATAL Error")) { /* nothing works in that process any more */
        atomic_store(&session->line.engine->blamed, true);
        engine_kill(session->line.engine);
    }
    if (why < ENGINE_FAILURES && failures[why].message) {
        (void)err_set(err, failures[why].code, "%s", failures[why].message);
    } else {
        (void)duckdb_fail(session->limits, text, sql, err);
    }
    arena_free(arena);
    return false;
}

/* ------------------------------------------------------------------ once more */

enum outcome { DONE, FAILED, LOST };

/* Memory ran out. Beside others it is not known who took it, so that is asked once more;
 * `err` is what was said, and stays when this session had the engine to itself. */
static bool fed(struct duckdb_session *session, int tried, struct err *err)
{
    const struct duckdb_source_state *state =
        session->source ? session->source->state : NULL;
    if (!state || engine_starved_alone(&session->line, state->path != NULL) ||
        limits_spent(session->limits)) {
        return false;
    }
    return tried < RENEW_MOST ? duckdb_renew_starved(session, err) : duckdb_crowded(err);
}

/* The engine is gone: what has not handed out anything is asked once more of another. */
static bool renewed(struct duckdb_session *session, int tried, struct err *err)
{
    struct engine_session *line = &session->line;
    bool ours = line->guilty || !limits_hold(session->limits, err);
    if (ours || !session->source || tried >= RENEW_MOST) {
        return engine_lost(line, err);
    }
    if (!atomic_load(&line->engine->blamed)) {
        struct err why;
        (void)engine_lost(line, &why);
        if (why.code == ERR_RESULT_TOO_LARGE || tried > 0) {
            *err = why;
            return why.code == ERR_RESULT_TOO_LARGE && fed(session, tried, err);
        }
    }
    return duckdb_renew(session, err);
}

/* ------------------------------------------------------------------ asking */

static bool simple(struct duckdb_session *session, const char *sql, uint64_t *number,
                   struct err *err)
{
    struct frame_reader in;
    session->starved = false;
    enum engine_message kind = engine_send(&session->line)
                                   ? engine_answer(&session->line, ENGINE_OWN_MOST, &in)
                                   : 0;
    if (kind == ENGINE_FAIL) {
        return answer_fail(session, &in, sql, err);
    }
    if (kind != ENGINE_OK) {
        engine_kill(session->line.engine);
        err->code = ERR_OK; /* lost: the caller says what that means */
        return false;
    }
    *number = frame_get_number(&in);
    return true;
}

bool duckdb_check_one(struct duckdb_session *session, const char *sql, bool own,
                      uint64_t *type, struct err *err)
{
    uint64_t number = 0;
    if (!own && !duckdb_lock_holds(sql, session->staged, err)) {
        return false;
    }
    for (int tried = 0;; tried++) {
        struct buf *out = engine_request(&session->line, ENGINE_CHECK);
        frame_put_byte(out, own);
        frame_put_string(out, sql);
        err_clear(err);
        if (simple(session, sql, &number, err)) {
            *type = number;
            return true;
        }
        bool again = err->code == ERR_OK ? renewed(session, tried, err)
                                         : session->starved && fed(session, tried, err);
        if (!again) {
            return false;
        }
    }
}

bool duckdb_statement(struct duckdb_session *session, const char *sql, struct err *err)
{
    uint64_t number = 0;
    frame_put_string(engine_request(&session->line, ENGINE_STATEMENT), sql);
    err_clear(err);
    return simple(session, NULL, &number, err) ||
           (err->code == ERR_OK ? engine_lost(&session->line, err) : false);
}

/* ------------------------------------------------------------------ rows */

struct handing {
    struct duckdb_session *session;
    const char *sql;
    const struct datasource_sink *sink;
    size_t row_bytes;
    size_t most;  /* of one frame */
    size_t count; /* columns */
    struct rows_column *columns;
    struct value *cells;
    bool begun; /* the sink has been told something */
    bool unwanted;
    struct arena *arena;   /* for the whole result */
    struct arena *scratch; /* for one frame */
};

static bool columns_read(struct handing *work, struct frame_reader *in)
{
    uint64_t count = frame_get_number(in);
    if (in->bad || count > COLUMNS_MOST || work->columns) {
        return false;
    }
    work->count = (size_t)count;
    work->columns = arena_array(work->arena, work->count, sizeof *work->columns);
    work->cells = arena_array(work->arena, work->count, sizeof *work->cells);
    work->most = FRAME_ROOM + work->row_bytes + work->count * CELL_ROOM;
    for (size_t i = 0; i < work->count; i++) {
        for (int part = 0; part < 2; part++) {
            size_t size = 0;
            const char *text = frame_get_text(in, &size);
            text = text_clean(work->arena, text, &size);
            text = arena_copy(work->arena, text, size);
            *(part ? &work->columns[i].type : &work->columns[i].name) = text;
        }
    }
    return !in->bad;
}

/* The columns are told as late as can be: until then all can be asked once more. */
static void duckdb_run_begin(struct handing *work)
{
    if (!work->begun) {
        work->begun = true;
        work->unwanted =
            !work->sink->columns(work->sink->context, work->columns, work->count);
    }
}

static bool rows_read(struct handing *work, struct frame_reader *in)
{
    uint64_t rows = frame_get_number(in);
    duckdb_run_begin(work);
    for (uint64_t i = 0; i < rows && !work->unwanted; i++) {
        if (work->count == 0 ||
            !frame_get_row(in, work->scratch, work->cells, work->count)) {
            return false;
        }
        work->unwanted = !work->sink->row(work->sink->context, work->cells);
    }
    arena_reset(work->scratch);
    return work->columns != NULL;
}

static enum outcome hand(struct handing *work, struct err *err)
{
    struct duckdb_session *session = work->session;
    struct frame_reader in;
    for (;;) {
        enum engine_message kind = engine_answer(&session->line, work->most, &in);
        bool good = kind == ENGINE_COLUMNS ? columns_read(work, &in)
                    : kind == ENGINE_ROWS  ? work->columns && rows_read(work, &in)
                                           : kind == ENGINE_OK || kind == ENGINE_FAIL;
        if (!good) {
            engine_kill(session->line.engine);
            return LOST;
        }
        if (kind == ENGINE_FAIL) {
            return answer_fail(session, &in, work->sql, err) ? DONE : FAILED;
        }
        if (kind == ENGINE_OK) {
            duckdb_run_begin(work);
            return DONE;
        }
        bool spent = limits_spent(session->limits);
        if (work->unwanted || spent) {
            engine_drain(&session->line, work->most);
            return !work->unwanted && !limits_hold(session->limits, err) ? FAILED : DONE;
        }
    }
}

static enum outcome run_once(struct handing *work, bool own, struct err *err)
{
    struct duckdb_session *session = work->session;
    const struct datasource_limits *limits = session->limits;
    bool capped = !own && limits && limits->max_rows > 0; /* our own SQL bounds itself */
    bool bytes = !own && limits && limits->max_bytes > 0;
    work->row_bytes = bytes ? (size_t)limits->max_bytes + 1 : ENGINE_OWN_MOST;
    work->most = FRAME_ROOM + work->row_bytes;
    work->columns = NULL;
    work->arena = arena_new();
    work->scratch = arena_new();
    struct buf *out = engine_request(&session->line, ENGINE_RUN);
    frame_put_byte(out, own);
    frame_put_number(out, capped ? (uint64_t)limits->max_rows + 1 : INT64_MAX);
    frame_put_number(out, work->row_bytes);
    frame_put_number(out, own ? ENGINE_OWN_MOST : limits_cell_bytes(limits));
    frame_put_string(out, work->sql);
    enum outcome outcome = LOST;
    if (out->full) {
        outcome = err_set(err, ERR_INVALID_SQL, "The SQL is too long.") ? DONE : FAILED;
    } else if (engine_send(&session->line)) {
        outcome = hand(work, err);
    }
    arena_free(work->scratch);
    arena_free(work->arena);
    return outcome;
}

/* Rows were handed out already: it cannot be asked once more. */
static bool begun_failed(struct duckdb_session *session, enum outcome outcome,
                         struct err *err)
{
    if (outcome == LOST) {
        (void)engine_lost(&session->line, err);
    }
    bool starved = outcome == LOST ? err->code == ERR_RESULT_TOO_LARGE : session->starved;
    return starved && session->source && !engine_starved_alone(&session->line, false)
               ? duckdb_crowded(err)
               : false;
}

bool duckdb_run(struct duckdb_session *session, const char *sql, bool own,
                const struct datasource_sink *sink, struct err *err)
{
    struct handing work = {.session = session, .sql = sql, .sink = sink};
    if ((!own && !duckdb_lock_holds(sql, session->staged, err)) ||
        !limits_hold(session->limits, err)) {
        return false;
    }
    for (int tried = 0;; tried++) {
        session->starved = false;
        enum outcome outcome = run_once(&work, own, err);
        if (outcome == DONE) {
            return true;
        }
        if (work.begun) {
            return begun_failed(session, outcome, err);
        }
        bool again = outcome == LOST ? renewed(session, tried, err)
                                     : session->starved && fed(session, tried, err);
        if (!again) {
            return false;
        }
        err_clear(err);
    }
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

bool duckdb_rows(struct duckdb_session *session, const char *sql,
                 bool (*row)(void *context, const char *const *texts), void *context,
                 struct err *err)
{
    struct texting work = {.row = row, .context = context, .arena = arena_new()};
    const struct datasource_sink sink = {
        .columns = text_columns, .row = text_row, .context = &work};
    bool ok = duckdb_run(session, sql, true, &sink, err);
    arena_free(work.arena);
    return ok;
}
