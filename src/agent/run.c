/* A question on its way: birth, the one setter of the state, and the end. */
#include "agent/run.h"

#include <stdio.h>

#include "agent/sentence/sentence.h"
#include "agent/sql_text.h"
#include "base/clock.h"
#include "base/id.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/str.h"
#include "datasource/across/across.h"
#include "knowledge/schema/schema_cache.h"

/* Thousands wait for a model half-way through an ordinary walk, on one datasource. What
 * they need until then fits into the room's first block; later it grows once. */
enum { TRACE_ROOM = 12, SOURCE_ROOM = 1, RUN_ROOM = sizeof(struct run) + 1664 };

static const char *copy(struct run *run, const char *text)
{
    return str_empty(text) ? NULL : arena_text(run->arena, text);
}

struct run *run_new(struct agent *agent, const struct question *question,
                    const char *query_id)
{
    struct arena *arena = arena_new_for(RUN_ROOM);
    struct run *run = ARENA_NEW(arena, struct run);
    run->arena = arena;
    run->scratch = arena_new();
    run->agent = agent;
    run->options = agent->options;
    run->llm = agent->llm;
    run->llm_error = agent->llm_error;
    cancel_init(&run->cancel);
    atomic_init(&run->stop_reason, STOP_NOT);
    run->born_us = run->entered_us = clock_us();
    run->question = *question;
    run->question.text = arena_text(arena, question->text ? question->text : "");
    run->question.datasource = copy(run, question->datasource);
    run->question.session_id = copy(run, question->session_id);
    run->question.account = copy(run, question->account);
    run->question.language = sentence_language(question->language);
    run->question.parameters = copy(run, question->parameters);
    run->question.key_id = copy(run, question->key_id);
    run->question.reach = copy(run, question->reach);
    if (run->question.brain == BRAIN_UNSET) {
        run->question.brain = brain_kind_find(agent->options->agent_brain);
    }
    char id[ID_SIZE];
    if (!query_id) {
        id_new_later("q", id);
        query_id = id;
    }
    struct answer *answer = &run->answer;
    answer_init(answer);
    answer->query_id = arena_text(arena, query_id);
    answer->session_id = run->question.session_id;
    answer->question = run->question.text;
    answer->parameters = run->question.parameters;
    answer->brain = BRAIN_NONE;
    rows_init(&answer->rows, arena);
    run->understanding.clarity = CLARITY_CLEAR;
    run->understanding.sql_confidence = -1; /* not given */
    budget_start(&run->budget);
    run->state = STATE_INITIALIZING;
    answer->state = state_name(run->state);
    answer->status = state_get(run->state)->status;
    answer->trace.capacity = TRACE_ROOM;
    answer->trace.items = arena_array(arena, TRACE_ROOM, sizeof *answer->trace.items);
    VEC_PUSH(arena, &answer->trace,
             ((struct trace_entry){.state = state_name(run->state)}));
    run->sources.capacity = SOURCE_ROOM;
    run->sources.items = arena_array(arena, SOURCE_ROOM, sizeof *run->sources.items);
    return run;
}

void run_free(struct run *run)
{
    if (!run) {
        return;
    }
    cancel_release(&run->cancel);
    buf_release(&run->written_answer);
    arena_free(run->scratch);
    arena_free(run->arena); /* the run itself lives in it; schemas are dropped by it */
}

void run_tell(struct run *run, enum observer_kind kind, const char *text)
{
    if (run->observer.tell) {
        run->observer.tell(run->observer.context, run, kind, text);
    }
}

void run_stop(struct run *run, enum stop_reason reason)
{
    int not_yet = STOP_NOT;
    (void)atomic_compare_exchange_strong(&run->stop_reason, &not_yet, (int)reason);
    cancel_fire(&run->cancel);
}

bool run_stopped(struct run *run)
{
    return atomic_load(&run->stop_reason) != STOP_NOT;
}

/* A loop of the machine says it once. */
static void add_once(struct run *run, struct texts *texts, const char *text)
{
    for (size_t i = 0; i < texts->count; i++) {
        if (str_equal(texts->items[i], text)) {
            return;
        }
    }
    VEC_PUSH(run->arena, texts, text);
}

void run_warn(struct run *run, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add_once(run, &run->answer.warnings, arena_vformat(run->arena, format, args));
    va_end(args);
}

