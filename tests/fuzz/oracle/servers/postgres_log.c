/*
 * What the server says that it runs. In the session of the judge, each statement that
 * arrives (log_statement) and each plan that starts (auto_explain, which tells of those
 * inside functions, too) is sent to the client as a notice: it must be the one statement
 * that we sent. Every other session writes its statements to the server's log, which must
 * not grow.
 */
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/str.h"
#include "postgres_judge.h"

enum { NOW, BEFORE, KEPT }; /* the plan of one is told when the next begins */
static struct buf kept[KEPT];
static bool expected; /* else: whatever comes */

static bool done(PGconn *connection, const char *sql)
{
    PGresult *result = postgres_answer(connection, sql);
    PQclear(result);
    return result != NULL;
}

bool postgres_log_start(PGconn *owner)
{
    enum { TRIES = 1000, TEXT_MOST = 1 << 20 };
    static const char *const settings[] = {
        "ALTER SYSTEM SET log_statement = 'all'", "ALTER SYSTEM SET log_connections = on",
        "ALTER SYSTEM SET log_checkpoints = off",
        "ALTER SYSTEM SET log_autovacuum_min_duration = -1", "SELECT pg_reload_conf()"};
    for (size_t i = 0; i < KEPT; i++) {
        buf_init(&kept[i], TEXT_MOST);
    }
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        if (!done(owner, settings[i])) {
            return false;
        }
    }
    for (int i = 0; i < TRIES; i++) { /* later sessions begin with the new settings */
        PGresult *result = postgres_answer(
            owner, "SELECT current_setting('log_autovacuum_min_duration'),"
                   " pg_sleep(0.01)");
        bool known = result && str_equal(PQgetvalue(result, 0, 0), "-1");
        PQclear(result);
        if (known || !result) {
            return known;
        }
    }
    return false;
}

/* Both libraries bring settings, which would else appear when they are first used. */
bool postgres_log_session(PGconn *session)
{
    return done(
        session,
        "LOAD 'auto_explain'; LOAD 'plpgsql'; SET auto_explain.log_min_duration = 0;"
        " SET auto_explain.log_nested_statements = on;"
        " SET auto_explain.log_level = log; SET log_statement = 'all'");
}

void postgres_log_expect(const char *sql)
{
    expected = sql != NULL;
    if (sql) {
        struct buf before = kept[BEFORE];
        kept[BEFORE] = kept[NOW];
        kept[NOW] = before;
        buf_clear(&kept[NOW]);
        (void)buf_text(&kept[NOW], sql);
    }
}

void postgres_log_end(void)
{
    for (size_t i = 0; i < KEPT; i++) {
        buf_release(&kept[i]);
    }
}

/* Is it ours? Behind the text of a plan stands the plan. Functions with a body that was
 * read when they were made (bit_length(bytea)) have no text: which of them were called is
 * seen in the tree and in pg_stat_user_functions. */
static bool ours(const char *text)
{
    static const char *const frame[] = {"ROLLBACK", "BEGIN READ ONLY"};
    bool own = *text == '\n';
    for (size_t i = 0; i < KEPT; i++) {
        own = own || (kept[i].size && str_starts(text, buf_get(&kept[i])));
    }
    for (size_t i = 0; i < sizeof frame / sizeof *frame; i++) {
        own = own || str_equal(text, frame[i]);
    }
    return own;
}

void postgres_log_take(const char *text, char what[WHAT_SIZE])
{
    static const char *const heads[] = {
        "statement: ", "execute <unnamed>: ", "Query Text: "};
    bool plan = str_starts(text, "duration: ");
    const char *start = plan ? strstr(text, heads[2]) : text;
    for (size_t i = 0; expected && start && i < sizeof heads / sizeof *heads; i++) {
        if (str_starts(start, heads[i]) && !ours(start + strlen(heads[i]))) {
            const char *other = start + strlen(heads[i]);
            (void)snprintf(what, WHAT_SIZE, "the server ran another statement: %.*s",
                           (int)strcspn(other, "\n"), other);
        }
    }
}
