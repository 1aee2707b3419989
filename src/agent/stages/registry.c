/* State -> stage. A new stage is a file and a row here. */
#include "agent/stages/stages.h"

static const struct stage *const stages[STATE_COUNT] = {
    [STATE_INITIALIZING] = &stage_initializing,
    [STATE_PARSE_INTENT] = &stage_parse_intent,
    [STATE_RESOLVE_DATASOURCE] = &stage_resolve_datasource,
    [STATE_CHECK_FRESHNESS] = &stage_check_freshness,
    [STATE_EXTRACT_SCHEMA] = &stage_extract_schema,
    [STATE_NORMALIZE_SCHEMA] = &stage_normalize_schema,
    [STATE_HASH_SCHEMA] = &stage_hash_schema,
    [STATE_ENRICH_SCHEMA] = &stage_enrich_schema,
    [STATE_CACHE_SCHEMA] = &stage_cache_schema,
    [STATE_GET_CACHED_SCHEMA] = &stage_get_cached_schema,
    [STATE_RECALL] = &stage_recall,
    [STATE_READ_LOCALLY] = &stage_read_locally,
    [STATE_EVALUATE_TABLES] = &stage_evaluate_tables,
    [STATE_REFINE_TABLES] = &stage_refine_tables,
    [STATE_SYNTHESIZE] = &stage_synthesize,
    [STATE_INFER_JOINS] = &stage_infer_joins,
    [STATE_SUMMARIZE_INTENT] = &stage_summarize_intent,
    [STATE_SCORE_INTENT] = &stage_score_intent,
    [STATE_ASK_CLARIFICATION] = &stage_ask_clarification,
    [STATE_PLAN_QUERY] = &stage_plan_query,
    [STATE_GENERATE_SQL] = &stage_generate_sql,
    [STATE_VALIDATE_QUERY] = &stage_validate_query,
    [STATE_SCORE_CONFIDENCE] = &stage_score_confidence,
    [STATE_DIAGNOSE_ERROR] = &stage_diagnose_error,
    [STATE_CORRECT_SQL] = &stage_correct_sql,
    [STATE_PREVIEW_WRITE] = &stage_preview_write,
    [STATE_OPTIMIZE_QUERY] = &stage_optimize_query,
    [STATE_SELECT_ENGINE] = &stage_select_engine,
    [STATE_EXECUTE_QUERY] = &stage_execute_query,
    [STATE_FORMAT_RESULTS] = &stage_format_results,
    [STATE_REPLY] = &stage_reply,
    [STATE_DESCRIBE_SCHEMA] = &stage_describe_schema,
};

const struct stage *stage_get(enum state state)
{
    return stages[state];
}
