/* The answer object: every field under its name, empty ones absent. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/json.h"
#include "base/writer.h"
#include "model/answer.h"

static int setup(void **state)
{
    *state = arena_new();
    return 0;
}

static int teardown(void **state)
{
    arena_free(*state);
    return 0;
}

static const json_t *written(struct arena *arena, const struct answer *answer)
{
    struct buf out;
    struct writer writer;
    struct err err;
    buf_init(&out, 100000);
    writer_init(&writer, &out);
    answer_write(answer, &writer);
    const json_t *json = json_parse(arena, buf_get(&out), out.size, &err);
    buf_release(&out);
    assert_non_null(json);
    return json;
}

static void an_empty_answer_has_no_fields(void **state)
{
    struct answer answer;
    answer_init(&answer);
    assert_int_equal(json_object_size(written(*state, &answer)), 0);
    struct answer zeroed = {0};
    assert_int_equal(json_object_size(written(*state, &zeroed)), 0);
}

static void fill_words(struct answer *answer)
{
    answer->query_id = "q-1";
    answer->session_id = "s-1";
    answer->status = "finished";
    answer->state = "FINISHED";
    answer->type = "rows";
    answer->question = "how many?";
    answer->rewritten = "how many orders?";
    answer->intent = INTENT_TEXT_TO_SQL;
    answer->datasource = "shop";
    answer->summary = "counts";
    answer->reasoning = "because";
    answer->sql = "SELECT 1";
    answer->explanation = "one";
    answer->brain = BRAIN_LLM;
    answer->parser_asked = true;
    answer->parser_probability = 0.25;
    answer->engine = "sqlite";
    answer->engine_reason = "direct";
    answer->corrected_from = "SELEC 1";
    answer->message = "done";
    answer->diagnosis =
        (struct diagnosis){"SYNTAX", "A letter is missing.", "Add it.", "syntax error"};
    answer->signature = "v1";
    answer->schema_hash = "h";
    answer->stale = true;
    answer->rows_touched = 2;
}

static void fill_parts(struct arena *arena, struct answer *answer)
{
    VEC_PUSH(arena, &answer->tables, "orders");
    VEC_PUSH(arena, &answer->plan.steps, "count");
    answer->plan.ordering = "id";
    VEC_PUSH(arena, &answer->warnings, "careful");
    VEC_PUSH(arena, &answer->dates_used, "2024-01-01");
    VEC_PUSH(arena, &answer->follow_ups, "by month?");
    answer->has_rows = true;
    rows_init(&answer->rows, arena);
    rows_set_columns(&answer->rows, (struct rows_column[]){{"n", "INTEGER"}}, 1);
    rows_add(&answer->rows, &(struct value){.kind = VALUE_INT, .integer = 5});
    answer->rows.cut = ROWS_CUT_BY_BYTES;
    rows_note_cut_cells(&answer->rows, 0,
                        &(struct value){.kind = VALUE_TEXT, .cut = true});
    answer->confidence = (struct confidence){.known = true,
                                             .score = 0.1 + 0.2,
                                             .schema_match = 0.3,
                                             .complexity = 0.2,
                                             .clarity = 0.1,
                                             .validity = 0.2};
    VEC_PUSH(arena, &answer->confidence.reasons, "vague");
    answer->clarification.kind = CLARIFY_DETAIL;
    answer->clarification.message = "Which?";
    struct err *error = ARENA_NEW(arena, struct err);
    (void)err_set(error, ERR_TIMEOUT, "Too slow.");
    (void)err_detail(error, "30 s");
    answer->error = error;
    VEC_PUSH(arena, &answer->attempts, ((struct answer_attempt){"SELEC 1", error}));
    answer->usage = (struct usage){.calls = 2,
                                   .tokens_in = 100,
                                   .tokens_out = 20,
                                   .cost = 0.00123,
                                   .cost_known = true,
                                   .saved_calls = 3};
    *VEC_ADD(arena, &answer->trace) = (struct trace_entry){.state = "GENERATE_SQL",
                                                           .event = "DONE",
                                                           .ms = 1.23456,
                                                           .calls = 1,
                                                           .tokens_in = 10,
                                                           .tokens_out = 5,
                                                           .cost = 0.5};
    *VEC_ADD(arena, &answer->trace) = (struct trace_entry){.state = "EXECUTE_QUERY"};
}

static void every_field_has_its_name(void **state)
{
    static const char *const names[] = {"query_id",
                                        "session_id",
                                        "status",
                                        "state",
                                        "type",
                                        "question",
                                        "rewritten_query",
                                        "intent",
                                        "datasource",
                                        "tables_used",
                                        "summary",
                                        "plan",
                                        "reasoning",
                                        "sql",
                                        "columns",
                                        "column_types",
                                        "rows",
                                        "row_count",
                                        "truncated",
                                        "incomplete",
                                        "cut_cells",
                                        "chart",
                                        "message",
                                        "explanation",
                                        "confidence",
                                        "parser_probability",
                                        "brain",
                                        "engine",
                                        "clarification",
                                        "error",
                                        "corrected_from",
                                        "diagnosis",
                                        "attempts",
                                        "warnings",
                                        "version_signature",
                                        "schema_hash",
                                        "stale",
                                        "dates_used",
                                        "follow_ups",
                                        "usage",
                                        "rows_touched",
                                        "trace"};
    struct answer answer;
    answer_init(&answer);
    fill_words(&answer);
    fill_parts(*state, &answer);
    const json_t *json = written(*state, &answer);
    size_t count = sizeof names / sizeof *names;
    assert_int_equal(json_object_size(json), count);
    size_t i = 0;
    const char *key = NULL;
    json_t *value = NULL;
    json_t *walk = json_keep(*state, json_deep_copy(json));
    json_object_foreach(walk, key, value)
    {
        assert_string_equal(key, names[i++]); /* in this order */
    }
}

