/* Declares every stage; the table is in registry.c. */
#ifndef DGM_AGENT_STAGES_STAGES_H
#define DGM_AGENT_STAGES_STAGES_H

#include "agent/stage.h"

extern const struct stage stage_initializing;
extern const struct stage stage_parse_intent;
extern const struct stage stage_resolve_datasource;
extern const struct stage stage_check_freshness;
extern const struct stage stage_extract_schema;
extern const struct stage stage_normalize_schema;
extern const struct stage stage_hash_schema;
extern const struct stage stage_enrich_schema;
extern const struct stage stage_cache_schema;
extern const struct stage stage_get_cached_schema;
extern const struct stage stage_recall;
extern const struct stage stage_read_locally;
extern const struct stage stage_evaluate_tables;
extern const struct stage stage_refine_tables;
extern const struct stage stage_synthesize;
extern const struct stage stage_infer_joins;
extern const struct stage stage_summarize_intent;
extern const struct stage stage_score_intent;
extern const struct stage stage_ask_clarification;
extern const struct stage stage_plan_query;
extern const struct stage stage_generate_sql;
extern const struct stage stage_validate_query;
extern const struct stage stage_score_confidence;
extern const struct stage stage_diagnose_error;
extern const struct stage stage_correct_sql;
extern const struct stage stage_preview_write;
extern const struct stage stage_optimize_query;
extern const struct stage stage_select_engine;
extern const struct stage stage_execute_query;
extern const struct stage stage_format_results;
extern const struct stage stage_reply;
extern const struct stage stage_describe_schema;

#endif
