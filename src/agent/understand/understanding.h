/*
 * Understanding a question by a model: in one fused call when the schema fits a prompt,
 * else in phases. The fused reply holds every stage's part; each stage reads its
 * own.
 */
#ifndef DGM_AGENT_UNDERSTANDING_H
#define DGM_AGENT_UNDERSTANDING_H

#include "agent/understand/intent_rules.h"
#include "agent/stage.h"
#include "knowledge/prefilter/prefilter.h"

/* Notes the intent and says its event. */
enum event understanding_set_intent(struct run *run, enum intent intent);
/* Reads intent, rewritten question and question back from a reply. */
enum event understanding_read_intent(struct run *run, const json_t *json,
                                     struct err *err);

/* At most `most` tables, best first by the words of the question. In run->scratch. */
const struct table **understanding_ranked(struct run *run, size_t most, size_t *count);
/* Those that may matter: understanding.candidates of them. */
const struct table **understanding_candidates(struct run *run, size_t *count);
/* Those of them that a prompt shows: of a large schema only what scores well, and what
 * keys join to it. */
const struct table **understanding_shown(struct run *run, size_t *count);
/* Does the mode ask a model stage by stage, whatever the size of the schema? */
bool understanding_phased(const struct run *run);
/* Adds the fused call when mode and size allow it; *added says so. */
bool understanding_fuse(struct run *run, struct stage_calls *calls, bool *added,
                        struct err *err);
/* Reads the parts of all stages from the fused reply. The reply itself, for who wants its
 * intent and tables now; NULL when it cannot be read. */
const json_t *understanding_keep(struct run *run, const struct llm_reply *reply,
                                 struct err *err);

/* Chooses the tables that a reply names; unknown names are dropped. */
void understanding_choose(struct run *run, const json_t *tables);
/* Chooses the tables that SQL is about, though it may have to be mended first. If there
 * is none: the first name that the schema does not have, and the nearest to it. */
const char *understanding_choose_sql(struct run *run, const char *sql,
                                     struct texts *near);
/* Forgets what one reply or the parser's reading held for every stage. */
void understanding_forget(struct run *run);
/* Forgets what was understood of the question so far, but for the tables that its user
 * has decided on: these are filtered, and run->understanding.filter_only says so. */
void understanding_restart(struct run *run);
/* Applies the constraints; false when no table is left, err says so. */
bool understanding_settle_tables(struct run *run, struct err *err);
/* Reads joins_needed, filters, aggregations, ordering. */
void understanding_read_needs(struct run *run, const json_t *json);
/* Reads the joins that are stated. */
void understanding_read_joins(struct run *run, const json_t *json);
/* Reads the steps of the plan. */
void understanding_read_plan(struct run *run, const json_t *json);
/* Reads the SQL, or why there is none. */
void understanding_read_sql(struct run *run, const json_t *json);
/* What a model or a user calls a table, found in the schema: as said, or the nearest
 * name; NULL when there is none. */
const struct table *understanding_find_table(struct run *run, const char *name);
/* Hard constraints on the chosen tables. */
void understanding_constrain(struct run *run);
/* A clarifying question that the reply asks for; false when there is none. */
bool understanding_read_back(struct run *run, const json_t *json,
                             enum clarification_kind kind);

#endif
