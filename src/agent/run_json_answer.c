/* What the answer says already when a question waits: an approval must not lose it. */
#include "agent/run_json.h"

#include "base/writer.h"

static void write_confidence(const struct confidence *confidence, struct writer *writer)
{
    if (!confidence->known) {
        return;
    }
    writer_key(writer, "confidence");
    writer_object(writer);
    writer_key_real(writer, "score", confidence->score);
    writer_key_real(writer, "schema_match", confidence->schema_match);
    writer_key_real(writer, "complexity", confidence->complexity);
    writer_key_real(writer, "clarity", confidence->clarity);
    writer_key_real(writer, "validity", confidence->validity);
    writer_key_texts(writer, "reasons", &confidence->reasons);
    writer_object_end(writer);
}

static void read_confidence(struct run *run, const json_t *json)
{
    if (!json) {
        return;
    }
    struct confidence *confidence = &run->answer.confidence;
    *confidence = (struct confidence){
        .known = true,
        .score = json_real_at(json, "score", 0),
        .schema_match = json_real_at(json, "schema_match", 0),
        .complexity = json_real_at(json, "complexity", 0),
        .clarity = json_real_at(json, "clarity", 0),
        .validity = json_real_at(json, "validity", 0),
    };
    json_texts_at(run->arena, json, "reasons", &confidence->reasons);
}

/* What an approval goes on with. */
static void write_made(const struct answer *answer, struct writer *writer)
{
    writer_key_text(writer, "reasoning", answer->reasoning);
    writer_key_text(writer, "corrected_from", answer->corrected_from);
    writer_key_text(writer, "engine", answer->engine);
    writer_key_text(writer, "engine_reason", answer->engine_reason);
    writer_key_texts(writer, "tables_used", &answer->tables);
    writer_key_texts(writer, "plan_tables", &answer->plan.tables);
    write_confidence(&answer->confidence, writer);
}

void run_write_answer(const struct run *run, struct writer *writer)
{
    const struct answer *answer = &run->answer;
    writer_key(writer, "answer");
    writer_object(writer);
    writer_key_text(writer, "explanation", answer->explanation); /* kept when judged */
    writer_key_text(writer, "brain", brain_kind_name(answer->brain));
    writer_key_bool(writer, "parser_asked", answer->parser_asked);
    writer_key_real(writer, "parser_probability", answer->parser_probability);
    writer_key_bool(writer, "stale", answer->stale);
    if (answer->clarification.kind == CLARIFY_APPROVAL) { /* else it is made anew */
        write_made(answer, writer);
    }
    writer_object_end(writer);
}

void run_read_answer(struct run *run, const json_t *checkpoint)
{
    const json_t *json = json_object_at(checkpoint, "answer");
    struct answer *answer = &run->answer;
    enum brain_kind brain = brain_kind_find(json_text_at(json, "brain"));
    answer->brain = brain != BRAIN_UNSET ? brain : answer->brain;
    answer->parser_asked = json_bool_at(json, "parser_asked", false);
    answer->parser_probability = json_real_at(json, "parser_probability", 0);
    answer->stale = json_bool_at(json, "stale", false);
    if (answer->clarification.kind != CLARIFY_APPROVAL) {
        return; /* in all other cases the rest is computed again */
    }
    answer->explanation = arena_text(run->arena, json_text_at(json, "explanation"));
    answer->reasoning = arena_text(run->arena, json_text_at(json, "reasoning"));
    answer->corrected_from = arena_text(run->arena, json_text_at(json, "corrected_from"));
    answer->engine = arena_text(run->arena, json_text_at(json, "engine"));
    answer->engine_reason = arena_text(run->arena, json_text_at(json, "engine_reason"));
    json_texts_at(run->arena, json, "tables_used", &answer->tables);
    json_texts_at(run->arena, json, "plan_tables", &answer->plan.tables);
    read_confidence(run, json_object_at(json, "confidence"));
    struct plan *plan = &answer->plan; /* the rest is in the run */
    plan->joins = run->understanding.joins;
    plan->filters = run->understanding.filters;
    plan->aggregations = run->understanding.aggregations;
    plan->ordering = run->understanding.ordering;
}
