/* "Undo that", "go back": the answer before the last one, once more. */
#include "agent/understand/undoing.h"

#include "agent/understand/intent_words.h"
#include "base/str.h"
#include "base/vec.h"
#include "agent/run_statement.h"
#include "sql/guard.h"

bool undoing_wanted(struct arena *arena, const char *text)
{
    static const char *const fillers[] = {
        "please", "no",  "sorry", "oops",  "ok",   "okay", "now",  "then", "wait", "can",
        "could",  "you", "we",    "let's", "lets", "i",    "want", "to",   NULL};
    static const char *const whole[] = {"undo",
                                        "undo that",
                                        "undo this",
                                        "undo it",
                                        "undo the last change",
                                        "undo last change",
                                        "undo the last one",
                                        "undo the last step",
                                        "undo the last filter",
                                        "undo that last change",
                                        "go back",
                                        "back",
                                        "go back one step",
                                        "one step back",
                                        "a step back",
                                        "go one step back",
                                        "step back",
                                        "take that back",
                                        "take it back",
                                        "revert",
                                        "revert that",
                                        "revert it",
                                        "revert the last change",
                                        "the one before",
                                        "the answer before",
                                        "back the one before",
                                        "go back the one before",
                                        "back the answer before",
                                        "previous answer",
                                        "the previous answer",
                                        "the previous one",
                                        "back the previous answer",
                                        "back the previous one",
                                        "go back the previous answer",
                                        "go back the previous one",
                                        "back before",
                                        "as before",
                                        "remove the last filter",
                                        "remove that filter",
                                        "drop the last filter",
                                        "drop that filter",
                                        "forget the last filter",
                                        "forget that last filter",
                                        "forget that filter",
                                        "without the last filter",
                                        NULL};
    struct texts words = {0};
    struct texts kept = {0};
    intent_words(arena, text, &words);
    for (size_t i = 0; i < words.count; i++) {
        if (!intent_in_list(words.items[i], fillers)) {
            VEC_PUSH(arena, &kept, words.items[i]);
        }
    }
    return intent_in_list(str_join(arena, &kept, " "), whole);
}

/* The turns that had SQL, without those that were taken back. */
static size_t turns_left(struct run *run, const struct message **out, size_t most)
{
    size_t count = 0;
    for (size_t i = 1; i < run->request.history.count; i++) {
        const struct message *asked = &run->request.history.items[i - 1];
        const struct message *answer = asked + 1;
        if (!answer->sql || !str_equal(asked->role, "user")) {
            continue;
        }
        if (undoing_wanted(run->scratch, asked->content)) {
            count -= count > 1; /* what it went back to may lie before the history */
            count += count == 0;
            out[count - 1] = count == 1 ? answer : out[count - 1];
        } else if (count < most) {
            out[count++] = answer;
        }
    }
    return count;
}

const struct run_reading *undoing_reading(struct run *run)
{
    const struct message **turns =
        arena_array(run->scratch, run->request.history.count + 1, sizeof *turns);
    size_t count = turns_left(run, turns, run->request.history.count);
    if (count < 2) {
        return NULL;
    }
    const struct message *back = turns[count - 2];
    struct run_reading *reading = ARENA_NEW(run->arena, struct run_reading);
    struct guard_result read;
    run_guard(run, back->sql, NULL, &read);
    *reading = (struct run_reading){
        .sql = arena_text(run->arena, back->sql),
        .words = arena_format(run->arena, "As before: %s", back[-1].content),
        .tables = read.tables};
    return reading;
}
