/* How likely a change of the SQL before is right. */
#include "agent/confidence_turn.h"

#include <math.h>
#include <string.h>

#include "base/json.h"
#include "base/str.h"
#include "store/store.h"

/* The score of the last answer of the conversation that had SQL; negative: not known. */
static double score_before(struct run *run)
{
    const struct messages *history = &run->request.history;
    for (size_t i = history->count; i-- > 0;) {
        const struct message *message = &history->items[i];
        struct store_question stored = {0};
        struct err err;
        err_clear(&err);
        if (!message->sql) {
            continue;
        }
        if (!message->query_id || !store_question_get(run->agent->store, run->scratch,
                                                      message->query_id, &stored, &err)) {
            return -1;
        }
        const char *text = stored.answer ? stored.answer : "";
        const json_t *answer = json_parse(run->scratch, text, strlen(text), &err);
        return json_real_at(json_object_get(answer, "confidence"), "score", -1);
    }
    return -1;
}

/*
 * A change of SQL that was wrong is wrong, too. The odds are multiplied by 0.25 after an answer with a score
 * of 0, by about 1 after 0.5, and by 1.6 from 0.7 on: fitted with logistic regression over later turns of
 * dialogues over databases that no weights were trained on (models/README.md).
 */
static double after(double probability, double before)
{
    static const double AFTER_NOTHING = -1.4;
    static const double SLOPE = 2.7;
    static const double SURE = 0.7;
    if (before < 0 || probability <= 0 || probability >= 1) {
        return probability;
    }
    double odds = probability / (1 - probability) *
                  exp(AFTER_NOTHING + SLOPE * (before < SURE ? before : SURE));
    return odds / (1 + odds);
}

/*
 * The share of right ones among changes with this probability, over the same turns. The rules for short changes,
 * which have a single reading, were written with the tuning sets, where more of them are right; so their factor
 * is that of the other dialogues (63 % right where they say 0.85).
 */
double confidence_of_change(struct run *run, double probability)
{
    static const struct {
        double said;
        double right;
    } knots[] = {{0, 0.25}, {0.6, 0.35}, {0.85, 0.86}, {1, 0.9}};
    static const double BY_RULE = 0.74;
    if (run->understanding.readings.count == 1) {
        return probability * BY_RULE;
    }
    size_t i = 1;
    while (i + 1 < sizeof knots / sizeof *knots && probability > knots[i].said) {
        i++;
    }
    double share =
        (probability - knots[i - 1].said) / (knots[i].said - knots[i - 1].said);
    double right = knots[i - 1].right + share * (knots[i].right - knots[i - 1].right);
    return after(right, score_before(run));
}
