/* Weighted sums over judgements. */
#include "parser/judge/choice.h"

#include <math.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"

static int number_called(const char *text)
{
    for (int i = 0; i < JUDGE_COUNT; i++) {
        if (str_equal(judge_text(i), text)) {
            return i;
        }
    }
    return -1;
}

static bool read_weights(json_t *object, double *out, struct err *err)
{
    const char *key = NULL;
    json_t *value = NULL;
    json_object_foreach(object, key, value)
    {
        int number = number_called(key);
        if (number < 0 || !json_is_number(value) || !isfinite(json_number_value(value))) {
            return err_set(err, ERR_INVALID_DATA,
                           "The parser's weights judge by '%.40s', which this program "
                           "does not know.",
                           key);
        }
        out[number] = json_number_value(value);
    }
    return true;
}

static double real_at(const json_t *object, const char *key)
{
    double value = json_number_value(json_object_get(object, key));
    return isfinite(value) ? value : 0;
}

bool choice_read(const json_t *header, const char *key, struct choice *out,
                 struct err *err)
{
    const json_t *judge = json_object_get(header, key);
    *out = (struct choice){0};
    if (!json_is_object(judge)) {
        out->score[JUDGE_LOG_PROBABILITY] = 0.91;
        out->score[JUDGE_UNUSED_VALUES] = -1.43;
        out->score[JUDGE_EMPTY] = -1.73;
        out->score[JUDGE_CROSS_JOIN] = -3;
        return true;
    }
    int64_t width = json_int_at(judge, "width", 0);
    out->learnt = true;
    out->width = width > 0 ? (size_t)width : 0;
    out->trust_share = real_at(judge, "trust_share");
    out->trust_ahead = real_at(judge, "trust_ahead");
    out->trust_bias = real_at(judge, "trust_bias");
    return read_weights(json_object_get(judge, "score"), out->score, err) &&
           read_weights(json_object_get(judge, "trust"), out->trust, err);
}

static double sum_of(const double *weights, const struct judgement *judgement)
{
    double sum = 0;
    for (size_t i = 0; i < JUDGE_COUNT; i++) {
        sum += weights[i] * judgement->numbers[i];
    }
    return sum;
}

double choice_score(const struct choice *choice, const struct judgement *judgement)
{
    return sum_of(choice->score, judgement);
}

double choice_trust(const struct choice *choice, const struct judgement *judgement,
                    double share, double second)
{
    if (!choice->learnt) {
        return exp(judgement->numbers[JUDGE_GROUP_LOG_PROBABILITY]);
    }
    double odds = log(share + 1e-6) - log(1 - share + 1e-3);
    double sum = choice->trust_bias + choice->trust_share * odds +
                 choice->trust_ahead * (share - second) +
                 sum_of(choice->trust, judgement);
    return 1 / (1 + exp(-sum));
}
