/* Understanding a question by a model, in one call or in phases. */
#include "agent/understand/understanding.h"

#include <string.h>

#include "agent/memory/mapping.h"
#include "agent/understand/guesses.h"
#include "agent/understand/parsing.h"
#include "agent/sources/policing.h"
#include "agent/prompting.h"
#include "agent/run_statement.h"
#include "agent/saying.h"
#include "agent/understand/solving.h"
#include "base/str.h"
#include "knowledge/schema/schema_cache.h"
#include "knowledge/value_index/value_index.h"
#include "sql/guard.h"

enum event understanding_set_intent(struct run *run, enum intent intent)
{
    static const enum event events[INTENT_COUNT] = {
        [INTENT_TEXT_TO_SQL] = EVENT_TEXT_TO_SQL,
        [INTENT_SCHEMA_QUERY] = EVENT_SCHEMA_QUERY,
        [INTENT_MISLEADING] = EVENT_MISLEADING,
        [INTENT_GENERAL] = EVENT_GENERAL,
        [INTENT_CLARIFICATION] = EVENT_UNCLEAR,
    };
    run->answer.intent = intent;
    return events[intent];
}

/* The clarifying question in the reply; its message is NULL if there is none. */
static struct clarification read_back(struct run *run, const json_t *json,
                                      enum clarification_kind kind)
{
    const json_t *part = json_object_at(json, "clarification");
    const char *text = part ? prompting_words(run, part, "question")
                            : prompting_words(run, json, "clarification_question");
    struct clarification back = {.kind = text ? kind : CLARIFY_NONE, .message = text};
    struct texts options = {0};
    prompting_texts(run, text ? json_array_at(part, "options") : NULL, "label", &options);
    for (size_t i = 0; i < options.count && i < 12; i++) {
        const char *option = saying_clean(run->arena, options.items[i], SAYING_SHORT_MOST,
                                          run->question.text);
        VEC_PUSH(run->arena, &back.options,
                 ((struct clarification_option){option, option}));
    }
    return back;
}

bool understanding_read_back(struct run *run, const json_t *json,
                             enum clarification_kind kind)
{
    struct clarification back = read_back(run, json, kind);
    if (back.message) {
        run->answer.clarification = back;
    }
    return back.message != NULL;
}

enum event understanding_read_intent(struct run *run, const json_t *json, struct err *err)
{
    const char *name = json_text_at(json, "intent");
    enum intent intent = str_empty(name) ? INTENT_TEXT_TO_SQL : intent_find(name);
    if (intent == INTENT_UNSET) {
        (void)err_set(err, ERR_LLM_NONSENSE, "The intent '%.40s' is not one of the five.",
                      name);
        return EVENT_BAD_REPLY;
    }
    const char *rewritten = prompting_words(run, json, "rewritten_question");
    rewritten = rewritten ? rewritten : prompting_words(run, json, "rewritten_query");
    if (rewritten && !str_equal(rewritten, run->question.text)) {
        run->answer.rewritten = rewritten;
    }
    if (intent == INTENT_CLARIFICATION &&
        !understanding_read_back(run, json, CLARIFY_INTENT)) {
        run->answer.clarification = (struct clarification){.kind = CLARIFY_INTENT};
    }
    if (intent == INTENT_GENERAL || intent == INTENT_MISLEADING) {
        run->exchange.reply = prompting_words(run, json, "reply");
    }
    run->understanding.intent_provisional = false;
    parsing_read(run, json);
    return understanding_set_intent(run, intent);
}

bool understanding_phased(const struct run *run)
{
    const char *mode = run->options->understanding_mode;
    return str_equal(mode, "phased") || str_equal(mode, "per_table");
}

static void rank(struct run *run, size_t most, struct ranked_tables *out)
{
    struct texts earlier = {0};
    for (size_t i = 0; i < run->request.history.count; i++) {
        if (str_equal(run->request.history.items[i].role, "user")) {
            VEC_PUSH(run->scratch, &earlier, run->request.history.items[i].content);
        }
    }
    for (size_t i = 0; i < run->request.details.count; i++) {
        VEC_PUSH(run->scratch, &earlier, run->request.details.items[i]);
    }
    mapping_names(run, &earlier);
    /* Cells of a database that is far away take longer to read than they are worth. */
    struct value_index *cells = solving_cells(run, run_datasource(run)->driver->local);
    schema_cache_rank(run->agent->schemas, run->scratch, run_schema(run), cells,
                      run_question_text(run), str_join(run->scratch, &earlier, " "), most,
                      out);
    value_index_unref(cells);
}

