/* An answer of the library as the data of a tool's result. */
#include "mcp/result.h"

#include <string.h>

#include "base/str.h"
#include "base/utf8.h"
#include "base/writer.h"
#include "mcp/call.h"
#include "mcp/context.h"
#include "mcp/plain.h"
#include "mcp/reply.h"
#include "mcp/tools.h"

#define CUT "… [cut]"

enum {
    DATA_MOST = 4 * MCP_RESULT_MOST, /* no result comes near it */
    TEXT_MOST = 2000,                /* bytes of one text around the rows … */
    SQL_MOST = 8000, /* … and of SQL, which is of no use when it is cut */
    CELL_MOST = 500, /* of a cell, if not even one row fits */
    TAIL = 400,      /* room for what comes after the rows */
    LIST_MOST = 8,   /* items of a list around the rows */
    PATH_MOST = 60,  /* states of a path */
};

/* A text that was cut says so. */
static void write_text(struct writer *json, const char *text, size_t most)
{
    size_t size = strlen(text);
    size_t cut = utf8_cut(text, size, most);
    if (cut == size) {
        writer_text_n(json, text, size);
        return;
    }
    struct buf buf;
    buf_init(&buf, most * 2);
    (void)buf_add(&buf, text, cut);
    (void)buf_text(&buf, CUT);
    writer_text(json, buf_get(&buf));
    buf_release(&buf);
}

static void key_text(struct writer *json, const char *key, const char *text, size_t most)
{
    if (!str_empty(text)) {
        writer_key(json, key);
        write_text(json, text, most);
    }
}

/* SQL stays as it is. */
static void copy_text(struct writer *json, const json_t *from, const char *key)
{
    struct arena *arena = arena_new();
    bool exact = str_equal(key, "sql") || str_equal(key, "corrected_from");
    const char *text = json_text_at(from, key);
    key_text(json, key, exact ? text : mcp_plain(arena, text, MCP_LINES),
             exact ? SQL_MOST : TEXT_MOST);
    arena_free(arena);
}

/* The texts of a list; of objects the field `field`. */
static void copy_texts(struct writer *json, const json_t *from, const char *key,
                       const char *field)
{
    const json_t *list = json_array_at(from, key);
    if (!json_array_size(list)) {
        return;
    }
    struct arena *arena = arena_new();
    writer_key(json, key);
    writer_array(json);
    for (size_t i = 0; i < json_array_size(list) && i < LIST_MOST; i++) {
        const json_t *item = json_array_get(list, i);
        const char *given = field ? json_text_at(item, field) : json_string_value(item);
        const char *text = str_or_empty(mcp_plain(arena, given, MCP_LINES));
        write_text(json, text, TEXT_MOST);
    }
    writer_array_end(json);
    arena_free(arena);
}

/* A row whose texts are too long for any result, each cut. */
static void write_cut_row(struct writer *json, const json_t *row)
{
    writer_array(json);
    for (size_t i = 0; i < json_array_size(row); i++) {
        const json_t *cell = json_array_get(row, i);
        if (json_is_string(cell) && json_string_length(cell) > CELL_MOST) {
            write_text(json, json_string_value(cell), CELL_MOST);
        } else {
            json_write_item(cell, json);
        }
    }
    writer_array_end(json);
}

/* As many rows as fit; returns their number. *cut: the first one fits only shortened. */
static size_t write_rows(struct writer *json, const json_t *rows, bool *cut)
{
    size_t count = 0;
    bool full = false;
    writer_key(json, "rows");
    writer_array(json);
    while (!full && count < json_array_size(rows)) {
        const json_t *row = json_array_get(rows, count);
        struct buf text;
        buf_init(&text, MCP_RESULT_MOST);
        full = !json_write(row, &text) ||
               json->out->size + text.size + TAIL > MCP_RESULT_MOST;
        if (!full) {
            writer_raw(json, buf_get(&text));
            count++;
        }
        buf_release(&text);
    }
    if (full && count == 0) {
        *cut = true;
        write_cut_row(json, json_array_get(rows, 0));
        count = 1;
    }
    writer_array_end(json);
    return count;
}

/* The columns and rows from number `offset` on. more: there are rows after these. */
static void write_table(struct writer *json, const json_t *answer, const char *query_id,
                        int64_t offset, bool more)
{
    const json_t *rows = json_array_at(answer, "rows");
    if (!rows) {
        return;
    }
    bool cut = false;
    writer_key(json, "columns");
    json_write_item(json_object_get(answer, "columns"), json);
    size_t count = write_rows(json, rows, &cut);
    bool left = count < json_array_size(rows);
    writer_key_int(json, "row_count", (int64_t)json_array_size(rows));
    writer_key_bool(json, "truncated", left || more || cut);
    if (left || more || cut) {
        struct arena *arena = arena_new();
        long long next = (long long)offset + (long long)count;
        const char *rows_next =
            left || more ? arena_format(arena,
                                        "More rows: execute_sql with query_id=%s, "
                                        "offset=%lld; or aggregate in SQL.",
                                        query_id, next)
                         : "";
        writer_key_int(json, "rows_here", (int64_t)count);
        key_text(json, "next",
                 arena_format(arena, "%s%s%s",
                              cut ? "The row is too long, so its texts are cut: select "
                                    "fewer columns, or parts with SUBSTR()."
                                  : "",
                              cut && *rows_next ? " " : "", rows_next),
                 TEXT_MOST);
        arena_free(arena);
    }
}

static void write_confidence(struct writer *json, const json_t *answer)
{
    const json_t *confidence = json_object_at(answer, "confidence");
    if (confidence) {
        writer_key(json, "confidence");
        writer_object(json);
        writer_key_real(json, "score", json_real_at(confidence, "score", 0));
        copy_text(json, confidence, "label");
        writer_object_end(json);
    }
}

