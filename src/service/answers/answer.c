/* The functions that read an answer. */
#include <string.h>

#include "base/memory.h"
#include "base/str.h"
#include "base/writer.h"
#include "service/questions/question.h"

/* The accessors take a const answer; its JSON and last cell are internal caches. */
static struct dgm_answer *caches(const struct dgm_answer *answer)
{
    union {
        const struct dgm_answer *borrowed;
        struct dgm_answer *own;
    } view = {answer};
    return view.own;
}

const char *dgm_answer_json(const struct dgm_answer *answer)
{
    struct dgm_answer *own = caches(answer);
    (void)pthread_mutex_lock(&own->lock);
    if (own->json.size == 0) {
        struct writer writer;
        writer_init(&writer, &own->json);
        answer_write(own->answer, &writer);
    }
    (void)pthread_mutex_unlock(&own->lock);
    return buf_get(&own->json);
}

const char *dgm_answer_text(const struct dgm_answer *answer, const char *field)
{
    const struct answer *it = answer->answer;
    const struct {
        const char *name;
        const char *text;
    } fields[] = {
        {"status", it->status},
        {"state", it->state},
        {"type", it->type},
        {"sql", it->sql},
        {"text", answer_text(it)},
        {"explanation", it->explanation},
        {"brain", brain_kind_name(it->brain)},
        {"summary", it->summary},
        {"question", it->question},
        {"rewritten_query", it->rewritten},
        {"datasource", it->datasource},
        {"engine", it->engine},
        {"corrected_from", it->corrected_from},
        {"message", it->message},
        {"error_type", it->diagnosis.type},
        {"root_cause", it->diagnosis.cause},
        {"suggestion", it->diagnosis.suggestion},
        {"chart_wish", chart_wish_name(&it->wish)},
        {"query_id", it->query_id},
        {"session_id", it->session_id},
        {"intent", intent_name(it->intent)},
        {"reasoning", it->reasoning},
    };
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        if (strcmp(fields[i].name, field) == 0) {
            return fields[i].text;
        }
    }
    return NULL;
}

bool dgm_answer_error(const struct dgm_answer *answer, struct dgm_error *error)
{
    if (!answer->answer->error) {
        instance_no_error(error);
        return false;
    }
    (void)instance_fail(error, answer->answer->error);
    return true;
}

int dgm_answer_exit_status(const struct dgm_answer *answer)
{
    if (answer->answer->error) {
        return err_exit_status(answer->answer->error->code);
    }
    bool waits = str_equal(answer->answer->state, state_name(STATE_AWAIT_USER));
    return waits                           ? err_exit_status(ERR_CLARIFICATION)
           : dgm_answer_incomplete(answer) ? err_exit_status(ERR_INCOMPLETE)
                                           : 0;
}

bool dgm_answer_has_rows(const struct dgm_answer *answer)
{
    return answer->answer->has_rows;
}

bool dgm_answer_truncated(const struct dgm_answer *answer)
{
    const struct rows *rows = &answer->answer->rows;
    return rows_given_cut(rows) != ROWS_WHOLE || rows->cut_cells.count > 0;
}

bool dgm_answer_incomplete(const struct dgm_answer *answer)
{
    return answer->answer->has_rows && rows_incomplete(&answer->answer->rows);
}

size_t dgm_answer_rows_given(const struct dgm_answer *answer)
{
    return answer->answer->has_rows ? rows_given(&answer->answer->rows) : 0;
}

size_t dgm_answer_rows(const struct dgm_answer *answer)
{
    return answer->answer->has_rows ? answer->answer->rows.count : 0;
}

size_t dgm_answer_columns(const struct dgm_answer *answer)
{
    return answer->answer->has_rows ? answer->answer->rows.column_count : 0;
}

const char *dgm_answer_column(const struct dgm_answer *answer, size_t column)
{
    return column < dgm_answer_columns(answer) ? answer->answer->rows.columns[column].name
                                               : NULL;
}

static const struct value *cell_at(const struct dgm_answer *answer, size_t row,
                                   size_t column)
{
    bool inside = row < dgm_answer_rows(answer) && column < dgm_answer_columns(answer);
    return inside ? rows_cell(&answer->answer->rows, row, column) : NULL;
}

const char *dgm_answer_cell(const struct dgm_answer *answer, size_t row, size_t column,
                            size_t *size)
{
    const struct value *value = cell_at(answer, row, column);
    if (size) {
        *size = 0;
    }
    if (!value || value->kind == VALUE_NULL) {
        return NULL;
    }
    struct buf *cell = &caches(answer)->cell;
    buf_clear(cell);
    value_show(cell, value);
    if (size) {
        *size = cell->size;
    }
    return buf_get(cell);
}

bool dgm_answer_cell_is_number(const struct dgm_answer *answer, size_t row, size_t column)
{
    const struct value *value = cell_at(answer, row, column);
    return value && (value->kind == VALUE_INT || value->kind == VALUE_REAL ||
                     value->kind == VALUE_NUMBER);
}

/* "attempts": the texts of SQL; "attempt_errors": why each did not work. */
static const char *attempt_item(const struct answer_attempts *attempts, const char *list,
                                size_t index)
{
    if (index >= attempts->count) {
        return NULL;
    }
    const struct answer_attempt *attempt = &attempts->items[index];
    return strcmp(list, "attempts") == 0         ? attempt->sql
           : strcmp(list, "attempt_errors") == 0 ? attempt->error->message
                                                 : NULL;
}

