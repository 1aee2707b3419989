/* INFER_JOINS: declared keys first, then names and values; a model where they do not
 * decide; else the user. */
#include "agent/joins/join_choice.h"
#include "agent/joins/join_probe.h"
#include "agent/joins/joins.h"
#include "agent/prompting.h"
#include "agent/understand/solving.h"
#include "agent/understand/understanding.h"
#include "agent/stages/stages.h"
#include "agent/suggest/suggest.h"
#include "base/str.h"

/* The joins as the schema and the data tell them; found once per visit. */
static const struct joins_result *infer(struct run *run)
{
    struct joins_result *result = ARENA_NEW(run->arena, struct joins_result);
    struct join_probe probe = join_probe_of(run);
    joins_infer(run->arena, run_schema(run), run_table_list(run),
                run->understanding.tables.count,
                run->understanding.solved == SOLVED ? NULL : &probe, result);
    if (run->understanding.tables.count == 1) {
        joins_self(run->arena, run->understanding.tables.items[0].table,
                   &result->conditions);
    }
    run->understanding.joins_found = result;
    return result;
}

/* Certain enough, so the user is not asked. */
static bool is_sure(const struct run *run, const struct joins_result *result)
{
    return result->found == JOINS_CERTAIN ||
           (result->found == JOINS_INFERRED &&
            result->confidence >= run->options->agent_join_confidence);
}

static bool infer_joins_ask(struct run *run, struct stage_calls *calls, struct err *err)
{
    run->understanding.joins_found = NULL;
    if (run->request.correction.joins.count || run->understanding.whole) {
        return true;
    }
    const struct joins_result *result = infer(run);
    if (is_sure(run, result)) {
        return true;
    }
    struct slot *values = prompting_values(run);
    prompting_schema(run, values, prompting_tables(run, 1200));
    for (size_t i = 0; i < result->options.count; i++) {
        slot_item_text(run->scratch, values, "candidates",
                       result->options.items[i].condition);
    }
    bool guess = result->found == JOINS_INFERRED;
    for (size_t i = 0; guess && i < result->conditions.count; i++) {
        slot_item_text(run->scratch, values, "candidates", result->conditions.items[i]);
    }
    slot_flag(run->scratch, values, "has_candidates", guess || result->options.count > 0);
    return prompting_call(run, calls, "infer_joins", values, 0, err);
}

/* Takes the stated joins that the schema allows; the least confidence of them all. */
static double take_stated(struct run *run)
{
    const struct stated_joins *stated = &run->understanding.stated;
    double least = 1.0;
    run->understanding.joins = (struct texts){0};
    for (size_t i = 0; i < stated->count; i++) {
        const struct stated_join *join = &stated->items[i];
        if (joins_valid(run->scratch, run_schema(run), join->condition)) {
            VEC_PUSH(run->arena, &run->understanding.joins, join->condition);
            least = join->confidence < least ? join->confidence : least;
        }
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
        const char *condition = result->options.items[i].condition;
        VEC_PUSH(run->arena, &back->conditions, condition);
        VEC_PUSH(run->arena, &back->options,
                 ((struct clarification_option){
                     condition, suggest_join_label(run->arena, condition)}));
    }
}

static void ask_columns(struct run *run, const struct joins_result *result)
{
    struct clarification *back = &run->answer.clarification;
    const char *left = result->left->name;
    const char *right = result->right->name;
    *back = (struct clarification){.kind = CLARIFY_JOIN};
    back->message =
        arena_format(run->arena,
                     "Nothing in the schema says how %s and %s belong together. Which "
                     "columns match? For example: %s.id = %s.%s_id",
                     left, right, left, right, result->left->bare_name);
}

/* Uses the joins found; tables in between are added to the prompt for the SQL. */
static enum event infer_joins_take(struct run *run, const struct joins_result *result)
{
    run->understanding.joins = result->conditions;
    if (result->found == JOINS_INFERRED && !run->understanding.whole) {
        run_warn(run,
                 "No key says how the tables belong together; %s was taken (%.0f %% "
                 "sure).",
                 str_join(run->scratch, &result->conditions, " and "),
                 result->confidence * 100);
    }
    for (size_t i = 0; !run->understanding.whole && i < result->bridges.count; i++) {
        struct chosen_table *bridge =
            run_choose(run, result->bridges.items[i], result->confidence);
        bridge->reasoning = "It connects the others.";
    }
    return EVENT_DONE;
}

/* Several ways and nobody is sure which: the user says it. SQL of the fused reply without
 * a list of joins has decided among guesses already, but not between two keys. */
static bool is_ambiguous(const struct run *run, const struct joins_result *result,
                         double least, bool has_sql)
{
    bool undecided = run->understanding.joins.count == 0
                         ? result->declared || !has_sql
                         : least < run->options->agent_join_confidence;
    return result->options.count > 1 && undecided;
}

/* The parser has taken one of several keys, for no reason that the question gives. */
static bool parser_is_unsure(struct run *run, const struct joins_result *result)
{
    return run->understanding.solved == SOLVED && !run->request.correction.joins.count &&
           run->answer.parser_probability < run->options->agent_join_confidence &&
           join_choice_open(run, result, run->understanding.sql);
}

static enum event infer_joins_read(struct run *run, const struct stage_replies *replies,
                                   struct err *err)
{
    if (run->request.correction.joins.count && run->understanding.solved != SOLVED) {
        run->understanding.joins = run->request.correction.joins;
        run->understanding.sql_used = true; /* written without the correction */
        return run->last_event == EVENT_ANSWERED_JOIN ? EVENT_ANSWERED_JOIN : EVENT_DONE;
    }
    const struct joins_result *result =
        run->understanding.joins_found ? run->understanding.joins_found : infer(run);
    run->understanding.joins_found = NULL;
    if (parser_is_unsure(run, result)) {
        offer_joins(run, result);
        return EVENT_AMBIGUOUS_JOIN;
    }
    if (result->found == JOINS_CERTAIN ||
        (!run->understanding.whole && is_sure(run, result))) {
        return infer_joins_take(run, result);
    }
    static const char *const wanted[] = {"joins", NULL};
    if (replies->count) {
        const json_t *json = prompting_reply(run, &replies->items[0], wanted, err);
        if (!json) {
            return EVENT_BAD_REPLY;
        }
        understanding_read_joins(run, json);
    }
    double least = take_stated(run);
    bool has_sql = run->understanding.whole && run->understanding.sql;
    if (run->understanding.solved == SOLVED) {
        return EVENT_DONE; /* the SQL has them already */
    }
    if (is_ambiguous(run, result, least, has_sql)) {
        offer_joins(run, result);
        return EVENT_AMBIGUOUS_JOIN;
    }
    if (run->understanding.joins.count || has_sql || !run->understanding.joins_needed) {
        return EVENT_DONE;
    }
    if (result->found == JOINS_INFERRED) {
        return infer_joins_take(run, result); /* the only one there is */
    }
    if (result->found == JOINS_AMBIGUOUS) {
        offer_joins(run, result);
        return EVENT_AMBIGUOUS_JOIN;
    }
    ask_columns(run, result);
    return EVENT_NO_PATH;
}

/* Without the model: the parser's reading says it. */
static enum event infer_joins_solve(struct run *run, struct err *err)
{
    const struct stage_replies none = {0};
    return solving_rescue(run) ? infer_joins_read(run, &none, err) : EVENT_GIVE_UP;
}

const struct stage stage_infer_joins = {.state = STATE_INFER_JOINS,
                                        .ask = infer_joins_ask,
                                        .read = infer_joins_read,
                                        .solve = infer_joins_solve};
