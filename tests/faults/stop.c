/*
 * A question is stopped as it enters each state it goes through: it ends as stopped,
 * nothing hangs, and a stopped write has not been done.
 */
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/str.h"
#include "cases/expect.h"
#include "faults/answer_check.h"

enum { WATCHDOG_MS = 300000, STATES_MOST = 400 };

/* Stops the question when it has entered its nth state. */
struct stopper {
    struct player *player;
    int nth; /* 0: never */
    atomic_int entered;
    atomic_bool stopped;
};

static void observe(void *context, const struct dgm_event *event)
{
    struct stopper *stopper = context;
    if (event->kind != DGM_STATUS ||
        atomic_fetch_add(&stopper->entered, 1) + 1 != stopper->nth) {
        return;
    }
    /* It may be this far before dgm_ask has returned the handle to stop it with. */
    struct dgm_question *question = NULL;
    int64_t until = clock_ms() + WATCHDOG_MS;
    while (!(question = atomic_load(&stopper->player->question)) && clock_ms() < until) {
        struct timespec pause = {.tv_nsec = 100000};
        (void)nanosleep(&pause, NULL);
    }
    if (question) {
        dgm_question_stop(question);
        atomic_store(&stopper->stopped, true);
    }
}

static int check_stopped(const struct player *player, const struct case_step *step,
                         const struct played *played, bool changed)
{
    const char *state = json_text_at(played->answer, "state");
    int failures = answer_check(player, step, played);
    if (str_equal(state, "STOPPED") && changed) {
        (void)fprintf(stderr, "%s:%d: stopped, and yet it wrote\n", player->file->path,
                      step->number);
        failures++;
    }
    return failures;
}

/* Plays the case with a stop at the nth state; *over: there were fewer. */
static int play(const struct case_file *file, int nth, bool *over)
{
    struct player player = {.timeout_ms = WATCHDOG_MS, .light = true};
    struct stopper stopper = {.player = &player, .nth = nth};
    player.observer = observe;
    player.context = &stopper;
    int failures = player_open(&player, file) && library_open(&player) ? 0 : 1;
    for (size_t i = 0; i < file->steps.count && !failures; i++) {
        const struct case_step *step = &file->steps.items[i];
        struct played played;
        bool done = false;
        uint64_t before = player_fingerprint(&player);
        (void)player_outside(&player, step, &played, &done);
        if (done) {
            continue;
        }
        failures += !library_step(&player, step, &played);
        if (!failures && played.answer) {
            bool changed = before != player_fingerprint(&player);
            failures += check_stopped(&player, step, &played, changed);
        }
        if (atomic_load(&stopper.stopped)) {
            break; /* what follows was written for a question that went on */
        }
    }
    library_close(&player);
    player_close(&player);
    *over = !atomic_load(&stopper.stopped);
    if (failures) {
        (void)fprintf(stderr, "%s: stopped at its state %d\n", file->path, nth);
    }
    return failures;
}

int main(int argc, char **argv)
{
    int failures = 0;
    int plays = 0;
    for (int i = 1; i < argc; i++) {
        struct case_file *file = case_load(argv[i]);
        bool over = file == NULL;
        failures += over;
        for (int nth = 1; !over && nth < STATES_MOST; nth++) {
            failures += play(file, nth, &over);
            plays++;
        }
        case_free(file);
    }
    (void)printf("%d plays, %d failures\n", plays, failures);
    return failures || plays == 0 ? 1 : 0;
}