static const struct table **tables_of(struct run *run, const struct ranked_tables *ranked,
                                      size_t *count)
{
    const struct table **tables =
        arena_array(run->scratch, ranked->count + 1, sizeof *tables);
    for (size_t k = 0; k < ranked->count; k++) {
        tables[k] = ranked->items[k].table;
    }
    *count = ranked->count;
    return tables;
}

const struct table **understanding_ranked(struct run *run, size_t most, size_t *count)
{
    struct ranked_tables ranked = {0};
    rank(run, most, &ranked);
    return tables_of(run, &ranked, count);
}

const struct table **understanding_candidates(struct run *run, size_t *count)
{
    return understanding_ranked(run, (size_t)run->options->understanding_candidates,
                                count);
}

/* Once the wrong tables were chosen, or the user says which to use, all are shown. */
const struct table **understanding_shown(struct run *run, size_t *count)
{
    struct ranked_tables ranked = {0};
    size_t most = (size_t)run->options->understanding_candidates;
    rank(run, most, &ranked);
    if (run_schema(run)->tables.count > most && !run->query.error &&
        !run->request.correction.use_tables.count) {
        prefilter_cut(&ranked);
    }
    return tables_of(run, &ranked, count);
}

/* Adds the call with this schema text; true when it fits the context. */
static bool try_fused(struct run *run, struct stage_calls *calls,
                      const struct schema_text *text, bool *fits, struct err *err)
{
    size_t before = calls->count;
    int reply_tokens = (int)run->options->llm_reply_tokens * 3; /* it holds six replies */
    *fits = false;
    for (bool guesses = true; !*fits; guesses = false) {
        struct slot *values = prompting_values(run);
        prompting_schema(run, values, text);
        guesses = guesses && guesses_put(run, values, text);
        calls->count = before;
        if (!prompting_call(run, calls, "understand", values, reply_tokens, err)) {
            return false;
        }
        *fits = prompting_tokens(calls) <= (int)run->options->llm_context_tokens;
        if (!guesses) {
            break; /* there is nothing left that it could do without */
        }
    }
    if (!*fits) {
        calls->count = before;
    } else {
        run->exchange.shown = text;
    }
    return true;
}

/* The best tables by words, packed into what the whole schema left of the context. */
static bool try_candidates(struct run *run, struct stage_calls *calls, bool must,
                           bool *fits, struct err *err)
{
    size_t count = 0;
    const struct table **tables = understanding_shown(run, &count);
    struct schema_text_settings settings = policing_text_settings(run);
    struct schema_text *text = ARENA_NEW(run->arena, struct schema_text);
    struct schema_text none = {.text = ""};
    *fits = false;
    if (!try_fused(run, calls, &none, fits, err)) {
        return false;
    }
    if (!*fits && !must) {
        return true; /* the phases ask in smaller pieces */
    }
    if (!*fits) {
        return err_set(err, ERR_LLM_TOO_LARGE,
                       "The question and the conversation do not fit %lld tokens.",
                       (long long)run->options->llm_context_tokens);
    }
    int room = (int)run->options->llm_context_tokens - prompting_tokens(calls) - 16;
    calls->count--;
    schema_cache_render(run->agent->schemas, run->arena, run_schema(run), tables, count,
                        &settings, room, text);
    if (text->left_out && !must) {
        *fits = false;
        return true;
    }
    return try_fused(run, calls, text, fits, err);
}

bool understanding_fuse(struct run *run, struct stage_calls *calls, bool *added,
                        struct err *err)
{
    const char *mode = run->options->understanding_mode;
    bool must = str_equal(mode, "fused");
    *added = false;
    if (!must && !str_equal(mode, "auto")) {
        return true;
    }
    bool fits = false;
    if (run->understanding.tables
            .count) { /* chosen already: only their part of the schema */
        if (!try_fused(run, calls, prompting_tables(run, 1500), &fits, err)) {
            return false;
        }
    } else {
        struct schema_text_settings settings = policing_text_settings(run);
        const struct schema_text *whole = schema_cache_text(
            run->agent->schemas, run->arena, run_schema(run), &settings);
        bool hopeless = whole->tokens > (int)run->options->llm_context_tokens;
        if (!hopeless && !try_fused(run, calls, whole, &fits, err)) {
            return false;
        }
        if (!fits && !try_candidates(run, calls, must, &fits, err)) {
            return false;
        }
    }
    *added = fits;
    return true;
}

