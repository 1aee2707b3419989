/* Answers, schemas and messages in the shapes of /agents/text-to-sql. */
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"
#include "base/writer.h"
#include "server/exchange.h"
#include "server/response.h"
#include "server/routes/agents.h"
#include "server/state.h"

static void write_value(struct writer *writer, const json_t *value);

static void write_members(struct writer *writer, const json_t *object)
{
    const char *key = NULL;
    json_t *member = NULL;
    json_t *walked = (json_t *)(uintptr_t)object; /* the macro takes no const */
    writer_object(writer);
    json_object_foreach(walked, key, member)
    {
        writer_key(writer, key);
        write_value(writer, member);
    }
    writer_object_end(writer);
}

/* Numbers as they were read: jansson would add rounding errors of binary fractions. */
static void write_value(struct writer *writer, const json_t *value)
{
    if (json_is_object(value)) {
        write_members(writer, value);
        return;
    }
    if (json_is_array(value)) {
        writer_array(writer);
        for (size_t i = 0; i < json_array_size(value); i++) {
            write_value(writer, json_array_get(value, i));
        }
        writer_array_end(writer);
        return;
    }
    if (json_is_real(value)) {
        writer_real(writer, json_real_value(value));
        return;
    }
    json_write_item(value, writer);
}

/* Rows become objects here, so two columns of one name would collide: the second is
 * name_2. */
static void name_columns(struct arena *arena, const json_t *columns, struct texts *names)
{
    struct map seen;
    map_init(&seen, false);
    for (size_t i = 0; i < json_array_size(columns); i++) {
        const char *given = str_or_empty(json_string_value(json_array_get(columns, i)));
        const char *name = given;
        for (size_t n = 2; map_has(&seen, name); n++) {
            name = arena_format(arena, "%s_%zu", given, n);
        }
        (void)map_set(&seen, name, arena);
        VEC_PUSH(arena, names, name);
    }
    map_release(&seen);
}

/* Decimals are texts in the answer object, so that no digit is lost. Clients of this API
 * expect numbers, so a decimal becomes one if every JSON parser keeps all its digits. */
static bool is_plain_decimal(const char *type, const char *text)
{
    enum { DIGITS_EXACT = 15 }; /* what a double keeps of any number */
    if (!text ||
        (!str_contains_nocase(type, "decimal") && !str_contains_nocase(type, "numeric") &&
         !str_contains_nocase(type, "hugeint"))) {
        return false;
    }
    const char *digits = text + (*text == '-');
    size_t whole = strspn(digits, "0123456789");
    size_t part = digits[whole] == '.' ? strspn(digits + whole + 1, "0123456789") : 0;
    size_t used = whole + (digits[whole] == '.' ? part + 1 : 0);
    return whole && (whole == 1 || *digits != '0') && !digits[used] &&
           (digits[whole] != '.' || part) && whole + part <= DIGITS_EXACT;
}

static void write_cell(struct writer *writer, const char *type, const json_t *cell)
{
    const char *text = json_string_value(cell);
    if (is_plain_decimal(type, text)) {
        writer_raw(writer, text);
    } else {
        write_value(writer, cell);
    }
}

static void write_rows(struct arena *arena, struct writer *writer, const json_t *answer)
{
    struct texts names = {0};
    const json_t *types = json_array_at(answer, "column_types");
    const json_t *rows = json_array_at(answer, "rows");
    name_columns(arena, json_array_at(answer, "columns"), &names);
    writer_key(writer, "results");
    writer_array(writer);
    for (size_t r = 0; r < json_array_size(rows); r++) {
        const json_t *row = json_array_get(rows, r);
        writer_object(writer);
        for (size_t c = 0; c < names.count; c++) {
            writer_key(writer, names.items[c]);
            write_cell(writer, str_or_empty(json_string_value(json_array_get(types, c))),
                       json_array_get(row, c));
        }
        writer_object_end(writer);
    }
    writer_array_end(writer);
    writer_key(writer, "columns");
    writer_array(writer);
    for (size_t c = 0; c < names.count; c++) {
        writer_text(writer, names.items[c]);
    }
    writer_array_end(writer);
    writer_key_int(writer, "row_count", json_int_at(answer, "row_count", 0));
}

static const char *first_text(const json_t *answer, const char *const *keys, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const char *text = json_text_at(answer, keys[i]);
        if (!str_empty(text)) {
            return text;
        }
    }
    return "";
}

/* The possible answers: number, value or label of an option. */
static void write_options(struct writer *writer, const json_t *options)
{
    size_t index = 0;
    const json_t *option = NULL;
    writer_key(writer, "options");
    writer_array(writer);
    json_array_foreach(options, index, option)
    {
        writer_object(writer);
        writer_key_text(writer, "value", json_text_at(option, "value"));
        writer_key_text(writer, "label", json_text_at(option, "label"));
        writer_object_end(writer);
    }
    writer_array_end(writer);
}

