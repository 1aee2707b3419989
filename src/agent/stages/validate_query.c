/* VALIDATE_QUERY: the guard, the names, then the database's own compiler. Nothing runs.
 */
#include <string.h>

#include "agent/history.h"
#include "agent/sql_text.h"
#include "agent/stages/stages.h"
#include "base/str.h"
#include "sql/guard.h"
#include "sql/lexer.h"

/* Where the SQL says the name; -1 when it is nowhere. */
static int place_of(struct run *run, const char *name)
{
    const char *sql = run->answer.sql;
    struct tokens tokens = {0};
    lexer_run(run->scratch, run_datasource(run)->driver->dialect, sql, strlen(sql),
              &tokens);
    for (size_t i = 0; i < tokens.count; i++) {
        bool is_name =
            tokens.items[i].kind == TOKEN_WORD || tokens.items[i].kind == TOKEN_NAME;
        if (is_name && str_equal_nocase(tokens.items[i].text, name)) {
            return (int)tokens.items[i].start;
        }
    }
    return -1;
}

/* "Column 'price' does not exist in orders. Did you mean 'unit_price'?" */
static void unknown_column(struct run *run, const struct guard_result *result,
                           struct err *err)
{
    const char *unknown = result->unknown.items[0];
    const char *dot = strrchr(unknown, '.');
    const char *name = dot ? dot + 1 : unknown;
    struct texts near = {0};
    for (size_t i = 0; i < result->tables.count; i++) {
        const struct table *table =
            schema_table(run_schema(run), result->tables.items[i]);
        for (size_t c = 0; table && c < table->columns.count; c++) {
            VEC_PUSH(run->scratch, &near, table->columns.items[c].name);
        }
    }
    const char *best = str_nearest(name, near.items, near.count);
    int position = place_of(run, name);
    if (best) {
        (void)err_set(err, ERR_INVALID_SQL,
                      "Column '%s' doesn't exist. Did you mean '%s'?", unknown, best);
    } else {
        (void)err_set(err, ERR_INVALID_SQL, "Column '%s' doesn't exist.", unknown);
    }
    err->position = position;
}

static enum event invalid(struct run *run, struct err *err)
{
    sql_text_failed(run, err);
    if (run->given_sql) {
        return EVENT_CANNOT; /* a person's SQL is not ours to correct */
    }
    if (run->hit) {
        history_forget(run);
        run->hit = false;
        run->answer.sql = NULL;
        run->answer.explanation = NULL;
        run->answer.brain = "none";
        run->first_failed_sql = NULL;
        err_clear(err);
        return EVENT_INVALID_HIT;
    }
    return EVENT_INVALID;
}

static enum event refused(struct run *run, const struct guard_result *result,
                          struct err *err)
{
    if (result->verdict == GUARD_WRITE) {
        if (run->question.allow_write && run_datasource(run)->writable) {
            run->is_write = true;
            return EVENT_WRITE;
        }
        (void)err_set(err, ERR_WRITE_NOT_ALLOWED,
                      "%s would change data, and this was not allowed.",
                      result->statement);
        return EVENT_UNSAFE;
    }
    /* A function of another dialect is a model's mistake: it may write the SQL anew. A
     * person is told. */
    bool mistake = result->unparsable || result->unknown.count > 0 ||
                   (result->unlisted && !run->given_sql);
    (void)err_set(err, mistake ? ERR_INVALID_SQL : ERR_UNSAFE, "%s", result->reason);
    err->position = result->position;
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

static enum event work(struct run *run, struct err *err)
{
    struct guard_result result;
    const char *sql = run->answer.sql;
    guard_check(run->scratch, run_datasource(run)->driver->dialect, sql, strlen(sql),
                run_schema(run), &result);
    note_tables(run, &result);
    if (result.verdict != GUARD_READ) {
        return refused(run, &result, err);
    }
    run->answer.sql = arena_text(run->arena, result.sql);
    if (result.unknown.count) {
        unknown_column(run, &result, err);
        return invalid(run, err);
    }
    struct datasource_limits limits = run_limits(run);
    if (!datasource_check(run_datasource(run), run->answer.sql, &limits, err)) {
        if (err->code != ERR_INVALID_SQL) {
            return err->code == ERR_UNSAFE ? EVENT_UNSAFE : EVENT_UNREACHABLE;
        }
        return invalid(run, err);
    }
    return run->hit ? EVENT_VALID_HIT : EVENT_VALID;
}

const struct stage stage_validate_query = {.state = STATE_VALIDATE_QUERY, .work = work};