const json_t *understanding_keep(struct run *run, const struct llm_reply *reply,
                                 struct err *err)
{
    static const char *const wanted[] = {"sql", "intent", "tables", "clarification",
                                         NULL};
    const json_t *json = prompting_reply(run, reply, wanted, err);
    if (!json) {
        return NULL;
    }
    understanding_forget(run);
    run->understanding.whole = true;
    run->understanding.summary = prompting_words(run, json, "summary");
    understanding_read_needs(run, json);
    understanding_read_joins(run, json);
    understanding_read_plan(run, json);
    understanding_read_sql(run, json);
    return json;
}

const struct table *understanding_find_table(struct run *run, const char *name)
{
    const struct schema *schema = run_schema(run);
    const struct table *table = schema_table(schema, name);
    table = table ? table : mapping_table(run, name);
    table = table ? table : schema_table_called(schema, name);
    if (table) {
        return table;
    }
    const char **names = arena_array(run->scratch, schema->tables.count, sizeof *names);
    for (size_t i = 0; i < schema->tables.count; i++) {
        names[i] = schema->tables.items[i].name;
    }
    const char *near = str_nearest(name, names, schema->tables.count);
    return near && str_distance(name, near, 2) <= 2 ? schema_table(schema, near) : NULL;
}

static void choose_one(struct run *run, const json_t *item)
{
    const char *name =
        json_is_string(item) ? json_string_value(item) : json_text_at(item, "name");
    name = name ? name : json_text_at(item, "table");
    const struct table *table = name ? understanding_find_table(run, name) : NULL;
    if (!table || !json_bool_at(item, "is_relevant", true)) {
        return;
    }
    struct chosen_table *chosen =
        run_choose(run, table, json_real_at(item, "confidence", 0.9));
    const json_t *columns = json_array_at(item, "relevant_columns");
    prompting_texts(run, columns ? columns : json_array_at(item, "columns"), NULL,
                    &chosen->columns);
    chosen->reasoning = prompting_words(run, item, "reasoning");
    if (!chosen->reasoning) {
        chosen->reasoning = prompting_words(run, item, "reason");
    }
}

void understanding_choose(struct run *run, const json_t *tables)
{
    size_t index = 0;
    const json_t *item = NULL;
    json_array_foreach(tables, index, item)
    {
        choose_one(run, item);
    }
}

void understanding_read_needs(struct run *run, const json_t *json)
{
    run->understanding.joins_needed = json_bool_at(
        json, "joins_needed", json_array_size(json_object_get(json, "joins")) > 0);
    prompting_texts(run, json_array_at(json, "filters"), NULL,
                    &run->understanding.filters);
    prompting_texts(run, json_array_at(json, "aggregations"), NULL,
                    &run->understanding.aggregations);
    run->understanding.ordering = prompting_text(run, json, "ordering");
}

void understanding_read_joins(struct run *run, const json_t *json)
{
    size_t index = 0;
    const json_t *item = NULL;
    struct stated_joins *stated = &run->understanding.stated;
    *stated = (struct stated_joins){0};
    json_array_foreach(json_array_at(json, "joins"), index, item)
    {
        const char *text = json_is_string(item) ? json_string_value(item)
                                                : json_text_at(item, "condition");
        if (text) {
            VEC_PUSH(run->arena, stated,
                     ((struct stated_join){arena_text(run->arena, text),
                                           json_real_at(item, "confidence", 0.9)}));
        }
    }
}

void understanding_read_plan(struct run *run, const json_t *json)
{
    const json_t *steps = json_array_at(json, "steps");
    prompting_texts(run, steps ? steps : json_array_at(json, "plan"), "step",
                    &run->understanding.plan);
}

enum { ASSUMED_MOST = 6 };

