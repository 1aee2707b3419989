/* A call for each table of the schema, in waves, with the verdicts kept. */
#include "agent/understand/per_table.h"

#include "agent/sources/policing.h"
#include "agent/prompting.h"
#include "agent/understand/understanding.h"
#include "base/str.h"
#include "base/writer.h"
#include "knowledge/schema/schema_cache.h"

enum {
    WAVE = 8,        /* calls side by side */
    LATER_CALLS = 8, /* left for what follows */
    OVERHEAD = 900,  /* tokens of the prompt's fixed text */
    LEAST_ROOM = 200,
};

bool per_table_wanted(const struct run *run)
{
    return str_equal(run->options->understanding_mode, "per_table");
}

static const struct run_verdict *verdict_of(const struct run *run, const char *table)
{
    for (size_t i = 0; i < run->understanding.verdicts.count; i++) {
        if (str_equal(run->understanding.verdicts.items[i].table, table)) {
            return &run->understanding.verdicts.items[i];
        }
    }
    return NULL;
}

/* Verdicts are about one question over one schema. */
static void forget_others(struct run *run)
{
    const char *about =
        arena_format(run->arena, "%s|%s|%s", run_schema(run)->hash, run->question.text,
                     str_join(run->scratch, &run->request.details, "|"));
    if (!str_equal(run->understanding.verdicts.about, about)) {
        run->understanding.verdicts.count = 0;
    }
    run->understanding.verdicts.about = about;
}

/* All tables, best first; as many as the budget has calls for. */
static const struct table **all_tables(struct run *run, size_t *count)
{
    size_t all = run_schema(run)->tables.count;
    int64_t left = run->options->agent_max_llm_calls - run->budget.llm_calls -
                   LATER_CALLS + (int64_t)run->understanding.verdicts.count;
    size_t most = left < 1 ? 1 : (size_t)left;
    if (all > most) {
        run_warn(run,
                 "Only the best %zu of %zu tables were looked at one by one; "
                 "agent.max_llm_calls allows no more.",
                 most, all);
    }
    return understanding_ranked(run, most, count);
}

static bool ask_one(struct run *run, struct stage_calls *calls, const struct table *table,
                    struct err *err)
{
    struct schema_text_settings settings = policing_text_settings(run);
    int room = (int)run->options->llm_context_tokens - OVERHEAD;
    struct schema_text *text = ARENA_NEW(run->scratch, struct schema_text);
    schema_cache_render(run->agent->schemas, run->scratch, run_schema(run), &table, 1,
                        &settings, room < LEAST_ROOM ? LEAST_ROOM : room, text);
    struct slot *values = prompting_values(run);
    prompting_schema(run, values, text);
    VEC_PUSH(run->arena, &run->understanding.verdicts.asked, table->name);
    return prompting_call(run, calls, "evaluate_table", values,
                          (int)run->options->llm_reply_tokens * 2, err);
}

bool per_table_ask(struct run *run, struct stage_calls *calls, struct err *err)
{
    forget_others(run);
    size_t count = 0;
    const struct table **tables = all_tables(run, &count);
    run->understanding.verdicts.asked = (struct texts){0};
    run->understanding.verdicts.left = 0;
    for (size_t i = 0; i < count; i++) {
        if (verdict_of(run, tables[i]->name)) {
            continue;
        }
        if (run->understanding.verdicts.asked.count == WAVE) {
            run->understanding.verdicts.left++;
        } else if (!ask_one(run, calls, tables[i], err)) {
            return false;
        }
    }
    return true;
}

bool per_table_more(const struct run *run)
{
    return run->understanding.verdicts.left > 0;
}

static bool note_one(struct run *run, const char *table, const struct llm_reply *reply,
                     struct err *err)
{
    static const char *const wanted[] = {"is_relevant", "tables", NULL};
    const json_t *json = prompting_reply(run, reply, wanted, err);
    if (!json) {
        return false;
    }
    const json_t *list = json_array_at(json, "tables");
    json = list ? json_array_get(list, 0) : json; /* an empty list: it is not */
    struct run_verdict *verdict = VEC_ADD(run->arena, &run->understanding.verdicts);
    verdict->table = table;
    verdict->relevant = json_bool_at(json, "is_relevant", list && json);
    verdict->confidence = json_real_at(json, "confidence", 0.9);
    verdict->reasoning = prompting_words(run, json, "reasoning");
    prompting_texts(run, json_array_at(json, "relevant_columns"), NULL,
                    &verdict->columns);
    return true;
}

bool per_table_note(struct run *run, const struct stage_replies *replies, size_t first,
                    struct err *err)
{
    bool all = true;
    for (size_t i = first;
         i < replies->count && i - first < run->understanding.verdicts.asked.count; i++) {
        const char *table = run->understanding.verdicts.asked.items[i - first];
        if (replies->items[i].ok && !verdict_of(run, table)) {
            all = note_one(run, table, &replies->items[i], err) && all;
        }
    }
    return all;
}

void per_table_choose(struct run *run)
{
    for (size_t i = 0; i < run->understanding.verdicts.count; i++) {
        const struct run_verdict *verdict = &run->understanding.verdicts.items[i];
        const struct table *table = schema_table(run_schema(run), verdict->table);
        if (table && verdict->relevant) {
            struct chosen_table *chosen = run_choose(run, table, verdict->confidence);
            chosen->columns = verdict->columns;
            chosen->reasoning = verdict->reasoning;
        }
    }
}

void per_table_write(const struct run *run, struct writer *writer)
{
    if (!run->understanding.verdicts.count) {
        return;
    }
    writer_key_text(writer, "judged", run->understanding.verdicts.about);
    writer_key(writer, "verdicts");
    writer_array(writer);
    for (size_t i = 0; i < run->understanding.verdicts.count; i++) {
        const struct run_verdict *verdict = &run->understanding.verdicts.items[i];
        writer_object(writer);
        writer_key_text(writer, "table", verdict->table);
        writer_key_bool(writer, "is_relevant", verdict->relevant);
        writer_key_real(writer, "confidence", verdict->confidence);
        writer_key_texts(writer, "relevant_columns", &verdict->columns);
        writer_key_text(writer, "reasoning", verdict->reasoning);
        writer_object_end(writer);
    }
    writer_array_end(writer);
}

void per_table_read(struct run *run, const json_t *json)
{
    size_t index = 0;
    const json_t *item = NULL;
    run->understanding.verdicts.about =
        arena_text(run->arena, json_text_at(json, "judged"));
    json_array_foreach(json_array_at(json, "verdicts"), index, item)
    {
        if (!json_text_at(item, "table")) {
            continue;
        }
        struct run_verdict *verdict = VEC_ADD(run->arena, &run->understanding.verdicts);
        verdict->table = arena_text(run->arena, json_text_at(item, "table"));
        verdict->relevant = json_bool_at(item, "is_relevant", false);
        verdict->confidence = json_real_at(item, "confidence", 0);
        verdict->reasoning = arena_text(run->arena, json_text_at(item, "reasoning"));
        json_texts_at(run->arena, item, "relevant_columns", &verdict->columns);
    }
}
