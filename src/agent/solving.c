/* The built-in parser's way through the understanding stages. */
#include "agent/solving.h"

#include <string.h>

#include "agent/brain.h"
#include "agent/intent_rules.h"
#include "agent/prompting.h"
#include "agent/sql_text.h"
#include "agent/understanding.h"
#include "base/clock.h"
#include "base/str.h"
#include "knowledge/value_index.h"
#include "parser/parser.h"

enum {
    TRIAL_ROWS = 2000,
    TRIAL_BYTES = 4 * 1024 * 1024,
    INDEX_MS = 3000, /* for reading the cells, once per database */
    OPTIONS_MOST = 4,
};

bool solving_alone(const struct run *run)
{
    return !run->agent->llm || run->solving || str_equal(run->question.brain, "parser");
}

bool solving_wanted(const struct run *run)
{
    if (!run->agent->brain || run->given_sql || str_equal(run->question.brain, "llm")) {
        return false;
    }
    /* With a model at hand it gets what the parser cannot do: writes, and the tables or
     * joins that a user has decided on. */
    return solving_alone(run) ||
           (!run->question.allow_write && !run->correction.use_tables.count &&
            !run->correction.reject_tables.count && !run->correction.joins.count);
}

/* A candidate runs under guard, engine lock and tight limits of its own. */
static void try_candidate(void *context, const char *sql, struct parser_outcome *out)
{
    struct run *run = context;
    struct arena *arena = arena_new();
    struct datasource *source = run_datasource(run);
    struct datasource_limits limits = run_limits(run);
    int64_t soon = clock_ms() + out->limit_ms;
    limits.deadline_ms = soon < limits.deadline_ms ? soon : limits.deadline_ms;
    limits.steps = source->driver->counts_steps ? out->steps : NULL;
    limits.max_rows = TRIAL_ROWS;
    limits.max_bytes = TRIAL_BYTES;
    struct rows rows;
    struct err err;
    err_clear(&err);
    rows_init(&rows, arena);
    out->ok = datasource_execute(source, sql, run_schema(run), &limits, &rows, &err);
    if (out->ok) {
        parser_outcome_of(&rows, sql, out);
    } else {
        out->late = err.code == ERR_TIMEOUT && !run_stopped(run);
    }
    arena_free(arena);
}

/* What is to be read, once the user has added something: the answer by itself where it
 * says it all, else both. */
static const char *text_of(struct run *run)
{
    const char *question = run_question_text(run);
    if (run->details.count == 0) {
        return question;
    }
    const char *detail = run->details.items[run->details.count - 1];
    if (str_starts_nocase(detail, "yes")) {
        return question;
    }
    const struct table *subject = NULL;
    struct texts words = {0};
    str_split(run->scratch, detail, ' ', &words);
    bool vague = intent_clarity(run->scratch, run->question.text, run_schema(run), false,
                                &subject) != CLARITY_CLEAR &&
                 !intent_vague_time(run->scratch, run->question.text);
    bool alone = vague || words.count > 3 ||
                 intent_names_table(run->scratch, detail, run_schema(run));
    return alone ? detail : arena_format(run->arena, "%s %s", question, detail);
}

/* What the conversation was about: the last answer that had SQL. */
static void previous(const struct run *run, struct parser_request *request)
{
    for (size_t i = run->history.count; i-- > 1;) {
        const struct message *message = &run->history.items[i];
        const struct message *before = &run->history.items[i - 1];
        if (message->sql && str_equal(before->role, "user")) {
            request->previous_sql = message->sql;
            request->previous_question = before->content;
            return;
        }
    }
}

static bool read_question(struct run *run, struct parser *parser,
                          struct parser_answer *answer, struct err *err)
{
    struct datasource *source = run_datasource(run);
    struct datasource_limits limits = run_limits(run);
    int64_t soon = clock_ms() + INDEX_MS;
    limits.deadline_ms = soon < limits.deadline_ms ? soon : limits.deadline_ms;
    struct err trouble;
    err_clear(&trouble);
    struct value_index *index =
        value_index_cache_get(brain_values(run->agent->brain), source, run_schema(run),
                              NULL, &limits, &trouble);
    bool may_run = source->driver->local && !run->options->agent_approval;
    struct parser_request request = {
        .schema = run_schema(run),
        .index = index,
        .question = text_of(run),
        .dialect = source->driver->dialect,
        .today = clock_date(run->scratch, clock_wall_s(), run->options->agent_time_zone),
        .run = may_run ? try_candidate : NULL,
        .context = run,
        .counts_steps = source->driver->counts_steps,
    };
    previous(run, &request);
    bool found = parser_answer(parser, run->arena, &request, answer, err);
    value_index_unref(index);
    return found;
}

/* A table that the user has ruled out is not offered again. */
static bool allowed(const struct run *run, const struct texts *tables)
{
    const struct texts *rejected = &run->correction.reject_tables;
    for (size_t i = 0; i < tables->count; i++) {
        for (size_t k = 0; k < rejected->count; k++) {
            if (str_equal_nocase(tables->items[i], rejected->items[k])) {
                return false;
            }
        }
    }
    return true;
}

