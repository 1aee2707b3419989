/* A user's answer to a question back. */
#include "agent/answering.h"

#include "agent/sources.h"
#include "agent/stage.h"
#include "base/str.h"
#include "base/vec.h"
#include "knowledge/schema_cache.h"

/* Is everything as it was when we asked? Opens the sources and finds the chosen tables.
 */
static bool reattach(struct run *run)
{
    size_t index = 0;
    const json_t *item = NULL;
    struct err err;
    err_clear(&err);
    json_array_foreach(json_array_at(run->saved, "sources"), index, item)
    {
        const char *id = json_text_at(item, "id");
        struct datasource *source =
            id ? sources_open(run->agent->sources, id, &err) : NULL;
        if (!source) {
            return false;
        }
        struct run_source *entry = VEC_ADD(run->arena, &run->sources);
        entry->source = source;
        run->answer.datasource = source->id;
        struct datasource_limits limits = run_limits(run);
        if (!datasource_signature(source, &limits, entry->signature, &err) ||
            !str_equal(entry->signature, json_text_at(item, "signature"))) {
            return false;
        }
        struct schema *schema =
            schema_cache_get(run->agent->schemas, id, entry->signature, &err);
        if (!schema) {
            return false;
        }
        run_keep_schema(run, entry, schema);
        run->answer.signature = schema->signature;
        run->answer.schema_hash = schema->hash;
    }
    return run->sources.count > 0;
}

static void restore_tables(struct run *run)
{
    size_t index = 0;
    const json_t *item = NULL;
    json_array_foreach(json_array_at(run->saved, "tables"), index, item)
    {
        const char *name = json_text_at(item, "name");
        const struct table *table = name ? schema_table(run_schema(run), name) : NULL;
        if (table) {
            struct chosen_table *chosen =
                run_choose(run, table, json_real_at(item, "confidence", 0.9));
            chosen->reasoning = arena_text(run->arena, json_text_at(item, "reasoning"));
        }
    }
}

/* "2", an option's value or its label mean the option; anything else means itself. */
static const char *chosen_value(const struct clarification *back, const char *text)
{
    int64_t number = 0;
    if (str_to_int(text, &number) && number >= 1 &&
        (size_t)number <= back->options.count) {
        return back->options.items[number - 1].value;
    }
    for (size_t i = 0; i < back->options.count; i++) {
        const struct clarification_option *option = &back->options.items[i];
        if (str_equal_nocase(option->value, text) ||
            str_equal_nocase(option->label, text)) {
            return option->value;
        }
    }
    return text;
}

static bool says(const char *text, const char *const *words)
{
    for (; *words; words++) {
        if (str_equal_nocase(text, *words)) {
            return true;
        }
    }
    return false;
}

static void add_all(struct run *run, struct texts *to, const struct texts *from)
{
    for (size_t i = 0; i < from->count; i++) {
        VEC_PUSH(run->arena, to, arena_text(run->arena, from->items[i]));
    }
}

/* Corrections add up: what the user has ruled out stays out. */
static void add_correction(struct run *run, const struct correction *correction)
{
    add_all(run, &run->correction.use_tables, &correction->use_tables);
    add_all(run, &run->correction.reject_tables, &correction->reject_tables);
    add_all(run, &run->correction.joins, &correction->joins);
    run->correction.text = correction->text;
}

static enum event take_tables(struct run *run, const char *value)
{
    const struct clarification *back = &run->answer.clarification;
    struct correction correction = {0};
    if (!correction_parse(&correction, run->arena, value) ||
        (!correction.use_tables.count && !correction.reject_tables.count)) {
        correction = (struct correction){.text = value};
        VEC_PUSH(run->arena, &correction.use_tables, value);
    }
    /* The options that were not chosen are ruled out. */
    for (size_t i = 0; correction.use_tables.count && i < back->options.count; i++) {
        if (!str_equal_nocase(back->options.items[i].value,
                              correction.use_tables.items[0])) {
            VEC_PUSH(run->arena, &correction.reject_tables, back->options.items[i].value);
        }
    }
    add_correction(run, &correction);
    run->corrected_tables = true;
    return EVENT_ANSWERED_TABLES;
}

static enum event take_join(struct run *run, const char *value)
{
    struct correction correction = {0};
    if (!correction_parse(&correction, run->arena, value) || !correction.joins.count) {
        correction = (struct correction){.text = value};
        VEC_PUSH(run->arena, &correction.joins, value);
    }
    add_correction(run, &correction);
    return EVENT_ANSWERED_JOIN;
}

static enum event take_detail(struct run *run, const char *value)
{
    struct correction correction = {0};
    if (correction_parse(&correction, run->arena, value) &&
        (correction.use_tables.count || correction.reject_tables.count)) {
        return take_tables(run, value);
    }
    VEC_PUSH(run->arena, &run->details, value);
    return EVENT_ANSWERED_DETAIL;
}

static enum event take_intent(struct run *run, const char *value)
{
    VEC_PUSH(run->arena, &run->details, value);
    return EVENT_ANSWERED_INTENT;
}

static enum event take_source(struct run *run, const char *value)
{
    run->question.datasource = value;
    return EVENT_ANSWERED_SOURCE;
}

static enum event take_approval(struct run *run, const char *value)
{
    static const char *const yes[] = {"yes",   "y",      "ok",  "approve", "approved",
                                      "do it", "run it", "run", NULL};
    run->approved = says(value, yes);
    return run->approved ? EVENT_APPROVED : EVENT_REJECTED;
}

typedef enum event take_answer(struct run *run, const char *value);

static take_answer *const takers[] = {
    [CLARIFY_NONE] = take_intent,       [CLARIFY_INTENT] = take_intent,
    [CLARIFY_DATASOURCE] = take_source, [CLARIFY_TABLES] = take_tables,
    [CLARIFY_JOIN] = take_join,         [CLARIFY_DETAIL] = take_detail,
    [CLARIFY_APPROVAL] = take_approval,
};

enum event answering_event(struct run *run, const char *text, struct err *err)
{
    static const char *const no[] = {"cancel", "stop", "never mind", "nevermind", NULL};
    struct clarification back = run->answer.clarification;
    const char *value = chosen_value(&back, str_trim(run->arena, text));
    struct err trouble;
    err_clear(&trouble);
    (void)stage_get(STATE_INITIALIZING)->work(run, &trouble); /* the conversation */
    bool attached = reattach(run);
    if (attached) {
        restore_tables(run);
    }
    if (says(value, no)) {
        return EVENT_REJECTED;
    }
    enum event event = takers[back.kind](run, arena_text(run->arena, value));
    if (back.kind != CLARIFY_APPROVAL &&
        ++run->budget.corrections > run->options->agent_max_correction_attempts) {
        (void)err_set(err, ERR_STILL_UNCLEAR,
                      "The question is still unclear after %lld "
                      "answers.",
                      (long long)run->options->agent_max_correction_attempts);
        return EVENT_TOO_MANY;
    }
    run->budget.sql_attempts = 0;
    run->answer.clarification = (struct clarification){0};
    bool needs_schema = event == EVENT_ANSWERED_TABLES || event == EVENT_ANSWERED_JOIN ||
                        event == EVENT_ANSWERED_DETAIL || event == EVENT_APPROVED;
    if (needs_schema && !attached) {
        /* The database changed while we waited: nothing approved or chosen then is run
         * blindly now; what the user said is kept and the way is walked again. */
        run->approved = false;
        run->sources.count = 0;
        return EVENT_ANSWERED_SOURCE;
    }
    return event;
}
