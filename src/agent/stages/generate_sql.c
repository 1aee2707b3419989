/* GENERATE_SQL: takes the SQL from the fused reply or from a call of its own. */
#include "agent/memory/history.h"
#include "agent/prompting.h"
#include "agent/understand/solving.h"
#include "agent/sql_text.h"
#include "agent/stages/stages.h"
#include "agent/understand/understanding.h"
#include "base/str.h"

/* The SQL was written already, or it was said why there is none. */
static bool is_written(const struct understanding *understanding)
{
    return understanding->whole && !understanding->sql_used &&
           (!str_empty(understanding->sql) || understanding->cannot ||
            understanding->back.message);
}

static bool generate_sql_ask(struct run *run, struct stage_calls *calls, struct err *err)
{
    if (is_written(&run->understanding)) {
        return true;
    }
    return prompting_ask(run, calls, "generate_sql", 0, err);
}

static enum event without_sql(struct run *run, struct err *err)
{
    const struct understanding *understanding = &run->understanding;
    if (understanding->back.message) {
        run->answer.clarification = understanding->back;
        return EVENT_UNSURE;
    }
    const char *why = understanding->cannot;
    why = why ? why : understanding->explanation;
    (void)err_set(err, ERR_CANNOT_ANSWER,
                  "The question cannot be answered from this data.");
    if (why) {
        (void)err_detail(err, "%s", why);
        run->answer.explanation = why;
    }
    return EVENT_CANNOT;
}

static enum event generate_sql_read(struct run *run, const struct stage_replies *replies,
                                    struct err *err)
{
    static const char *const wanted[] = {"sql", "clarification", "clarification_question",
                                         "error", NULL};
    if (replies->count) {
        const json_t *json = prompting_reply(run, &replies->items[0], wanted, err);
        if (!json) {
            return EVENT_BAD_REPLY;
        }
        understanding_read_sql(run, json);
    }
    run->understanding.sql_used = true;
    const char *sql = run->understanding.sql;
    if (str_empty(sql)) {
        return without_sql(run, err);
    }
    run->answer.explanation = run->understanding.explanation;
    sql_text_accept(run, sql);
    if (history_is_wrong(run, run->answer.sql)) {
        run_warn(run,
                 "This is the SQL that was marked as wrong when this was asked before.");
    }
    return EVENT_DONE;
}

/* Without the model: the parser's next reading. */
static enum event generate_sql_solve(struct run *run, struct err *err)
{
    const struct stage_replies none = {0};
    return solving_rescue(run) ? generate_sql_read(run, &none, err) : EVENT_GIVE_UP;
}

const struct stage stage_generate_sql = {.state = STATE_GENERATE_SQL,
                                         .ask = generate_sql_ask,
                                         .read = generate_sql_read,
                                         .solve = generate_sql_solve};
