/* SCORE_INTENT: asks the user now if the outcome is already certain. */
#include "agent/confidence.h"
#include "agent/understand/intent_rules.h"
#include "agent/sources/crossing.h"
#include "agent/stages/stages.h"

static enum event score_intent_work(struct run *run, struct err *err)
{
    (void)err;
    const struct table *subject = NULL;
    bool context = run->request.history.count > 0 || run->request.details.count > 0;
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
