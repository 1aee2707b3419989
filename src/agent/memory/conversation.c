/* The conversation as a model sees it: what follow-ups meant, and their results. */
#include "agent/memory/conversation.h"

#include <string.h>

#include "agent/sources/policing.h"
#include "agent/sql_text.h"
#include "agent/understand/intent_rules.h"
#include "agent/understand/language.h"
#include "base/buf.h"
#include "base/str.h"
#include "base/utf8.h"
#include "prompt/template.h"

enum {
    SQL_MOST = 2000, /* bytes of the SQL of an earlier answer */
    /* Of an answer's rows: enough to know which things are meant by "the first one". */
    ROWS_SHOWN = 3,
    COLUMNS_SHOWN = 8,
    CELL_MOST = 40,
    RESULT_MOST = 300,
};

const char *conversation_words(const struct message *message)
{
    return message->gist && str_equal(message->role, "user") ? message->gist
                                                             : message->content;
}

bool conversation_leans(struct run *run, const char *text)
{
    const struct table *subject = NULL;
    return !language_is_english(text) ||
           intent_leans(run->scratch, text, run_schema(run)) ||
           intent_clarity(run->scratch, text, run_schema(run), false, &subject) !=
               CLARITY_CLEAR;
}

const struct message *conversation_whole(struct run *run, const char *text)
{
    bool first = true;
    for (size_t i = 0; i < run->request.history.count; i++) {
        const struct message *message = &run->request.history.items[i];
        if (!str_equal(message->role, "user")) {
            continue;
        }
        bool whole = message->gist || first || !conversation_leans(run, text);
        if (whole && str_equal(conversation_words(message), text)) {
            return message;
        }
        first = false;
    }
    return NULL;
}

bool conversation_has(struct run *run, const char *question, const char *sql)
{
    struct texts shown = {0};
    for (size_t i = 0; i < run->request.history.count; i++) {
        const struct message *message = &run->request.history.items[i];
        if (str_equal(message->role, "user") &&
            str_equal_nocase(conversation_words(message), question)) {
            return true;
        }
        if (message->sql) {
            VEC_PUSH(run->scratch, &shown, message->sql);
        }
    }
    return sql_text_listed(run, &shown, sql);
}

/* A correction asks an earlier question again: that is no wording of its own. */
const char *conversation_meant(const struct run *run)
{
    const char *meant = run->answer.rewritten;
    if (!run->request.history.count || !meant || str_equal(meant, run->question.text)) {
        return NULL;
    }
    for (size_t i = 0; i < run->request.history.count; i++) {
        if (str_equal(conversation_words(&run->request.history.items[i]), meant)) {
            return NULL;
        }
    }
    return meant;
}

static void add_cell(struct run *run, struct buf *out, const struct value *cell)
{
    struct buf text;
    buf_init(&text, (size_t)16 * 1024);
    if (cell->kind == VALUE_NULL) {
        (void)buf_text(&text, "NULL");
    } else {
        value_show(&text, cell);
    }
    const char *shown = str_squeeze(run->scratch, buf_get(&text));
    size_t size = utf8_cut(shown, strlen(shown), CELL_MOST);
    (void)buf_add(out, shown, size);
    (void)buf_text(out, shown[size] ? "…" : "");
    buf_release(&text);
}

/* "(name, n): Ada, 3; Bruno, 2; …" */
static void add_rows(struct run *run, struct buf *out, const struct rows *rows)
{
    size_t columns =
        rows->column_count < COLUMNS_SHOWN ? rows->column_count : COLUMNS_SHOWN;
    const char *more = rows->column_count > columns ? ", …" : "";
    for (size_t i = 0; i < columns; i++) {
        const char *name = str_squeeze(run->scratch, rows->columns[i].name);
        (void)buf_text(out, i ? ", " : " (");
        (void)buf_add(out, name, utf8_cut(name, strlen(name), CELL_MOST));
    }
    (void)buf_format(out, "%s):", more);
    for (size_t r = 0; r < rows->count && r < ROWS_SHOWN; r++) {
        (void)buf_text(out, r ? "; " : " ");
        for (size_t i = 0; i < columns; i++) {
            (void)buf_text(out, i ? ", " : "");
            add_cell(run, out, rows_cell(rows, r, i));
        }
        (void)buf_text(out, more);
    }
    (void)buf_text(out, rows_given(rows) > ROWS_SHOWN ? "; …" : "");
}

const char *conversation_result(struct run *run, struct arena *arena)
{
    const struct rows *rows = &run->answer.rows;
    if (run->state != STATE_FINISHED || !run->answer.has_rows ||
        !policing_sends_rows(run)) {
        return NULL;
    }
    size_t count = rows_given(rows);
    if (count == 0) {
        return "no rows";
    }
    struct buf out;
    buf_init(&out, (size_t)64 * 1024);
    (void)buf_format(&out, "%s%zu row%s",
                     rows_given_cut(rows) == ROWS_WHOLE ? "" : "more than ", count,
                     count == 1 ? "" : "s");
    add_rows(run, &out, rows);
    const char *text = buf_get(&out);
    size_t size = utf8_cut(text, out.size, RESULT_MOST);
    const char *result =
        arena_format(arena, "%.*s%s", (int)size, text, size < out.size ? "…" : "");
    buf_release(&out);
    return result;
}

static const char *cut(struct run *run, const char *text, size_t most)
{
    size_t size = text ? strlen(text) : 0;
    if (size <= most) {
        return text;
    }
    return arena_format(run->scratch, "%.*s…", (int)utf8_cut(text, size, most), text);
}

/* Each cut to prompt.message_length. Where no cell may be sent, only what the user typed:
 * answers, their SQL and full wordings hold values as the data spell them. */
void conversation_put(struct run *run, struct slot *values)
{
    size_t most = (size_t)run->options->prompt_exchanges * 2;
    size_t length = (size_t)run->options->prompt_message_length;
    size_t from =
        run->request.history.count > most ? run->request.history.count - most : 0;
    bool sends_rows = policing_sends_rows(run);
    for (size_t i = from; i < run->request.history.count; i++) {
        const struct message *message = &run->request.history.items[i];
        struct slot *item = slot_item(run->scratch, values, "history");
        bool user = str_equal(message->role, "user");
        const char *content = user ? message->content : "(not sent)";
        content = sends_rows ? conversation_words(message) : content;
        size_t size = utf8_cut(content, strlen(content), length);
        char *text = arena_copy(run->scratch, content, size);
        slot_text(run->scratch, item, "role", user ? "User" : "Assistant");
        slot_text(run->scratch, item, "content", str_squeeze(run->scratch, text));
        slot_text(run->scratch, item, "sql",
                  sends_rows ? cut(run, message->sql, SQL_MOST) : NULL);
        slot_text(run->scratch, item, "result",
                  sends_rows && !user ? message->gist : NULL);
    }
    slot_flag(run->scratch, values, "has_history", run->request.history.count > from);
}
