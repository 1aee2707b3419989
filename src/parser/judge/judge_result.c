/* What came back, and whether that is what was asked for. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/schema.h"
#include "parser/judge/judge_state.h"
#include "parser/parser.h"

enum { PHRASES_MOST = 24, ROWS_ASKED_MOST = 1000 };

/* Phrases by which people ask for something of a kind; those of one letter case. */
static const char *const for_number[PHRASES_MOST] = {
    "how many",   "how much", "number of", "total",    "average",  "sum of",  "count",
    "percentage", "percent",  "ratio",     "share of", "how long", "how old", "how far"};
static const char *const for_name[PHRASES_MOST] = {"who",   "whose",  "name",  "names",
                                                   "title", "titles", "called"};
static const char *const for_date[PHRASES_MOST] = {
    "when",       "date",        "dates",     "what day",  "which day",
    "what month", "which month", "what year", "which year"};
static const char *const for_one[PHRASES_MOST] = {
    "what is the", "what's the",   "what was the", "who is the",   "who was the",
    "who has the", "which one",    "the most",     "the highest",  "the lowest",
    "the largest", "the smallest", "the oldest",   "the youngest", "the latest",
    "how many",    "the longest",  "the shortest"};
static const char *const for_many[PHRASES_MOST] = {
    "list",    "all",      "each", "every",     "per",       "show",       "what are",
    "who are", "which of", "by",   "different", "breakdown", "broken down"};
static const char *const for_top[PHRASES_MOST] = {
    "top",     "first",   "last",   "best",     "worst",  "bottom", "biggest",
    "largest", "highest", "lowest", "smallest", "latest", "newest", "oldest"};

static bool asks(const struct tokens *tokens, const char *const phrases[PHRASES_MOST])
{
    for (size_t i = 0; i < tokens->count; i++) {
        for (size_t k = 0; k < PHRASES_MOST && phrases[k]; k++) {
            if (tokens_phrase(tokens, i, phrases[k])) {
                return true;
            }
        }
    }
    return false;
}

/* "top 5", "the 3 oldest": the number of rows asked for; 0: none. */
static long rows_asked(const struct tokens *tokens)
{
    for (size_t i = 0; i + 1 < tokens->count; i++) {
        const struct token *one = &tokens->items[i];
        const struct token *next = &tokens->items[i + 1];
        const struct token *number = one->kind == TOKEN_NUMBER    ? one
                                     : next->kind == TOKEN_NUMBER ? next
                                                                  : NULL;
        const struct token *word = number == one ? next : one;
        for (size_t k = 0; number && k < PHRASES_MOST && for_top[k]; k++) {
            if (strcmp(word->text, for_top[k]) == 0) {
                long rows = strtol(number->text, NULL, 10);
                return rows > 0 && rows <= ROWS_ASKED_MOST ? rows : 0;
            }
        }
    }
    return 0;
}

static bool is_whole_table(const struct judging *judging)
{
    const struct judge_request *request = judging->request;
    for (int i = 0; i < request->schema->table_count; i++) {
        const struct table *table = request->schema->tables[i].source;
        if (judging->tables[i] && table && table->row_count > 1 &&
            (size_t)table->row_count == request->outcome->rows) {
            return true;
        }
    }
    return false;
}

static void judge_looks(struct judging *judging)
{
    const struct parser_outcome *outcome = judging->request->outcome;
    const struct parser_looks *looks = &outcome->looks;
    double *numbers = judging->numbers;
    numbers[JUDGE_NO_ROW] = outcome->rows == 0;
    numbers[JUDGE_ONE_ROW] = outcome->rows == 1;
    numbers[JUDGE_ONE_ZERO] = looks->zero;
    numbers[JUDGE_MANY_ROWS] = looks->many;
    numbers[JUDGE_NULL_SHARE] = looks->nulls;
    numbers[JUDGE_NULL_COLUMNS] = (double)looks->null_columns;
    numbers[JUDGE_CONSTANT_COLUMNS] = (double)looks->constant_columns;
    numbers[JUDGE_REPEATED_ROWS] = looks->repeated;
    numbers[JUDGE_NEGATIVES] = looks->negative;
    numbers[JUDGE_TEXT_COLUMNS] = (double)looks->text_columns;
    numbers[JUDGE_NUMBER_COLUMNS] = (double)looks->number_columns;
    numbers[JUDGE_DATE_COLUMNS] = (double)looks->date_columns;
    numbers[JUDGE_WHOLE_TABLE] = is_whole_table(judging);
}

/* Only against rows: what is empty has no kind. */
static void judge_asked(struct judging *judging)
{
    const struct parser_outcome *outcome = judging->request->outcome;
    const struct parser_looks *looks = &outcome->looks;
    const struct tokens *tokens = &judging->request->features->tokens;
    double *numbers = judging->numbers;
    bool dates = looks->date_columns > 0 || looks->year_columns > 0;
    long rows = rows_asked(tokens);
    numbers[JUDGE_NUMBER_ASKED] = !looks->number_columns && asks(tokens, for_number);
    numbers[JUDGE_NAME_ASKED] = !looks->text_columns && asks(tokens, for_name);
    numbers[JUDGE_DATE_ASKED] = !dates && asks(tokens, for_date);
    numbers[JUDGE_ONE_ASKED] = outcome->rows > 1 && rows <= 1 && asks(tokens, for_one);
    numbers[JUDGE_MANY_ASKED] = outcome->rows == 1 && asks(tokens, for_many);
    numbers[JUDGE_ROWS_ASKED] = rows > 0 && outcome->rows != (size_t)rows;
}

void judge_result(struct judging *judging)
{
    const struct parser_outcome *outcome = judging->request->outcome;
    judging->numbers[JUDGE_NOT_RUN] = !outcome->ok;
    if (outcome->ok) {
        judge_looks(judging);
    }
    if (outcome->ok && outcome->rows) {
        judge_asked(judging);
    }
}

/* What share of the weight of all candidates is like this one. */
void judge_shares(struct judgement *const *judgements,
                  const struct parser_outcome *const *outcomes, size_t count)
{
    double all = 0;
    for (size_t i = 0; i < count; i++) {
        all += judgements[i] ? exp(judgements[i]->numbers[JUDGE_LOG_PROBABILITY]) : 0;
    }
    for (size_t i = 0; i < count; i++) {
        if (!judgements[i] || !outcomes[i]->ok || all <= 0) {
            continue;
        }
        double *numbers = judgements[i]->numbers;
        for (size_t k = 0; k < count; k++) {
            if (!judgements[k] || !outcomes[k]->ok) {
                continue;
            }
            double share = exp(judgements[k]->numbers[JUDGE_LOG_PROBABILITY]) / all;
            numbers[JUDGE_SHAPE_SHARE] +=
                outcomes[k]->columns == outcomes[i]->columns ? share : 0;
            numbers[JUDGE_ROWS_SHARE] +=
                outcomes[k]->rows == outcomes[i]->rows ? share : 0;
            numbers[JUDGE_THINGS_SHARE] +=
                outcomes[k]->looks.things == outcomes[i]->looks.things ? share : 0;
            numbers[JUDGE_OTHERS_EMPTY] += k != i && outcomes[k]->empty ? share : 0;
        }
    }
}