static void keep_readings(struct run *run, const struct parser_answer *answer)
{
    run->readings = (struct run_readings){0};
    for (size_t i = 0; i < answer->count; i++) {
        const struct parser_reading *reading = &answer->items[i];
        bool known = !allowed(run, &reading->tables);
        for (size_t k = 0; k < run->readings.count && !known; k++) {
            known = str_equal(run->readings.items[k].words, reading->words);
        }
        if (!known) {
            VEC_PUSH(
                run->arena, &run->readings,
                ((struct run_reading){reading->sql, reading->words, reading->tables}));
        }
    }
}

static enum solved take(struct run *run, const struct run_reading *reading)
{
    run->fused = solving_reply(run, reading);
    run->fused_sql_used = false;
    run->answer.brain = "parser";
    return SOLVED;
}

/* Too unsure to answer, and nobody else to ask: the user knows what was meant. */
static enum solved ask_back(struct run *run, const char *beyond)
{
    struct clarification *back = &run->answer.clarification;
    *back = (struct clarification){.kind = CLARIFY_DETAIL};
    run->answer.brain = "parser";
    if (run->readings.count) { /* without any the schema offers what can be asked */
        back->message = "I am not sure what is meant. Is it one of these?";
    }
    if (beyond) {
        back->message = arena_format(run->arena,
                                     "The built-in parser cannot %s; a language model "
                                     "may (docs/configuration.md). %s",
                                     beyond,
                                     run->readings.count ? "Nearest to it are these."
                                                         : "Ask for something else?");
    }
    for (size_t i = 0; i < run->readings.count && i < OPTIONS_MOST; i++) {
        const struct run_reading *reading = &run->readings.items[i];
        VEC_PUSH(run->arena, &back->options,
                 ((struct clarification_option){reading->words, reading->words}));
    }
    return SOLVED_ASKS;
}

/* The user's answer is one of the readings that were offered. */
static const struct run_reading *chosen(const struct run *run)
{
    const char *detail =
        run->details.count ? run->details.items[run->details.count - 1] : NULL;
    for (size_t i = 0; detail && i < run->readings.count; i++) {
        if (str_equal_nocase(run->readings.items[i].words, detail)) {
            return &run->readings.items[i];
        }
    }
    return NULL;
}

const struct run_reading *solving_next(const struct run *run)
{
    for (size_t i = 0; i < run->readings.count; i++) {
        if (!sql_text_tried(run, run->readings.items[i].sql)) {
            return &run->readings.items[i];
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
    const struct schema_text *shown = run->schema_text;
    bool ok = understanding_fuse(run, &calls, &added, &err);
    run->schema_text = shown;
    return ok && added ? prompting_tokens(&calls) : (int)run->options->llm_context_tokens;
}

static enum solved judge(struct run *run, const struct parser_answer *answer)
{
    const struct options *options = run->options;
    bool alone = solving_alone(run);
    double probability = run->answer.parser_probability;
    if (chosen(run)) {
        return take(run, chosen(run));
    }
    bool sure = run->readings.count && probability >= options->parser_accept;
    if (!alone && run->history.count && !answer->follow_up &&
        intent_leans(run->scratch, run->question.text, run_schema(run))) {
        sure = false; /* what leans on the conversation is the model's */
    }
    if (!sure && !alone) {
        return SOLVED_NOT;
    }
    if (!run->readings.count || (!sure && probability < options->parser_ask)) {
        return ask_back(run, answer->beyond);
    }
    if (!sure && run->readings.count > 1) {
        run_warn(run, "Another way to read the question: %s",
                 run->readings.items[1].words);
    }
    if (str_equal(run->question.brain, "auto")) {
        run->answer.usage.saved_calls++;
        run->answer.usage.saved_tokens = tokens_of_prompt(run);
    }
    return take(run, &run->readings.items[0]);
}

/* Its weights cannot be used, or are not there. */
static enum solved without_parser(struct run *run, struct err *err)
{
    bool only = str_equal(run->question.brain, "parser");
    bool missing = err->code == ERR_PARSER_MISSING; /* a build without it is no trouble */
    if (only || !run->agent->llm) {
        if (!only && missing) {
            *err = run->agent->llm_error;
        }
        return SOLVED_FAILS;
    }
    if (!missing) {
        run_warn(run, "The built-in parser was left out: %s", err->message);
    }
    return SOLVED_NOT;
}

/* The parser only reads: what asks for a change is for a model, or for nobody. */
static enum solved refuse_change(const struct run *run, struct err *err)
{
    if (!solving_alone(run)) {
        return SOLVED_NOT;
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

enum solved solving_try(struct run *run, struct err *err)
{
    if (!solving_wanted(run)) {
        return SOLVED_NOT;
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
    if (read_question(run, parser, &answer, &trouble)) {
        run->answer.parser_probability = answer.probability;
    }
    keep_readings(run, &answer);
    return judge(run, &answer);
}
