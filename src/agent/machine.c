/* The machine: runs a question through its states, one stage after the other. */
#include "agent/machine.h"

#include <string.h>

#include "agent/answering.h"
#include "agent/understand/plan_stream.h"
#include "agent/saying.h"
#include "agent/understand/solving.h"
#include "agent/stage.h"
#include "base/memory.h"
#include "base/str.h"
#include "base/workers.h"

/* One model call of a batch and its reply. */
struct pending {
    struct batch *batch;
    struct llm_ticket *ticket;
    struct llm_reply *reply;  /* a copy, as it is only lent to us; made when it comes */
    struct plan_stream *plan; /* receives the streamed plan; or NULL */
};

/* The parallel calls of one ask stage. */
struct batch {
    struct run *run;
    size_t count;
    atomic_size_t remaining; /* calls without a reply, plus one until all are started */
    struct pending *pending;
};

static void machine_walk(struct run *run);

/* A stopped question need not wait for others of its account. At shutdown all are
 * stopped, and none goes first. */
static bool machine_hurries(struct run *run)
{
    int reason = atomic_load(&run->stop_reason);
    return reason != STOP_NOT && reason != STOP_SHUTDOWN;
}

/* Moves a stopped run ahead in the queue, if it is there. */
static void machine_hurry(struct run *run, const void *job)
{
    if (machine_hurries(run)) {
        (void)workers_hurry(run->agent->workers, run->question.account, job);
    }
}

/* Queues a job; accounts take turns, and runs without an account share one. If a stop
 * arrives between the check and the queueing, it just waits for its turn. */
static void machine_queue(struct run *run, void (*job)(void *context), void *context)
{
    struct workers *workers = run->agent->workers;
    if (machine_hurries(run)) {
        workers_submit_hurried(workers, job, context);
    } else {
        workers_submit_for(workers, run->question.account, job, context);
    }
}

static void batch_free(struct batch *batch)
{
    for (size_t i = 0; i < batch->count; i++) {
        memory_free(batch->pending[i].reply);
        plan_stream_free(batch->pending[i].plan);
    }
    memory_free(batch->pending);
    memory_free(batch);
}

/* Cancels every call of the batch. They may already have replies, and the batch may be
 * queued. */
static void batch_cancel(void *context)
{
    struct batch *batch = context;
    for (size_t i = 0; i < batch->count; i++) {
        llm_cancel(batch->pending[i].ticket);
    }
    machine_hurry(batch->run, batch);
}

/* Handles a stage whose call failed: the parser takes over, the call is repeated, the
 * stage is skipped, or the question fails. */
static void machine_without_reply(struct run *run, const struct stage *stage,
                                  enum event event, const struct err *err)
{
    bool may_solve = stage->solve && !run->exchange.solving &&
                     (stage->local || (run->llm && run->question.brain == BRAIN_AUTO));
    if (may_solve) {
        run_blame(run, err);
        run->exchange.solving = true;
        run_enter(run, event);
    } else if (event == EVENT_BAD_REPLY && !run->exchange.reasked) {
        run->exchange.reasked = true;
        run->exchange.bad_reply = arena_text(run->arena, err->message);
        run_enter(run, event);
    } else if (stage->optional && !run_stopped(run)) {
        run_warn_system(run, "%s was left out: %s", state_get(run->state)->title,
                        err->message);
        run_enter(run, EVENT_ERROR);
    } else {
        struct err reason = *err;
        if (event == EVENT_BAD_REPLY) {
            (void)err_set(&reason, ERR_LLM_NONSENSE,
                          "The model's reply could not be understood.");
            (void)err_detail(&reason, "%s", err->message);
        }
        if (stage->give_up && !run_stopped(run)) {
            stage->give_up(run, &reason);
        }
        run_blame(run, &reason);
        run_enter(run, EVENT_GIVE_UP);
    }
}

