/* The built-in parser's way through the understanding stages. */
#include "agent/understand/solving.h"

#include <string.h>

#include "agent/understand/brain.h"
#include "agent/understand/cells.h"
#include "agent/sources/crossing.h"
#include "agent/memory/history.h"
#include "agent/understand/intent_rules.h"
#include "agent/joins/join_choice.h"
#include "agent/literals/literals.h"
#include "agent/understand/language.h"
#include "agent/sources/narrowing.h"
#include "agent/understand/placing/placing.h"
#include "agent/understand/readings.h"
#include "agent/understand/undoing.h"
#include "agent/prompting.h"
#include "agent/sql_text.h"
#include "agent/suggest/suggest.h"
#include "agent/understand/understanding.h"
#include "base/buf.h"
#include "base/str.h"
#include "base/writer.h"
#include "parser/parser.h"

static const char cannot_find[] = "The built-in parser cannot find '";

enum { OPTIONS_MOST = 4, POSSIBLE_MOST = 3 };

/* What is left of the probability when a database that the question names is not used. */
static const double LEFT_OUT = 0.3;
/* Of an answer that is given once more. */
static const double GONE_BACK = 0.8;

bool solving_alone(const struct run *run)
{
    return !run->llm || run->exchange.solving || run->question.brain == BRAIN_PARSER;
}

bool solving_offers_near(const struct clarification *back)
{
    return back->kind == CLARIFY_DETAIL && back->options.count &&
           str_starts(back->message, cannot_find);
}

bool solving_wanted(const struct run *run)
{
    if (!run->agent->brain || run->request.given_sql ||
        run->question.brain == BRAIN_LLM) {
        return false;
    }
    /* With a model at hand it gets what the parser cannot do: writes, the tables or joins
     * that a user has decided on, and what did not work. */
    return solving_alone(run) ||
           (!run->query.first_failed_sql && !run->question.allow_write &&
            !run->request.correction.use_tables.count &&
            !run->request.correction.reject_tables.count &&
            !run->request.correction.joins.count);
}

static void keep_readings(struct run *run, const struct parser_answer *answer)
{
    run->understanding.readings = (struct run_readings){0};
    size_t all = answer->count;
    bool any = false; /* that somebody may mean */
    for (size_t i = 0; i < all; i++) {
        any = any || readings_make_sense(run, answer->items[i].sql);
    }
    /* A reading that leaves out a database which the question names comes last. */
    for (size_t n = 0; n < 2 * all; n++) {
        const struct parser_reading *reading = &answer->items[n < all ? n : n - all];
        if (crossing_uses_named(run, &reading->tables) != (n < all)) {
            continue;
        }
        bool known = history_is_wrong(run, reading->sql) || /* not again */
                     (any && !readings_make_sense(run, reading->sql));
        for (size_t k = 0; k < run->understanding.readings.count && !known; k++) {
            known = str_equal(run->understanding.readings.items[k].words, reading->words);
        }
        if (!known) {
            VEC_PUSH(run->arena, &run->understanding.readings,
                     ((struct run_reading){.sql = reading->sql,
                                           .words = reading->words,
                                           .tables = reading->tables}));
        }
    }
}

/* For a model that is asked next. */
static void keep_cells(struct run *run, const struct parser_answer *answer)
{
    run->understanding.cells = (struct texts){0};
    run->understanding.cells_known = true;
    for (size_t i = 0; i < answer->cells.count; i++) {
        const struct parser_cell *cell = &answer->cells.items[i];
        cells_add(run, cell->table, cell->column, cell->text);
    }
}

/* The user's answer is one of the readings that were offered. */
static const struct run_reading *chosen(const struct run *run)
{
    const char *detail = run->request.agreed ? run->request.agreed : solving_detail(run);
    for (size_t i = 0; detail && i < run->understanding.readings.count; i++) {
        if (str_equal_nocase(run->understanding.readings.items[i].words, detail)) {
            return &run->understanding.readings.items[i];
        }
    }
    return NULL;
}

/* A text that the column has in two spellings: both together are another reading. */
static const struct run_reading *with_spellings(struct run *run,
                                                const struct run_reading *reading)
{
    struct run_readings *readings = &run->understanding.readings;
    size_t at = (size_t)(reading - readings->items);
    const char *words = reading->words;
    const char *sql = literals_every_spelling(run, reading->sql, &words);
    if (!sql || at >= readings->count) {
        return reading;
    }
    const struct run_reading both = {.sql = sql,
                                     .words = words,
                                     .tables = reading->tables,
                                     .by_model = reading->by_model};
    for (size_t i = 0; i < readings->count; i++) {
        if (str_equal(readings->items[i].words, both.words)) {
            return reading;
        }
    }
    VEC_PUSH(run->arena, readings, both);
    for (size_t i = readings->count - 1; i > at + 1;
         i--) { /* next to the one that is used */
        readings->items[i] = readings->items[i - 1];
    }
    readings->items[at + 1] = both;
    readings_note(run, &readings->items[at]);
    return &readings->items[at];
}

