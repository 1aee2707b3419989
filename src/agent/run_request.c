/* What the service says of a run: how it was asked, and where its rows go. */
#include <assert.h>

#include "agent/run.h"
#include "agent/run_json.h"

void run_take_sql(struct run *run)
{
    run->request.given_sql = run->question.text;
}

void run_take_composed(struct run *run, const char *sql, const char *words)
{
    run->request.given_sql = arena_text(run->arena, sql);
    run->request.composed = arena_text(run->arena, words);
}

bool run_has_own_sql(const struct run *run)
{
    return run->request.given_sql && !run->request.composed;
}

void run_deliver(struct run *run, const struct run_delivery *delivery)
{
    run_take_sql(run);
    run->request.delivery = delivery;
    run->query.approved = delivery->again; /* a person asks for this very result */
}

void run_pass_rows(struct run *run, const struct datasource_sink *sink)
{
    run->request.sink = sink;
}

void run_reply_with(struct run *run, const char *text)
{
    run->exchange.reply = arena_text(run->arena, text);
}

void run_rule_out_sql(struct run *run, const char *sql)
{
    VEC_PUSH(run->arena, &run->memory.wrong_sql, arena_text(run->arena, sql));
}

void run_take_reading(struct run *run, const json_t *checkpoint, size_t number)
{
    run_read_readings(run, checkpoint);
    assert(number >= 1 && number <= run->understanding.readings.count);
    VEC_PUSH(run->arena, &run->request.details,
             run->understanding.readings.items[number - 1].words);
    run->request.confirmed = true;
}

void run_note_said(struct run *run, const char *text)
{
    run->exchange.said = arena_text(run->arena, text);
}

void run_bind_access(struct run *run, const char *key_id, const char *datasources)
{
    if (key_id) {
        run->question.key_id = arena_text(run->arena, key_id);
    }
    if (datasources) {
        run->question.reach = arena_text(run->arena, datasources);
    }
}

void run_observe(struct run *run, const struct observer *observer)
{
    run->observer = *observer;
}

bool run_take_answer(struct run *run, struct buf *out)
{
    if (run->written_answer.size == 0 || run->written_answer.full) {
        return false;
    }
    *out = run->written_answer;
    buf_init(&run->written_answer, 0);
    return true;
}
