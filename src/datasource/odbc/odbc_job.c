/*
 * One call of ODBC in a thread of its own. The caller looks at its stop signal and its
 * deadline; then it has the driver cancel the call. When the driver does not come back
 * even so, the job is left behind: it holds copies of all it needs, hands out nothing any
 * more, and the connection goes when it ends.
 */
#include <locale.h>
#include <poll.h>
#include <string.h>
#include <time.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/memory.h"
#include "datasource/odbc/odbc_driver.h"

enum {
    SLICE_MS = 20,             /* how soon a stop is seen */
    CANCEL_PATIENCE_MS = 2000, /* for a call that was cancelled to end */
    CANCEL_AGAIN_MS = 200,     /* a cancel before the query has begun is lost */
};

struct job {
    struct odbc_request request;        /* copied into the arena */
    const struct odbc_product *product; /* NULL while it connects for the first time */
    SQLHDBC connection;
    SQLHSTMT statement;
    struct arena *arena;
    struct arena *scratch; /* for one row */
    size_t intake_most;    /* bytes that the driver may receive within one call */
    struct odbc_intake intake;
    pthread_mutex_t lock; /* guards all below */
    pthread_cond_t changed;
    struct odbc_sink sink;
    bool calling;    /* the driver works on the statement, and may be told to cancel it */
    bool cancelling; /* somebody tells it just now */
    bool left;       /* the caller is gone: nothing is handed out */
    bool stopping;   /* so no more rows are wanted */
    bool handed;     /* rows went out: the same again would be twice */
    bool done;
    bool ok;
    struct err err;
    int holders;
};

static void job_leave(struct job *job)
{
    (void)pthread_mutex_lock(&job->lock);
    bool last = --job->holders == 0;
    (void)pthread_mutex_unlock(&job->lock);
    if (last) {
        arena_free(job->arena);
        arena_free(job->scratch);
        (void)pthread_cond_destroy(&job->changed);
        (void)pthread_mutex_destroy(&job->lock);
        memory_free(job);
    }
}

/* ------------------------------------------------------------------ the job's thread */

/* A cancel is sent only while the driver works on the statement. The driver manager frees
 * the messages of a statement at each call that names it, a cancel too, and without a
 * lock: one that came while they are read would free them under the reader. */
static bool calling_begin(struct job *job)
{
    (void)pthread_mutex_lock(&job->lock);
    job->calling = !job->stopping;
    bool calling = job->calling;
    (void)pthread_mutex_unlock(&job->lock);
    odbc_intake_begin(&job->intake, job->intake_most);
    return calling;
}

static void calling_end(struct job *job)
{
    odbc_intake_end();
    (void)pthread_mutex_lock(&job->lock);
    job->calling = false;
    while (job->cancelling) {
        (void)pthread_cond_wait(&job->changed, &job->lock);
    }
    (void)pthread_mutex_unlock(&job->lock);
}

static bool statement_fail(struct job *job)
{
    return odbc_fail(job->product, SQL_HANDLE_STMT, job->statement,
                     job->request.text ? job->request.text : "", &job->err);
}

static SQLCHAR *text_of(const char *text)
{
    return (SQLCHAR *)(uintptr_t)text; /* ODBC's arguments are not const */
}

static SQLSMALLINT size_of(const char *text)
{
    return (SQLSMALLINT)(text ? SQL_NTS : 0);
}

static SQLRETURN call(struct job *job)
{
    const struct odbc_request *asked = &job->request;
    SQLHSTMT statement = job->statement;
    SQLCHAR *text = text_of(asked->text);
    SQLCHAR *catalog = text_of(asked->catalog);
    SQLCHAR *schema = text_of(asked->schema);
    SQLSMALLINT text_size = size_of(asked->text);
    SQLSMALLINT catalog_size = size_of(asked->catalog);
    SQLSMALLINT schema_size = size_of(asked->schema);
    switch (asked->call) {
    case ODBC_CONNECT:
        return SQL_ERROR;
    case ODBC_EXECUTE:
        return odbc.ExecDirect(statement, text, SQL_NTS);
    case ODBC_PREPARE:
        return odbc.Prepare(statement, text, SQL_NTS);
    case ODBC_TABLES:
        return odbc.Tables(statement, catalog, catalog_size, schema, schema_size, NULL, 0,
                           text_of("TABLE,VIEW"), SQL_NTS);
    case ODBC_COLUMNS:
        return odbc.Columns(statement, catalog, catalog_size, schema, schema_size, text,
                            text_size, NULL, 0);
    case ODBC_PRIMARY:
        return odbc.PrimaryKeys(statement, catalog, catalog_size, schema, schema_size,
                                text, text_size);
    case ODBC_FOREIGN:
        return odbc.ForeignKeys(statement, NULL, 0, NULL, 0, NULL, 0, catalog,
                                catalog_size, schema, schema_size, text, text_size);
    case ODBC_STATISTICS:
        break;
    }
    return odbc.Statistics(statement, catalog, catalog_size, schema, schema_size, text,
                           text_size, SQL_INDEX_ALL, SQL_QUICK);
}