static enum solved take(struct run *run, const struct run_reading *reading)
{
    if (reading != chosen(run)) {
        reading = with_spellings(run, reading);
    }
    if (run->answer.readings.count || reading == chosen(run)) {
        readings_note(run, reading);
    }
    struct run_reading decided = *reading;
    decided.sql = join_choice_apply(run, reading->sql);
    solving_fill(run, &decided);
    run->answer.brain = reading->by_model ? BRAIN_LLM : BRAIN_PARSER;
    return SOLVED;
}

bool solving_rescue(struct run *run)
{
    if (!run->understanding.readings.count ||
        run->answer.parser_probability < run->options->parser_ask) {
        return false;
    }
    run_warn_system(run, "The model could not help (%s), so the built-in parser did.",
                    run->error ? run->error->message : "no reply");
    run->understanding.solved = take(run, &run->understanding.readings.items[0]);
    return true;
}

/* It cannot do what is asked, and has found nothing that is near to it. */
static enum solved fail_beyond(struct run *run, const char *beyond, struct err *err)
{
    struct texts possible = {0};
    suggest_questions(run->scratch, run_schema(run), POSSIBLE_MOST, &possible);
    (void)err_set(err, ERR_CANNOT_ANSWER, "The built-in parser cannot %s.", beyond);
    (void)err_hint(err, "A language model may be able to (docs/configuration.md).%s%s",
                   possible.count ? " Without one you can ask, for example: " : "",
                   str_join(run->scratch, &possible, " "));
    return SOLVED_FAILS;
}

/* Too unsure to answer, and there is no model: the user decides what was meant. */
static enum solved ask_back(struct run *run, const char *beyond,
                            const struct coverage_word *lost, struct err *err)
{
    if (beyond && !run->understanding.readings.count) {
        return fail_beyond(run, beyond, err);
    }
    struct clarification *back = &run->answer.clarification;
    *back = (struct clarification){.kind = CLARIFY_DETAIL};
    run->answer.brain = BRAIN_PARSER;
    if (!beyond && !run->request.details.count && solving_ask_table(run)) {
        return SOLVED_ASKS;
    }
    if (run->understanding.readings
            .count) { /* without any the schema offers what can be asked */
        back->message = "I am not sure what is meant. Is it one of these?";
    }
    if (run->understanding.readings.count && lost) {
        back->message =
            lost->elsewhere
                ? arena_format(run->arena, "%s Is it one of these?",
                               placing_about(run, lost))
                : arena_format(run->arena,
                               "I find nothing about '%s', and I am not sure about "
                               "the rest. Is it one of these?",
                               lost->text);
    }
    if (beyond) {
        back->message = arena_format(
            run->arena,
            "The built-in parser cannot %s; a language model may be able to "
            "(docs/configuration.md). The closest questions that the parser can answer:",
            beyond);
    }
    if (beyond && readings_offer_questions(run, beyond)) {
        return SOLVED_ASKS;
    }
    for (size_t i = 0; i < run->understanding.readings.count && i < OPTIONS_MOST; i++) {
        const struct run_reading *reading = &run->understanding.readings.items[i];
        const struct run_reading *other = &run->understanding.readings.items[i == 0];
        bool single = run->understanding.readings.count < 2;
        VEC_PUSH(
            run->arena, &back->options,
            ((struct clarification_option){
                reading->words, single ? reading->words
                                       : readings_option(run->arena, back, reading->words,
                                                         other->words)}));
    }
    return SOLVED_ASKS;
}

const struct run_reading *solving_next(const struct run *run)
{
    for (size_t i = 0; i < run->understanding.readings.count; i++) {
        if (!sql_text_tried(run, run->understanding.readings.items[i].sql)) {
            return &run->understanding.readings.items[i];
        }
    }
    return NULL;
}

