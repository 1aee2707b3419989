/* Candidates tried out: what they give, how they look beside the question. */
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/str.h"
#include "model/schema.h"
#include "parser/ir/ir_grammar.h"
#include "parser/ir/ir_schema.h"
#include "parser/parser_state.h"
#include "parser/search/discount.h"
#include "parser/search/mend/mend.h"
#include "sql/describe/describe.h"

/*
 * What running all candidates may cost is bounded by work, so that the same question gets
 * the same answer on a busy machine: by the engine's steps where it counts them, else by
 * the rows of the tables that are read. Time is only there for what neither foresees.
 */
enum { RUN_ROWS = 20000000, RUN_MS = 2000, RUN_STEPS_MS = 10000 };

static void tables_of(const struct work *work, struct arena *arena,
                      const struct ir_tokens *tokens, struct texts *out)
{
    const struct ir_schema *schema = work->prepared->ir;
    for (size_t i = 0; i < tokens->count; i++) {
        const struct ir_token *token = &tokens->items[i];
        int table = token->kind == IR_TABLE ? token->index
                    : token->kind == IR_COLUMN && token->index > 0
                        ? schema->columns[token->index].table
                        : -1;
        bool known = table < 0;
        for (size_t k = 0; !known && k < out->count; k++) {
            known = str_equal(out->items[k], schema->tables[table].source->name);
        }
        if (!known) {
            VEC_PUSH(arena, out, arena_text(arena, schema->tables[table].source->name));
        }
    }
}

void work_tables(struct work *work, const struct ir_tokens *tokens, struct texts *out)
{
    tables_of(work, work->arena, tokens, out);
}

/* The rows of the tables that a candidate reads, as far as they are known. */
static int64_t rows_read(const struct work *work, const struct ir_tokens *tokens)
{
    int64_t rows = 0;
    struct texts tables = {0};
    tables_of(work, work->scratch, tokens, &tables);
    for (size_t i = 0; i < tables.count; i++) {
        const struct table *table = schema_table(work->request->schema, tables.items[i]);
        rows += table && table->row_count > 0 ? table->row_count : 0;
    }
    return rows;
}

/* Runs one unless that costs too much; false when it fails. Choosing must not cost more
 * than the answer: what would take longer is judged by its words alone. */
bool work_run(struct work *work, const char *sql, const struct ir_tokens *tokens,
              struct parser_outcome *outcome)
{
    if (!work->request->run) {
        return true;
    }
    bool steps = work->request->counts_steps;
    outcome->limit_ms = (steps ? RUN_STEPS_MS : RUN_MS) - work->run_us / 1000;
    outcome->steps = &work->steps;
    if (outcome->limit_ms <= 0 || work->steps <= 0 ||
        (!steps && rows_read(work, tokens) > RUN_ROWS)) {
        outcome->late = true;
        return true;
    }
    int64_t from = clock_us();
    work->request->run(work->request->context, sql, outcome);
    work->run_us += clock_us() - from;
    return outcome->ok || outcome->late;
}

static struct rebuild_request rebuild_of(const struct work *work)
{
    return (struct rebuild_request){.schema = work->prepared->ir,
                                    .values = &work->values,
                                    .dialect = work->request->dialect,
                                    .question = work->request->question,
                                    .today = work->request->today,
                                    .headings = work->request->headings,
                                    .names = &work->names};
}

/* False when the question asks for a figure that the query has no place for. */
static bool put_statistic(const struct work *work, struct ir_tokens *tokens)
{
    return work->statistic.word == IR_PAD ||
           statistic_put(work->scratch, &work->statistic, (int)work->values.count - 1,
                         tokens);
}

