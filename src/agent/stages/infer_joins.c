/* INFER_JOINS: declared keys first; a model where they do not decide; else the user. */
#include "agent/joins.h"
#include "agent/prompting.h"
#include "agent/solving.h"
#include "agent/stages/stages.h"

static void infer(struct run *run, struct joins_result *result)
{
    joins_infer(run->arena, run_schema(run), run_table_list(run), run->tables.count,
                result);
}

static bool ask(struct run *run, struct stage_calls *calls, struct err *err)
{
    struct joins_result result;
    if (run->correction.joins.count || run->fused) {
        return true;
    }
    infer(run, &result);
    if (result.found == JOINS_CERTAIN) {
        return true;
    }
    struct slot *values = prompting_values(run);
    prompting_schema(run, values, prompting_tables(run, 1200));
    for (size_t i = 0; i < result.options.count; i++) {
        slot_item_text(run->scratch, values, "candidates", result.options.items[i]);
    }
    slot_flag(run->scratch, values, "has_candidates", result.options.count > 0);
    return prompting_call(run, calls, "infer_joins", values, 0, err);
}

/* Joins that the model is sure enough of; the least confidence of them all. */
static double read_joins(struct run *run, const json_t *json)
{
    double least = 1.0;
    size_t index = 0;
    const json_t *item = NULL;
    run->joins = (struct texts){0};
    json_array_foreach(json_array_at(json, "joins"), index, item)
    {
        const char *text = json_is_string(item) ? json_string_value(item)
                                                : json_text_at(item, "condition");
        if (!text || !joins_valid(run->scratch, run_schema(run), text)) {
            continue;
        }
        VEC_PUSH(run->arena, &run->joins, arena_text(run->arena, text));
        double confidence = json_real_at(item, "confidence", 0.9);
        least = confidence < least ? confidence : least;
    }
    return least;
}

static void offer_joins(struct run *run, const struct joins_result *result)
{
    struct clarification *back = &run->answer.clarification;
    *back = (struct clarification){.kind = CLARIFY_JOIN};
    back->message = arena_format(run->arena, "How do %s and %s belong together here?",
                                 result->left->name, result->right->name);
    VEC_PUSH(run->arena, &back->tables, result->left->name);
    VEC_PUSH(run->arena, &back->tables, result->right->name);
    for (size_t i = 0; i < result->options.count; i++) {
        const char *condition = result->options.items[i];
        VEC_PUSH(run->arena, &back->options,
                 ((struct clarification_option){
                     condition, arena_format(run->arena, "Join where %s", condition)}));
    }
}

static enum event read(struct run *run, const struct stage_replies *replies,
                       struct err *err)
{
    struct joins_result result;
    infer(run, &result);
    if (run->correction.joins.count && run->solved != SOLVED) {
        run->joins = run->correction.joins;
        run->fused_sql_used = run->fused != NULL; /* written without the correction */
        return EVENT_DONE;
    }
    if (result.found == JOINS_CERTAIN) {
        run->joins = result.conditions;
        return EVENT_DONE;
    }
    static const char *const wanted[] = {"joins", NULL};
    const json_t *json = run->fused;
    if (replies->count) {
        json = prompting_reply(run, &replies->items[0], wanted, err);
        if (!json) {
            return EVENT_BAD_REPLY;
        }
    }
    double least = read_joins(run, json);
    if (run->solved == SOLVED) {
        return EVENT_DONE; /* the SQL has them already */
    }
    if (result.options.count > 1 &&
        (run->joins.count == 0 || least < run->options->agent_join_confidence)) {
        offer_joins(run, &result);
        return EVENT_AMBIGUOUS_JOIN;
    }
    if (run->joins.count == 0 && run->joins_needed && !json_text_at(json, "sql")) {
        struct clarification *back = &run->answer.clarification;
        *back = (struct clarification){.kind = CLARIFY_JOIN};
        back->message = arena_format(
            run->arena,
            "Nothing in the schema says how %s and %s belong together. Which "
            "columns match? For example: %s.id = %s.%s_id",
            result.left->name, result.right->name, result.left->name, result.right->name,
            result.left->bare_name);
        return EVENT_NO_PATH;
    }
    return EVENT_DONE;
}

/* Without the model: the parser's reading says it. */
static enum event solve(struct run *run, struct err *err)
{
    const struct stage_replies none = {0};
    return solving_rescue(run) ? read(run, &none, err) : EVENT_GIVE_UP;
}

const struct stage stage_infer_joins = {
    .state = STATE_INFER_JOINS, .ask = ask, .read = read, .solve = solve};