/* What the prompt that was not sent would have cost. */
static int tokens_of_prompt(struct run *run)
{
    struct stage_calls calls = {0};
    struct err err;
    err_clear(&err);
    bool added = false;
    const struct schema_text *shown = run->exchange.shown;
    bool ok = understanding_fuse(run, &calls, &added, &err);
    run->exchange.shown = shown;
    return ok && added ? prompting_tokens(&calls) : (int)run->options->llm_context_tokens;
}

/* A word that the best reading leaves out: a model is asked, else the user. */
static bool leaves_out(struct run *run, struct coverage_word *out)
{
    struct coverage_words words;
    if (!run->understanding.readings.count || run->request.details.count ||
        !placing_find(run, run->understanding.readings.items[0].sql,
                      run->answer.parser_probability, &words)) {
        return false;
    }
    const struct coverage_word *lost = placing_lost(&words);
    if (lost) {
        *out = *lost;
    }
    return lost != NULL;
}

/*
 * Nobody can be asked: of the readings that leave the word out, the first without a
 * condition that was only written because of it; else the best one without that
 * condition.
 */
static void prefer_without(struct run *run, const struct coverage_word *lost)
{
    struct run_readings *readings = &run->understanding.readings;
    for (size_t i = 1; lost->unasked && i < readings->count; i++) {
        struct coverage_words words;
        bool made_up = !placing_find(run, readings->items[i].sql,
                                     run->answer.parser_probability, &words);
        for (size_t k = 0; k < words.count && !made_up; k++) {
            made_up = words.items[k].unasked || words.items[k].taken_for ||
                      !str_equal_nocase(words.items[k].text, lost->text);
        }
        if (!made_up) {
            struct run_reading first = readings->items[0];
            readings->items[0] = readings->items[i];
            readings->items[i] = first;
            return;
        }
    }
    if (lost->unasked) {
        (void)placing_drop(run, &readings->items[0], lost->unasked);
    }
}

static enum solved judge(struct run *run, const struct parser_answer *answer,
                         struct err *err)
{
    const struct options *options = run->options;
    bool alone = solving_alone(run);
    double probability = run->answer.parser_probability;
    if (chosen(run)) {
        return take(run, chosen(run));
    }
    if (run->understanding.readings.count &&
        !crossing_uses_named(run, &run->understanding.readings.items[0].tables)) {
        probability *= LEFT_OUT;
        run->answer.parser_probability = probability;
    }
    bool sure =
        run->understanding.readings.count && probability >= options->parser_accept;
    if (!alone && run->request.history.count && !answer->follow_up &&
        intent_leans(run->scratch, run->question.text, run_schema(run))) {
        sure = false; /* what leans on the conversation is the model's */
    }
    if (sure && !alone && probability < options->agent_join_confidence &&
        join_choice_unclear(run, &run->understanding.readings.items[0])) {
        sure = false; /* by which of several keys: the model may know */
    }
    struct coverage_word lost;
    bool incomplete = leaves_out(run, &lost) &&
                      !(placing_prefer(run, &lost) && !leaves_out(run, &lost));
    sure = sure && (alone || !incomplete);
    /* The probability was that of the reading that the user rejected. */
    bool refused = answer->count && history_is_wrong(run, answer->items[0].sql);
    if ((!sure || refused) && !alone) {
        return answer->beyond ? SOLVED_BEYOND : SOLVED_UNSURE;
    }
    /* Who has said which tables or joins to use is answered, not asked again. */
    sure = sure || (run->understanding.readings.count &&
                    (run->request.correction.use_tables.count ||
                     run->request.correction.joins.count));
    if (!run->understanding.readings.count || refused ||
        (!sure && probability < options->parser_ask)) {
        return ask_back(run, answer->beyond, incomplete ? &lost : NULL, err);
    }
    if (incomplete && run_may_ask(run)) {
        placing_ask(run, &lost);
        run->answer.brain = BRAIN_PARSER;
        return SOLVED_ASKS;
    }
    if (incomplete) {
        prefer_without(run, &lost);
    }
    if (!sure) {
        readings_note(run, NULL);
    }
    for (size_t i = 0; i < answer->lost.count; i++) {
        run_warn(run,
                 "The previous question had a condition on %s; this answer has none.",
                 answer->lost.items[i]);
    }
    if (answer->undefined) {
        run_warn(run, "The dictionary defines '%s', but this answer does not use it.",
                 answer->undefined);
    }
    if (answer->follow_up) {
        run->answer.rewritten = run->understanding.readings.items[0].words;
    }
    if (run->question.brain == BRAIN_AUTO) {
        run->answer.usage.saved_calls++;
        run->answer.usage.saved_tokens = tokens_of_prompt(run);
    }
    return take(run, &run->understanding.readings.items[0]);
}

