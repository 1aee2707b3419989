/* The one answer object as JSON; what is empty is left out. */
#include "model/answer.h"

#include <math.h>

#include "base/str.h"
#include "base/writer.h"
#include "model/chart.h"
#include "model/rows_json.h"

void answer_init(struct answer *answer)
{
    *answer = (struct answer){.rows_touched = -1, .parsed = {.confidence = -1}};
}

static void write_text(struct writer *writer, const char *key, const char *text)
{
    if (!str_empty(text)) {
        writer_key_text(writer, key, text);
    }
}

/* Sums such as 0.1 + 0.2 are shown as a person would write them. */
static double rounded(double value, double parts)
{
    return round(value * parts) / parts;
}

static void write_parsed(struct writer *writer, const struct parsed *parsed)
{
    bool said = parsed->confidence > 0; /* a model that says 0 says nothing */
    if (!said && parsed->entities.count + parsed->filters.count == 0 &&
        str_empty(parsed->time_range)) {
        return;
    }
    writer_key(writer, "parsed_query");
    writer_object(writer);
    if (said) {
        writer_key_real(writer, "confidence", rounded(parsed->confidence, 1e3));
    }
    writer_key_texts(writer, "entities", &parsed->entities);
    writer_key_texts(writer, "filters", &parsed->filters);
    write_text(writer, "time_range", parsed->time_range);
    writer_object_end(writer);
}

static void write_plan(struct writer *writer, const struct plan *plan)
{
    if (plan->steps.count + plan->tables.count + plan->joins.count + plan->filters.count +
                plan->aggregations.count ==
            0 &&
        str_empty(plan->ordering)) {
        return;
    }
    writer_key(writer, "plan");
    writer_object(writer);
    writer_key_texts(writer, "steps", &plan->steps);
    writer_key_texts(writer, "tables", &plan->tables);
    writer_key_texts(writer, "joins", &plan->joins);
    writer_key_texts(writer, "filters", &plan->filters);
    writer_key_texts(writer, "aggregations", &plan->aggregations);
    write_text(writer, "ordering", plan->ordering);
    writer_object_end(writer);
}

static void write_columns(struct writer *writer, const struct rows *rows)
{
    bool typed = false;
    writer_key(writer, "columns");
    writer_array(writer);
    for (size_t i = 0; i < rows->column_count; i++) {
        writer_text(writer, rows->columns[i].name);
        typed = typed || !str_empty(rows->columns[i].type);
    }
    writer_array_end(writer);
    if (!typed) {
        return;
    }
    writer_key(writer, "column_types");
    writer_array(writer);
    for (size_t i = 0; i < rows->column_count; i++) {
        writer_text(writer, rows->columns[i].type);
    }
    writer_array_end(writer);
}

static void write_rows(struct writer *writer, const struct rows *rows)
{
    write_columns(writer, rows);
    writer_key(writer, "rows");
    writer_array(writer);
    for (size_t i = 0; i < rows->count; i++) {
        writer_array(writer);
        for (size_t j = 0; j < rows->column_count; j++) {
            value_show_json(writer, rows_cell(rows, i, j));
        }
        writer_array_end(writer);
    }
    writer_array_end(writer);
    writer_key_int(writer, "row_count", (int64_t)rows->count);
    writer_key_bool(writer, "truncated",
                    rows->cut != ROWS_WHOLE || rows->cut_cells.count > 0);
    rows_write_cut(rows, writer);
}

/* The chart that suits the rows; its data are the rows themselves. */
static void write_chart(struct writer *writer, const struct answer *answer)
{
    struct chart chart;
    char note[CHART_NOTE_SIZE];
    if (!answer->has_rows) {
        return;
    }
    bool any = chart_wished(&answer->rows, &answer->wish, &chart, note);
    if (!any && !*note) {
        return;
    }
    writer_key(writer, "chart");
    writer_object(writer);
    if (any) {
        chart_write(&chart, writer);
    } else {
        writer_key_text(writer, "kind", "none");
    }
    writer_key_text(writer, "wished", chart_wish_name(&answer->wish));
    writer_key_text(writer, "by", answer->wish.by);
    writer_key_text(writer, "note", *note ? note : NULL);
    writer_object_end(writer);
}

const char *confidence_label(double score)
{
    return score >= 0.8 ? "sure" : score >= 0.5 ? "likely" : "unsure";
}