static void machine_count(struct run *run, const struct llm_reply *reply)
{
    struct usage *usage = &run->answer.usage;
    struct trace *trace = &run->answer.trace;
    struct trace_entry *entry = &trace->items[trace->count - 1];
    int calls = reply->attempts > 0 ? 1 : 0;
    usage->calls += calls;
    usage->tokens_in += reply->tokens_in;
    usage->tokens_out += reply->tokens_out;
    usage->cost += reply->cost;
    usage->cost_known = usage->cost_known || reply->cost_known;
    run->budget.llm_calls += calls;
    run->budget.tokens += reply->tokens_in + reply->tokens_out;
    entry->calls += calls;
    entry->tokens_in += reply->tokens_in;
    entry->tokens_out += reply->tokens_out;
    entry->cost += reply->cost;
}

/* Gives the replies to the stage and enters its event. */
static void machine_read(struct run *run, const struct stage *stage,
                         const struct stage_replies *replies)
{
    const struct llm_reply *failed = NULL;
    for (size_t i = 0; i < replies->count; i++) {
        machine_count(run, &replies->items[i]);
        if (!replies->items[i].ok) {
            failed = &replies->items[i];
        }
    }
    if (failed) {
        if (stage->keep) {
            stage->keep(run, replies);
        }
        machine_without_reply(run, stage, EVENT_LLM_DOWN, &failed->error);
        return;
    }
    if (replies->count) {
        run->answer.brain = BRAIN_LLM;
        run->answer.usage.saved_tokens = 0;
    }
    struct err err;
    err_clear(&err);
    enum event event = stage->read(run, replies, &err);
    if (event == EVENT_BAD_REPLY) {
        machine_without_reply(run, stage, event, &err);
        return;
    }
    run_blame(run, &err);
    run_enter(run, event);
}

static void batch_read(struct batch *batch)
{
    struct run *run = batch->run;
    cancel_unhook(&run->cancel);
    for (size_t i = 0; i < batch->count; i++) {
        llm_forget(batch->pending[i].ticket);
    }
    bool alone = batch->count == 1; /* then it need not be brought together */
    struct llm_reply *items =
        alone ? batch->pending[0].reply : memory_array(batch->count, sizeof *items);
    for (size_t i = 0; i < batch->count; i++) {
        if (!alone) {
            items[i] = *batch->pending[i].reply;
        }
        if (batch->pending[i].plan) {
            run->exchange.steps_told = plan_stream_told(batch->pending[i].plan);
        }
    }
    struct stage_replies replies = {items, batch->count};
    machine_read(run, stage_get(run->state), &replies);
    if (!alone) {
        memory_free(items);
    }
    batch_free(batch);
}

static void batch_resume(void *context)
{
    struct batch *batch = context;
    struct run *run = batch->run;
    batch_read(batch);
    machine_walk(run);
}

static void call_done(void *context, const struct llm_reply *reply)
{
    struct pending *pending = context;
    struct batch *batch = pending->batch;
    /* The text lives behind the struct: one piece of memory for both. */
    size_t size = reply->text ? reply->size : 0;
    struct llm_reply *kept = memory_resize(NULL, sizeof *kept + size + 1);
    *kept = *reply;
    char *text = (char *)(kept + 1);
    if (size) {
        memcpy(text, reply->text, size);
    }
    text[size] = '\0';
    kept->text = text;
    kept->size = size;
    pending->reply = kept;
    if (atomic_fetch_sub(&batch->remaining, 1) == 1) {
        machine_queue(batch->run, batch_resume, batch);
    }
}

static void call_text(void *context, const char *text, size_t size)
{
    struct pending *pending = context;
    plan_stream_feed(pending->plan, text, size);
}

static void tell_step(void *context, const char *step)
{
    const struct run *run = context;
    struct arena *arena = arena_new(); /* the run's is another thread's */
    run_tell(context, OBSERVE_REASONING,
             saying_clean(arena, step, SAYING_MOST, run->question.text));
    arena_free(arena);
}

static void batch_start(struct batch *batch, const struct stage_calls *calls)
{
    struct run *run = batch->run;
    for (size_t i = 0; i < calls->count; i++) {
        const struct stage_call *call = &calls->items[i];
        struct pending *pending = &batch->pending[i];
        pending->batch = batch;
        pending->plan =
            call->plans && run->observer.pieces ? plan_stream_new(tell_step, run) : NULL;
        struct llm_call request = {
            .stage = call->stage,
            .system = call->system,
            .user = call->user,
            .schema = call->schema,
            .question = run->question.text,
            .max_tokens = call->max_tokens,
            .on_text = pending->plan ? call_text : NULL,
            .on_done = call_done,
            .context = pending,
            .host = run->host,
        };
        pending->ticket = llm_start(run->llm, &request);
    }
    if (!cancel_hook(&run->cancel, batch_cancel, batch)) {
        batch_cancel(batch);
    }
}

