/* The checkpoint of a run: what is needed to go on with it later, perhaps elsewhere. */
#include "agent/run_json.h"

#include <string.h>

#include "agent/understand/per_table.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/process.h"
#include "base/str.h"
#include "base/writer.h"
#include "store/store.h"

enum {
    CHECKPOINT_VERSION = 1,
    CHECKPOINT_MOST = 4 * 1024 * 1024,
    CHECKPOINT_USUAL = 2000,
    ANSWER_USUAL = 4000,
};

/* Missing keys are read as false or empty; most are missing. */
static void write_flag(struct writer *writer, const char *key, bool value)
{
    if (value) {
        writer_key_bool(writer, key, value);
    }
}

static void write_count(struct writer *writer, const char *key, int64_t value)
{
    if (value) {
        writer_key_int(writer, key, value);
    }
}

static void write_question(struct writer *writer, const struct question *question)
{
    writer_key(writer, "question");
    writer_object(writer);
    writer_key_text(writer, "text", question->text);
    writer_key_text(writer, "datasource", question->datasource);
    writer_key_text(writer, "brain", brain_kind_name(question->brain));
    write_flag(writer, "skip_plan", question->skip_plan);
    write_flag(writer, "skip_diagnosis", question->skip_diagnosis);
    write_flag(writer, "allow_write", question->allow_write);
    write_flag(writer, "dry_run", question->dry_run);
    write_flag(writer, "fresh", question->fresh);
    write_flag(writer, "skip_memory", question->skip_memory);
    writer_key_text(writer, "language", question->language);
    writer_key_text(writer, "parameters", question->parameters);
    write_flag(writer, "datasets", question->datasets);
    writer_key_text(writer, "key", question->key_id);
    writer_key_text(writer, "reach", question->reach);
    writer_object_end(writer);
}

static void write_understanding(struct writer *writer, const struct run *run)
{
    writer_key_text(writer, "intent", intent_name(run->answer.intent));
    writer_key_text(writer, "rewritten", run->answer.rewritten);
    writer_key_text(writer, "summary", run->answer.summary);
    writer_key_text(writer, "given_sql", run->request.given_sql);
    writer_key_text(writer, "composed", run->request.composed);
    writer_key_text(writer, "ordering", run->understanding.ordering);
    write_flag(writer, "joins_needed", run->understanding.joins_needed);
    write_flag(writer, "corrected_tables", run->request.corrected_tables);
    write_flag(writer, "confirmed", run->request.confirmed);
    writer_key_text(writer, "meant_word", run->request.meant_word);
    writer_key_text(writer, "counted_from", run->query.counted_from);
    writer_key_text(writer, "meant_column", run->request.meant_column);
    writer_key_texts(writer, "details", &run->request.details);
    writer_key_texts(writer, "use_tables", &run->request.correction.use_tables);
    writer_key_texts(writer, "reject_tables", &run->request.correction.reject_tables);
    writer_key_texts(writer, "use_joins", &run->request.correction.joins);
    writer_key_texts(writer, "joins", &run->understanding.joins);
    writer_key_texts(writer, "reasons", &run->understanding.reasons);
    writer_key_texts(writer, "filters", &run->understanding.filters);
    writer_key_texts(writer, "assumed", &run->understanding.assumed);
    if (run->understanding.sql_confidence >= 0) {
        writer_key_real(writer, "sql_confidence", run->understanding.sql_confidence);
    }
    writer_key_texts(writer, "aggregations", &run->understanding.aggregations);
    writer_key(writer, "tables");
    writer_array(writer);
    for (size_t i = 0; i < run->understanding.tables.count; i++) {
        const struct chosen_table *chosen = &run->understanding.tables.items[i];
        writer_object(writer);
        writer_key_text(writer, "name", chosen->table->name);
        writer_key_real(writer, "confidence", chosen->confidence);
        writer_key_texts(writer, "columns", &chosen->columns);
        writer_key_text(writer, "reasoning", chosen->reasoning);
        writer_object_end(writer);
    }
    writer_array_end(writer);
    write_flag(writer, "across", run->sources.across != NULL);
    writer_key(writer, "sources");
    writer_array(writer);
    for (size_t i = 0; i < run->sources.count; i++) {
        const struct datasource *source = run->sources.items[i].source;
        bool file =
            source->path && !source->added && !source->imported && !source->restricted;
        writer_object(writer);
        writer_key_text(writer, "id", source->id);
        writer_key_text(writer, "file", file ? source->place : NULL);
        writer_key_text(writer, "signature", run->sources.items[i].signature);
        writer_object_end(writer);
    }
    writer_array_end(writer);
}