/* A sink is called with the lock held, so nobody can leave in the middle. */
static bool columns_hand(struct job *job, const struct rows_column *columns, size_t count)
{
    (void)pthread_mutex_lock(&job->lock);
    bool more =
        !job->left && !job->stopping &&
        (!job->sink.columns || job->sink.columns(job->sink.context, columns, count));
    (void)pthread_mutex_unlock(&job->lock);
    return more;
}

static void kinds_hand(struct job *job, const enum odbc_kind *kinds, size_t count)
{
    (void)pthread_mutex_lock(&job->lock);
    if (!job->left && !job->stopping && job->sink.kinds) {
        job->sink.kinds(job->sink.context, kinds, count);
    }
    (void)pthread_mutex_unlock(&job->lock);
}

static bool row_hand(struct job *job, const struct value *cells)
{
    (void)pthread_mutex_lock(&job->lock);
    job->handed = true;
    bool more = !job->left && !job->stopping &&
                (!job->sink.row || job->sink.row(job->sink.context, cells));
    (void)pthread_mutex_unlock(&job->lock);
    return more;
}

static bool columns_read(struct job *job, size_t count, enum odbc_kind *kinds)
{
    struct rows_column *columns = arena_array(job->arena, count + 1, sizeof *columns);
    for (size_t i = 0; i < count; i++) {
        SQLCHAR name[512] = "";
        SQLCHAR own[128] = "";
        SQLSMALLINT size = 0;
        SQLSMALLINT type = 0;
        SQLULEN width = 0;
        SQLSMALLINT digits = 0;
        SQLSMALLINT nullable = 0;
        SQLUSMALLINT number = (SQLUSMALLINT)(i + 1);
        if (!SQL_SUCCEEDED(odbc.DescribeCol(job->statement, number, name,
                                            (SQLSMALLINT)sizeof name, &size, &type,
                                            &width, &digits, &nullable))) {
            return statement_fail(job);
        }
        (void)odbc.ColAttribute(job->statement, number, SQL_DESC_TYPE_NAME, own,
                                (SQLSMALLINT)sizeof own, &size, NULL);
        size_t length = strlen((char *)name);
        kinds[i] = odbc_kind_of(type);
        columns[i].name =
            arena_text(job->arena, text_clean(job->arena, (const char *)name, &length));
        columns[i].type = odbc_type_name(job->arena, type, (const char *)own, 0, 0);
    }
    kinds_hand(job, kinds, count);
    (void)columns_hand(job, columns, count);
    return true;
}

static bool rows_read(struct job *job)
{
    SQLSMALLINT number = 0;
    if (!SQL_SUCCEEDED(odbc.NumResultCols(job->statement, &number))) {
        return statement_fail(job);
    }
    size_t count = number > 0 ? (size_t)number : 0;
    enum odbc_kind *kinds = arena_array(job->arena, count + 1, sizeof *kinds);
    struct value *cells = arena_array(job->arena, count + 1, sizeof *cells);
    if (count == 0 && job->request.call == ODBC_PREPARE) {
        return err_set(&job->err, ERR_UNSAFE, "Only a query that reads may run.");
    }
    if (!columns_read(job, count, kinds) || count == 0 ||
        job->request.call == ODBC_PREPARE) {
        return job->err.code == ERR_OK;
    }
    for (int64_t rows = 0; job->request.most == 0 || rows < job->request.most; rows++) {
        if (!calling_begin(job)) {
            return true;
        }
        SQLRETURN got = odbc.Fetch(job->statement);
        calling_end(job);
        if (got == SQL_NO_DATA) {
            return true;
        }
        bool ok = SQL_SUCCEEDED(got);
        for (size_t i = 0; ok && i < count; i++) {
            ok = odbc_cell(job->statement, (SQLUSMALLINT)(i + 1), kinds[i],
                           job->request.cell_most, job->scratch, &cells[i]);
        }
        if (!ok) {
            return statement_fail(job);
        }
        bool more = row_hand(job, cells);
        arena_reset(job->scratch);
        if (!more) {
            return true;
        }
    }
    return true;
}

