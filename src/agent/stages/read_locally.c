/*
 * READ_LOCALLY: the built-in parser reads the question. Its reading is taken when it is
 * sure enough; otherwise a model is asked or, without one, the user.
 */
#include "agent/memory/meaning.h"
#include "agent/stages/stages.h"
#include "agent/understand/solving.h"
#include "agent/understand/understanding.h"

/* Did the user add something to a question whose tables are chosen already? */
static bool goes_on(const struct run *run)
{
    return run->last_event == EVENT_ANSWERED_DETAIL ||
           run->last_event == EVENT_ANSWERED_JOIN;
}

static enum event read_locally_accept(struct run *run, struct err *err)
{
    solving_take_tables(run);
    return understanding_settle_tables(run, err) ? EVENT_ACCEPTED : EVENT_NONE;
}

/* The question with what its user added to it: the tables of before stand, and those of
 * the reading are added to them. */
static enum event resume(struct run *run)
{
    if (run->understanding.solved == SOLVED) {
        solving_choose_named(run);
    }
    return EVENT_RESUMED;
}

/* The parser has no reading to offer, and the schema's questions were offered before. */
static enum event ask_user(struct run *run)
{
    struct clarification *back = &run->answer.clarification;
    if (goes_on(run) && !back->message) {
        back->message = "I could not make sense of that. Can you say it in other words?";
    }
    return EVENT_ASKS;
}

static enum event hand_over(const struct run *run)
{
    static const enum event events[] = {[SOLVED_NOT] = EVENT_NOT_WANTED,
                                        [SOLVED_UNSURE] = EVENT_UNSURE,
                                        [SOLVED_BEYOND] = EVENT_BEYOND};
    return events[run->understanding.solved];
}

static enum event read_locally_work(struct run *run, struct err *err)
{
    if (!goes_on(run)) {
        understanding_restart(run);
        if (run->understanding.filter_only && run->understanding.tables.count == 0) {
            return EVENT_NOT_WANTED; /* there is nothing left to read it on */
        }
    }
    if (meaning_replies(run)) {
        run->answer.parsed.confidence = 1;
        (void)understanding_set_intent(run, INTENT_GENERAL);
        return EVENT_NOT_A_QUERY;
    }
    run->understanding.solved = solving_try(run, err);
    if (run->understanding.solved == SOLVED_FAILS) {
        return EVENT_CANNOT;
    }
    err_clear(err);
    if (run->understanding.solved == SOLVED_ASKS) {
        return ask_user(run);
    }
    if (run->understanding.solved == SOLVED_OTHER) {
        return EVENT_NOT_A_QUERY;
    }
    if (goes_on(run)) {
        return resume(run);
    }
    return run->understanding.solved == SOLVED ? read_locally_accept(run, err)
                                               : hand_over(run);
}

const struct stage stage_read_locally = {.state = STATE_READ_LOCALLY,
                                         .work = read_locally_work};