/* What the parser offers: the SQL of the one that the user chooses is run. */
static void write_readings(struct writer *writer, const struct run_readings *readings)
{
    writer_key(writer, "readings");
    writer_array(writer);
    for (size_t i = 0; i < readings->count; i++) {
        const struct run_reading *reading = &readings->items[i];
        writer_object(writer);
        writer_key_text(writer, "sql", reading->sql);
        writer_key_text(writer, "words", reading->words);
        writer_key_texts(writer, "tables", &reading->tables);
        if (reading->by_model) {
            writer_key_bool(writer, "by_model", true);
        }
        writer_object_end(writer);
    }
    writer_array_end(writer);
}

/* What the answer is known by: a thumb up or down finds it there. */
static void write_known(struct writer *writer, const struct run *run)
{
    writer_key(writer, "known");
    writer_array(writer);
    for (size_t i = 0; i < run->memory.known.count; i++) {
        const struct run_known *known = &run->memory.known.items[i];
        if (*known->key) {
            writer_object(writer);
            writer_key_text(writer, "key", known->key);
            writer_key_text(writer, "question", str_or_empty(known->taught));
            /* said either way: who judges the answer takes no word for a yes */
            writer_key_bool(writer, "clock_made", known->clock_made);
            writer_object_end(writer);
        }
    }
    writer_array_end(writer);
    writer_key_text(writer, "schema_hash", run->answer.schema_hash);
    writer_key_texts(writer, "lessons_used", &run->memory.used);
}

static void write_budget(struct writer *writer, const struct run *run)
{
    const struct budget *budget = &run->budget;
    const struct usage *usage = &run->answer.usage;
    write_count(writer, "corrections", budget->corrections);
    write_count(writer, "clarifications", budget->clarifications);
    write_count(writer, "llm_calls", budget->llm_calls);
    write_count(writer, "tokens_in", usage->tokens_in);
    write_count(writer, "tokens_out", usage->tokens_out);
    if (usage->cost > 0) {
        writer_key_real(writer, "cost", usage->cost);
    }
    write_flag(writer, "cost_known", usage->cost_known);
    write_count(writer, "saved_calls", usage->saved_calls);
    write_count(writer, "saved_tokens", usage->saved_tokens);
    write_count(writer, "worked_ms", budget_worked_ms(budget));
}

static void write_trace(struct writer *writer, const struct trace *trace)
{
    writer_key(writer, "trace");
    writer_array(writer);
    for (size_t i = 0; i < trace->count; i++) {
        const struct trace_entry *entry = &trace->items[i];
        writer_object(writer);
        writer_key_text(writer, "state", entry->state);
        writer_key_text(writer, "event", entry->event);
        writer_key_real(writer, "ms", entry->ms);
        if (entry->calls ||
            entry->tokens_in) { /* in most states there is no model call */
            writer_key_int(writer, "calls", entry->calls);
            writer_key_int(writer, "in", entry->tokens_in);
            writer_key_int(writer, "out", entry->tokens_out);
            writer_key_real(writer, "cost", entry->cost);
        }
        writer_key_text(writer, "cache", entry->cache);
        writer_object_end(writer);
    }
    writer_array_end(writer);
}

