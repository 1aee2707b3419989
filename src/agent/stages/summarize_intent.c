/* SUMMARIZE_INTENT: states in one sentence what the user wants. */
#include "agent/prompting.h"
#include "agent/understand/solving.h"
#include "agent/stages/stages.h"
#include "agent/understand/sql_facts.h"
#include "agent/understand/understanding.h"

static bool summarize_intent_ask(struct run *run, struct stage_calls *calls,
                                 struct err *err)
{
    run->exchange.asked_fused = false;
    if (run->understanding.whole) {
        return true;
    }
    /* After the user's answer everything that follows is made anew, in one call. */
    if (run->saved && !understanding_fuse(run, calls, &run->exchange.asked_fused, err)) {
        return false;
    }
    return run->exchange.asked_fused ||
           prompting_ask(run, calls, "summarize_intent", 0, err);
}

static enum event summarize_intent_read(struct run *run,
                                        const struct stage_replies *replies,
                                        struct err *err)
{
    static const char *const wanted[] = {"summary", NULL};
    const char *summary = run->understanding.summary;
    if (run->exchange.asked_fused && replies->count) {
        const json_t *json = understanding_keep(run, &replies->items[0], err);
        if (!json) {
            return EVENT_BAD_REPLY;
        }
        understanding_choose(run, json_array_at(json, "tables"));
        sql_facts_fill(run, json);
        summary = run->understanding.summary;
    } else if (replies->count) {
        const json_t *json = prompting_reply(run, &replies->items[0], wanted, err);
        if (!json) {
            return EVENT_BAD_REPLY;
        }
        summary = prompting_words(run, json, "summary");
    }
    run->answer.summary = summary ? summary : run_question_text(run);
    return EVENT_DONE;
}

/* Without the model: the parser's reading says it. */
static enum event summarize_intent_solve(struct run *run, struct err *err)
{
    const struct stage_replies none = {0};
    return solving_rescue(run) ? summarize_intent_read(run, &none, err) : EVENT_GIVE_UP;
}

const struct stage stage_summarize_intent = {.state = STATE_SUMMARIZE_INTENT,
                                             .ask = summarize_intent_ask,
                                             .read = summarize_intent_read,
                                             .solve = summarize_intent_solve};
