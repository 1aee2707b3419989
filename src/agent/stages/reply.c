/* REPLY: answers in words if the message was not a question about data. */
#include "agent/understand/intent_rules.h"
#include "agent/prompting.h"
#include "agent/stages/stages.h"
#include "base/str.h"

static bool reply_stage_ask(struct run *run, struct stage_calls *calls, struct err *err)
{
    if (!run->exchange.reply) {
        run->exchange.reply = intent_small_talk(run->arena, run->question.text);
    }
    if (run->exchange.reply) {
        return true;
    }
    return run_schema(run)
               ? prompting_ask(run, calls, "reply", 0, err)
               : prompting_call(run, calls, "reply", prompting_values(run), 0, err);
}

static enum event reply_stage_read(struct run *run, const struct stage_replies *replies,
                                   struct err *err)
{
    if (replies->count) {
        struct err trouble;
        static const char *const wanted[] = {"reply", NULL};
        json_t *json = prompting_reply(run, &replies->items[0], wanted, &trouble);
        run->exchange.reply = json ? prompting_words(run, json, "reply")
                                   : prompting_harmless(run, replies->items[0].text);
    }
    if (str_empty(run->exchange.reply)) {
        (void)err_set(err, ERR_LLM_NONSENSE, "The reply is empty.");
        return EVENT_BAD_REPLY;
    }
    run->answer.type = "text";
    run->answer.explanation = run->exchange.reply;
    return EVENT_DONE;
}

const struct stage stage_reply = {
    .state = STATE_REPLY, .ask = reply_stage_ask, .read = reply_stage_read};
