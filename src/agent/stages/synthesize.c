/* SYNTHESIZE: lists what the query needs: joins, filters, aggregations, order. */
#include <string.h>

#include "agent/joins/joins.h"
#include "agent/memory/mapping.h"
#include "agent/prompting.h"
#include "agent/run_statement.h"
#include "agent/understand/solving.h"
#include "agent/stages/stages.h"
#include "agent/suggest/suggest.h"
#include "agent/understand/understanding.h"
#include "base/str.h"
#include "sql/guard.h"

static bool synthesize_ask(struct run *run, struct stage_calls *calls, struct err *err)
{
    if (run->understanding.whole) {
        return true;
    }
    return prompting_ask(run, calls, "synthesize", 0, err);
}

/* Several tables and no join: the model was confused, unless SQL shows otherwise, as
 * in a union of two tables. */
static bool confused(struct run *run)
{
    if (run->understanding.tables.count < 2 || run->understanding.joins_needed ||
        run->request.corrected_tables) {
        return false;
    }
    const char *sql = run->understanding.whole ? run->understanding.sql : NULL;
    if (!sql || str_empty(sql)) {
        return true;
    }
    struct guard_result result;
    run_guard(run, sql, NULL, &result);
    return result.tables.count < 2;
}

/* A lesson says which of them is meant. SQL about another one is not taken. */
static bool settled(struct run *run)
{
    if (!mapping_decides(run)) {
        return false;
    }
    const char *sql = run->understanding.whole ? run->understanding.sql : NULL;
    struct guard_result result = {0};
    if (!str_empty(sql)) {
        sql = mapping_sql(run, sql);
        run_guard(run, sql, NULL, &result);
    }
    for (size_t i = 0; i < result.tables.count; i++) {
        if (!run_chosen(run, result.tables.items[i])) {
            run->understanding.sql_used = true;
        }
    }
    return true;
}

static void offer_tables(struct run *run)
{
    struct clarification *back = &run->answer.clarification;
    *back = (struct clarification){.kind = CLARIFY_TABLES};
    back->message = "Several tables could be meant. Which one should be used?";
    double best = -1;
    for (size_t i = 0; i < run->understanding.tables.count; i++) {
        const struct chosen_table *chosen = &run->understanding.tables.items[i];
        back->selected = chosen->confidence > best ? chosen->table->name : back->selected;
        best = chosen->confidence > best ? chosen->confidence : best;
        VEC_PUSH(run->arena, &back->tables, chosen->table->name);
        VEC_PUSH(run->arena, &back->options,
                 ((struct clarification_option){
                     chosen->table->name,
                     suggest_table_label(run->arena, chosen->table, chosen->reasoning)}));
    }
}

/* "employees and their managers": one table, with a key to itself. */
static bool joins_itself(struct run *run)
{
    struct texts keys = {0};
    if (run->understanding.joins_needed && run->understanding.tables.count == 1) {
        joins_self(run->scratch, run->understanding.tables.items[0].table, &keys);
    }
    return keys.count > 0;
}

static enum event synthesize_read(struct run *run, const struct stage_replies *replies,
                                  struct err *err)
{
    if (replies->count) {
        static const char *const wanted[] = {"joins_needed", "filters", "aggregations",
                                             NULL};
        const json_t *json = prompting_reply(run, &replies->items[0], wanted, err);
        if (!json) {
            return EVENT_BAD_REPLY;
        }
        understanding_read_needs(run, json);
        const char *why = prompting_words(run, json, "reasoning");
        if (why) {
            VEC_PUSH(run->arena, &run->understanding.reasons, why);
        }
    }
    if (confused(run) && !settled(run)) {
        offer_tables(run);
        return EVENT_AMBIGUOUS_TABLES;
    }
    return run->understanding.tables.count > 1 || joins_itself(run) ? EVENT_JOINS
                                                                    : EVENT_SINGLE;
}

/* Without the model: the parser's reading says it. */
static enum event synthesize_solve(struct run *run, struct err *err)
{
    const struct stage_replies none = {0};
    return solving_rescue(run) ? synthesize_read(run, &none, err) : EVENT_GIVE_UP;
}

const struct stage stage_synthesize = {.state = STATE_SYNTHESIZE,
                                       .ask = synthesize_ask,
                                       .read = synthesize_read,
                                       .solve = synthesize_solve};
