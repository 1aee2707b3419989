/* Decides whether a message to a waiting question is its answer or a new question. */
#include <string.h>

#include "agent/answering.h"
#include "agent/memory/meaning.h"
#include "agent/understand/intent_rules.h"
#include "agent/understand/intent_words.h"
#include "agent/understand/language.h"
#include "agent/understand/placing/placing.h"
#include "agent/understand/solving.h"
#include "agent/understand/undoing.h"
#include "agent/sources/reach.h"
#include "base/str.h"
#include "knowledge/schema/schema_cache.h"

static bool is_option(const struct clarification *back, const char *text)
{
    int64_t number = 0;
    bool found = str_to_int(text, &number) || clarification_number(back, text) > 0;
    for (size_t i = 0; i < back->options.count && !found; i++) {
        found = str_equal_nocase(back->options.items[i].value, text) ||
                str_equal_nocase(back->options.items[i].label, text);
    }
    return found;
}

static bool is_correction(struct run *run, const char *text)
{
    struct correction correction = {0};
    return correction_parse(&correction, run->scratch, text) &&
           (correction.use_tables.count || correction.reject_tables.count ||
            correction.joins.count);
}

/* What the waiting question is about: its words, its tables, its options. */
static const char *subject_of(struct run *run)
{
    struct texts parts = {0};
    size_t index = 0;
    const json_t *item = NULL;
    const struct clarification *back = &run->answer.clarification;
    VEC_PUSH(run->scratch, &parts, run_question_text(run));
    for (size_t i = 0; i < back->options.count; i++) {
        VEC_PUSH(run->scratch, &parts, back->options.items[i].value);
    }
    for (size_t i = 0; i < run->understanding.readings.count; i++) {
        VEC_PUSH(
            run->scratch, &parts,
            str_join(run->scratch, &run->understanding.readings.items[i].tables, " "));
    }
    json_array_foreach(json_array_at(run->saved, "tables"), index, item)
    {
        const char *name = json_text_at(item, "name");
        VEC_PUSH(run->scratch, &parts, name ? name : "");
    }
    return str_join(run->scratch, &parts, " \n ");
}

/* The schema it was asked on, from memory or the store; opens no database. */
static struct schema *schema_of(struct run *run)
{
    const json_t *source = json_array_get(json_array_at(run->saved, "sources"), 0);
    const char *id = json_text_at(source, "id");
    struct err err;
    err_clear(&err);
    return id ? schema_cache_get(run->agent->schemas, id,
                                 json_text_at(source, "signature"), &err)
              : NULL;
}

/*
 * Is the message about other tables than the waiting question? In a source with one table
 * every question is about that table; then, whether it neither refers back nor rephrases
 * the waiting question.
 */
static bool changes_subject(struct run *run, const char *text)
{
    struct schema *schema = schema_of(run);
    if (schema && schema->tables.count == 1) {
        schema_unref(schema);
        return !intent_refers_back(run->scratch, text) &&
               !placing_is_rewording(run, run->question.text, text);
    }
    struct texts named = {0};
    struct texts before = {0};
    intent_tables(run->scratch, text, schema, &named);
    if (schema && !named.count && run->answer.clarification.kind == CLARIFY_TABLES) {
        schema_unref(schema); /* a whole question without a table chooses none */
        return !intent_refers_back(run->scratch, text) &&
               !placing_is_rewording(run, run->question.text, text);
    }
    intent_tables(run->scratch, subject_of(run), schema, &before);
    bool other = schema && named.count > 0;
    for (size_t i = 0; i < named.count; i++) {
        for (size_t k = 0; k < before.count; k++) {
            other = other && !str_equal_nocase(named.items[i], before.items[k]);
        }
    }
    schema_unref(schema);
    return other;
}

static bool names_source(const struct run *run, const char *text)
{
    const struct datasource_setting *setting = NULL;
    for (size_t i = 0; (setting = reach_at(run, i)); i++) {
        if (str_contains_nocase(text, reach_name(setting))) {
            return true;
        }
    }
    return false;
}

/* "average fare per city": a whole question, and not the waiting one in other words. */
static bool begins_anew(struct run *run, const char *text)
{
    static const char *const measures[] = {"average", "total", "sum", "number", NULL};
    struct texts words = {0};
    intent_words(run->scratch, text, &words);
    return words.count >= 4 && intent_in_list(words.items[0], measures) &&
           !placing_is_rewording(run, run->question.text, text);
}

bool answering_is_new(struct run *run, const char *said)
{
    const struct clarification *back = &run->answer.clarification;
    const char *text = str_trim(run->scratch, said);
    if (is_option(back, text) || is_correction(run, text)) {
        return false;
    }
    if (intent_guess(run->scratch, run->question.text) == INTENT_CLARIFICATION) {
        return false; /* it had no words, so any text can be its meaning */
    }
    enum intent guess = intent_guess(run->scratch, text);
    if (back->kind != CLARIFY_APPROVAL && meaning_is_said(run->scratch, text)) {
        return true; /* "by revenue I mean fare": the question is asked again with it */
    }
    if (back->kind != CLARIFY_APPROVAL && undoing_wanted(run->scratch, text)) {
        return true;
    }
    if (guess == INTENT_SCHEMA_QUERY) {
        return true; /* "what tables are there?" */
    }
    if (back->kind != CLARIFY_APPROVAL &&
        ((guess == INTENT_GENERAL && !intent_is_chatter(run->scratch, text)) ||
         intent_asks_change(run->scratch, text) || intent_off_topic(run->scratch, text) ||
         begins_anew(run, text))) {
        return true; /* "thanks", "delete all orders", "average price per city" */
    }
    if (solving_offers_near(back) && !answering_says_yes(text) &&
        !answering_says_no(run->scratch, text) &&
        !answering_declines(run->scratch, text)) {
        return true; /* it must not change an offer that nobody has taken */
    }
    if (!language_is_english(text) || !intent_is_full(run->scratch, text)) {
        return false;
    }
    switch (back->kind) {
    case CLARIFY_APPROVAL:
        return true; /* a yes or a no has another form */
    case CLARIFY_DATASOURCE:
        return !names_source(run, text);
    default:
        return changes_subject(run, text);
    }
}