/* In the transaction that the statement itself then runs in. */
static bool first_run(struct job *job)
{
    SQLHSTMT statement = NULL;
    if (!job->request.first) {
        return true;
    }
    if (!SQL_SUCCEEDED(odbc.AllocHandle(SQL_HANDLE_STMT, job->connection, &statement))) {
        return odbc_fail(job->product, SQL_HANDLE_DBC, job->connection, "", &job->err);
    }
    bool ok =
        SQL_SUCCEEDED(odbc.ExecDirect(statement, text_of(job->request.first), SQL_NTS)) ||
        odbc_fail(job->product, SQL_HANDLE_STMT, statement, job->request.first,
                  &job->err);
    (void)odbc.FreeHandle(SQL_HANDLE_STMT, statement);
    return ok;
}

static bool statement_run(struct job *job)
{
    if (!first_run(job)) {
        return false;
    }
    if (!SQL_SUCCEEDED(
            odbc.AllocHandle(SQL_HANDLE_STMT, job->connection, &job->statement))) {
        return odbc_fail(job->product, SQL_HANDLE_DBC, job->connection, "", &job->err);
    }
    enum { MOST_ROWS = 1000000000 };
    if (job->request.most > 0 && job->request.most < MOST_ROWS &&
        !job->product->limits_rows) {
        /* for drivers that read a whole result before they hand out its first row */
        (void)odbc.SetStmtAttr(job->statement, SQL_ATTR_MAX_ROWS,
                               (SQLPOINTER)(uintptr_t)job->request.most, /* NOLINT */
                               SQL_IS_UINTEGER);
    }
    SQLRETURN called = calling_begin(job) ? call(job) : SQL_ERROR;
    calling_end(job);
    bool ok = SQL_SUCCEEDED(called) || called == SQL_NO_DATA ? rows_read(job)
                                                             : statement_fail(job);
    (void)odbc.FreeHandle(SQL_HANDLE_STMT, job->statement);
    /* Nothing that it did stays. */
    (void)odbc.EndTran(SQL_HANDLE_DBC, job->connection, SQL_ROLLBACK);
    return !odbc_intake_refuse(&job->intake, &job->err) && ok;
}

static bool connect_run(struct job *job)
{
    SQLSMALLINT size = 0;
    SQLCHAR done[1024];
    return SQL_SUCCEEDED(odbc.DriverConnect(
               job->connection, NULL, text_of(job->request.text), SQL_NTS, done,
               (SQLSMALLINT)sizeof done, &size, SQL_DRIVER_NOPROMPT)) ||
           odbc_fail(job->product, SQL_HANDLE_DBC, job->connection, "", &job->err);
}

static void *job_run(void *context)
{
    struct job *job = context;
    if (odbc.locale) {
        (void)uselocale(odbc.locale);
    }
    bool ok = job->request.call == ODBC_CONNECT ? connect_run(job) : statement_run(job);
    (void)pthread_mutex_lock(&job->lock);
    job->ok = ok;
    job->done = true;
    bool left = job->left;
    (void)pthread_cond_broadcast(&job->changed);
    (void)pthread_mutex_unlock(&job->lock);
    if (left) { /* nobody else knows the connection */
        (void)odbc.Disconnect(job->connection);
        (void)odbc.FreeHandle(SQL_HANDLE_DBC, job->connection);
    }
    job_leave(job);
    return NULL;
}

/* ------------------------------------------------------------------ the caller */

static void slice_wait(struct job *job)
{
    struct timespec until;
    (void)clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += SLICE_MS * 1000000L;
    until.tv_sec += until.tv_nsec / 1000000000L;
    until.tv_nsec %= 1000000000L;
    (void)pthread_cond_timedwait(&job->changed, &job->lock, &until);
}

