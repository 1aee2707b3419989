/*
 * EVALUATE_TABLES: which tables matter? One fused call when the schema fits
 * a prompt; else the candidates in batches, side by side; `per_table` asks for each by
 * itself.
 */
#include "agent/understand/per_table.h"
#include "agent/sources/policing.h"
#include "agent/prompting.h"
#include "agent/understand/solving.h"
#include "agent/stages/stages.h"
#include "agent/understand/sql_facts.h"
#include "agent/understand/understanding.h"
#include "base/str.h"
#include "knowledge/schema/schema_cache.h"

enum { MOST_BATCHES = 3, BATCH_OVERHEAD = 900 };

/* One batch: the tables from *next on that fit a prompt. */
static bool ask_batch(struct run *run, struct stage_calls *calls,
                      const struct table **tables, size_t count, size_t *next,
                      struct err *err)
{
    struct schema_text_settings settings = policing_text_settings(run);
    int room = (int)run->options->llm_context_tokens - BATCH_OVERHEAD;
    struct schema_text *text = ARENA_NEW(run->scratch, struct schema_text);
    schema_cache_render(run->agent->schemas, run->scratch, run_schema(run),
                        tables + *next, count - *next, &settings, room < 200 ? 200 : room,
                        text);
    *next += text->tables.count ? text->tables.count : 1;
    struct slot *values = prompting_values(run);
    prompting_schema(run, values, text);
    return prompting_call(run, calls, "evaluate_tables", values,
                          (int)run->options->llm_reply_tokens * 2, err);
}

static bool ask_phased(struct run *run, struct stage_calls *calls, struct err *err)
{
    run->exchange.asked_intent = run->understanding.intent_provisional;
    if (run->exchange.asked_intent &&
        !prompting_call(run, calls, "parse_intent", prompting_values(run), 0, err)) {
        return false;
    }
    if (per_table_wanted(run)) {
        return per_table_ask(run, calls, err);
    }
    size_t count = 0;
    const struct table **tables = understanding_shown(run, &count);
    size_t next = 0;
    for (size_t batches = 0; next < count && batches < MOST_BATCHES; batches++) {
        if (!ask_batch(run, calls, tables, count, &next, err)) {
            return false;
        }
    }
    return true;
}

static bool evaluate_tables_ask(struct run *run, struct stage_calls *calls,
                                struct err *err)
{
    understanding_restart(run);
    if (run->understanding.filter_only && run->understanding.tables.count == 0) {
        return true;
    }
    if (!understanding_fuse(run, calls, &run->exchange.asked_fused, err)) {
        return false;
    }
    return run->exchange.asked_fused || run->understanding.filter_only ||
           ask_phased(run, calls, err);
}

static enum event count_event(struct run *run, struct err *err)
{
    if (!understanding_settle_tables(run, err)) {
        return EVENT_NONE;
    }
    return run->understanding.tables.count == 1 ? EVENT_ONE : EVENT_SOME;
}

/* On second thoughts, with the schema at hand, it may be no data question. */
static bool other_intent(const json_t *json, enum event intent, enum event *event)
{
    switch (intent) {
    case EVENT_SCHEMA_QUERY:
        *event = EVENT_SCHEMA_QUERY;
        return str_empty(json_text_at(json, "sql")); /* SQL says that data is wanted */
    case EVENT_GENERAL:
    case EVENT_MISLEADING:
        *event = EVENT_NOT_A_QUERY;
        return true;
    case EVENT_UNCLEAR:
        *event = EVENT_TOO_VAGUE;
        return true;
    case EVENT_BAD_REPLY:
        *event = EVENT_BAD_REPLY;
        return true;
    default:
        return false;
    }
}