/* What the model decided besides the question, for people to check. */
static void read_assumed(struct run *run, const json_t *json)
{
    struct texts said = {0};
    prompting_texts(run, json_array_at(json, "assumptions"), NULL, &said);
    run->understanding.assumed = (struct texts){0};
    for (size_t i = 0; i < said.count && i < ASSUMED_MOST; i++) {
        VEC_PUSH(run->arena, &run->understanding.assumed,
                 saying_clean(run->arena, said.items[i], SAYING_SHORT_MOST,
                              run->question.text));
    }
}

void understanding_read_sql(struct run *run, const json_t *json)
{
    struct understanding *understanding = &run->understanding;
    const char *sql = json_text_at(json, "sql");
    /* in the longer form of before, "confidence" is that of the intent */
    double sure =
        json_array_at(json, "tables") ? -1 : json_real_at(json, "confidence", -1);
    understanding->sql_confidence = sure <= 1 ? sure : -1;
    read_assumed(run, json);
    understanding->sql = sql ? arena_text(run->arena, sql) : NULL;
    understanding->explanation = prompting_words(run, json, "explanation");
    understanding->cannot = prompting_words(run, json, "error");
    understanding->back = read_back(run, json, CLARIFY_DETAIL);
}

void understanding_forget(struct run *run)
{
    struct understanding *understanding = &run->understanding;
    understanding->whole = understanding->sql_used = false;
    understanding->named = understanding->plan = (struct texts){0};
    understanding->stated = (struct stated_joins){0};
    understanding->summary = understanding->sql = NULL;
    understanding->explanation = understanding->cannot = NULL;
    understanding->assumed = (struct texts){0};
    understanding->sql_confidence = -1;
    understanding->back = (struct clarification){0};
}

static bool rejected(const struct run *run, const struct table *table)
{
    const struct texts *names = &run->request.correction.reject_tables;
    for (size_t i = 0; i < names->count; i++) {
        if (str_equal_nocase(names->items[i], table->name) ||
            str_equal_nocase(names->items[i], table->bare_name)) {
            return true;
        }
    }
    return false;
}

void understanding_constrain(struct run *run)
{
    size_t kept = 0;
    mapping_tables(run);
    for (size_t i = 0; i < run->understanding.tables.count; i++) {
        if (!rejected(run, run->understanding.tables.items[i].table)) {
            run->understanding.tables.items[kept++] = run->understanding.tables.items[i];
        }
    }
    run->understanding.tables.count = kept;
    for (size_t i = 0; i < run->request.correction.use_tables.count; i++) {
        const struct table *table =
            understanding_find_table(run, run->request.correction.use_tables.items[i]);
        if (table) {
            (void)run_choose(run, table, 1.0);
        } else {
            run_warn(run, "There is no table '%s'.",
                     run->request.correction.use_tables.items[i]);
        }
    }
}

bool understanding_settle_tables(struct run *run, struct err *err)
{
    understanding_constrain(run);
    if (run->understanding.tables.count) {
        return true;
    }
    return err_set(err, ERR_NO_RELEVANT_DATA,
                   "No table of '%s' is relevant to the question.",
                   run_datasource(run)->id);
}

/* A correction leaves nothing to choose: the tables of before, filtered. Found again by
 * name, as the schema may have been read anew since. */
static bool decided_by_user(struct run *run)
{
    if (!run->request.corrected_tables) {
        return false;
    }
    size_t kept = 0;
    for (size_t i = 0; i < run->understanding.tables.count; i++) {
        struct chosen_table chosen = run->understanding.tables.items[i];
        chosen.table = schema_table(run_schema(run), chosen.table->name);
        if (chosen.table) {
            run->understanding.tables.items[kept++] = chosen;
        }
    }
    run->understanding.tables.count = kept;
    bool decided = kept || run->request.correction.use_tables.count;
    understanding_constrain(run);
    return decided;
}

void understanding_restart(struct run *run)
{
    run->exchange.asked_fused = run->exchange.asked_intent = false;
    understanding_forget(run);
    run->understanding.solved = SOLVED_NOT;
    run->understanding.reasons = (struct texts){0};
    run->understanding.filter_only = decided_by_user(run);
    if (!run->understanding.filter_only) {
        run->understanding.tables.count = 0;
    }
}
