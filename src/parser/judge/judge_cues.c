/* What the words of a question ask for, and what the query does of it. */
#include <string.h>

#include "parser/judge/judge_state.h"

enum { WORDS_MOST = 36, KEYWORDS_MOST = 8 };

/* Either any of the words, or two words in a row written with a blank. */
struct cue {
    enum judge_number lacks;
    enum judge_number needless;
    const char *words[WORDS_MOST];
    enum ir_keyword keywords[KEYWORDS_MOST]; /* any of them will do; ends with PAD */
    enum ir_keyword asked[KEYWORDS_MOST]; /* never used without a word that asks for it */
};

static const struct cue cues[] = {
    {JUDGE_COUNT_LACKS,
     JUDGE_COUNT_NEEDLESS,
     {"how many", "number of", "count", "counts", "numbers of", "amount of",
      "most common", "most popular", "most frequent", "# of"},
     {IR_COUNT, IR_COUNT_DISTINCT},
     {IR_COUNT, IR_COUNT_DISTINCT}},
    {JUDGE_AVERAGE_LACKS,
     JUDGE_AVERAGE_NEEDLESS,
     {"average", "avg", "mean", "averages", "typical", "averaged"},
     {IR_AVG},
     {IR_AVG}},
    {JUDGE_SUM_LACKS,
     JUDGE_SUM_NEEDLESS,
     {"total", "sum", "overall", "totals", "combined", "altogether", "revenue"},
     {IR_SUM, IR_RUNNING, IR_SHARE},
     {IR_SUM}},
    {JUDGE_MOST_LACKS,
     JUDGE_MOST_NEEDLESS,
     {"most",      "highest",  "largest",      "biggest", "maximum",  "max",
      "latest",    "greatest", "top",          "oldest",  "longest",  "best",
      "newest",    "tallest",  "last",         "richest", "heaviest", "recent",
      "expensive", "popular",  "more than any"},
     {IR_DESC, IR_MAX, IR_RANK, IR_LIMIT, IR_LIMIT1},
     {IR_DESC, IR_MAX, IR_RANK}},
    {JUDGE_LEAST_LACKS,
     JUDGE_LEAST_NEEDLESS,
     {"least", "lowest", "smallest", "minimum", "min", "fewest", "cheapest", "youngest",
      "shortest", "earliest", "worst", "first", "bottom", "lightest", "slowest", "oldest",
      "fastest", "poorest", "nearest"},
     {IR_ASC, IR_MIN, IR_LIMIT, IR_LIMIT1},
     {IR_ASC, IR_MIN}},
    {JUDGE_GROUP_LACKS,
     JUDGE_GROUP_NEEDLESS,
     {"each", "per", "every", "by", "for different", "breakdown", "most common",
      "most frequent", "most popular", "most", "fewest", "least", "at least",
      "more than"},
     {IR_GROUP, IR_PER},
     {IR_GROUP, IR_PER}},
    {JUDGE_ORDER_LACKS,
     JUDGE_ORDER_NEEDLESS,
     {"order of",     "ordered",    "sorted",     "sort",     "ranked",
      "alphabetical", "ascending",  "descending", "order by", "alphabetically",
      "decreasing",   "increasing", "most",       "highest",  "largest",
      "top",          "lowest",     "least",      "smallest", "fewest",
      "biggest",      "oldest",     "youngest",   "latest",   "earliest",
      "longest",      "shortest",   "in order",   "rank"},
     {IR_ORDER, IR_MAX, IR_MIN},
     {IR_ORDER}},
    {JUDGE_DISTINCT_LACKS,
     JUDGE_DISTINCT_NEEDLESS,
     {"distinct", "different", "unique", "various", "duplicates", "all the different"},
     {IR_DISTINCT, IR_COUNT_DISTINCT, IR_GROUP},
     {IR_DISTINCT, IR_COUNT_DISTINCT}},
    {JUDGE_NOT_LACKS,
     JUDGE_NOT_NEEDLESS,
     {"not",       "without", "no",     "never",   "except",     "other than",
      "excluding", "neither", "nor",    "none",    "don't",      "doesn't",
      "didn't",    "haven't", "isn't",  "but not", "unassigned", "missing",
      "lack",      "nobody",  "cannot", "t"},
     {IR_EXCEPT, IR_NOT, IR_NOT_IN, IR_UNEQUAL, IR_IS_NULL, IR_NOT_CONTAINS},
     {IR_EXCEPT, IR_NOT, IR_NOT_IN, IR_UNEQUAL, IR_IS_NULL, IR_NOT_CONTAINS}},
    {JUDGE_OR_LACKS,
     JUDGE_OR_NEEDLESS,
     {"or", "either"},
     {IR_OR, IR_UNION, IR_IN, IR_UNION_ALL},
     {IR_OR, IR_UNION}},
    {JUDGE_MORE_LACKS,
     JUDGE_MORE_NEEDLESS,
     {"more than", "greater than", "over", "above", "at least", "larger than",
      "higher than", "older than", "after", "longer than", "exceeds", "bigger than",
      "exceeding", "or more", "or higher", "minimum of", "since", "better than",
      "heavier than"},
     {IR_GREATER, IR_AT_LEAST, IR_AFTER, IR_SINCE},
     {IR_GREATER, IR_AT_LEAST, IR_AFTER, IR_SINCE}},
    {JUDGE_LESS_LACKS,
     JUDGE_LESS_NEEDLESS,
     {"less than", "fewer than", "under", "below", "at most", "smaller than",
      "lower than", "younger than", "before", "shorter than", "or less", "or fewer",
      "up to", "maximum of", "until", "cheaper than", "lighter than"},
     {IR_LESS, IR_AT_MOST, IR_BEFORE, IR_UNTIL},
     {IR_LESS, IR_AT_MOST, IR_BEFORE, IR_UNTIL}},
};

static bool phrase_at(const struct tokens *tokens, size_t at, const char *phrase)
{
    for (; at < tokens->count; at++) {
        const char *text = tokens->items[at].text;
        size_t size = strlen(text);
        if (strncmp(phrase, text, size) != 0) {
            return false;
        }
        phrase += size;
        if (*phrase == '\0') {
            return size > 0;
        }
        if (*phrase++ != ' ') {
            return false;
        }
    }
    return false;
}

static bool is_said(const struct tokens *tokens, const struct cue *cue)
{
    for (size_t i = 0; i < tokens->count; i++) {
        for (size_t k = 0; k < WORDS_MOST && cue->words[k]; k++) {
            if (phrase_at(tokens, i, cue->words[k])) {
                return true;
            }
        }
    }
    return false;
}

static bool is_done(const struct ir_tokens *tokens, const enum ir_keyword *keywords)
{
    for (size_t i = 0; i < tokens->count; i++) {
        for (size_t k = 0; k < KEYWORDS_MOST && keywords[k] != IR_PAD; k++) {
            if (ir_is(tokens->items[i], keywords[k])) {
                return true;
            }
        }
    }
    return false;
}

void judge_cues(struct judging *judging)
{
    const struct judge_request *request = judging->request;
    for (size_t i = 0; i < sizeof cues / sizeof *cues; i++) {
        bool said = is_said(&request->features->tokens, &cues[i]);
        judging->numbers[cues[i].lacks] =
            said && !is_done(request->tokens, cues[i].keywords);
        judging->numbers[cues[i].needless] =
            !said && is_done(request->tokens, cues[i].asked);
    }
}