void run_warn_system(struct run *run, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *text = arena_vformat(run->arena, format, args);
    va_end(args);
    add_once(run, &run->answer.warnings, text);
    add_once(run, &run->answer.system_warnings, text);
}

void run_blame(struct run *run, const struct err *err)
{
    if (err->code != ERR_OK) {
        run->error = ARENA_NEW(run->arena, struct err);
        *run->error = *err;
    }
}

/* A stop, a used-up budget or a passed deadline overrule what the stage said. */
static enum event overrule(struct run *run, enum event event, enum state next)
{
    int reason = atomic_load(&run->stop_reason);
    if (next == STATE_FINISHED || next == STATE_STOPPED || run->query.written) {
        return event;
    }
    struct err err;
    if (reason == STOP_DEADLINE) {
        (void)err_set(&err, ERR_TIMEOUT, "The question took longer than %lld seconds.",
                      (long long)run->options->agent_timeout_s);
        run_blame(run, &err);
        return EVENT_DEADLINE;
    }
    if (reason == STOP_SHUTDOWN) {
        (void)err_set(&err, ERR_INTERRUPTED,
                      "dragoman was ended while it worked on this question.");
        run_blame(run, &err);
        return EVENT_INTERRUPTED;
    }
    if (reason == STOP_USER) {
        return EVENT_STOP;
    }
    if (state_get(next)->rest == REST_NO &&
        !budget_check(&run->budget, run->options, &err)) {
        run_blame(run, &err);
        return err.code == ERR_TIMEOUT ? EVENT_DEADLINE : EVENT_SPENT;
    }
    return event;
}

/* Leaves the present state: its row in the trace gets its event and its time. */
static void trace_leave(struct run *run, enum event event)
{
    int64_t now = clock_us();
    struct trace *trace = &run->answer.trace;
    if (trace->count) {
        struct trace_entry *entry = &trace->items[trace->count - 1];
        entry->event = event_name(event);
        entry->ms = (double)(now - run->entered_us) / 1000.0;
    }
    run->entered_us = now;
}

static void fill_error(struct run *run, enum event event)
{
    if (!run->error) {
        struct err err;
        (void)err_set(&err, ERR_INTERNAL, "%s said %s without a reason.",
                      state_name(run->state), event_name(event));
        run_blame(run, &err);
    }
    run->answer.error = run->error;
    sql_text_tell_attempts(run);
}

/* Ends our turn to read a schema, so that other questions do not wait forever. */
static void give_turns_back(struct run *run)
{
    for (size_t i = 0; i < run->sources.count; i++) {
        struct run_source *source = &run->sources.items[i];
        if (source->turn) {
            struct err err;
            (void)err_set(&err, ERR_STOPPED, "The question was stopped.");
            schema_cache_end(run->agent->schemas, source->source->id, &err);
            source->turn = false;
        }
    }
}

static const char *why_stopped(const struct run *run)
{
    switch (run->last_event) {
    case EVENT_NEW_QUESTION:
        return "Another question was asked instead of answering this one.";
    case EVENT_EXPIRED:
        return "The clarifying question was not answered in time.";
    default:
        return "The question was stopped.";
    }
}

static void come_to_rest(struct run *run)
{
    give_turns_back(run);
    struct answer *answer = &run->answer;
    if (run->state == STATE_STOPPED) {
        struct err err;
        (void)err_set(&err, ERR_STOPPED, "%s", why_stopped(run));
        run_blame(run, &err);
        answer->clarification = (struct clarification){0};
        answer->error = run->error;
        answer->type = "error";
    } else if (run->state == STATE_FAILED) {
        answer->type = "error";
    } else if (run->state == STATE_AWAIT_USER) {
        answer->type = "clarification";
    }
    budget_pause(&run->budget);
    run_tell(run, OBSERVE_RESTING, NULL);
    run_checkpoint(run);
}