static void save_into(const struct run *run, struct buf *out)
{
    struct writer writer;
    buf_init(out, CHECKPOINT_MOST);
    buf_expect(out, CHECKPOINT_USUAL);
    writer_init(&writer, out);
    writer_object(&writer);
    writer_key_int(&writer, "version", CHECKPOINT_VERSION);
    writer_key_text(&writer, "query_id", run->answer.query_id);
    writer_key_text(&writer, "session_id", run->question.session_id);
    writer_key_text(&writer, "account", run->question.account);
    writer_key_text(&writer, "owner", process_name());
    writer_key_text(&writer, "said", run->exchange.said);
    writer_key_text(&writer, "state", state_name(run->state));
    write_question(&writer, &run->question);
    write_understanding(&writer, run);
    write_readings(&writer, &run->understanding.readings);
    per_table_write(run, &writer);
    writer_key_texts(&writer, "tried", &run->query.tried);
    write_known(&writer, run);
    write_budget(&writer, run);
    writer_key_text(&writer, "sql", run->answer.sql);
    writer_key_text(&writer, "unlimited", run->query.unlimited);
    write_flag(&writer, "is_write", run->query.is_write);
    writer_key_int(&writer, "rows_touched", run->answer.rows_touched);
    writer_key_texts(&writer, "plan", &run->answer.plan.steps);
    writer_key_texts(&writer, "warnings", &run->answer.warnings);
    writer_key_texts(&writer, "system_warnings", &run->answer.system_warnings);
    if (run->answer.clarification.kind != CLARIFY_NONE) {
        writer_key(&writer, "clarification");
        clarification_write(&run->answer.clarification, &writer);
    }
    run_write_answer(run, &writer);
    if (state_get(run->state)->rest != REST_FINAL) { /* else the answer tells of it */
        write_trace(&writer, &run->answer.trace);
    }
    writer_object_end(&writer);
    if (out->full) {
        buf_clear(out);
        (void)buf_text(out, "{}");
    }
}

char *run_save(const struct run *run, struct arena *arena)
{
    struct buf buf;
    save_into(run, &buf);
    char *json = buf_clone(&buf, arena);
    buf_release(&buf);
    return json;
}

static const char *read_text(struct run *run, const json_t *json, const char *key)
{
    return arena_text(run->arena, json_text_at(json, key));
}

static void read_understanding(struct run *run, const json_t *json)
{
    run->answer.intent = intent_find(json_text_at(json, "intent"));
    run->answer.rewritten = read_text(run, json, "rewritten");
    run->answer.summary = read_text(run, json, "summary");
    run->answer.sql = read_text(run, json, "sql");
    run->query.unlimited = read_text(run, json, "unlimited");
    run->request.given_sql = read_text(run, json, "given_sql");
    run->request.composed = read_text(run, json, "composed");
    run->request.meant_word = read_text(run, json, "meant_word");
    run->request.meant_column = read_text(run, json, "meant_column");
    run->understanding.ordering = read_text(run, json, "ordering");
    run->understanding.joins_needed = json_bool_at(json, "joins_needed", false);
    run->request.corrected_tables = json_bool_at(json, "corrected_tables", false);
    run->request.confirmed = json_bool_at(json, "confirmed", false);
    run->query.is_write = json_bool_at(json, "is_write", false);
    run->answer.rows_touched = json_int_at(json, "rows_touched", -1);
    json_texts_at(run->arena, json, "details", &run->request.details);
    json_texts_at(run->arena, json, "use_tables", &run->request.correction.use_tables);
    json_texts_at(run->arena, json, "reject_tables",
                  &run->request.correction.reject_tables);
    json_texts_at(run->arena, json, "use_joins", &run->request.correction.joins);
    json_texts_at(run->arena, json, "joins", &run->understanding.joins);
    json_texts_at(run->arena, json, "reasons", &run->understanding.reasons);
    json_texts_at(run->arena, json, "filters", &run->understanding.filters);
    json_texts_at(run->arena, json, "assumed", &run->understanding.assumed);
    run->understanding.sql_confidence = json_real_at(json, "sql_confidence", -1);
    json_texts_at(run->arena, json, "aggregations", &run->understanding.aggregations);
    json_texts_at(run->arena, json, "plan", &run->answer.plan.steps);
    json_texts_at(run->arena, json, "warnings", &run->answer.warnings);
    json_texts_at(run->arena, json, "system_warnings", &run->answer.system_warnings);
    clarification_read(&run->answer.clarification, run->arena,
                       json_object_at(json, "clarification"));
}