static bool is_unsure(const json_t *answer)
{
    return str_equal(json_text_at(json_object_at(answer, "confidence"), "label"),
                     "unsure");
}

void mcp_result_answer(struct mcp_call *call, const json_t *answer)
{
    struct buf buf;
    struct writer json;
    const char *query_id = str_or_empty(json_text_at(answer, "query_id"));
    buf_init(&buf, DATA_MOST);
    writer_init(&json, &buf);
    writer_object(&json);
    writer_key_text(&json, "status", is_unsure(answer) ? "unsure" : "answered");
    writer_key_text(&json, "query_id", query_id);
    if (json_text_at(answer, "session_id")) {
        writer_key_text(&json, "conversation", json_text_at(answer, "session_id"));
    }
    copy_text(&json, answer, "text");
    copy_text(&json, answer, "datasource");
    copy_text(&json, answer, "explanation");
    copy_text(&json, answer, "sql");
    write_confidence(&json, answer);
    copy_texts(&json, answer, "readings", "differs");
    copy_texts(&json, answer, "assumptions", NULL);
    copy_texts(&json, answer, "unplaced", "word");
    copy_texts(&json, answer, "warnings", NULL);
    if (is_unsure(answer) && call->tool && call->tool->helps) {
        mcp_context_write(call, answer, &json);
    }
    write_table(&json, answer, query_id, 0, json_bool_at(answer, "truncated", false));
    writer_object_end(&json);
    mcp_reply_result(call, buf_get(&buf), buf.size);
    buf_release(&buf);
}

void mcp_result_options(struct mcp_call *call, const json_t *answer, struct buf *out)
{
    const json_t *asked = json_object_at(answer, "clarification");
    const json_t *options = json_array_at(asked, "options");
    struct writer json;
    buf_init(out, DATA_MOST);
    writer_init(&json, out);
    writer_object(&json);
    writer_key_text(&json, "status", "choose");
    copy_text(&json, answer, "query_id");
    copy_text(&json, answer, "datasource");
    copy_text(&json, asked, "message");
    copy_texts(&json, asked, "options", "label");
    key_text(&json, "next",
             json_array_size(options)
                 ? "Ask the user, then call ask with resume=query_id and option=number "
                   "(from 1) or words."
                 : "Ask the user, then call ask with resume=query_id and option=words.",
             TEXT_MOST);
    if (call->tool && call->tool->helps) {
        mcp_context_write(call, answer, &json);
    }
    writer_object_end(&json);
}

void mcp_result_beyond(struct mcp_call *call, const json_t *answer)
{
    const json_t *error = json_object_at(answer, "error");
    struct buf buf;
    struct writer json;
    buf_init(&buf, DATA_MOST);
    writer_init(&json, &buf);
    writer_object(&json);
    writer_key_text(&json, "status", "unsure");
    copy_text(&json, answer, "query_id");
    copy_text(&json, answer, "datasource");
    copy_text(&json, error, "message");
    copy_text(&json, error, "detail");
    copy_text(&json, answer, "sql");
    key_text(&json, "next", "Write the SQL from the context and run it with execute_sql.",
             TEXT_MOST);
    mcp_context_write(call, answer, &json);
    writer_object_end(&json);
    mcp_reply_result(call, buf_get(&buf), buf.size);
    buf_release(&buf);
}

static void write_path(struct writer *json, const json_t *answer)
{
    const json_t *trace = json_array_at(answer, "trace");
    writer_key(json, "path");
    writer_array(json);
    for (size_t i = 0; i < json_array_size(trace) && i < PATH_MOST; i++) {
        writer_text(json, json_text_at(json_array_get(trace, i), "state"));
    }
    writer_array_end(json);
}

void mcp_result_explain(struct mcp_call *call, const json_t *answer)
{
    static const char *const texts[] = {"query_id",   "question",       "rewritten_query",
                                        "datasource", "status",         "type",
                                        "text",       "summary",        "explanation",
                                        "sql",        "corrected_from", "brain"};
    static const char *const lists[] = {"tables_used", "assumptions", "lessons",
                                        "warnings"};
    struct buf buf;
    struct writer json;
    buf_init(&buf, DATA_MOST);
    writer_init(&json, &buf);
    writer_object(&json);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        copy_text(&json, answer, texts[i]);
    }
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        copy_texts(&json, answer, lists[i], NULL);
    }
    copy_texts(&json, json_object_at(answer, "plan"), "steps", NULL);
    copy_texts(&json, answer, "readings", "words");
    copy_texts(&json, answer, "unplaced", "word");
    write_confidence(&json, answer);
    copy_texts(&json, json_object_at(answer, "confidence"), "reasons", NULL);
    key_text(&json, "engine", json_text_at(json_object_at(answer, "engine"), "name"),
             TEXT_MOST);
    write_path(&json, answer);
    writer_object_end(&json);
    mcp_reply_result(call, buf_get(&buf), buf.size);
    buf_release(&buf);
}

void mcp_result_page(struct mcp_call *call, const char *query_id, const json_t *page)
{
    struct buf buf;
    struct writer json;
    int64_t offset = json_int_at(page, "offset", 0);
    buf_init(&buf, DATA_MOST);
    writer_init(&json, &buf);
    writer_object(&json);
    writer_key_text(&json, "query_id", query_id);
    writer_key_int(&json, "offset", offset);
    if (json_object_get(page, "total")) {
        writer_key_int(&json, "total", json_int_at(page, "total", 0));
    }
    write_table(&json, page, query_id, offset, json_bool_at(page, "more", false));
    writer_object_end(&json);
    mcp_reply_result(call, buf_get(&buf), buf.size);
    buf_release(&buf);
}
