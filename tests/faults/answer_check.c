/* What holds for every answer: a state to rest in, a code where it failed, a true trace.
 */
#include "faults/answer_check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"

static int broken(const struct player *player, const struct case_step *step,
                  const char *rule, const char *what)
{
    (void)fprintf(stderr, "%s:%d: %s: %s\n", player->file->path, step->number, rule,
                  what ? what : "(absent)");
    return 1;
}

static bool rests(const char *state)
{
    static const char *const states[] = {"FINISHED", "FAILED", "STOPPED", "AWAIT_USER"};
    for (size_t i = 0; i < sizeof states / sizeof *states; i++) {
        if (str_equal(states[i], state)) {
            return true;
        }
    }
    return false;
}

static int check_trace(const struct player *player, const struct case_step *step,
                       const struct played *played)
{
    struct dgm_error error;
    char *json = json_dumps(played->answer, JSON_COMPACT);
    char *text = dgm_replay(json, strlen(json), &error);
    int failures = text ? 0 : broken(player, step, "the trace is no walk", error.message);
    dgm_free(text);
    free(json);
    return failures;
}

int answer_check(const struct player *player, const struct case_step *step,
                 const struct played *played)
{
    const json_t *answer = played->answer;
    const json_t *error = json_object_at(answer, "error");
    const char *state = json_text_at(answer, "state");
    const char *code = json_text_at(error, "code");
    bool failed = str_equal(state, "FAILED") || str_equal(state, "STOPPED");
    int failures = 0;
    if (step->kind == CASE_LESSONS || json_text_at(answer, "verdict")) {
        return 0; /* a list; a word on an answer that was taken */
    }
    if (!state) { /* refused at the door */
        return code ? 0 : broken(player, step, "refused without a code", NULL);
    }
    if (!rests(state)) {
        failures += broken(player, step, "does not rest", state);
    }
    if (failed && (str_empty(code) || str_empty(json_text_at(error, "message")))) {
        failures += broken(player, step, "failed without saying why", code);
    }
    if (str_equal(code, "INTERNAL")) {
        failures += broken(player, step, "a bug", json_text_at(error, "message"));
    }
    if (!failed && error) {
        failures += broken(player, step, "an error though it did not fail", code);
    }
    bool waits = str_equal(state, "AWAIT_USER");
    bool incomplete = json_is_true(json_object_get(answer, "incomplete"));
    if ((failed || waits || incomplete) == (played->exit_status == 0)) {
        failures += broken(player, step, "the exit status does not fit", state);
    }
    if (waits &&
        str_empty(json_text_at(json_object_at(answer, "clarification"), "message"))) {
        failures += broken(player, step, "waits without a question", state);
    }
    return failures + check_trace(player, step, played);
}
