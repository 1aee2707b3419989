/*
 * RECALL: uses the SQL of an equal question that was answered before, or SQL that the
 * user wrote.
 */
#include "agent/memory/corrections.h"
#include "agent/sources/crossing.h"
#include "agent/memory/history.h"
#include "agent/memory/meaning.h"
#include "agent/understand/intent_rules.h"
#include "agent/sources/narrowing.h"
#include "agent/memory/remembering.h"
#include "agent/stages/stages.h"
#include "base/clock.h"
#include "base/str.h"
#include "knowledge/signature.h"

static void note_versions(struct run *run)
{
    struct signature_part *parts =
        arena_array(run->scratch, run->sources.count, sizeof *parts);
    for (size_t i = 0; i < run->sources.count; i++) {
        parts[i].datasource = run->sources.items[i].source->id;
        parts[i].signature = run->sources.items[i].schema->signature;
    }
    char signature[33];
    signature_combine(parts, run->sources.count, signature);
    run->answer.signature = arena_text(run->arena, signature);
    run->answer.schema_hash = run_schema(run)->hash;
}

/* A question that leans on the conversation means something else each time. */
static bool stands_alone(const struct run *run)
{
    return run->request.history.count == 0 && run->request.details.count == 0 &&
           !run->question.fresh && !run->question.allow_write;
}

/* "How many tables are there?" asks for rows where the database is a restaurant's. */
static bool holds_tables(struct run *run)
{
    static const char *const nouns[] = {"tables", "table",   "fields",
                                        "field",  "columns", NULL};
    for (size_t i = 0; nouns[i] && run->sources.count == 1; i++) {
        if (schema_table(run_schema(run), nouns[i]) &&
            str_contains_nocase(run_question_text(run), nouns[i])) {
            return true;
        }
    }
    return false;
}

static enum event recall_work(struct run *run, struct err *err)
{
    if (run->sources.several && !crossing_choose(run) && !narrowing_choose(run)) {
        struct texts ids = {0};
        for (size_t i = 0; i < run->sources.count; i++) {
            VEC_PUSH(run->arena, &ids, run->sources.items[i].source->id);
        }
        narrowing_ask(run, &ids);
        run->sources.count = 0; /* none of them yet */
        return EVENT_UNDECIDED;
    }
    note_versions(run);
    if (run->answer.intent == INTENT_SCHEMA_QUERY && holds_tables(run)) {
        run->answer.intent = INTENT_TEXT_TO_SQL;
        run->understanding.intent_provisional = true;
    }
    if (run->answer.intent == INTENT_SCHEMA_QUERY) {
        return EVENT_SCHEMA_QUERY;
    }
    if (run->request.given_sql) {
        run->answer.sql = run->request.given_sql;
        run->answer.rewritten = run->request.composed;
        run->answer.brain = run->request.composed ? BRAIN_PARSER : BRAIN_NONE;
        run->query.hit = true;
        return EVENT_HIT;
    }
    (void)(corrections_follow(run) || meaning_follow(run));
    remembering_find(run); /* they are part of what makes two questions equal */
    const struct lesson *taught = stands_alone(run) ? remembering_answer(run) : NULL;
    if (taught) {
        run->answer.sql = taught->actual_name;
        run->answer.brain = BRAIN_LESSON;
        run->memory.recalled = lesson_standing(
            taught, clock_wall_s(), run->options->knowledge_lesson_half_life_days);
        run->answer.usage.saved_calls++;
        run->query.hit = true;
        return EVENT_HIT;
    }
    if (history_recall(run, err)) {
        run->answer.brain = BRAIN_HISTORY;
        run->answer.usage.saved_calls++;
        run->query.hit = true;
        return EVENT_HIT;
    }
    if (err->code != ERR_OK) {
        run_warn_system(run, "Earlier answers could not be looked up: %s", err->message);
        err_clear(err);
    }
    return EVENT_MISS;
}

const struct stage stage_recall = {.state = STATE_RECALL, .work = recall_work};