/* With the lock held. Cancels again while the call goes on: the first may come before the
 * driver has begun. */
static void job_stop(struct job *job)
{
    int64_t until_ms = clock_ms() + CANCEL_PATIENCE_MS;
    int64_t next_ms = 0;
    job->stopping = true;
    while (!job->done && clock_ms() < until_ms) {
        if (job->calling && clock_ms() >= next_ms) {
            next_ms = clock_ms() + CANCEL_AGAIN_MS;
            job->cancelling = true;
            (void)pthread_mutex_unlock(&job->lock);
            (void)odbc.Cancel(job->statement);
            (void)pthread_mutex_lock(&job->lock);
            job->cancelling = false;
            (void)pthread_cond_broadcast(&job->changed);
        }
        slice_wait(job);
    }
}

/* An answer is cut where it is full, so somewhat more than it holds may come. */
static size_t intake_most(const struct datasource_limits *limits)
{
    enum { TIMES = 4, LEAST = 32 << 20, OWN_MOST = 256 << 20 };
    if (!limits || limits->max_bytes <= 0) {
        return OWN_MOST; /* dragoman's own SQL */
    }
    if ((size_t)limits->max_bytes > SIZE_MAX / TIMES) {
        return SIZE_MAX;
    }
    size_t most = (size_t)limits->max_bytes * TIMES;
    return most > LEAST ? most : LEAST;
}

static struct job *job_new(struct odbc_session *session,
                           const struct odbc_request *request,
                           const struct odbc_sink *sink)
{
    struct job *job = memory_alloc(sizeof *job);
    pthread_condattr_t attributes;
    (void)pthread_condattr_init(&attributes);
    (void)pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    (void)pthread_cond_init(&job->changed, &attributes);
    (void)pthread_condattr_destroy(&attributes);
    (void)pthread_mutex_init(&job->lock, NULL);
    job->arena = arena_new();
    job->scratch = arena_new();
    job->request = *request;
    job->request.cell_most =
        request->cell_most ? request->cell_most : limits_cell_bytes(session->base.limits);
    job->intake_most = intake_most(session->base.limits);
    job->request.text = arena_text(job->arena, request->text);
    job->request.first = arena_text(job->arena, request->first);
    job->request.catalog = arena_text(job->arena, request->catalog);
    job->request.schema = arena_text(job->arena, request->schema);
    job->product = session->state->product;
    job->connection = session->connection;
    job->sink = sink ? *sink : (struct odbc_sink){0};
    job->holders = 2;
    err_clear(&job->err);
    return job;
}

bool odbc_job(struct odbc_session *session, const struct odbc_request *request,
              const struct odbc_sink *sink, struct err *err)
{
    const struct datasource_limits *limits = session->base.limits;
    if (!limits_hold(limits, err)) {
        return false;
    }
    struct job *job = job_new(session, request, sink);
    pthread_t thread;
    if (pthread_create(&thread, NULL, job_run, job) != 0) {
        job->holders = 1;
        job_leave(job);
        return err_set(err, ERR_INTERNAL, "No thread can be started.");
    }
    (void)pthread_detach(thread);
    (void)pthread_mutex_lock(&job->lock);
    while (!job->done && !limits_spent(limits)) {
        slice_wait(job);
    }
    bool late = !job->done;
    if (late) {
        job_stop(job);
    }
    bool ok = job->done && job->ok && !late;
    if (!job->done) {
        job->left = true;
        session->connection = NULL; /* it is the job's now */
        session->base.broken = true;
    } else if (!ok && job->err.code != ERR_OK) {
        *err = job->err;
    }
    session->base.answered = session->base.answered || job->handed || ok;
    session->base.broken = session->base.broken || (job->done && job->intake.over);
    (void)pthread_mutex_unlock(&job->lock);
    job_leave(job);
    if (late || (!ok && err->code == ERR_TIMEOUT)) {
        session->base.broken = session->base.broken || late;
        return limits_hold(limits, err) &&
               err_set(err, ERR_TIMEOUT, "The query was ended on the server.");
    }

    session->base.broken = session->base.broken || (!ok && odbc_lost(err));
    return ok;
}