static void write_confidence(struct writer *writer, const struct confidence *confidence)
{
    if (!confidence->known) {
        return;
    }
    writer_key(writer, "confidence");
    writer_object(writer);
    writer_key_real(writer, "score", rounded(confidence->score, 1e4));
    write_text(writer, "label", confidence_label(confidence->score));
    writer_key(writer, "factors");
    writer_object(writer);
    writer_key_real(writer, "schema_match", rounded(confidence->schema_match, 1e4));
    writer_key_real(writer, "complexity", rounded(confidence->complexity, 1e4));
    writer_key_real(writer, "clarity", rounded(confidence->clarity, 1e4));
    writer_key_real(writer, "validity", rounded(confidence->validity, 1e4));
    writer_object_end(writer);
    writer_key_texts(writer, "reasons", &confidence->reasons);
    writer_object_end(writer);
}

static void write_engine(struct writer *writer, const struct answer *answer)
{
    if (str_empty(answer->engine)) {
        return;
    }
    writer_key(writer, "engine");
    writer_object(writer);
    write_text(writer, "name", answer->engine);
    write_text(writer, "reason", answer->engine_reason);
    writer_object_end(writer);
}

static void write_clarification(struct writer *writer, const struct answer *answer)
{
    if (answer->clarification.kind == CLARIFY_NONE) {
        return;
    }
    writer_key(writer, "clarification");
    writer_object(writer);
    clarification_write_fields(&answer->clarification, writer);
    write_text(writer, "session_id", answer->session_id);
    write_text(writer, "query_id", answer->query_id);
    writer_object_end(writer);
}

static void write_error(struct writer *writer, const struct err *error)
{
    if (!error) {
        return;
    }
    writer_key(writer, "error");
    writer_object(writer);
    writer_key_text(writer, "code", err_name(error->code));
    write_text(writer, "message", error->message);
    write_text(writer, "detail", error->detail);
    write_text(writer, "hint", error->hint);
    writer_object_end(writer);
}

static void write_diagnosis(struct writer *writer, const struct diagnosis *diagnosis)
{
    if (str_empty(diagnosis->type)) {
        return;
    }
    writer_key(writer, "diagnosis");
    writer_object(writer);
    write_text(writer, "error_type", diagnosis->type);
    write_text(writer, "root_cause", diagnosis->cause);
    write_text(writer, "suggestion", diagnosis->suggestion);
    write_text(writer, "error", diagnosis->error);
    writer_object_end(writer);
}

static void write_attempts(struct writer *writer, const struct answer_attempts *attempts)
{
    if (!attempts->count) {
        return;
    }
    writer_key(writer, "attempts");
    writer_array(writer);
    for (size_t i = 0; i < attempts->count; i++) {
        const struct answer_attempt *attempt = &attempts->items[i];
        writer_object(writer);
        write_text(writer, "sql", attempt->sql);
        writer_key_text(writer, "error", attempt->error->message);
        write_text(writer, "detail", attempt->error->detail);
        writer_object_end(writer);
    }
    writer_array_end(writer);
}

static void write_usage(struct writer *writer, const struct usage *usage)
{
    if (!usage->calls && !usage->tokens_in && !usage->tokens_out && !usage->saved_calls &&
        !usage->saved_tokens) {
        return;
    }
    writer_key(writer, "usage");
    writer_object(writer);
    writer_key_int(writer, "calls", usage->calls);
    writer_key_int(writer, "tokens_in", usage->tokens_in);
    writer_key_int(writer, "tokens_out", usage->tokens_out);
    writer_key_int(writer, "tokens", (int64_t)usage->tokens_in + usage->tokens_out);
    if (usage->cost_known) {
        writer_key_real(writer, "cost", rounded(usage->cost, 1e8));
    }
    if (usage->saved_calls) {
        writer_key_int(writer, "saved_calls", usage->saved_calls);
    }
    if (usage->saved_tokens) {
        writer_key_int(writer, "tokens_saved", usage->saved_tokens);
    }
    writer_object_end(writer);
}

static void write_trace(struct writer *writer, const struct trace *trace)
{
    if (trace->count == 0) {
        return;
    }
    writer_key(writer, "trace");
    writer_array(writer);
    for (size_t i = 0; i < trace->count; i++) {
        const struct trace_entry *entry = &trace->items[i];
        int64_t tokens = (int64_t)entry->tokens_in + entry->tokens_out;
        writer_object(writer);
        writer_key_text(writer, "state", entry->state);
        writer_key_text(writer, "event", entry->event);
        writer_key_real(writer, "ms", rounded(entry->ms, 1e3));
        if (tokens) {
            writer_key_int(writer, "tokens", tokens);
        }
        if (entry->cost > 0) {
            writer_key_real(writer, "cost", rounded(entry->cost, 1e8));
        }
        if (entry->calls) {
            writer_key_int(writer, "calls", entry->calls);
        }
        writer_key_text(writer, "cache", entry->cache);
        writer_object_end(writer);
    }
    writer_array_end(writer);
}

