/* ASK_CLARIFICATION: asks the user a question with choices. */
#include "agent/date_range.h"
#include "agent/understand/intent_rules.h"
#include "agent/understand/language.h"
#include "agent/prompting.h"
#include "agent/understand/solving.h"
#include "agent/sources/crossing.h"
#include "agent/stages/stages.h"
#include "agent/suggest/suggest.h"
#include "agent/understand/understanding.h"
#include "base/str.h"

static const struct table *about(const struct run *run, const struct table *subject)
{
    return run->understanding.tables.count ? run->understanding.tables.items[0].table
                                           : subject;
}

/* "Which date range?" is easier to answer if the range of the data is shown; the author
 * of the question, model or parser, may not know it. */
static void name_dates(struct run *run)
{
    static const char *const words[] = {
        "date range", "time range",  "period",     "timeframe", "time frame",
        "which year", "which month", "since when", "recent",    "how far back"};
    struct clarification *back = &run->answer.clarification;
    bool time = false;
    for (size_t i = 0; back->message && i < sizeof words / sizeof *words; i++) {
        time = time || str_contains_nocase(back->message, words[i]);
    }
    const struct table *table = about(run, NULL);
    if (!time || !table || back->kind == CLARIFY_APPROVAL) {
        return;
    }
    struct suggest_range range;
    date_range_find(run, table, &range);
    const char *from = suggest_range_text(run->arena, table, &range);
    if (from && !str_contains_nocase(back->message, range.first)) {
        back->message = arena_format(run->arena, "%s %s", back->message, from);
    }
    if (!back->options.count) {
        struct clarification periods = {0};
        suggest_periods(run->arena, table, &range, &periods);
        back->options = periods.options;
    }
}

/* What the schema itself can offer. */
static void build(struct run *run)
{
    struct clarification *back = &run->answer.clarification;
    const struct schema *schema = run_schema(run);
    const struct table *subject = NULL;
    struct suggest_range range;
    (void)intent_clarity(run->scratch, crossing_subject(run), schema, false, &subject);
    if (intent_vague_time(run->scratch, run->question.text)) {
        const struct table *table = about(run, subject);
        date_range_find(run, table, &range);
        suggest_periods(run->arena, table, &range, back);
    } else if (subject) {
        date_range_find(run, subject, &range);
        suggest_details(run->arena, subject, &range, back);
    } else {
        suggest_start(run->arena, schema, back);
    }
    if (back->kind == CLARIFY_NONE) {
        back->kind = schema ? CLARIFY_DETAIL : CLARIFY_INTENT;
    }
}

/* An approval is asked for again as often as it takes: giving up would lose the
 * statement. */
static bool spent(const struct run *run)
{
    return run->answer.clarification.kind != CLARIFY_APPROVAL &&
           run->budget.clarifications >= run->options->agent_max_clarifications;
}

static bool asks_model(const struct run *run)
{
    /* Our own clarifying questions are in English; a model uses the user's language. */
    return !run->answer.clarification.message && !solving_alone(run) &&
           (understanding_phased(run) || language_is_foreign(run->question.text));
}

static bool ask_clarification_ask(struct run *run, struct stage_calls *calls,
                                  struct err *err)
{
    if (spent(run) || !asks_model(run)) {
        return true;
    }
    if (!run_schema(run)) {
        return prompting_call(run, calls, "ask_clarification", prompting_values(run), 0,
                              err);
    }
    return prompting_ask(run, calls, "ask_clarification", 0, err);
}

static enum event finish(struct run *run, struct err *err)
{
    if (spent(run)) {
        (void)err_set(err, ERR_STILL_UNCLEAR,
                      "The question is still unclear after %lld clarifying questions.",
                      (long long)run->options->agent_max_clarifications);
        return EVENT_TOO_MANY;
    }
    if (run_schema(run)) {
        name_dates(run);
    }
    run->budget.clarifications += run->answer.clarification.kind != CLARIFY_APPROVAL;
    return EVENT_DONE;
}

static enum event ask_clarification_solve(struct run *run, struct err *err)
{
    if (!run->answer.clarification.message) {
        build(run);
    }
    return finish(run, err);
}

static enum event ask_clarification_read(struct run *run,
                                         const struct stage_replies *replies,
                                         struct err *err)
{
    if (replies->count == 0) {
        return ask_clarification_solve(run, err);
    }
    static const char *const wanted[] = {"question", NULL};
    json_t *json = prompting_reply(run, &replies->items[0], wanted, err);
    if (!json) {
        return EVENT_BAD_REPLY;
    }
    json_t *wrapped = json_keep(run->scratch, json_object());
    (void)json_object_set(wrapped, "clarification", json);
    enum clarification_kind kind = run->answer.clarification.kind;
    struct clarification local = {.kind = kind};
    if (kind == CLARIFY_DETAIL && !language_is_foreign(run->question.text)) {
        build(run); /* "all users" stays the first choice */
        local = run->answer.clarification;
    }
    if (!understanding_read_back(run, wrapped, kind ? kind : CLARIFY_INTENT)) {
        (void)err_set(err, ERR_LLM_NONSENSE, "The reply asks nothing.");
        return EVENT_BAD_REPLY;
    }
    if (local.options.count) {
        struct clarification *back = &run->answer.clarification;
        struct clarification_options said = back->options;
        back->options = (struct clarification_options){0};
        VEC_PUSH(run->arena, &back->options, local.options.items[0]);
        for (size_t i = 0; i < said.count; i++) {
            if (!str_equal_nocase(said.items[i].value, local.options.items[0].value)) {
                VEC_PUSH(run->arena, &back->options, said.items[i]);
            }
        }
        back->tables = local.tables;
    }
    return finish(run, err);
}

const struct stage stage_ask_clarification = {.state = STATE_ASK_CLARIFICATION,
                                              .ask = ask_clarification_ask,
                                              .read = ask_clarification_read,
                                              .solve = ask_clarification_solve,
                                              .local = true};
