/*
 * Chooses among candidates and computes the confidence: weights for the features of a
 * judgement, trained on databases that the network has not seen (train/judge.py). They
 * are part of the network's weights file.
 */
#ifndef DGM_PARSER_CHOICE_H
#define DGM_PARSER_CHOICE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/json.h"
#include "parser/judge/judge.h"

struct err;

struct choice {
    bool learnt;  /* otherwise a rule of thumb */
    size_t width; /* of the beam that it chooses well from; 0: no matter */
    double score[JUDGE_COUNT];
    double trust[JUDGE_COUNT];
    double trust_share; /* of the log-odds of the best result's share */
    double trust_ahead; /* of how far its share is ahead of the second one's */
    double trust_bias;
};

/* What the header of a weights file has under `key`: "judge", or "judge_talk" for later
 * turns; without it the rule of thumb. False when it names numbers that this program does
 * not know. */
bool choice_read(const json_t *header, const char *key, struct choice *out,
                 struct err *err);

/* Higher is better; differences are those of log-probabilities. */
double choice_score(const struct choice *choice, const struct judgement *judgement);

/* The probability that the chosen one is right. share: what its result has of all
 * candidates' weight; second: what the next best result has. */
double choice_trust(const struct choice *choice, const struct judgement *judgement,
                    double share, double second);

#endif
