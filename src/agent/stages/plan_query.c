/* PLAN_QUERY: lists the steps before the SQL; optional. */
#include "agent/prompting.h"
#include "agent/stages/stages.h"
#include "agent/understand/understanding.h"
#include "base/str.h"

static bool plan_query_ask(struct run *run, struct stage_calls *calls, struct err *err)
{
    if (!prompting_plans(run) || run->understanding.whole) {
        return true;
    }
    return prompting_ask(run, calls, "plan_query", 0, err);
}

/* People read the plan: the prompts keep what was said, the answer is harmless. */
static struct texts harmless(struct run *run, const struct texts *said)
{
    struct texts clean = {0};
    for (size_t i = 0; i < said->count; i++) {
        VEC_PUSH(run->arena, &clean, prompting_harmless(run, said->items[i]));
    }
    return clean;
}

static void fill(struct run *run)
{
    struct plan *plan = &run->answer.plan;
    plan->steps = harmless(run, &run->understanding.plan);
    plan->joins = harmless(run, &run->understanding.joins);
    plan->filters = harmless(run, &run->understanding.filters);
    plan->aggregations = harmless(run, &run->understanding.aggregations);
    plan->ordering = prompting_harmless(run, run->understanding.ordering);
    plan->tables = (struct texts){0};
    for (size_t i = 0; i < run->understanding.tables.count; i++) {
        VEC_PUSH(run->arena, &plan->tables,
                 run->understanding.tables.items[i].table->name);
    }
    for (size_t i = run->exchange.steps_told; i < plan->steps.count; i++) {
        run_tell(run, OBSERVE_REASONING, plan->steps.items[i]);
    }
    run->exchange.steps_told = 0;
    if (plan->steps.count) {
        run->answer.reasoning = str_join(run->arena, &plan->steps, "\n");
    }
}

static enum event plan_query_read(struct run *run, const struct stage_replies *replies,
                                  struct err *err)
{
    if (!prompting_plans(run)) {
        return EVENT_SKIPPED;
    }
    static const char *const wanted[] = {"steps", "plan", NULL};
    if (replies->count) {
        const json_t *json = prompting_reply(run, &replies->items[0], wanted, err);
        if (!json) {
            return EVENT_BAD_REPLY;
        }
        understanding_read_plan(run, json);
    }
    fill(run);
    return EVENT_DONE;
}

const struct stage stage_plan_query = {.state = STATE_PLAN_QUERY,
                                       .ask = plan_query_ask,
                                       .read = plan_query_read,
                                       .optional = true};