/* How reliable the answer is, as in the answer object. */
static void write_doubts(struct writer *writer, const json_t *answer)
{
    static const char *const names[] = {"query_id",    "confidence", "warnings",
                                        "assumptions", "unplaced",   "readings",
                                        "attempts"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const json_t *value = json_object_get(answer, names[i]);
        if (value) {
            writer_key(writer, names[i]);
            write_value(writer, value);
        }
    }
}

static void write_answer(struct arena *arena, struct writer *writer, const json_t *answer)
{
    static const char *const words[] = {"message", "explanation", "summary"};
    const char *status = json_text_at(answer, "status");
    const json_t *error = json_object_at(answer, "error");
    const json_t *asked = json_object_at(answer, "clarification");
    bool waits = str_equal(json_text_at(answer, "type"), "clarification");
    bool good = str_equal(status, "finished");
    const char *message = first_text(answer, words, sizeof words / sizeof *words);
    if (waits) {
        message = json_text_at(asked, "message");
    } else if (!good) {
        message = error ? json_text_at(error, "message") : "The question was stopped.";
    }
    writer_object(writer);
    writer_key_text(writer, "status",
                    waits  ? "clarification_needed"
                    : good ? "success"
                           : "error");
    writer_key_text(writer, "message", str_or_empty(message));
    if (json_text_at(answer, "text")) {
        writer_key_text(writer, "text", json_text_at(answer, "text"));
    }
    writer_key_text(writer, "sql_query", json_text_at(answer, "sql"));
    if (waits && json_array_size(json_array_at(asked, "options"))) {
        write_options(writer, json_array_at(asked, "options"));
    }
    if (good && !waits && json_array_at(answer, "rows")) {
        write_rows(arena, writer, answer);
    }
    if (!good && error) {
        const char *detail = json_text_at(error, "detail");
        writer_key_text(writer, "error_details", str_empty(detail) ? message : detail);
    }
    write_doubts(writer, answer);
    writer_object_end(writer);
}

void agents_answered(struct exchange *exchange, struct inquiry *inquiry)
{
    struct err err;
    struct arena *arena = arena_new();
    const json_t *answer = json_parse(arena, inquiry->last.data + inquiry->answer_at,
                                      inquiry->answer_size, &err);
    struct buf buf;
    struct writer writer;
    buf_init(&buf, AGENTS_MOST);
    writer_init(&writer, &buf);
    write_answer(arena, &writer, answer);
    arena_free(arena);
    response_buf(exchange, 200, &buf);
}

static void write_columns(struct writer *writer, const json_t *table)
{
    const json_t *columns = json_array_at(table, "columns");
    writer_key(writer, "columns");
    writer_array(writer);
    for (size_t i = 0; i < json_array_size(columns); i++) {
        const json_t *column = json_array_get(columns, i);
        const json_t *samples = json_array_at(column, "samples");
        writer_object(writer);
        writer_key_text(writer, "name", json_text_at(column, "name"));
        writer_key_text(writer, "type", json_text_at(column, "type"));
        writer_key(writer, "sample_values");
        if (json_array_size(samples)) {
            write_value(writer, samples);
        } else {
            writer_null(writer);
        }
        writer_object_end(writer);
    }
    writer_array_end(writer);
}

static void write_table(struct writer *writer, const json_t *table)
{
    writer_key_text(writer, "table_name", json_text_at(table, "name"));
    write_columns(writer, table);
    writer_key_int(writer, "row_count", json_int_at(table, "row_count", 0));
}

void agents_write_schema(struct writer *writer, const json_t *schema)
{
    const json_t *tables = json_array_at(schema, "tables");
    size_t count = json_array_size(tables);
    if (!count) {
        writer_null(writer);
        return;
    }
    writer_object(writer);
    write_table(writer, json_array_get(tables, 0));
    if (count > 1) {
        writer_key(writer, "tables");
        writer_array(writer);
        for (size_t i = 0; i < count; i++) {
            writer_object(writer);
            write_table(writer, json_array_get(tables, i));
            writer_object_end(writer);
        }
        writer_array_end(writer);
    }
    writer_object_end(writer);
}

void agents_write_messages(struct writer *writer, const json_t *messages)
{
    writer_array(writer);
    for (size_t i = 0; i < json_array_size(messages); i++) {
        const json_t *message = json_array_get(messages, i);
        writer_object(writer);
        writer_key_text(writer, "role", json_text_at(message, "role"));
        writer_key_text(writer, "content", json_text_at(message, "content"));
        writer_key(writer, "sql_query");
        writer_text(writer, json_text_at(message, "sql_query"));
        writer_key_text(writer, "timestamp", json_text_at(message, "timestamp"));
        writer_object_end(writer);
    }
    writer_array_end(writer);
}
