/*
 * Features of a query with respect to its question: what is used, what is missed, what is
 * unusual. Candidates are chosen, and the confidence is computed, from these numbers
 * only.
 */
#ifndef DGM_PARSER_JUDGE_H
#define DGM_PARSER_JUDGE_H

#include <stddef.h>
#include <stdint.h>

struct arena;
struct features;
struct ir_schema;
struct ir_tokens;
struct parser_outcome;
struct rebuild_result;

enum judge_number {
#define JUDGE(name, text) JUDGE_##name,
#include "parser/judge/judge.def"
#undef JUDGE
    JUDGE_COUNT
};

struct judgement {
    double numbers[JUDGE_COUNT];
};

struct judge_request {
    const struct ir_schema *schema;
    const struct features *features;
    const struct ir_tokens *tokens; /* of the whole schema, checked */
    const struct rebuild_result *result;
    const struct parser_outcome *outcome;
    size_t rank;
    double log_probability;
    double best_log_probability; /* of all candidates */
};

const char *judge_text(int number); /* "" for none */
/* All but the numbers of the group. The arena is for scratch work. */
void judge_candidate(struct arena *arena, const struct judge_request *request,
                     struct judgement *out);
/* The numbers of the groups: candidates whose `groups` are equal belong together. Those
 * that are NULL could not be judged and count for nothing. */
void judge_groups(struct judgement *const *judgements, const size_t *groups,
                  size_t count);
/* How similar candidates are: the share of all weight whose result has as many
 * columns, as many rows, the same first column, or nothing. */
void judge_shares(struct judgement *const *judgements,
                  const struct parser_outcome *const *outcomes, size_t count);

#endif