/* Its weights cannot be used, or are not there. */
static enum solved without_parser(struct run *run, struct err *err)
{
    bool only = run->question.brain == BRAIN_PARSER;
    bool missing = err->code == ERR_PARSER_MISSING; /* a build without it is no trouble */
    if (only || !run->llm) {
        if (!only && missing) {
            *err = *run->llm_error;
        }
        return SOLVED_FAILS;
    }
    if (!missing) {
        run_warn_system(run, "The built-in parser was left out: %s", err->message);
    }
    return SOLVED_NOT;
}

/* The parser only writes queries that read; a request for a change needs a model. */
static enum solved refuse_change(const struct run *run, struct err *err)
{
    if (!solving_alone(run)) {
        return SOLVED_BEYOND;
    }
    if (run->question.allow_write) {
        (void)err_set(err, ERR_CANNOT_ANSWER,
                      "The built-in parser only reads; it cannot change data.");
        (void)err_hint(err, "Configure a model (docs/configuration.md), or write the SQL "
                            "yourself with 'dragoman sql'.");
    } else {
        (void)err_set(err, ERR_WRITE_NOT_ALLOWED,
                      "This would change data, and this was not allowed.");
    }
    return SOLVED_FAILS;
}

/* Nothing of it is in the database, and the words say that nothing could be. */
static enum solved turn_away(struct run *run)
{
    const struct tables *tables = &run_schema(run)->tables;
    struct texts names = {0};
    for (size_t i = 0; i < tables->count && i < 6; i++) {
        VEC_PUSH(run->scratch, &names, tables->items[i].name);
    }
    run->exchange.reply = arena_format(
        run->arena, "There is nothing about that in this database. It has %s%s.",
        str_join(run->scratch, &names, ", "), tables->count > 6 ? " and more" : "");
    run->answer.parsed.confidence = 1;
    (void)understanding_set_intent(run, INTENT_MISLEADING);
    return SOLVED_OTHER;
}

/* To the answer before the last change. */
static enum solved go_back(struct run *run)
{
    const struct run_reading *reading = undoing_reading(run);
    if (!reading) {
        run->exchange.reply = "There is no earlier answer in this conversation to go "
                              "back to. Ask the question as you want it.";
        run->answer.parsed.confidence = 1;
        (void)understanding_set_intent(run, INTENT_GENERAL);
        return SOLVED_OTHER;
    }
    run->answer.parser_asked = true;
    run->answer.parser_probability = GONE_BACK;
    run->answer.rewritten = reading->words;
    return take(run, reading);
}

void solving_take_tables(struct run *run)
{
    (void)understanding_set_intent(run, INTENT_TEXT_TO_SQL);
    run->understanding.intent_provisional = false;
    solving_choose_named(run);
    struct texts near;
    (void)understanding_choose_sql(run, run->understanding.sql, &near);
}

enum solved solving_try(struct run *run, struct err *err)
{
    if (!solving_wanted(run)) {
        return SOLVED_NOT;
    }
    if (run->request.history.count && undoing_wanted(run->scratch, run->question.text)) {
        return go_back(run);
    }
    if (!solving_alone(run) && language_is_foreign(run->question.text)) {
        return SOLVED_BEYOND; /* it reads English */
    }
    if (solving_alone(run) && !run->request.history.count &&
        intent_off_topic(run->scratch, run_question_text(run)) &&
        narrowing_weight(run, run_schema(run)) == 0) {
        return turn_away(run);
    }
    if (intent_asks_change(run->scratch, run_question_text(run))) {
        return refuse_change(run, err);
    }
    if (chosen(run)) {
        return take(run, chosen(run));
    }
    struct parser *parser = brain_parser(run->agent->brain, err);
    if (!parser) {
        return without_parser(run, err);
    }
    struct parser_answer answer = {0};
    struct err trouble;
    err_clear(&trouble);
    run->answer.parser_asked = true;
    run->answer.parser_probability = 0;
    if (solving_read(run, parser, &answer, &trouble)) {
        run->answer.parser_probability = answer.probability;
    }
    keep_readings(run, &answer);
    struct coverage_word lost;
    if (leaves_out(run, &lost) &&
        placing_refresh(run, &run->understanding.readings.items[0].tables, lost.text) &&
        solving_read(run, parser, &answer, &trouble)) {
        run->answer.parser_probability = answer.probability;
        keep_readings(run, &answer);
    }
    keep_cells(run, &answer);
    return judge(run, &answer, err);
}