/* 0 is news only where rows could have been touched. */
static void write_touched(struct writer *writer, const struct answer *answer)
{
    bool writes = str_equal(answer->type, "write") ||
                  answer->clarification.kind == CLARIFY_APPROVAL;
    if (answer->rows_touched > 0 || (answer->rows_touched == 0 && writes)) {
        writer_key_int(writer, "rows_touched", answer->rows_touched);
    }
}

static void write_unplaced(struct writer *writer, const struct unplaced *unplaced)
{
    if (!unplaced->count) {
        return;
    }
    writer_key(writer, "unplaced");
    writer_array(writer);
    for (size_t i = 0; i < unplaced->count; i++) {
        const struct unplaced_word *word = &unplaced->items[i];
        writer_object(writer);
        write_text(writer, "word", word->word);
        writer_key_int(writer, "position", word->position);
        write_text(writer, "role", word->role);
        write_text(writer, "column", word->column);
        writer_key_texts(writer, "nearest", &word->nearest);
        writer_object_end(writer);
    }
    writer_array_end(writer);
}

static void write_readings(struct writer *writer, const struct answer_readings *readings)
{
    if (!readings->count) {
        return;
    }
    writer_key(writer, "readings");
    writer_array(writer);
    for (size_t i = 0; i < readings->count; i++) {
        const struct answer_reading *reading = &readings->items[i];
        writer_object(writer);
        writer_key_int(writer, "number", (int64_t)i + 1);
        write_text(writer, "words", reading->words);
        write_text(writer, "differs", reading->differs);
        writer_key_bool(writer, "used", reading->used);
        writer_object_end(writer);
    }
    writer_array_end(writer);
}

static void write_question(struct writer *writer, const struct answer *answer)
{
    write_text(writer, "query_id", answer->query_id);
    write_text(writer, "session_id", answer->session_id);
    write_text(writer, "status", answer->status);
    write_text(writer, "state", answer->state);
    write_text(writer, "type", answer->type);
    write_text(writer, "question", answer->question);
    write_text(writer, "rewritten_query", answer->rewritten);
    write_text(writer, "intent", intent_name(answer->intent));
    write_parsed(writer, &answer->parsed);
    write_text(writer, "datasource", answer->datasource);
    writer_key_texts(writer, "tables_used", &answer->tables);
    write_text(writer, "summary", answer->summary);
    write_plan(writer, &answer->plan);
    write_text(writer, "reasoning", answer->reasoning);
    write_text(writer, "sql", answer->sql);
    if (!str_empty(answer->parameters)) {
        writer_key(writer, "parameters");
        writer_raw(writer, answer->parameters);
    }
}

const char *answer_text(const struct answer *answer)
{
    bool reply = str_equal(answer->type, "text") || str_equal(answer->type, "schema");
    return answer->text ? answer->text : reply ? answer->explanation : NULL;
}

void answer_write(const struct answer *answer, struct writer *writer)
{
    writer_object(writer);
    write_question(writer, answer);
    if (answer->has_rows) {
        write_rows(writer, &answer->rows);
    }
    write_chart(writer, answer);
    write_text(writer, "text", answer_text(answer));
    write_text(writer, "message", answer->message);
    write_text(writer, "explanation", answer->explanation);
    write_unplaced(writer, &answer->unplaced);
    writer_key_texts(writer, "assumptions", &answer->assumptions);
    write_readings(writer, &answer->readings);
    write_confidence(writer, &answer->confidence);
    if (answer->parser_asked) {
        writer_key_real(writer, "parser_probability",
                        rounded(answer->parser_probability, 1e3));
    }
    write_text(writer, "brain", brain_kind_name(answer->brain));
    write_engine(writer, answer);
    write_clarification(writer, answer);
    write_error(writer, answer->error);
    write_text(writer, "corrected_from", answer->corrected_from);
    write_diagnosis(writer, &answer->diagnosis);
    write_attempts(writer, &answer->attempts);
    writer_key_texts(writer, "lessons", &answer->lessons);
    writer_key_texts(writer, "warnings", &answer->warnings);
    writer_key_texts(writer, "system_warnings", &answer->system_warnings);
    write_text(writer, "version_signature", answer->signature);
    write_text(writer, "schema_hash", answer->schema_hash);
    if (answer->stale) {
        writer_key_bool(writer, "stale", true);
    }
    writer_key_texts(writer, "dates_used", &answer->dates_used);
    writer_key_texts(writer, "follow_ups", &answer->follow_ups);
    write_usage(writer, &answer->usage);
    write_touched(writer, answer);
    write_trace(writer, &answer->trace);
    writer_object_end(writer);
}
