/* INITIALIZING: loads the conversation so far; shows its last rows again if that is all that is asked. */
#include "agent/memory/again.h"
#include "agent/stages/stages.h"
#include "store/store.h"

static enum event initializing_work(struct run *run, struct err *err)
{
    (void)err;
    if (run->question.session_id) {
        struct err trouble;
        err_clear(&trouble);
        if (!store_message_list(run->agent->store, run->arena, run->question.session_id,
                                (size_t)run->options->session_max_messages,
                                &run->request.history, &trouble)) {
            run_warn_system(run, "The conversation so far could not be read: %s",
                            trouble.message);
        }
    }
    again_forget(run);
    return again_take(run) ? EVENT_SAME_ROWS : EVENT_DONE;
}

const struct stage stage_initializing = {.state = STATE_INITIALIZING,
                                         .work = initializing_work};
