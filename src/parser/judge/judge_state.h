/* What the files of the judge share. */
#ifndef DGM_PARSER_JUDGE_STATE_H
#define DGM_PARSER_JUDGE_STATE_H

#include <stdbool.h>

#include "parser/link/features/features.h"
#include "parser/ir/ir_schema.h"
#include "parser/ir/ir_tree.h"
#include "parser/judge/judge.h"

struct judging {
    const struct judge_request *request;
    struct arena *arena;
    bool *tables;  /* in use, by their numbers */
    bool *columns; /* likewise */
    bool *covered; /* words of the question that are part of a value in use */
    double *numbers;
};

/* judge_links.c: words of the question and what they name. */
void judge_links(struct judging *judging);
/* judge_values.c: the question's values, and what they are compared with. */
void judge_values(struct judging *judging, struct ir_query *query);
/* judge_cues.c: what words ask for and what the query does. */
void judge_cues(struct judging *judging);
/* judge_result.c: what came back, beside what was asked. */
void judge_result(struct judging *judging);

#endif
