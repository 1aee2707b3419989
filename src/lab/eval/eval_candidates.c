/* All candidates of a question as a line of JSON, for what learns to choose among them.
 */
#include "base/json.h"
#include "base/writer.h"
#include "parser/judge/judge.h"
#include "parser/parser.h"
#include "lab/eval/eval_state.h"

void eval_candidates_begin(struct eval_candidates *candidates, const json_t *item,
                           size_t number)
{
    struct writer *writer = candidates->writer;
    writer_object(writer);
    writer_key_int(writer, "number", (int64_t)number);
    writer_key_text(writer, "db_id", json_text_at(item, "db_id"));
    writer_key_text(writer, "question", json_text_at(item, "question"));
    writer_key_text(writer, "query", json_text_at(item, "query"));
    writer_key(writer, "candidates");
    writer_array(writer);
}

static void write_numbers(struct writer *writer, const struct judgement *judgement)
{
    writer_key(writer, "numbers");
    writer_object(writer);
    for (int i = 0; i < JUDGE_COUNT; i++) {
        writer_key_real(writer, judge_text(i), judgement->numbers[i]);
    }
    writer_object_end(writer);
}

/* Its tokens as the network puts them out: what the verifier reads. */
static void write_outputs(struct writer *writer, const struct parser_candidate *candidate)
{
    writer_key(writer, "outputs");
    writer_array(writer);
    for (size_t i = 0; i < candidate->output_count; i++) {
        writer_int(writer, candidate->outputs[i]);
    }
    writer_array_end(writer);
}

void eval_candidates_add(struct eval_candidates *candidates,
                         const struct parser_candidate *candidate)
{
    struct writer *writer = candidates->writer;
    const struct parser_outcome *outcome = &candidate->outcome;
    writer_object(writer);
    writer_key_int(writer, "rank", (int64_t)candidates->rank++);
    writer_key_real(writer, "log_probability", candidate->log_probability);
    writer_key_text(writer, "sql", candidate->sql);
    writer_key_bool(writer, "runs", outcome->ok);
    if (outcome->ok) {
        writer_key_bool(writer, "right",
                        eval_known_has(candidates->arena, candidates->known,
                                       candidates->database, candidate->sql));
        writer_key_bool(writer, "empty", outcome->empty);
        writer_key_int(writer, "rows", (int64_t)outcome->rows);
        writer_key_int(writer, "group", (int64_t)candidate->group);
    }
    if (candidate->judgement) {
        write_numbers(writer, candidate->judgement);
        write_outputs(writer, candidate);
    }
    writer_object_end(writer);
}

void eval_candidates_end(struct eval_candidates *candidates)
{
    struct writer *writer = candidates->writer;
    writer_array_end(writer);
    writer_object_end(writer);
    (void)buf_char(writer->out, '\n');
}
