/* One connection over ODBC, made to read only as well as its database can. */
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/memory.h"
#include "base/str.h"
#include "datasource/odbc/odbc_driver.h"

static void info_get(SQLHDBC connection, SQLUSMALLINT what, char out[128])
{
    SQLSMALLINT size = 0;
    memset(out, 0, 128);
    if (!SQL_SUCCEEDED(odbc.GetInfo(connection, what, out, 127, &size))) {
        out[0] = '\0';
    }
}

/* What the database is, once for the source. */
static void product_find(struct odbc_session *session)
{
    char text[128];
    struct odbc_state *state = session->state;
    info_get(session->connection, SQL_DBMS_NAME, text);
    const struct odbc_product *product = odbc_product_find(text);
    info_get(session->connection, SQL_IDENTIFIER_QUOTE_CHAR, text);
    (void)pthread_mutex_lock(&state->pool.lock);
    if (!state->product) {
        state->quote = product->dialect == DIALECT_MYSQL ? '`' : text[0];
        state->product = product;
    }
    (void)pthread_mutex_unlock(&state->pool.lock);
}

static bool home_row(void *context, const struct value *cells)
{
    struct odbc_state *state = context;
    if (cells[0].kind == VALUE_TEXT) {
        (void)pthread_mutex_lock(&state->pool.lock);
        (void)snprintf(state->home, sizeof state->home, "%.*s", (int)cells[0].text.size,
                       cells[0].text.data);
        (void)pthread_mutex_unlock(&state->pool.lock);
    }
    return false;
}

static bool session_set(struct odbc_session *session, struct err *err)
{
    struct odbc_state *state = session->state;
    const struct odbc_product *product = state->product;
    for (const char *const *sql = product->settings; *sql; sql++) {
        if (!odbc_ask(session, *sql, 1, NULL, NULL, err)) {
            return false;
        }
    }
    /* A rollback must have something to roll back. */
    SQLPOINTER off = (SQLPOINTER)SQL_AUTOCOMMIT_OFF; /* NOLINT: as the standard has it */
    if (!SQL_SUCCEEDED(odbc.SetConnectAttr(session->connection, SQL_ATTR_AUTOCOMMIT, off,
                                           SQL_IS_UINTEGER))) {
        return err_set(err, ERR_DATASOURCE_KIND,
                       "The ODBC driver cannot keep changes from being made.");
    }
    bool ok = state->home[0] || !product->home ||
              odbc_ask(session, product->home, 1, home_row, state, err);
    session->ready = ok;
    return ok;
}

struct odbc_session *odbc_connect(struct odbc_state *state,
                                  const struct datasource_limits *limits, struct err *err)
{
    enum { LOGIN_SECONDS = 10 };
    struct odbc_session *session = memory_alloc(sizeof *session);
    const struct odbc_request request = {.call = ODBC_CONNECT, .text = state->text};
    session->base.limits = limits;
    session->state = state;
    if (!SQL_SUCCEEDED(
            odbc.AllocHandle(SQL_HANDLE_DBC, odbc.environment, &session->connection))) {
        memory_free(session);
        (void)err_set(err, ERR_INTERNAL, "The ODBC library cannot be used.");
        return NULL;
    }
    SQLPOINTER seconds = (SQLPOINTER)(uintptr_t)LOGIN_SECONDS; /* NOLINT: the standard */
    (void)odbc.SetConnectAttr(session->connection, SQL_ATTR_LOGIN_TIMEOUT, seconds,
                              SQL_IS_UINTEGER);
    bool ok = odbc_job(session, &request, NULL, err);
    if (ok) {
        odbc_intake_load(); /* now the driver has loaded its library */
        product_find(session);
        ok = session_set(session, err) && odbc_login_judge(session, err);
    } else if (state->tls_assumed && err->code == ERR_DATASOURCE_UNREACHABLE) {
        (void)err_hint(err,
                       "dragoman connects to other machines over TLS (%s=%s). Check that "
                       "the server supports it, or add %s=%s to connect without TLS.",
                       state->habit->tls_key, state->habit->tls_on, state->habit->tls_key,
                       state->habit->tls_off);
    }
    if (!ok) {
        odbc_disconnect(session);
        return NULL;
    }
    session->base.answered = false;
    return session;
}

void odbc_disconnect(struct odbc_session *session)
{
    if (session->connection) {
        (void)odbc.EndTran(SQL_HANDLE_DBC, session->connection, SQL_ROLLBACK);
        (void)odbc.Disconnect(session->connection);
        (void)odbc.FreeHandle(SQL_HANDLE_DBC, session->connection);
    }
    memory_free(session);
}

void odbc_quote(const struct odbc_state *state, struct buf *out, const char *name)
{
    if (state->quote == ' ' || state->quote == '\0') {
        (void)buf_text(out, name); /* it has no quotes at all */
        return;
    }
    (void)buf_quote(out, name, state->quote);
}
