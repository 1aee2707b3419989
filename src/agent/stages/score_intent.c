/* SCORE_INTENT: asks the user now if the outcome is already certain. */
#include "agent/confidence.h"
#include "agent/understand/intent_rules.h"
#include "agent/sources/crossing.h"
#include "agent/stages/stages.h"

/* "Show me recent orders" is as vague in a conversation; "and the recent ones?" goes on. */
static bool asks_for_recent(struct run *run)
{
    const char *text = run->question.text;
    return intent_vague_time(run->scratch, text) && intent_is_full(run->scratch, text) &&
           intent_names_table(run->scratch, text, run_schema(run));
}

static enum event score_intent_work(struct run *run, struct err *err)
{
    (void)err;
    const struct table *subject = NULL;
    bool context = run->request.details.count > 0 ||
                   (run->request.history.count > 0 && !asks_for_recent(run));
    run->understanding.clarity = intent_clarity(run->scratch, crossing_subject(run),
                                                run_schema(run), context, &subject);
    /* Clarity of 0.1 or less caps the score at 0.4 (design 4.1). */
    bool hopeless = run->understanding.clarity != CLARITY_CLEAR &&
                    run->options->agent_ask_when_vague && run_may_ask(run) &&
                    run->options->agent_min_confidence > 0.4;
    if (hopeless) {
        confidence_expect(run, subject);
        confidence_ask(run);
        return EVENT_HOPELESS;
    }
    return EVENT_WORTH_TRYING;
}

const struct stage stage_score_intent = {.state = STATE_SCORE_INTENT,
                                         .work = score_intent_work};
