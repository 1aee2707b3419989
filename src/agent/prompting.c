/* Fills prompts from the run. */
#include "agent/prompting.h"

#include <string.h>

#include "agent/understand/cells.h"
#include "agent/sources/crossing.h"
#include "agent/memory/conversation.h"
#include "agent/memory/history.h"
#include "agent/sources/policing.h"
#include "agent/memory/remembering.h"
#include "agent/saying.h"
#include "base/clock.h"
#include "base/str.h"
#include "base/utf8.h"
#include "knowledge/schema/schema_cache.h"
#include "prompt/prompts.h"

enum {
    OVERHEAD_TOKENS = 1200, /* tokens of the fixed text in the largest prompt */
    SHRINK_ROUNDS = 2,
    /* Bytes of what others wrote: no cell, reply or error may crowd out the rest. */
    TEXT_MOST = 1000,
    TEXTS_MOST = 100, /* of one kind */
    SQL_MOST = 20000,
};

static const char *cut(struct run *run, const char *text, size_t most)
{
    size_t size = text ? strlen(text) : 0;
    if (size <= most) {
        return text;
    }
    return arena_format(run->scratch, "%.*s…", (int)utf8_cut(text, size, most), text);
}

static void put_texts(struct run *run, struct slot *values, const char *key,
                      const struct texts *texts)
{
    for (size_t i = 0; i < texts->count && i < TEXTS_MOST; i++) {
        slot_item_text(run->scratch, values, key, cut(run, texts->items[i], TEXT_MOST));
    }
}

static void put_constraints(struct run *run, struct slot *values)
{
    const struct correction *correction = &run->request.correction;
    put_texts(run, values, "mandatory_tables", &correction->use_tables);
    put_texts(run, values, "forbidden_tables", &correction->reject_tables);
    put_texts(run, values, "mandatory_joins", &correction->joins);
    slot_flag(run->scratch, values, "has_constraints",
              correction->use_tables.count || correction->reject_tables.count ||
                  correction->joins.count);
}

static void put_run(struct run *run, struct slot *values)
{
    const struct answer *answer = &run->answer;
    const struct err *error = run->query.error;
    /* The message is ours. The detail is the engine's, which may repeat a cell: "Could
     * not convert string 'Ada'". */
    bool with_detail = error && policing_sends_rows(run);
    slot_text(run->scratch, values, "summary", cut(run, answer->summary, TEXT_MOST));
    slot_text(run->scratch, values, "sql", cut(run, answer->sql, SQL_MOST));
    slot_text(run->scratch, values, "diagnosis",
              cut(run, run->query.diagnosis, TEXT_MOST));
    slot_text(run->scratch, values, "sql_error",
              error ? cut(run, error->message, TEXT_MOST) : NULL);
    slot_text(run->scratch, values, "sql_error_detail",
              with_detail ? cut(run, error->detail, TEXT_MOST) : NULL);
    put_texts(run, values, "joins", &run->understanding.joins);
    put_texts(run, values, "filters", &run->understanding.filters);
    put_texts(run, values, "aggregations", &run->understanding.aggregations);
    put_texts(run, values, "plan", &answer->plan.steps);
    slot_text(run->scratch, values, "ordering",
              cut(run, run->understanding.ordering, TEXT_MOST));
    slot_flag(run->scratch, values, "has_joins", run->understanding.joins.count > 0);
    slot_flag(run->scratch, values, "has_filters", run->understanding.filters.count > 0);
    slot_flag(run->scratch, values, "has_aggregations",
              run->understanding.aggregations.count > 0);
    slot_flag(run->scratch, values, "has_plan", answer->plan.steps.count > 0);
    for (size_t i = 0; i < run->understanding.tables.count; i++) {
        slot_item_text(run->scratch, values, "tables",
                       run->understanding.tables.items[i].table->name);
    }
}

/* A model that put a follow-up into other words may have lost some: both are told. */
static const char *own_words(const struct run *run)
{
    bool same = str_equal(run_question_text(run), run->question.text);
    return same ? NULL : run->question.text;
}

struct slot *prompting_values(struct run *run)
{
    struct slot *values = slot_map(run->scratch);
    const struct datasource *source = run_datasource(run);
    if (source) {
        const struct dialect_info *dialect = dialect_get(datasource_dialect(source));
        slot_text(run->scratch, values, "dialect", dialect->title);
        slot_text(run->scratch, values, "rules",
                  run->sources.across ? crossing_rules(run, dialect->rules)
                                      : dialect->rules);
        slot_text(run->scratch, values, "description",
                  run->sources.across ? crossing_description(run)
                                      : cut(run, source->description, TEXT_MOST));
    }
    slot_text(run->scratch, values, "question", run_question_text(run));
    slot_text(run->scratch, values, "own_words", own_words(run));
    slot_text(run->scratch, values, "today",
              clock_date(run->scratch, clock_wall_s(), run->options->agent_time_zone));
    slot_text(run->scratch, values, "week_start", run->options->agent_week_start);
    slot_int(run->scratch, values, "fiscal_year_start",
             run->options->agent_fiscal_year_start);
    slot_flag(run->scratch, values, "allow_write", run->question.allow_write);
    slot_flag(run->scratch, values, "want_plan", prompting_plans(run));
    slot_text(run->scratch, values, "bad_reply", run->exchange.bad_reply);
    slot_text(run->scratch, values, "bad_sql", cut(run, run->exchange.bad_sql, SQL_MOST));
    cells_find(run);
    if (policing_sends_rows(run)) {
        put_texts(run, values, "cells", &run->understanding.cells);
        slot_flag(run->scratch, values, "has_cells", run->understanding.cells.count > 0);
    }
    put_texts(run, values, "details", &run->request.details);
    slot_flag(run->scratch, values, "has_details", run->request.details.count > 0);
    conversation_put(run, values);
    put_constraints(run, values);
    remembering_put(run, values);
    history_put(run, values);
    put_run(run, values);
    return values;
}

