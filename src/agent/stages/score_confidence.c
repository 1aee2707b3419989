/* SCORE_CONFIDENCE: computes the confidence of the answer. */
#include "agent/confidence.h"
#include "agent/stages/stages.h"
#include "agent/understand/placing/placing.h"

static enum event score_confidence_work(struct run *run, struct err *err)
{
    (void)err;
    placing_note(run);
    confidence_score(run);
    /* who has been asked has had a say */
    bool asked = run->request.details.count > 0 || run->budget.corrections > 0;
    if (asked || !run_may_ask(run) ||
        run->answer.confidence.score + 1e-9 >= run->options->agent_min_confidence) {
        return EVENT_HIGH;
    }
    confidence_ask(run);
    return EVENT_LOW;
}

const struct stage stage_score_confidence = {.state = STATE_SCORE_CONFIDENCE,
                                             .work = score_confidence_work};
