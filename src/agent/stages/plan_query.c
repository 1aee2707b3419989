/* PLAN_QUERY: the steps before the SQL, shown as they come. Can be left out. */
#include "agent/prompting.h"
#include "agent/stages/stages.h"
#include "base/str.h"

static bool ask(struct run *run, struct stage_calls *calls, struct err *err)
{
    if (!prompting_plans(run) || run->fused) {
        return true;
    }
    return prompting_ask(run, calls, "plan_query", 0, err);
}

static void fill(struct run *run, const json_t *json)
{
    struct plan *plan = &run->answer.plan;
    const json_t *steps = json_array_at(json, "steps");
    prompting_texts(run, steps ? steps : json_array_at(json, "plan"), "step",
                    &plan->steps);
    plan->joins = run->joins;
    plan->filters = run->filters;
    plan->aggregations = run->aggregations;
    plan->ordering = run->ordering;
    plan->tables = (struct texts){0};
    for (size_t i = 0; i < run->tables.count; i++) {
        VEC_PUSH(run->arena, &plan->tables, run->tables.items[i].table->name);
    }
    for (size_t i = run->steps_told; i < plan->steps.count; i++) {
        run_tell(run, OBSERVE_REASONING, plan->steps.items[i]);
    }
    run->steps_told = 0;
    if (plan->steps.count) {
        run->answer.reasoning = str_join(run->arena, &plan->steps, "\n");
    }
}

static enum event read(struct run *run, const struct stage_replies *replies,
                       struct err *err)
{
    if (!prompting_plans(run)) {
        return EVENT_SKIPPED;
    }
    static const char *const wanted[] = {"steps", "plan", NULL};
    const json_t *json = run->fused;
    if (replies->count) {
        json = prompting_reply(run, &replies->items[0], wanted, err);
        if (!json) {
            return EVENT_BAD_REPLY;
        }
    }
    fill(run, json);
    return EVENT_DONE;
}

const struct stage stage_plan_query = {
    .state = STATE_PLAN_QUERY, .ask = ask, .read = read, .optional = true};