void run_enter(struct run *run, enum event event)
{
    enum state next = run->state;
    if (!moves_next(run->state, event, &next)) {
        struct err err;
        (void)err_set(&err, ERR_INTERNAL,
                      "%s reported %s, for which there is no transition.",
                      state_name(run->state), event_name(event));
        run_blame(run, &err);
        event = EVENT_INTERRUPTED;
        next = STATE_FAILED;
    }
    enum event ruled = overrule(run, event, next);
    if (ruled != event) {
        event = ruled;
        (void)moves_next(run->state, event, &next);
    }
    trace_leave(run, event);
    if (next == STATE_FAILED) {
        fill_error(run, event);
    }
    LOG(LOG_AGENT, LOG_DEBUG, "%s %s --%s--> %s", run->answer.query_id,
        state_name(run->state), event_name(event), state_name(next));
    if (next != run->state) {
        run->exchange.reasked = run->exchange.solving = false;
        run->exchange.bad_reply = run->exchange.bad_sql = NULL;
    }
    run->state = next;
    run->last_event = event;
    run->answer.state = state_name(next);
    run->answer.status = state_status(run->answer.status, next);
    arena_reset(run->scratch);
    VEC_PUSH(run->arena, &run->answer.trace,
             ((struct trace_entry){.state = state_name(next)}));
    if (state_get(next)->rest != REST_NO) {
        come_to_rest(run);
    }
    run_tell(run, OBSERVE_STATE, NULL);
}

static void drop_schema(void *schema)
{
    schema_unref(schema);
}

void run_keep_schema(struct run *run, struct run_source *source, struct schema *schema)
{
    source->schema = schema;
    arena_defer(run->arena, drop_schema, schema);
}

struct schema *run_schema(const struct run *run)
{
    return run->sources.across  ? across_schema(run->sources.across)
           : run->sources.count ? run->sources.items[0].schema
                                : NULL;
}

struct datasource *run_datasource(const struct run *run)
{
    return run->sources.across  ? run->sources.across
           : run->sources.count ? run->sources.items[0].source
                                : NULL;
}

struct datasource_limits run_limits(struct run *run)
{
    int64_t statement = clock_ms() + run->options->sql_timeout_s * 1000;
    int64_t question = budget_deadline_ms(&run->budget, run->options);
    return (struct datasource_limits){
        .deadline_ms = statement < question ? statement : question,
        .max_rows = run->options->sql_max_rows,
        .max_bytes = run->options->sql_max_bytes,
        .cancel = &run->cancel,
        .owner = run->question.account,
    };
}

struct datasource_limits run_probe_limits(struct run *run, int64_t ms, int64_t rows,
                                          int64_t *steps)
{
    enum { STEPS_PER_MS = 25000, PATIENCE_COUNTED = 20, PATIENCE = 3 };
    struct datasource_limits limits = run_limits(run);
    const struct datasource *source = run_datasource(run);
    bool counted = source && source->driver->counts_steps;
    int64_t soon = clock_ms() + ms * (counted ? PATIENCE_COUNTED : PATIENCE);
    *steps = ms * STEPS_PER_MS;
    limits.steps = counted ? steps : NULL;
    limits.deadline_ms = soon < limits.deadline_ms ? soon : limits.deadline_ms;
    limits.max_rows = rows;
    return limits;
}

bool run_may_ask(const struct run *run)
{
    return !str_equal(run->options->agent_ask, "never");
}

const char *run_question_text(const struct run *run)
{
    return run->answer.rewritten ? run->answer.rewritten : run->question.text;
}

const struct table **run_table_list(const struct run *run)
{
    const struct table **tables =
        arena_array(run->scratch, run->understanding.tables.count, sizeof *tables);
    for (size_t i = 0; i < run->understanding.tables.count; i++) {
        tables[i] = run->understanding.tables.items[i].table;
    }
    return tables;
}

struct chosen_table *run_chosen(const struct run *run, const char *name)
{
    for (size_t i = 0; i < run->understanding.tables.count; i++) {
        if (str_equal_nocase(run->understanding.tables.items[i].table->name, name) ||
            str_equal_nocase(run->understanding.tables.items[i].table->bare_name, name)) {
            return &run->understanding.tables.items[i];
        }
    }
    return NULL;
}

struct chosen_table *run_choose(struct run *run, const struct table *table,
                                double confidence)
{
    struct chosen_table *chosen = run_chosen(run, table->name);
    if (!chosen) {
        chosen = VEC_ADD(run->arena, &run->understanding.tables);
        chosen->table = table;
    }
    chosen->confidence = confidence;
    return chosen;
}