void run_read_readings(struct run *run, const json_t *json)
{
    size_t index = 0;
    const json_t *item = NULL;
    json_array_foreach(json_array_at(json, "readings"), index, item)
    {
        struct run_reading reading = {.sql = read_text(run, item, "sql"),
                                      .words = read_text(run, item, "words"),
                                      .by_model = json_bool_at(item, "by_model", false)};
        json_texts_at(run->arena, item, "tables", &reading.tables);
        if (reading.sql && reading.words) {
            VEC_PUSH(run->arena, &run->understanding.readings, reading);
        }
    }
}

static void read_budget(struct run *run, const json_t *json)
{
    struct usage *usage = &run->answer.usage;
    run->budget.corrections = (int)json_int_at(json, "corrections", 0);
    run->budget.clarifications = (int)json_int_at(json, "clarifications", 0);
    run->budget.llm_calls = usage->calls = (int)json_int_at(json, "llm_calls", 0);
    usage->tokens_in = (int)json_int_at(json, "tokens_in", 0);
    usage->tokens_out = (int)json_int_at(json, "tokens_out", 0);
    usage->cost = json_real_at(json, "cost", 0);
    usage->cost_known = json_bool_at(json, "cost_known", false);
    usage->saved_calls = (int)json_int_at(json, "saved_calls", 0);
    usage->saved_tokens = (int)json_int_at(json, "saved_tokens", 0);
    run->budget.tokens = usage->tokens_in + usage->tokens_out;
    run->budget.worked_ms = json_int_at(json, "worked_ms", 0);
}

static void read_trace(struct run *run, const json_t *json)
{
    size_t index = 0;
    const json_t *item = NULL;
    run->answer.trace.count = 0;
    json_array_foreach(json_array_at(json, "trace"), index, item)
    {
        VEC_PUSH(run->arena, &run->answer.trace,
                 ((struct trace_entry){.state = read_text(run, item, "state"),
                                       .event = read_text(run, item, "event"),
                                       .ms = json_real_at(item, "ms", 0),
                                       .calls = (int)json_int_at(item, "calls", 0),
                                       .tokens_in = (int)json_int_at(item, "in", 0),
                                       .tokens_out = (int)json_int_at(item, "out", 0),
                                       .cost = json_real_at(item, "cost", 0),
                                       .cache = read_text(run, item, "cache")}));
    }
}

/* The question of a checkpoint as a run at its beginning; *root is the checkpoint. */
static struct run *load_question(struct agent *agent, struct arena *arena,
                                 const char *json, size_t size, json_t **root,
                                 struct err *err)
{
    *root = json_parse(arena, json, size, err);
    const json_t *asked = json_object_at(*root, "question");
    if (!asked || json_int_at(*root, "version", 0) != CHECKPOINT_VERSION) {
        (void)err_set(err, ERR_STORE, "The question's checkpoint cannot be read.");
        return NULL;
    }
    struct question question = {
        .text = json_text_at(asked, "text"),
        .datasource = json_text_at(asked, "datasource"),
        .brain = brain_kind_find(json_text_at(asked, "brain")),
        .session_id = json_text_at(*root, "session_id"),
        .account = json_text_at(*root, "account"),
        .skip_plan = json_bool_at(asked, "skip_plan", false),
        .skip_diagnosis = json_bool_at(asked, "skip_diagnosis", false),
        .allow_write = json_bool_at(asked, "allow_write", false),
        .dry_run = json_bool_at(asked, "dry_run", false),
        .fresh = json_bool_at(asked, "fresh", false),
        .skip_memory = json_bool_at(asked, "skip_memory", false),
        .language = json_text_at(asked, "language"),
        .parameters = json_text_at(asked, "parameters"),
        .datasets = json_bool_at(asked, "datasets", false),
        .key_id = json_text_at(asked, "key"),
        .reach = json_text_at(asked, "reach"),
    };
    return run_new(agent, &question, json_text_at(*root, "query_id"));
}