static void parts_have_their_shape(void **state)
{
    struct answer answer;
    answer_init(&answer);
    fill_words(&answer);
    fill_parts(*state, &answer);
    const json_t *json = written(*state, &answer);
    char *text = json_dumps(json_object_get(json, "rows"), JSON_COMPACT);
    assert_string_equal(text, "[[5]]");
    free(text);
    assert_true(json_bool_at(json, "truncated", false));
    assert_int_equal(json_int_at(json, "row_count", -1), 1);
    const json_t *confidence = json_object_at(json, "confidence");
    assert_true(json_real_at(confidence, "score", 0) == 0.3);
    assert_true(json_real_at(json_object_at(confidence, "factors"), "clarity", 0) == 0.1);
    const json_t *back = json_object_at(json, "clarification");
    assert_string_equal(json_text_at(back, "error"), "ambiguity");
    assert_string_equal(json_text_at(back, "type"), "detail");
    assert_string_equal(json_text_at(back, "query_id"), "q-1");
    assert_string_equal(json_text_at(back, "session_id"), "s-1");
    const json_t *error = json_object_at(json, "error");
    assert_string_equal(json_text_at(error, "code"), "TIMEOUT");
    assert_string_equal(json_text_at(error, "detail"), "30 s");
    assert_non_null(json_text_at(error, "hint"));
    const json_t *attempt = json_array_get(json_array_at(json, "attempts"), 0);
    assert_string_equal(json_text_at(attempt, "sql"), "SELEC 1");
    assert_string_equal(json_text_at(attempt, "error"), "Too slow.");
    assert_string_equal(json_text_at(attempt, "detail"), "30 s");
    const json_t *usage = json_object_at(json, "usage");
    assert_int_equal(json_int_at(usage, "tokens", 0), 120);
    assert_int_equal(json_int_at(usage, "saved_calls", 0), 3);
    assert_true(json_real_at(usage, "cost", 0) == 0.00123);
    const json_t *first = json_array_get(json_array_at(json, "trace"), 0);
    text = json_dumps(first, JSON_COMPACT | JSON_REAL_PRECISION(6));
    assert_string_equal(text,
                        "{\"state\":\"GENERATE_SQL\",\"event\":\"DONE\",\"ms\":1.235,"
                        "\"tokens\":15,\"cost\":0.5,\"calls\":1}");
    free(text);
    const json_t *second = json_array_get(json_array_at(json, "trace"), 1);
    assert_int_equal(json_object_size(second), 2); /* state and ms */
}

static void no_rows_is_a_result_too(void **state)
{
    struct answer answer;
    answer_init(&answer);
    rows_init(&answer.rows, *state);
    rows_set_columns(&answer.rows, (struct rows_column[]){{"n", ""}}, 1);
    answer.has_rows = true;
    char *text = json_dumps(written(*state, &answer), JSON_COMPACT);
    assert_string_equal(
        text, "{\"columns\":[\"n\"],\"rows\":[],\"row_count\":0,\"truncated\":false}");
    free(text);
}

static void touched_rows_show_where_rows_can_be_touched(void **state)
{
    struct answer answer;
    answer_init(&answer);
    answer.rows_touched = 0;
    answer.type = "write";
    assert_int_equal(json_int_at(written(*state, &answer), "rows_touched", -1), 0);
    answer.type = "rows";
    assert_null(json_object_get(written(*state, &answer), "rows_touched"));
    answer.clarification.kind = CLARIFY_APPROVAL;
    assert_int_equal(json_int_at(written(*state, &answer), "rows_touched", -1), 0);
}

static void an_unknown_price_is_left_out(void **state)
{
    struct answer answer;
    answer_init(&answer);
    answer.usage.calls = 1;
    const json_t *usage = json_object_at(written(*state, &answer), "usage");
    assert_null(json_object_get(usage, "cost"));
    assert_int_equal(json_int_at(usage, "calls", 0), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_answer_has_no_fields),
        cmocka_unit_test(every_field_has_its_name),
        cmocka_unit_test(parts_have_their_shape),
        cmocka_unit_test(no_rows_is_a_result_too),
        cmocka_unit_test(touched_rows_show_where_rows_can_be_touched),
        cmocka_unit_test(an_unknown_price_is_left_out),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
