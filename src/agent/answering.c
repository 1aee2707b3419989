/* Processes a user's answer to a clarifying question. */
#include "agent/answering.h"

#include <string.h>

#include "agent/memory/corrections.h"
#include "agent/sources/crossing.h"
#include "agent/sources/narrowing.h"
#include "agent/sources/reach.h"
#include "agent/stage.h"
#include "agent/understand/solving.h"
#include "base/str.h"
#include "base/vec.h"
#include "knowledge/schema/schema_cache.h"

/* Has nothing changed since the clarifying question? Opens the sources and finds the
 * chosen tables. */
static bool reattach(struct run *run)
{
    size_t index = 0;
    const json_t *item = NULL;
    struct err err;
    err_clear(&err);
    json_array_foreach(json_array_at(run->saved, "sources"), index, item)
    {
        const char *id = json_text_at(item, "id");
        struct datasource *source = id ? reach_open(run, id, &err) : NULL;
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
    bool across = json_bool_at(run->saved, "across", false);
    return run->sources.count > 0 && (!across || crossing_begin(run, &err));
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

/* An option's value, its label, "2" or "the second one" selects the option; any other
 * text is a free answer. */
static const char *chosen_value(const struct clarification *back, const char *text)
{
    for (size_t i = 0; i < back->options.count; i++) {
        const struct clarification_option *option = &back->options.items[i];
        size_t size = strlen(text); /* "plus" for "plus: how many plus riders?" */
        bool begins = size && str_starts_nocase(option->label, text) &&
                      str_starts(option->label + size, ": ");
        if (str_equal_nocase(option->value, text) ||
            str_equal_nocase(option->label, text) || begins) {
            return option->value;
        }
    }
    size_t number = clarification_number(back, text);
    return number && number <= back->options.count ? back->options.items[number - 1].value
                                                   : text;
}

/* "yes" to a reading of the parser means just that one: read anew, beside what was said
 * meanwhile, the question might be read in another way. */
static const char *agreed_reading(const struct run *run, const struct clarification *back,
                                  const char *value)
{
    const struct run_readings *readings = &run->understanding.readings;
    bool yes = back->kind == CLARIFY_DETAIL && str_equal_nocase(value, "yes");
    for (size_t i = 0; yes && i < back->options.count; i++) {
        for (size_t k = 0; k < readings->count; k++) {
            if (str_equal(back->options.items[i].value, "yes") &&
                !str_empty(readings->items[k].words) &&
                str_ends(back->options.items[i].label, readings->items[k].words)) {
                return readings->items[k].words;
            }
        }
    }
    return NULL;
}

/* "option 7" when there are four: ask again; these are not words about the data. */
static enum event out_of_range(struct run *run, size_t number)
{
    static const char again[] = "There is no option ";
    struct clarification *back = &run->answer.clarification;
    const char *asked = back->message;
    const char *end = str_starts(asked, again) ? strstr(asked, ". ") : NULL;
    back->message = arena_format(run->arena, "%s%zu, only 1 to %zu. %s", again, number,
                                 back->options.count, end ? end + strlen(". ") : asked);
    return EVENT_UNSURE;
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

static enum event keep(struct run *run, const struct correction *correction,
                       enum event event)
{
    const struct clarification back = run->answer.clarification;
    if (run_schema(run) && !corrections_known(run, correction, &back)) {
        return EVENT_UNSURE;
    }
    corrections_add(run, correction);
    run->request.corrected_tables =
        run->request.corrected_tables || event == EVENT_ANSWERED_TABLES;
    return event;
}

static bool listed(const struct texts *texts, const char *text)
{
    for (size_t i = 0; i < texts->count; i++) {
        if (str_equal_nocase(texts->items[i], text)) {
            return true;
        }
    }
    return false;
}

/* "not Customers", when there are two tables, selects the other one. */
static const char *only_left(const struct clarification *back, const struct texts *out)
{
    const char *rest = NULL;
    for (size_t i = 0; back->kind == CLARIFY_TABLES && i < back->options.count; i++) {
        const char *value = back->options.items[i].value;
        if (listed(out, value)) {
            continue;
        }
        if (rest) {
            return NULL;
        }
        rest = value;
    }
    return rest;
}

/* Rules out the options that were not chosen. */
static enum event keep_tables(struct run *run, struct correction *correction)
{
    const struct clarification *back = &run->answer.clarification;
    bool chosen = back->kind == CLARIFY_TABLES && correction->use_tables.count;
    for (size_t i = 0; chosen && i < back->options.count; i++) {
        const char *value = back->options.items[i].value;
        if (!listed(&correction->use_tables, value) &&
            !listed(&correction->reject_tables, value)) {
            VEC_PUSH(run->arena, &correction->reject_tables, value);
        }
    }
    const char *rest = chosen ? NULL : only_left(back, &correction->reject_tables);
    if (rest) {
        VEC_PUSH(run->arena, &correction->use_tables, rest);
    }
    return keep(run, correction, EVENT_ANSWERED_TABLES);
}

/* A correction in one of the forms of docs/api.md, whatever the clarifying question
 * was. */
static bool take_correction(struct run *run, const char *value, enum event *event)
{
    struct correction correction = {0};
    if (!correction_parse(&correction, run->arena, value)) {
        return false;
    }
    *event = correction.joins.count ? keep(run, &correction, EVENT_ANSWERED_JOIN)
                                    : keep_tables(run, &correction);
    return true;
}

/* The answer uses other words: the option that shares words with it; else the words
 * themselves. */
static const char *meant(struct run *run, const char *value)
{
    const char *option = corrections_option(&run->answer.clarification, value);
    return option ? option : value;
}

static enum event take_tables(struct run *run, const char *value)
{
    enum event event = EVENT_ANSWERED_TABLES;
    if (take_correction(run, value, &event)) {
        return event;
    }
    struct correction correction = {.text = value};
    VEC_PUSH(run->arena, &correction.use_tables, meant(run, value));
    return keep_tables(run, &correction);
}

static enum event take_join(struct run *run, const char *value)
{
    enum event event = EVENT_ANSWERED_JOIN;
    if (take_correction(run, value, &event)) {
        return event;
    }
    struct correction correction = {.text = value};
    VEC_PUSH(run->arena, &correction.joins, meant(run, value));
    return keep(run, &correction, EVENT_ANSWERED_JOIN);
}

/* "not Rome" looks like a correction, but is about a cell. */
static bool speaks_of_tables(struct run *run, const char *value)
{
    struct correction correction = {0};
    if (!correction_parse(&correction, run->scratch, value)) {
        return false;
    }
    const struct texts *lists[] = {&correction.use_tables, &correction.reject_tables};
    bool certain = correction.joins.count > 0 || !run_schema(run) ||
                   str_contains_nocase(value, "table");
    bool named = false;
    bool all = true;
    for (size_t list = 0; list < 2; list++) {
        for (size_t i = 0; i < lists[list]->count; i++) {
            bool known = schema_table(run_schema(run), lists[list]->items[i]) != NULL;
            named = named || known;
            /* "customers not invited": only one of the two is a table */
            all = all && (known || lists[list] == &correction.use_tables);
        }
    }
    return certain || (named && all);
}

/* An answer without a word about the data must not become a condition: asks again. */
static bool says_nothing(struct run *run, const char *value)
{
    struct clarification *back = &run->answer.clarification;
    if (run->request.confirmed || !run->agent->brain || !solving_alone(run)) {
        return false; /* a model may understand more */
    }
    if (!answering_says_no(run->scratch, value) && answering_names(run, value)) {
        return false;
    }
    static const char again[] = "Please say it in other words, or choose an option. ";
    if (!str_starts(back->message, again)) {
        back->message = arena_format(run->arena, "%s%s", again, back->message);
    }
    return true;
}

static enum event take_detail(struct run *run, const char *value)
{
    enum event event = EVENT_ANSWERED_DETAIL;
    if (!speaks_of_tables(run, value) || !take_correction(run, value, &event)) {
        if (says_nothing(run, value)) {
            return EVENT_UNSURE;
        }
        VEC_PUSH(run->arena, &run->request.details, value);
    }
    return event;
}

static enum event take_intent(struct run *run, const char *value)
{
    VEC_PUSH(run->arena, &run->request.details, value);
    return EVENT_ANSWERED_INTENT;
}

static enum event take_source(struct run *run, const char *value)
{
    struct clarification *back = &run->answer.clarification;
    struct texts named = {0};
    narrowing_named(run, value, &named);       /* "the shop, please" */
    if (crossing_answer(run, value, &named)) { /* "both" */
        run->question.datasource = str_join(run->arena, &named, ",");
        return EVENT_ANSWERED_SOURCE;
    }
    const char *id = named.count == 1 ? named.items[0] : meant(run, value);
    bool offered = back->options.count == 0;
    for (size_t i = 0; i < back->options.count && !offered; i++) {
        offered = str_equal_nocase(back->options.items[i].value, id);
    }
    if (!offered) {
        back->message = arena_format(
            run->arena,
            "There is no datasource '%.80s'. Which database is the question about?", id);
        return EVENT_UNSURE;
    }
    run->question.datasource = arena_text(run->arena, id);
    return EVENT_ANSWERED_SOURCE;
}

bool answering_says_yes(const char *text)
{
    static const char *const yes[] = {"yes",   "y",      "ok",  "approve",    "approved",
                                      "do it", "run it", "run", "yes please", NULL};
    return says(text, yes);
}

static enum event take_approval(struct run *run, const char *value)
{
    static const char *const no[] = {
        "no",     "n",     "nope",        "not",           "reject",    "rejected",
        "do not", "don't", "don't do it", "do not run it", "no thanks", NULL};
    struct clarification *back = &run->answer.clarification;
    run->query.approved = answering_says_yes(value);
    if (run->query.approved || says(value, no)) {
        return run->query.approved ? EVENT_APPROVED : EVENT_REJECTED;
    }
    /* a typing error must neither run the statement nor discard it */
    static const char again[] = "Say yes or no. ";
    back->message = arena_format(
        run->arena, "%s%s", again,
        str_starts(back->message, again) ? back->message + strlen(again) : back->message);
    return EVENT_UNSURE;
}

typedef enum event take_answer(struct run *run, const char *value);

static take_answer *const takers[] = {
    [CLARIFY_NONE] = take_intent,       [CLARIFY_INTENT] = take_intent,
    [CLARIFY_DATASOURCE] = take_source, [CLARIFY_TABLES] = take_tables,
    [CLARIFY_JOIN] = take_join,         [CLARIFY_DETAIL] = take_detail,
    [CLARIFY_APPROVAL] = take_approval,
};

/* {"type": "detail", "answer": "active users"}: the text of a structured answer. A
 * correction stays as it is. */
static const char *plain_text(struct run *run, const char *text)
{
    static const char *const keys[] = {"answer", "value", "datasource",
                                       "selected_option"};
    struct err ignored;
    err_clear(&ignored);
    if (*text != '{') {
        return text;
    }
    const json_t *json = json_parse(run->arena, text, strlen(text), &ignored);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const json_t *value = json_object_get(json, keys[i]);
        if (json_is_integer(value)) {
            return arena_format(run->arena, "%lld", (long long)json_integer_value(value));
        }
        if (json_is_string(value)) {
            return str_trim(run->arena, json_string_value(value));
        }
    }
    const json_t *approved = json_object_get(json, "approved");
    return json_is_boolean(approved) ? json_is_true(approved) ? "yes" : "no" : text;
}

/* After three answers that do not help, the question ends; the message before the third
 * says so. */
static bool tries_spent(struct run *run, enum event event, struct err *err)
{
    int64_t most = run->options->agent_max_correction_attempts;
    int64_t tries = ++run->budget.corrections;
    bool again = event == EVENT_UNSURE;
    if (tries > most || (again && tries == most)) {
        (void)err_set(err, ERR_STILL_UNCLEAR,
                      "The question is still unclear after %lld answer%s.",
                      (long long)most, most == 1 ? "" : "s");
        if (again) {
            (void)err_detail(err, "%s", run->answer.clarification.message);
        }
        return true;
    }
    if (again && tries == most - 1) {
        run->answer.clarification.message = arena_format(
            run->arena, "%s This is the last try.", run->answer.clarification.message);
    }
    return false;
}

enum event answering_event(struct run *run, const char *text, struct err *err)
{
    struct clarification back = run->answer.clarification;
    text = plain_text(run, str_trim(run->arena, text));
    const char *value = chosen_value(&back, text);
    run->request.confirmed = value != text || answering_says_yes(text);
    run->request.agreed = agreed_reading(run, &back, value);
    size_t number = value == text ? clarification_number(&back, text) : 0;
    struct err trouble;
    err_clear(&trouble);
    (void)stage_get(STATE_INITIALIZING)->work(run, &trouble); /* the conversation */
    bool attached = reattach(run);
    if (attached) {
        restore_tables(run);
    }
    if (answering_declines(run->scratch, value)) {
        return EVENT_REJECTED;
    }
    enum event event = number > back.options.count
                           ? out_of_range(run, number)
                           : takers[back.kind](run, arena_text(run->arena, value));
    if (back.kind != CLARIFY_APPROVAL && tries_spent(run, event, err)) {
        return EVENT_TOO_MANY;
    }
    run->budget.sql_attempts = 0;
    if (event == EVENT_UNSURE) {
        return event; /* the clarification is repeated */
    }
    run->answer.clarification = (struct clarification){0};
    bool needs_schema = event == EVENT_ANSWERED_TABLES || event == EVENT_ANSWERED_JOIN ||
                        event == EVENT_ANSWERED_DETAIL || event == EVENT_APPROVED;
    if (needs_schema && !attached) {
        /*
         * The database has changed since the clarifying question. What was approved or
         * chosen then is not executed; the user's answers are kept, and the run starts
         * again.
         */
        run->query.approved = false;
        run->sources.count = 0;
        run->sources.across = NULL;
        return EVENT_ANSWERED_SOURCE;
    }
    return event;
}
