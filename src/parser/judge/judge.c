/* A query beside its question, as numbers. */
#include "parser/judge/judge.h"

#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "parser/judge/judge_state.h"
#include "parser/parser.h"
#include "parser/to_sql/rebuild.h"

const char *judge_text(int number)
{
    static const char *const texts[JUDGE_COUNT] = {
#define JUDGE(name, text) text,
#include "parser/judge/judge.def"
#undef JUDGE
    };
    return number >= 0 && number < JUDGE_COUNT ? texts[number] : "";
}

static void note_value(struct judging *judging, int index)
{
    const struct candidate *value = &judging->request->features->values.items[index];
    for (size_t i = value->first; i < value->end; i++) {
        judging->covered[i] = true;
    }
}

/* What the query uses: tables and columns of the schema, words of the question. */
static void note_used(struct judging *judging)
{
    const struct judge_request *request = judging->request;
    const struct ir_schema *schema = request->schema;
    for (size_t i = 0; i < request->tokens->count; i++) {
        struct ir_token token = request->tokens->items[i];
        if (token.kind == IR_TABLE) {
            judging->tables[token.index] = true;
        } else if (token.kind == IR_COLUMN && token.index > 0) {
            judging->columns[token.index] = true;
            judging->tables[schema->columns[token.index].table] = true;
        } else if (token.kind == IR_VALUE) {
            note_value(judging, token.index);
        }
    }
}

static void judge_shape(struct judging *judging, const struct ir_query *query)
{
    static const enum ir_keyword tests[] = {
        IR_EQUAL,  IR_UNEQUAL, IR_LESS,    IR_GREATER, IR_AT_MOST,      IR_AT_LEAST,
        IR_IN,     IR_NOT_IN,  IR_BETWEEN, IR_IS_NULL, IR_NOT_NULL,     IR_CONTAINS,
        IR_STARTS, IR_ENDS,    IR_MATCHES, IR_DURING,  IR_NOT_CONTAINS, IR_EXISTS,
        IR_SINCE,  IR_BEFORE,  IR_AFTER,   IR_UNTIL,
    };
    const struct judge_request *request = judging->request;
    double *numbers = judging->numbers;
    for (size_t i = 0; i < request->tokens->count; i++) {
        struct ir_token token = request->tokens->items[i];
        numbers[JUDGE_SELECTS] += ir_is(token, IR_SELECT);
        for (size_t k = 0; k < sizeof tests / sizeof *tests; k++) {
            numbers[JUDGE_CONDITIONS] += ir_is(token, tests[k]);
        }
    }
    for (int i = 0; i < request->schema->table_count; i++) {
        numbers[JUDGE_TABLES] += judging->tables[i];
    }
    numbers[JUDGE_LENGTH] = (double)request->tokens->count;
    numbers[JUDGE_ITEMS] = query ? (double)query->select.count : 0.0;
    numbers[JUDGE_INFERRED_JOIN] = request->result->inferred_join;
    numbers[JUDGE_CROSS_JOIN] = request->result->cross_join;
    numbers[JUDGE_JOIN_COST] = request->result->join_cost;
}

static void judge_outcome(struct judging *judging)
{
    const struct judge_request *request = judging->request;
    double *numbers = judging->numbers;
    numbers[JUDGE_RANK] = (double)request->rank;
    numbers[JUDGE_LOG_PROBABILITY] = request->log_probability;
    numbers[JUDGE_MEAN_LOG_PROBABILITY] =
        request->log_probability / (double)(request->tokens->count + 1);
    numbers[JUDGE_BEHIND] = request->best_log_probability - request->log_probability;
    if (request->outcome->ok) {
        numbers[JUDGE_EMPTY] = request->outcome->empty;
        numbers[JUDGE_LOG_ROWS] = log1p((double)request->outcome->rows);
        numbers[JUDGE_RESULT_COLUMNS] = (double)request->outcome->columns;
    }
}

void judge_candidate(struct arena *arena, const struct judge_request *request,
                     struct judgement *out)
{
    memset(out, 0, sizeof *out);
    const struct ir_schema *schema = request->schema;
    struct judging judging = {
        .request = request,
        .arena = arena,
        .tables = arena_array(arena, (size_t)schema->table_count + 1, sizeof(bool)),
        .columns = arena_array(arena, (size_t)schema->column_count + 1, sizeof(bool)),
        .covered = arena_array(arena, request->features->tokens.count + 1, sizeof(bool)),
        .numbers = out->numbers,
    };
    struct ir_query *query = NULL;
    struct err err;
    note_used(&judging);
    judge_outcome(&judging);
    if (!ir_tree_read(arena, request->tokens, schema, request->features->values.count,
                      &query, &err)) {
        query = NULL;
    }
    judge_shape(&judging, query);
    judge_links(&judging);
    judge_values(&judging, query);
    judge_cues(&judging);
    judge_result(&judging);
}

void judge_groups(struct judgement *const *judgements, const size_t *groups, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        double sum = 0;
        double size = 0;
        bool first = true;
        for (size_t k = 0; k < count; k++) {
            if (judgements[k] && groups[k] == groups[i]) {
                sum += exp(judgements[k]->numbers[JUDGE_LOG_PROBABILITY]);
                size++;
                first = first && k >= i;
            }
        }
        if (judgements[i]) {
            judgements[i]->numbers[JUDGE_GROUP_SIZE] = size;
            judgements[i]->numbers[JUDGE_GROUP_LOG_PROBABILITY] = log(sum);
            judgements[i]->numbers[JUDGE_GROUP_FIRST] = first;
        }
    }
}
