/*
 * Understanding a question with a model: one "fused" call if the schema fits into a
 * prompt, else several phases. The fused reply has a part for every stage; each stage
 * reads its own.
 */
#ifndef DGM_AGENT_UNDERSTANDING_H
#define DGM_AGENT_UNDERSTANDING_H

#include "agent/understand/intent_rules.h"
#include "agent/stage.h"
#include "knowledge/prefilter/prefilter.h"

/* Stores the intent and returns its event. */
enum event understanding_set_intent(struct run *run, enum intent intent);
/* Reads intent, rewritten question and clarifying question from a reply. */
enum event understanding_read_intent(struct run *run, const json_t *json,
                                     struct err *err);

/* At most `most` tables, ranked by the words of the question. In run->scratch. */
const struct table **understanding_ranked(struct run *run, size_t most, size_t *count);
/* The tables that may be relevant: understanding.candidates of them. */
const struct table **understanding_candidates(struct run *run, size_t *count);
/* Those of them that a prompt shows: of a large schema only what scores well, and what
 * keys join to it. */
const struct table **understanding_shown(struct run *run, size_t *count);
/* Does the mode ask a model stage by stage, whatever the size of the schema? */
bool understanding_phased(const struct run *run);
/* Adds the fused call if mode and size allow it; *added tells. */
bool understanding_fuse(struct run *run, struct stage_calls *calls, bool *added,
                        struct err *err);
/* Reads the parts of all stages from the fused reply. Returns the parsed reply, for the
 * caller that needs intent and tables now; NULL if it cannot be parsed. */
const json_t *understanding_keep(struct run *run, const struct llm_reply *reply,
                                 struct err *err);

/* Chooses the tables that a reply names; unknown names are ignored. */
void understanding_choose(struct run *run, const json_t *tables);
/* Chooses the tables that the SQL uses, even if the SQL must be corrected first. If there
 * is none: returns the first unknown name, and the most similar one of the schema. */
const char *understanding_choose_sql(struct run *run, const char *sql,
                                     struct texts *near);
/* Clears what a reply or the parser's reading gave for all stages. */
void understanding_forget(struct run *run);
/* Clears the understanding, except for tables that the user decided on: these are only
 * filtered, and run->understanding.filter_only is set. */
void understanding_restart(struct run *run);
/* Applies the constraints; false and err if no table is left. */
bool understanding_settle_tables(struct run *run, struct err *err);
/* Reads joins_needed, filters, aggregations, ordering. */
void understanding_read_needs(struct run *run, const json_t *json);
/* Reads the stated joins. */
void understanding_read_joins(struct run *run, const json_t *json);
/* Reads the steps of the plan. */
void understanding_read_plan(struct run *run, const json_t *json);
/* Reads the SQL, or the reason why there is none. */
void understanding_read_sql(struct run *run, const json_t *json);
/* The table that a model or a user means: the exact name, or the most similar one; NULL:
 * none. */
const struct table *understanding_find_table(struct run *run, const char *name);
/* Applies the constraints of the user to the chosen tables. */
void understanding_constrain(struct run *run);
/* A clarifying question in the reply; false if there is none. */
bool understanding_read_back(struct run *run, const json_t *json,
                             enum clarification_kind kind);

#endif
