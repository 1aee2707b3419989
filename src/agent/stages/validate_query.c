/* VALIDATE_QUERY: the guard, the names, then the database's own compiler. Nothing runs.
 */
#include <string.h>

#include "agent/confidence.h"
#include "agent/counting/counting.h"
#include "agent/literals/literals.h"
#include "agent/memory/corrections.h"
#include "agent/memory/history.h"
#include "agent/memory/remembering.h"
#include "agent/run_statement.h"
#include "agent/sql_text.h"
#include "agent/stages/stages.h"
#include "base/str.h"
#include "sql/bind.h"
#include "sql/dialects/mend.h"
#include "sql/guard.h"

/* "Column 'price' doesn't exist. Did you mean 'unit_price'?" The first wrong name is the
 * message; the others, and tables that have such a column, are the facts. */
static bool wrong_names(struct run *run, struct err *err)
{
    struct bind_result bound;
    bind_check(run->scratch, run_statement(run, run->answer.sql), run_schema(run),
               &bound);
    if (!bound.names.count) {
        return false;
    }
    struct texts facts = {0};
    for (size_t i = 0; i < bound.names.count; i++) {
        const struct bind_name *name = &bound.names.items[i];
        if (i > 0) {
            VEC_PUSH(run->scratch, &facts, bind_message(run->scratch, name));
        }
        if (name->holders.count) {
            VEC_PUSH(run->scratch, &facts,
                     arena_format(run->scratch, "There is such a column in %s.",
                                  str_join(run->scratch, &name->holders, ", ")));
        }
    }
    (void)err_set(err, ERR_INVALID_SQL, "%s",
                  bind_message(run->scratch, &bound.names.items[0]));
    if (facts.count) {
        (void)err_detail(err, "%s", str_join(run->scratch, &facts, " "));
    }
    err->position = (int)bound.names.items[0].position;
    return true;
}

static enum event invalid(struct run *run, struct err *err)
{
    sql_text_failed(run, err);
    if (run->request.given_sql) {
        return EVENT_CANNOT; /* a person's SQL is not ours to correct */
    }
    if (run->query.hit) {
        history_forget(run);
        remembering_doubt(run);
        run->query.hit = false;
        run->answer.sql = NULL;
        run->answer.explanation = NULL;
        run->answer.brain = BRAIN_NONE;
        run->query.first_failed_sql = NULL;
        run->query.failed.count = 0;
        err_clear(err);
        return EVENT_INVALID_HIT;
    }
    return EVENT_INVALID;
}

/* Was it refused for a name alone? */
static bool refused_name(const struct guard_result *result)
{
    for (size_t i = 0; i < result->misses.count; i++) {
        if (result->position == (int)result->misses.items[i].position) {
            return true;
        }
    }
    return false;
}

static enum event refused(struct run *run, const struct guard_result *result,
                          struct err *err)
{
    if (result->verdict == GUARD_WRITE) {
        if (run->question.allow_write && run_datasource(run)->writable) {
            run->query.is_write = true;
            return EVENT_WRITE;
        }
        (void)err_set(err, ERR_WRITE_NOT_ALLOWED,
                      "%s would change data, and this was not allowed.",
                      result->statement);
        return EVENT_UNSAFE;
    }
    /* A function of another dialect is a mistake of the model, which may correct the
     * SQL. A user gets the error. */
    bool mistake = result->unparsable || result->unknown.count > 0 ||
                   (result->unlisted && !run->request.given_sql);
    if (!refused_name(result) || !wrong_names(run, err)) {
        (void)err_set(err, mistake ? ERR_INVALID_SQL : ERR_UNSAFE, "%s", result->reason);
        err->position = result->position;
    }
    return mistake ? invalid(run, err) : EVENT_UNSAFE;
}

static void note_tables(struct run *run, const struct guard_result *result)
{
    run->answer.tables = (struct texts){0};
    for (size_t i = 0; i < result->tables.count; i++) {
        const struct table *table =
            schema_table(run_schema(run), result->tables.items[i]);
        VEC_PUSH(run->arena, &run->answer.tables,
                 arena_text(run->arena, table ? table->name : result->tables.items[i]));
    }
}

/* A model writes public.stores for SQLite, too. The guard would refuse that as another
 * database's table; a person's own SQL is judged as it is. */
static void leave_out_namespaces(struct run *run)
{
    const char *sql =
        run->request.given_sql || run->query.hit
            ? NULL
            : mend_namespaces(run->arena, run_statement(run, run->answer.sql),
                              run_schema(run));
    run->answer.sql = sql ? sql : run->answer.sql;
}

static enum event validate_query_work(struct run *run, struct err *err)
{
    struct guard_result result;
    leave_out_namespaces(run);
    const char *sql = run->answer.sql;
    /* Some databases tell their dialect only once they are open; one that was not
     * reached until now may be reached when the SQL runs. */
    struct datasource_limits limits = run_limits(run);
    struct err ignored;
    err_clear(&ignored);
    (void)datasource_ready(run_datasource(run), &limits, &ignored);
    run_guard(run, sql, run_schema(run), &result);
    note_tables(run, &result);
    if (result.verdict != GUARD_READ) {
        return refused(run, &result, err);
    }
    run->answer.sql = arena_text(run->arena, result.sql);
    if (result.unknown.count && wrong_names(run, err)) {
        return invalid(run, err);
    }
    const char *misread = run->request.given_sql || run->query.hit
                              ? NULL
                              : mend_misread(run_statement(run, sql));
    if (misread) { /* it would run, and answer something else */
        (void)err_set(err, ERR_INVALID_SQL, "%s", misread);
        return invalid(run, err);
    }
    if (!run->request.given_sql && !corrections_hold(run, &result, err)) {
        return invalid(run, err);
    }
    literals_check(run);
    if (!counting_correct(run, err)) {
        return invalid(run, err);
    }
    limits.statement = run_statement(run, run->answer.sql);
    if (!datasource_check(run_datasource(run), run->answer.sql, &limits, err)) {
        if (err->code != ERR_INVALID_SQL) {
            return err->code == ERR_UNSAFE ? EVENT_UNSAFE : EVENT_UNREACHABLE;
        }
        return invalid(run, err);
    }
    counting_tell(run);
    if (run->query.hit && !run->request.given_sql) {
        confidence_score(run);
    }
    return run->query.hit ? EVENT_VALID_HIT : EVENT_VALID;
}

const struct stage stage_validate_query = {.state = STATE_VALIDATE_QUERY,
                                           .work = validate_query_work};