struct run *run_load(struct agent *agent, const char *json, size_t size, struct err *err)
{
    struct arena *arena = arena_new();
    json_t *root = NULL;
    struct run *run = load_question(agent, arena, json, size, &root, err);
    const char *name = json_text_at(root, "state");
    enum state state = STATE_INITIALIZING;
    if (run && (!name || !state_find(name, &state))) {
        (void)err_set(err, ERR_STORE, "The question's checkpoint cannot be read.");
        run_free(run);
        run = NULL;
    }
    if (!run) {
        arena_free(arena);
        return NULL;
    }
    run->state = state;
    run->answer.state = state_name(state);
    run->answer.status = state_get(state)->status;
    read_understanding(run, root);
    run_read_readings(run, root);
    per_table_read(run, root);
    json_texts_at(run->arena, root, "tried", &run->query.tried);
    read_budget(run, root);
    run_read_answer(run, root);
    run->exchange.said = read_text(run, root, "said");
    read_trace(run, root);
    run->saved = json_keep(run->arena, json_incref(root));
    arena_free(arena);
    return run;
}

struct run *run_load_again(struct agent *agent, const char *json, size_t size,
                           struct err *err)
{
    struct arena *arena = arena_new();
    json_t *root = NULL;
    struct run *run = load_question(agent, arena, json, size, &root, err);
    if (run) {
        run->request.given_sql = read_text(run, root, "given_sql");
        run->request.composed = read_text(run, root, "composed");
        json_texts_at(run->arena, root, "details", &run->request.details);
        run->request.confirmed = json_bool_at(root, "confirmed", false);
        json_texts_at(run->arena, root, "use_tables",
                      &run->request.correction.use_tables);
        json_texts_at(run->arena, root, "reject_tables",
                      &run->request.correction.reject_tables);
        json_texts_at(run->arena, root, "use_joins", &run->request.correction.joins);
        per_table_read(run, root);
    }
    arena_free(arena);
    return run;
}

static void checkpoint_as(struct run *run, enum state state)
{
    if (run->request.delivery) {
        return;
    }
    bool rests = state_get(state)->rest != REST_NO;
    struct buf checkpoint;
    struct buf answer;
    save_into(run, &checkpoint);
    buf_init(&answer, 64 * 1024 * 1024);
    if (rests) {
        struct writer writer;
        buf_expect(&answer, ANSWER_USUAL);
        writer_init(&writer, &answer);
        answer_write(&run->answer, &writer);
    }
    struct store_question row = {
        .id = run->answer.query_id,
        .session_id = run->question.session_id,
        .account = run->question.account,
        .state = state_name(state),
        .text = run->question.text,
        .checkpoint = buf_get(&checkpoint),
        .answer = rests && !answer.full ? buf_get(&answer) : NULL,
        .updated_at = clock_wall_s(),
        .expires_at = rests ? clock_wall_s() + run->options->ask_ttl_s : 0,
        .status = rests ? run->answer.status : NULL,
        .datasource = run->answer.datasource,
        .sql = run->query.unlimited ? run->query.unlimited : run->answer.sql,
        .brain = brain_kind_name(run->answer.brain),
        .row_count = run->answer.has_rows ? (int64_t)rows_given(&run->answer.rows) : -1,
    };
    if (state == STATE_AWAIT_USER) {
        row.expires_at = clock_wall_s() + run->options->ask_max_waiting_s;
    }
    store_question_save(run->agent->store, &row);
    buf_release(&run->written_answer);
    run->written_answer = answer; /* so that the next caller need not write it again */
    buf_release(&checkpoint);
}

void run_checkpoint(struct run *run)
{
    checkpoint_as(run, run->state);
}

void run_checkpoint_claimed(struct run *run)
{
    checkpoint_as(run, STATE_INITIALIZING);
}