/* Starts the calls. True: all have replies, which have been processed; false: the run
 * continues later. */
static bool machine_call(struct run *run, const struct stage_calls *calls)
{
    run_checkpoint(run);
    struct batch *batch = memory_alloc(sizeof *batch);
    batch->run = run;
    batch->count = calls->count;
    batch->pending = memory_array(calls->count, sizeof *batch->pending);
    /* One more than the calls, so that no reply is processed before all were started. */
    atomic_init(&batch->remaining, calls->count + 1);
    batch_start(batch, calls);
    arena_free(run->scratch); /* the calls have their copies; a waiting run is small */
    run->scratch = arena_new();
    if (atomic_fetch_sub(&batch->remaining, 1) != 1) {
        return false;
    }
    batch_read(batch);
    return true;
}

/* Is a model configured, and does the budget allow the calls? */
static bool machine_may_call(struct run *run, size_t count, struct err *err)
{
    if (run->question.brain == BRAIN_PARSER) {
        (void)err_set(
            err, ERR_LLM_NOT_CONFIGURED,
            "The built-in parser cannot continue here without a language model.");
        return err_hint(err, "Use --brain auto or llm with a model.");
    }
    if (!run->llm) {
        *err = *run->llm_error;
        return false;
    }
    return budget_allows_calls(&run->budget, run->options, (int)count, err);
}

/* Runs an ask stage. False: it waits for the model, and this thread stops here. */
static bool machine_ask(struct run *run, const struct stage *stage)
{
    struct err err;
    err_clear(&err);
    if (run->exchange.solving) {
        enum event event = stage->solve(run, &err);
        run_blame(run, &err);
        run_enter(run, event);
        return true;
    }
    struct stage_calls calls = {0};
    if (!stage->ask(run, &calls, &err)) {
        machine_without_reply(run, stage, EVENT_LLM_DOWN, &err);
        return true;
    }
    if (calls.count == 0) {
        struct stage_replies none = {0};
        machine_read(run, stage, &none);
        return true;
    }
    if (!machine_may_call(run, calls.count, &err)) {
        if (err.code == ERR_BUDGET) {
            run_blame(run, &err);
            run_enter(run, EVENT_SPENT);
        } else {
            machine_without_reply(run, stage, EVENT_LLM_DOWN, &err);
        }
        return true;
    }
    return machine_call(run, &calls);
}

static void machine_walk(struct run *run)
{
    while (state_get(run->state)->rest == REST_NO) {
        const struct stage *stage = stage_get(run->state);
        if (stage->work) {
            struct err err;
            err_clear(&err);
            enum event event = stage->work(run, &err);
            run_blame(run, &err);
            run_enter(run, event);
        } else if (!machine_ask(run, stage)) {
            return;
        }
    }
    run_tell(run, OBSERVE_REST, NULL); /* the run may be gone after this */
}

static void waiting_stopped(void *context)
{
    machine_hurry(context, context);
}

/* Queues a job; until it begins, a stop moves it ahead in the queue. */
static void machine_wait(struct run *run, void (*job)(void *context))
{
    (void)cancel_hook(&run->cancel, waiting_stopped, run);
    machine_queue(run, job, run);
}

static void machine_begin(void *context)
{
    struct run *run = context;
    cancel_unhook(&run->cancel);
    machine_walk(run);
}

void machine_start(struct run *run)
{
    machine_wait(run, machine_begin);
}

static void machine_take_answer(void *context)
{
    struct run *run = context;
    struct err err;
    err_clear(&err);
    cancel_unhook(&run->cancel);
    budget_start(&run->budget);
    enum event event = answering_event(run, run->exchange.said, &err);
    run_blame(run, &err);
    run_enter(run, event);
    machine_walk(run);
}

void machine_answer(struct run *run, const char *text)
{
    run_note_said(run, text);
    machine_wait(run, machine_take_answer);
}
