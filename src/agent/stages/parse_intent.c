/*
 * PARSE_INTENT: what kind of question is this? Local rules decide the certain cases. In
 * the fused way the rest is provisional until the schema is known (EVALUATE_TABLES asks
 * then); in the phased ways a model is asked here.
 */
#include "agent/understand/intent_rules.h"
#include "agent/prompting.h"
#include "agent/understand/solving.h"
#include "agent/stages/stages.h"
#include "agent/understand/understanding.h"
#include "base/str.h"

static bool asks_model(const struct run *run)
{
    return !run->request.given_sql && understanding_phased(run) && !solving_wanted(run);
}

/* What the words alone say. A question without any ("???") means what its user answers
 * when asked. */
static enum intent guess_intent(struct run *run)
{
    if (run->request.given_sql) {
        return INTENT_TEXT_TO_SQL;
    }
    if (run->exchange.reply) {
        return INTENT_GENERAL; /* a reply was already given (run_reply_with) */
    }
    enum intent guess = intent_guess(run->scratch, run_question_text(run));
    if (guess == INTENT_CLARIFICATION && run->request.details.count) {
        run->answer.rewritten =
            run->request.details.items[run->request.details.count - 1];
        guess = intent_guess(run->scratch, run->answer.rewritten);
    }
    return guess;
}

static bool parse_intent_ask(struct run *run, struct stage_calls *calls, struct err *err)
{
    understanding_forget(run);
    enum intent guess = guess_intent(run);
    if (guess != INTENT_TEXT_TO_SQL || !asks_model(run)) {
        return true;
    }
    return prompting_call(run, calls, "parse_intent", prompting_values(run), 0, err);
}

static enum event read_reply(struct run *run, const struct llm_reply *reply,
                             struct err *err)
{
    static const char *const wanted[] = {"intent", NULL};
    json_t *json = prompting_reply(run, reply, wanted, err);
    return json ? understanding_read_intent(run, json, err) : EVENT_BAD_REPLY;
}

static enum event parse_intent_read(struct run *run, const struct stage_replies *replies,
                                    struct err *err)
{
    if (replies->count) {
        return read_reply(run, &replies->items[0], err);
    }
    enum intent guess = guess_intent(run);
    run->understanding.intent_provisional =
        guess == INTENT_TEXT_TO_SQL && !run->request.given_sql;
    if (guess != INTENT_TEXT_TO_SQL) {
        run->answer.parsed.confidence = 1; /* the rules take certain cases only */
    }
    return understanding_set_intent(run, guess);
}

const struct stage stage_parse_intent = {
    .state = STATE_PARSE_INTENT, .ask = parse_intent_ask, .read = parse_intent_read};