const char *dgm_answer_item(const struct dgm_answer *answer, const char *list,
                            size_t index)
{
    const struct answer *it = answer->answer;
    const struct {
        const char *name;
        const struct texts *texts;
    } lists[] = {
        {"warnings", &it->warnings},
        {"assumptions", &it->assumptions},
        {"tables_used", &it->tables},
        {"follow_ups", &it->follow_ups},
        {"plan", &it->plan.steps},
        {"plan_tables", &it->plan.tables},
        {"plan_joins", &it->plan.joins},
        {"dates_used", &it->dates_used},
        {"confidence_reasons", &it->confidence.reasons},
        {"lessons", &it->lessons},
    };
    if (strcmp(list, "readings") == 0) {
        return index < it->readings.count ? it->readings.items[index].differs : NULL;
    }
    if (strncmp(list, "attempt", strlen("attempt")) == 0) {
        return attempt_item(&it->attempts, list, index);
    }
    if (strcmp(list, "unplaced") == 0) {
        return index < it->unplaced.count ? it->unplaced.items[index].word : NULL;
    }
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        if (strcmp(lists[i].name, list) == 0) {
            return index < lists[i].texts->count ? lists[i].texts->items[index] : NULL;
        }
    }
    return NULL;
}

int64_t dgm_answer_reading(const struct dgm_answer *answer)
{
    const struct answer_readings *readings = &answer->answer->readings;
    for (size_t i = 0; i < readings->count; i++) {
        if (readings->items[i].used) {
            return (int64_t)i + 1;
        }
    }
    return 0;
}

const char *dgm_answer_label(const struct dgm_answer *answer)
{
    const struct confidence *it = &answer->answer->confidence;
    return it->known ? confidence_label(it->score) : NULL;
}

double dgm_answer_confidence(const struct dgm_answer *answer)
{
    return answer->answer->confidence.known ? answer->answer->confidence.score : -1.0;
}

double dgm_answer_factor(const struct dgm_answer *answer, const char *factor)
{
    const struct confidence *it = &answer->answer->confidence;
    const struct {
        const char *name;
        double value;
    } factors[] = {
        {"schema_match", it->schema_match},
        {"complexity", it->complexity},
        {"clarity", it->clarity},
        {"validity", it->validity},
    };
    for (size_t i = 0; it->known && i < sizeof factors / sizeof *factors; i++) {
        if (strcmp(factors[i].name, factor) == 0) {
            return factors[i].value;
        }
    }
    return -1.0;
}

double dgm_answer_parser_probability(const struct dgm_answer *answer)
{
    return answer->answer->parser_asked ? answer->answer->parser_probability : -1.0;
}

int dgm_answer_tokens_saved(const struct dgm_answer *answer)
{
    return answer->answer->usage.saved_tokens;
}

int64_t dgm_answer_rows_touched(const struct dgm_answer *answer)
{
    return answer->answer->rows_touched;
}

double dgm_answer_ms(const struct dgm_answer *answer)
{
    double ms = 0;
    for (size_t i = 0; i < answer->answer->trace.count; i++) {
        ms += answer->answer->trace.items[i].ms;
    }
    return ms;
}

int dgm_answer_llm_calls(const struct dgm_answer *answer)
{
    return answer->answer->usage.calls;
}

int dgm_answer_tokens(const struct dgm_answer *answer)
{
    return answer->answer->usage.tokens_in + answer->answer->usage.tokens_out;
}

double dgm_answer_cost(const struct dgm_answer *answer)
{
    return answer->answer->usage.cost_known ? answer->answer->usage.cost : -1.0;
}

static bool waits(const struct dgm_answer *answer)
{
    return answer->answer->clarification.kind != CLARIFY_NONE;
}

const char *dgm_answer_clarification(const struct dgm_answer *answer)
{
    return waits(answer) ? answer->answer->clarification.message : NULL;
}

const char *dgm_answer_clarification_type(const struct dgm_answer *answer)
{
    return waits(answer) ? clarification_kind_name(answer->answer->clarification.kind)
                         : NULL;
}

size_t dgm_answer_options(const struct dgm_answer *answer)
{
    return waits(answer) ? answer->answer->clarification.options.count : 0;
}

const char *dgm_answer_option_value(const struct dgm_answer *answer, size_t index)
{
    return index < dgm_answer_options(answer)
               ? answer->answer->clarification.options.items[index].value
               : NULL;
}

const char *dgm_answer_option_label(const struct dgm_answer *answer, size_t index)
{
    return index < dgm_answer_options(answer)
               ? answer->answer->clarification.options.items[index].label
               : NULL;
}

const char *dgm_version(void)
{
    return DRAGOMAN_VERSION;
}

void dgm_free(void *pointer)
{
    memory_free(pointer);
}

char *dgm_error_table(void)
{
    struct buf buf;
    struct writer writer;
    buf_init(&buf, 1 << 20);
    writer_init(&writer, &buf);
    writer_array(&writer);
    for (int i = 0; i < ERR_COUNT; i++) {
        enum err_code code = (enum err_code)i;
        writer_object(&writer);
        writer_key_text(&writer, "code", err_name(code));
        writer_key_int(&writer, "http_status", err_http_status(code));
        writer_key_int(&writer, "exit_status", err_exit_status(code));
        writer_key_bool(&writer, "retryable", err_retryable(code));
        writer_key_text(&writer, "hint", err_default_hint(code));
        writer_object_end(&writer);
    }
    writer_array_end(&writer);
    return buf_take(&buf);
}