static enum event read_fused(struct run *run, const struct llm_reply *reply,
                             struct err *err)
{
    const json_t *json = understanding_keep(run, reply, err);
    if (!json) {
        return EVENT_BAD_REPLY;
    }
    enum event event = EVENT_NONE;
    if (other_intent(json, understanding_read_intent(run, json, err), &event)) {
        return event;
    }
    understanding_choose(run, json_array_at(json, "tables"));
    const char *sql = run->understanding.sql;
    if (run->understanding.tables.count == 0 && !str_empty(sql)) {
        struct texts near;
        const char *unknown = understanding_choose_sql(run, sql, &near);
        if (unknown && !run->exchange.reasked) { /* made up: the model may find it */
            run->exchange.bad_sql = sql;
            (void)err_set(err, ERR_LLM_NONSENSE, "There is no table '%.60s'.%s%s%s",
                          unknown, near.count ? " The nearest are: " : "",
                          str_join(run->scratch, &near, ", "), near.count ? "." : "");
            return EVENT_BAD_REPLY;
        }
    }
    sql_facts_fill(run, json);
    run->answer.usage.saved_calls += 5; /* six stages, one call */
    return count_event(run, err);
}

/* The model cannot be asked or makes no sense: what the parser can do without it. */
static enum event evaluate_tables_solve(struct run *run, struct err *err)
{
    run->understanding.solved = solving_try(run, err);
    if (run->understanding.solved != SOLVED && run->understanding.solved != SOLVED_ASKS) {
        err_clear(err); /* the model's failure is the reason to give */
        return EVENT_GIVE_UP;
    }
    run_warn_system(run, "The model could not help (%s), so the built-in parser did.",
                    run->error ? run->error->message : "no reply");
    if (run->understanding.solved == SOLVED_ASKS) {
        return EVENT_TOO_VAGUE;
    }
    solving_take_tables(run);
    return count_event(run, err);
}

/* One call per table: the next wave, or the choice once all tables have their verdict. */
static enum event read_verdicts(struct run *run, const struct stage_replies *replies,
                                size_t first, struct err *err)
{
    if (!per_table_note(run, replies, first, err)) {
        return EVENT_BAD_REPLY;
    }
    if (per_table_more(run)) {
        return EVENT_MORE;
    }
    per_table_choose(run);
    return count_event(run, err);
}

static enum event read_phased(struct run *run, const struct stage_replies *replies,
                              struct err *err)
{
    static const char *const wanted_intent[] = {"intent", NULL};
    static const char *const wanted[] = {"tables", NULL};
    size_t first = 0;
    if (run->exchange.asked_intent) {
        json_t *json = prompting_reply(run, &replies->items[0], wanted_intent, err);
        enum event event = EVENT_NONE;
        if (!json) {
            return EVENT_BAD_REPLY;
        }
        if (other_intent(json, understanding_read_intent(run, json, err), &event)) {
            return event;
        }
        first = 1;
    }
    if (per_table_wanted(run)) {
        return read_verdicts(run, replies, first, err);
    }
    for (size_t i = first; i < replies->count; i++) {
        json_t *json = prompting_reply(run, &replies->items[i], wanted, err);
        if (!json) {
            return EVENT_BAD_REPLY;
        }
        understanding_choose(run, json_array_at(json, "tables"));
    }
    return count_event(run, err);
}

/* One of the calls failed: what the others said is not asked again. */
static void evaluate_tables_keep(struct run *run, const struct stage_replies *replies)
{
    struct err err;
    err_clear(&err);
    if (per_table_wanted(run) && !run->exchange.asked_fused) {
        (void)per_table_note(run, replies, run->exchange.asked_intent, &err);
    }
}

static enum event evaluate_tables_read(struct run *run,
                                       const struct stage_replies *replies,
                                       struct err *err)
{
    if (run->understanding.filter_only) {
        if (run->exchange.asked_fused &&
            !understanding_keep(run, &replies->items[0], err)) {
            return EVENT_BAD_REPLY;
        }
        return count_event(run, err);
    }
    return run->exchange.asked_fused ? read_fused(run, &replies->items[0], err)
                                     : read_phased(run, replies, err);
}

const struct stage stage_evaluate_tables = {.state = STATE_EVALUATE_TABLES,
                                            .ask = evaluate_tables_ask,
                                            .read = evaluate_tables_read,
                                            .keep = evaluate_tables_keep,
                                            .solve = evaluate_tables_solve};
