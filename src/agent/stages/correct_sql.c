/* CORRECT_SQL: asks for corrected SQL, with the error and the diagnosis. */
#include "agent/memory/corrections.h"
#include "agent/prompting.h"
#include "agent/understand/readings.h"
#include "agent/understand/solving.h"
#include "agent/sql_text.h"
#include "agent/stages/stages.h"
#include "agent/understand/understanding.h"
#include "base/str.h"

static bool correct_sql_ask(struct run *run, struct stage_calls *calls, struct err *err)
{
    if (solving_alone(run) || run->query.rewritten) {
        return true;
    }
    return prompting_ask(run, calls, "correct_sql", 0, err);
}

/* The first error is reported; a reply that was corrected may be corrected again. */
static enum event no_more(struct run *run, struct err *err)
{
    sql_text_final_error(run, err);
    if (corrections_ask_again(run, err)) {
        err_clear(err);
        return EVENT_UNSURE;
    }
    return EVENT_SAME_SQL;
}

/* Without a model: the parser's next reading. */
static enum event correct_sql_solve(struct run *run, struct err *err)
{
    const struct run_reading *next = solving_next(run);
    if (!next) {
        return no_more(run, err);
    }
    run->answer.corrected_from = run->query.first_failed_sql;
    run->answer.summary = next->words;
    if (run->answer.readings.count) {
        readings_note(run, next);
    }
    run->answer.explanation = NULL; /* that of the new SQL */
    run->answer.brain = BRAIN_PARSER;
    sql_text_accept(run, next->sql);
    return EVENT_DONE;
}

static enum event take(struct run *run, const char *sql, struct err *err)
{
    if (sql_text_tried(run, sql)) {
        return no_more(run, err);
    }
    run->answer.corrected_from = run->query.first_failed_sql;
    sql_text_accept(run, sql);
    return EVENT_DONE;
}

static enum event correct_sql_read(struct run *run, const struct stage_replies *replies,
                                   struct err *err)
{
    const char *rewritten = run->query.rewritten;
    run->query.rewritten = NULL;
    if (replies->count == 0) {
        return rewritten ? take(run, rewritten, err) : correct_sql_solve(run, err);
    }
    static const char *const wanted[] = {"sql", "corrected_sql", "clarification", NULL};
    json_t *json = prompting_reply(run, &replies->items[0], wanted, err);
    if (!json) {
        return EVENT_BAD_REPLY;
    }
    const char *sql = json_text_at(json, "sql");
    sql = str_empty(sql) ? json_text_at(json, "corrected_sql") : sql;
    if (str_empty(sql)) {
        if (understanding_read_back(run, json, CLARIFY_DETAIL)) {
            return EVENT_UNSURE;
        }
        (void)err_set(err, ERR_LLM_NONSENSE, "The reply holds no corrected SQL.");
        return EVENT_BAD_REPLY;
    }
    return take(run, sql, err);
}

/* If there is no correction, the original error stays. */
static void correct_sql_give_up(struct run *run, struct err *err)
{
    struct err trouble = *err;
    sql_text_final_error(run, err);
    if (str_empty(err->detail)) {
        (void)err_detail(err, "It could not be corrected: %s", trouble.message);
    }
}

const struct stage stage_correct_sql = {.state = STATE_CORRECT_SQL,
                                        .ask = correct_sql_ask,
                                        .read = correct_sql_read,
                                        .solve = correct_sql_solve,
                                        .give_up = correct_sql_give_up};
