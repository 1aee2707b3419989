/* Checks SQL against the user's corrections: a model may ignore a constraint in its
 * prompt. */
#include "agent/memory/corrections.h"

#include <string.h>

#include "agent/run_statement.h"
#include "agent/suggest/suggest.h"
#include "agent/understand/understanding.h"
#include "base/str.h"

static bool uses(const struct run *run, const struct guard_result *sql,
                 const struct table *table)
{
    for (size_t i = 0; i < sql->tables.count; i++) {
        if (schema_table(run_schema(run), sql->tables.items[i]) == table) {
            return true;
        }
    }
    return false;
}

static bool names(const struct sql_nodes *used, const char *name)
{
    for (size_t i = 0; i < used->count; i++) {
        if (str_equal_nocase(used->items[i]->text, name)) {
            return true;
        }
    }
    return false;
}

/* Both columns of "a.x = b.y" must occur; how they are compared is not checked. */
static bool has_join(struct run *run, const struct sql_nodes *used, const char *join)
{
    struct texts sides = {0};
    str_split(run->scratch, join, '=', &sides);
    for (size_t i = 0; i < sides.count; i++) {
        const char *side = str_trim(run->scratch, sides.items[i]);
        const char *dot = strrchr(side, '.');
        if (!names(used, dot ? dot + 1 : side)) {
            return false;
        }
    }
    return true;
}

bool corrections_hold(struct run *run, const struct guard_result *sql, struct err *err)
{
    const struct correction *correction = &run->request.correction;
    for (size_t i = 0; i < correction->reject_tables.count; i++) {
        const char *name = correction->reject_tables.items[i];
        const struct table *table = schema_table(run_schema(run), name);
        if (table && uses(run, sql, table)) {
            return err_set(err, ERR_INVALID_SQL,
                           "The query uses '%.80s', which was excluded.", name);
        }
    }
    for (size_t i = 0; i < correction->use_tables.count; i++) {
        const char *name = correction->use_tables.items[i];
        const struct table *table = understanding_find_table(run, name);
        if (table && !uses(run, sql, table)) {
            return err_set(err, ERR_INVALID_SQL,
                           "The query does not use '%.80s', which was asked for.", name);
        }
    }
    struct sql_nodes used = {0};
    if (correction->joins.count) {
        sql_collect(run->scratch, run_statement(run, run->answer.sql)->root, SQL_NAME,
                    &used);
    }
    for (size_t i = 0; i < correction->joins.count; i++) {
        if (!has_join(run, &used, correction->joins.items[i])) {
            return err_set(err, ERR_INVALID_SQL,
                           "The query does not use the join %.160s, which was asked for.",
                           correction->joins.items[i]);
        }
    }
    return true;
}

static void offer(struct run *run, struct clarification *back, const struct texts *names)
{
    for (size_t i = 0; i < names->count; i++) {
        const struct table *table = understanding_find_table(run, names->items[i]);
        if (table) {
            VEC_PUSH(run->arena, &back->options,
                     ((struct clarification_option){
                         table->name, suggest_table_label(run->arena, table, NULL)}));
        }
    }
}

bool corrections_ask_again(struct run *run, const struct err *error)
{
    const struct correction *correction = &run->request.correction;
    bool corrected = correction->use_tables.count || correction->reject_tables.count ||
                     correction->joins.count;
    if (!corrected ||
        run->budget.corrections >= run->options->agent_max_correction_attempts ||
        run->budget.clarifications >= run->options->agent_max_clarifications) {
        return false;
    }
    struct clarification *back = &run->answer.clarification;
    bool join = correction->joins.count > 0;
    *back = (struct clarification){.kind = join ? CLARIFY_JOIN : CLARIFY_TABLES};
    back->message = arena_format(
        run->arena, "No query that keeps to this worked: %s %s", error->message,
        join ? "How do the tables belong together?" : "Which table should be used?");
    if (join) {
        for (size_t i = 0; i < correction->joins.count; i++) {
            VEC_PUSH(run->arena, &back->options,
                     ((struct clarification_option){correction->joins.items[i],
                                                    correction->joins.items[i]}));
        }
    } else {
        offer(run, back, &correction->reject_tables);
        offer(run, back, &correction->use_tables);
    }
    return true;
}
