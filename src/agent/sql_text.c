/* Accepts SQL texts into the run. */
#include "agent/sql_text.h"

#include <string.h>

#include "agent/memory/mapping.h"
#include "base/str.h"
#include "knowledge/schema/schema_text.h"
#include "sql/statement.h"

void sql_text_accept(struct run *run, const char *sql)
{
    const char *text = str_trim(run->arena, sql);
    if (run->exchange.shown && run->exchange.shown->names.count) {
        text = schema_text_restore(run->arena, datasource_dialect(run_datasource(run)),
                                   run->exchange.shown, text);
    }
    text = mapping_sql(run, text);
    run->answer.sql = text;
    run->query.counted_from = NULL;
    run->query.doubtful = false;
    run->query.hit = false;
    run->budget.sql_attempts++;
    VEC_PUSH(run->arena, &run->query.tried, text);
    run_tell(run, OBSERVE_SQL, text);
}

bool sql_text_listed(const struct run *run, const struct texts *texts, const char *sql)
{
    enum dialect dialect = datasource_dialect(run_datasource(run));
    struct sql_statement wanted;
    struct sql_statement one;
    for (size_t i = 0; i < texts->count; i++) {
        if (str_equal(texts->items[i], sql)) {
            return true;
        }
    }
    if (texts->count) {
        (void)sql_statement_read(run->scratch, dialect, sql, strlen(sql), &wanted);
    }
    for (size_t i = 0; i < texts->count; i++) {
        const char *text = texts->items[i];
        (void)sql_statement_read(run->scratch, dialect, text, strlen(text), &one);
        if (sql_statement_same(&one, &wanted)) {
            return true;
        }
    }
    return false;
}

bool sql_text_tried(const struct run *run, const char *sql)
{
    return sql_text_listed(run, &run->query.tried, sql);
}

bool sql_text_spent(const struct run *run)
{
    return run->budget.sql_attempts >= run->options->agent_max_sql_attempts;
}

/* Notes that the present SQL does not work; a text that fails again has its last
 * error. */
static const struct err *note(struct run *run, const struct err *err)
{
    struct answer_attempts *failed = &run->query.failed;
    struct err *kept = ARENA_NEW(run->arena, struct err);
    *kept = *err;
    if (failed->count && failed->items[failed->count - 1].sql == run->answer.sql) {
        failed->items[failed->count - 1].error = kept;
    } else {
        VEC_PUSH(run->arena, failed, ((struct answer_attempt){run->answer.sql, kept}));
    }
    return kept;
}

void sql_text_failed(struct run *run, const struct err *err)
{
    const struct err *kept = note(run, err);
    run->query.error = kept;
    if (!run->query.first_failed_sql) {
        run->query.first_failed_sql = run->answer.sql;
        run->query.first_error = kept;
    }
}

void sql_text_tell_attempts(struct run *run)
{
    const struct answer_attempts *failed = &run->query.failed;
    bool running =
        run->state == STATE_VALIDATE_QUERY || run->state == STATE_EXECUTE_QUERY;
    if (!failed->count || run->request.given_sql) {
        return; /* the error is about the only text, and says all */
    }
    if (running && run->error &&
        failed->items[failed->count - 1].sql != run->answer.sql) {
        (void)note(run, run->error); /* the last one was refused, or took too long */
    }
    run->answer.attempts = *failed;
}

void sql_text_final_error(struct run *run, struct err *err)
{
    sql_text_tell_attempts(run);
    if (run->query.first_error) {
        *err = *run->query.first_error;
        run->answer.sql =
            run->query.first_failed_sql; /* the error and its place are of it */
    } else {
        (void)err_set(err, ERR_INVALID_SQL, "No working SQL could be written.");
    }
}