/* False when it makes no query or does not run. */
static bool try_candidate(struct work *work, struct trial *trial)
{
    struct rebuild_request request = rebuild_of(work);
    struct err err;
    struct parser_candidate *candidate = &trial->candidate;
    candidate->log_probability = trial->from->log_probability;
    const struct mend_request mending = {.schema = work->prepared->ir,
                                         .question = work->request->question,
                                         .words = &work->words,
                                         .today = work->request->today,
                                         .days = work->days,
                                         .values = &work->values,
                                         .adds = !work->statistic.percent};
    mend_query(work->scratch, &mending, &trial->from->tokens, &trial->said);
    bool put = metrics_put(work->scratch, &work->prepared->metrics,
                           work->features.values.count, &trial->said, &trial->tokens);
    metrics_unify(work->scratch, &work->prepared->metrics, work->request->question,
                  work->features.values.count, &trial->tokens);
    if (!work->prepared->metrics.count) { /* a definition by hand stays as it is */
        discount_mend(work->scratch, work->prepared->ir, work->request->question,
                      &trial->tokens);
    }
    put = put && put_statistic(work, &trial->tokens);
    if (!put || !ir_check(&trial->tokens, work->prepared->ir, work->values.count, &err) ||
        !rebuild_sql(work->scratch, &request, &trial->tokens, &trial->result, &err)) {
        return false;
    }
    candidate->sql = trial->result.sql;
    return work_run(work, candidate->sql, &trial->tokens, &candidate->outcome);
}

static void judge_trial(struct work *work, struct trial *trials, size_t index)
{
    struct trial *trial = &trials[index];
    struct judge_request request = {.schema = work->prepared->ir,
                                    .features = &work->features,
                                    .tokens = &trial->from->tokens,
                                    .result = &trial->result,
                                    .outcome = &trial->candidate.outcome,
                                    .rank = index,
                                    .log_probability = trial->from->log_probability,
                                    .best_log_probability =
                                        trials[0].from->log_probability};
    judge_candidate(work->scratch, &request, &trial->judgement);
    trial->candidate.judgement = &trial->judgement;
}

static bool same_result(const struct parser_candidate *a,
                        const struct parser_candidate *b)
{
    return a->judgement && b->judgement &&
           (a->outcome.ok ? b->outcome.ok && a->outcome.result == b->outcome.result
                          : str_equal(a->sql, b->sql));
}

/* Runs and judges all candidates, and tells which of them say the same. */
struct trial *work_try(struct work *work, const struct beam_candidates *candidates)
{
    size_t count = candidates->count;
    struct trial *trials = arena_array(work->scratch, count, sizeof *trials);
    struct judgement **judgements = arena_array(work->scratch, count, sizeof *judgements);
    size_t *groups = arena_array(work->scratch, count, sizeof *groups);
    const struct parser_outcome **outcomes =
        arena_array(work->scratch, count, sizeof *outcomes);
    for (size_t i = 0; i < count; i++) {
        trials[i].from = &candidates->items[i];
        outcomes[i] = &trials[i].candidate.outcome;
        if (try_candidate(work, &trials[i])) {
            judge_trial(work, trials, i);
            judgements[i] = &trials[i].judgement;
        }
        size_t first = 0;
        while (first < i &&
               !same_result(&trials[first].candidate, &trials[i].candidate)) {
            first++;
        }
        groups[i] = first;
        trials[i].candidate.group = first;
    }
    judge_groups(judgements, groups, count);
    judge_shares(judgements, outcomes, count);
    work_verify(work, trials, count);
    for (size_t i = 0; i < count && work->request->note; i++) {
        work->request->note(work->request->context, &trials[i].candidate);
    }
    return trials;
}

void work_read(struct work *work, const struct trial *trial,
               struct parser_reading *reading)
{
    *reading =
        (struct parser_reading){.sql = arena_text(work->arena, trial->result.sql),
                                .log_probability = trial->from->log_probability,
                                .score = choice_score(work->choice, &trial->judgement),
                                .rank = (size_t)trial->judgement.numbers[JUDGE_RANK],
                                .outcome = trial->candidate.outcome,
                                .inferred_join = trial->result.inferred_join};
    struct rebuild_request request = rebuild_of(work);
    struct err err;
    struct ir_tokens said = trial->said;
    (void)put_statistic(work, &said);
    if (!rebuild_words(work->arena, &request, &said, &reading->words,
                       &err)) { /* people know the metric by its name */
        reading->words =
            describe_sql_text(work->arena, work->request->dialect, reading->sql);
    }
    work_tables(work, &trial->from->tokens, &reading->tables);
}