bool prompting_plans(const struct run *run)
{
    return !run->question.skip_plan && !run->options->agent_ignore_sql_reasoning;
}

void prompting_schema(struct run *run, struct slot *values,
                      const struct schema_text *text)
{
    if (text->clean) {
        slot_clean_text(run->scratch, values, "schema", text->text, text->size);
    } else {
        slot_text(run->scratch, values, "schema", text->text);
    }
}

bool prompting_call(struct run *run, struct stage_calls *calls, const char *stage,
                    const struct slot *values, int max_tokens, struct err *err)
{
    struct prompt_text text;
    if (!prompts_render(run->agent->prompts, run->scratch, stage, values, &text, err)) {
        return false;
    }
    bool plans = prompting_plans(run) &&
                 (str_equal(stage, "plan_query") || str_equal(stage, "understand"));
    VEC_PUSH(run->scratch, calls,
             ((struct stage_call){.stage = stage,
                                  .system = text.system,
                                  .user = text.user,
                                  .schema = text.schema,
                                  .max_tokens = max_tokens,
                                  .plans = plans}));
    return true;
}

int prompting_tokens(const struct stage_calls *calls)
{
    const struct stage_call *call = &calls->items[calls->count - 1];
    return llm_tokens(call->system, strlen(call->system)) +
           llm_tokens(call->user, strlen(call->user));
}

const struct schema_text *prompting_tables(struct run *run, int overhead)
{
    struct schema_text_settings settings = policing_text_settings(run);
    int budget = (int)run->options->llm_context_tokens - overhead;
    budget = budget < 200 ? 200 : budget;
    struct schema *schema = run_schema(run);
    struct schema_text *text = ARENA_NEW(run->arena, struct schema_text);
    run->exchange.shown = text;
    if (run->understanding.tables.count == 0) {
        const struct schema_text *whole =
            schema_cache_text(run->agent->schemas, run->arena, schema, &settings);
        if (whole->tokens <= budget) {
            return run->exchange.shown = whole;
        }
        schema_cache_render(run->agent->schemas, run->arena, schema, NULL, 0, &settings,
                            budget, text);
        return text;
    }
    schema_cache_render(run->agent->schemas, run->arena, schema, run_table_list(run),
                        run->understanding.tables.count, &settings, budget, text);
    return text;
}

bool prompting_ask(struct run *run, struct stage_calls *calls, const char *stage,
                   int max_tokens, struct err *err)
{
    /* A long question or conversation takes its room from the schema. */
    int overhead = OVERHEAD_TOKENS;
    for (int round = 0; round < SHRINK_ROUNDS; round++) {
        struct slot *values = prompting_values(run);
        const struct schema_text *text = prompting_tables(run, overhead);
        prompting_schema(run, values, text);
        if (!prompting_call(run, calls, stage, values, max_tokens, err)) {
            return false;
        }
        int tokens = prompting_tokens(calls);
        if (tokens <= (int)run->options->llm_context_tokens ||
            round == SHRINK_ROUNDS - 1) {
            break;
        }
        calls->count--;
        overhead = tokens - text->tokens + 16;
    }
    return true;
}

json_t *prompting_reply(struct run *run, const struct llm_reply *reply,
                        const char *const *wanted, struct err *err)
{
    /* In the run's arena: parts of it are used by later stages. */
    return reply_read(run->arena, reply->text, reply->size, wanted, err);
}

void prompting_texts(struct run *run, const json_t *array, const char *field,
                     struct texts *out)
{
    size_t index = 0;
    const json_t *item = NULL;
    *out = (struct texts){0};
    json_array_foreach(array, index, item)
    {
        const char *text = json_is_string(item) ? json_string_value(item)
                                                : json_text_at(item, field ? field : "");
        if (!str_empty(text) && out->count < 200) {
            VEC_PUSH(run->arena, out, arena_text(run->arena, text));
        }
    }
}

const char *prompting_harmless(struct run *run, const char *words)
{
    return words ? saying_clean(run->arena, words, SAYING_MOST, run->question.text)
                 : NULL;
}

const char *prompting_words(struct run *run, const json_t *object, const char *key)
{
    return prompting_harmless(run, prompting_text(run, object, key));
}

const char *prompting_text(struct run *run, const json_t *object, const char *key)
{
    const char *text = json_text_at(object, key);
    return str_empty(text) ? NULL : str_trim(run->arena, text);
}
