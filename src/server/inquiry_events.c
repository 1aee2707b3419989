/* The events of a question, written as server-sent events. */
#include "server/inquiry_events.h"

#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/str.h"
#include "base/writer.h"
#include "server/inquiry.h"

/* Each says what is in its data; `done` and `error` carry the answer object. */
static const struct {
    enum dgm_event_kind kind;
    const char *name;
    const char *text_key;
} names[] = {
    {DGM_STATUS, "status", NULL}, {DGM_REASONING, "reasoning", "text"},
    {DGM_SQL, "sql", "sql"},      {DGM_PROGRESS, "progress", "text"},
    {DGM_ROWS, "rows", NULL},     {DGM_CLARIFICATION, "clarification", NULL},
};

static void begin(struct inquiry *inquiry, struct buf *out, const char *name)
{
    long long id = inquiry->before + (int64_t)inquiry->count + 1;
    (void)buf_format(out, "id: %lld\nevent: %s\ndata: ", id, name);
}

/* Keeps the event that was just written, or takes half of it back. */
static void keep(struct inquiry *inquiry, size_t from)
{
    (void)buf_text(&inquiry->log, "\n\n");
    if (inquiry->log.full) {
        buf_truncate(&inquiry->log, from);
        return;
    }
    if (inquiry->count == inquiry->capacity) {
        inquiry->capacity = inquiry->capacity ? inquiry->capacity * 2 : 32;
        inquiry->ends =
            memory_resize(inquiry->ends, inquiry->capacity * sizeof *inquiry->ends);
    }
    inquiry->ends[inquiry->count++] = inquiry->log.size;
}

static void write_rows(struct writer *writer, const struct dgm_answer *answer)
{
    writer_key(writer, "columns");
    writer_array(writer);
    for (size_t i = 0; i < dgm_answer_columns(answer); i++) {
        writer_text(writer, dgm_answer_column(answer, i));
    }
    writer_array_end(writer);
    writer_key_int(writer, "row_count", (int64_t)dgm_answer_rows(answer));
    writer_key_bool(writer, "truncated", dgm_answer_truncated(answer));
}

static void write_clarification(struct writer *writer, const struct dgm_answer *answer)
{
    writer_key_text(writer, "message", dgm_answer_clarification(answer));
    writer_key_text(writer, "type", dgm_answer_clarification_type(answer));
    writer_key(writer, "options");
    writer_array(writer);
    for (size_t i = 0; i < dgm_answer_options(answer); i++) {
        writer_object(writer);
        writer_key_text(writer, "value", dgm_answer_option_value(answer, i));
        writer_key_text(writer, "label", dgm_answer_option_label(answer, i));
        writer_object_end(writer);
    }
    writer_array_end(writer);
}

void inquiry_log(struct inquiry *inquiry, const struct dgm_event *event)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (names[i].kind != event->kind) {
            continue;
        }
        struct writer writer;
        size_t from = inquiry->log.size;
        begin(inquiry, &inquiry->log, names[i].name);
        writer_init(&writer, &inquiry->log);
        writer_object(&writer);
        if (event->kind == DGM_STATUS) {
            writer_key_text(&writer, "state", event->state);
            writer_key_text(&writer, "status", event->status);
            writer_key_real(&writer, "ms", event->ms);
        } else if (names[i].text_key) {
            writer_key_text(&writer, names[i].text_key, str_or_empty(event->text));
        } else if (event->kind == DGM_ROWS && event->answer) {
            write_rows(&writer, event->answer);
        } else if (event->kind == DGM_CLARIFICATION && event->answer) {
            write_clarification(&writer, event->answer);
        }
        writer_object_end(&writer);
        keep(inquiry, from);
    }
}

void inquiry_log_end(struct inquiry *inquiry, const char *name, const char *answer_json)
{
    begin(inquiry, &inquiry->last, name);
    inquiry->answer_at = inquiry->last.size;
    (void)buf_text(&inquiry->last, answer_json);
    inquiry->answer_size = inquiry->last.size - inquiry->answer_at;
    /* A line feed in JSON stands between values only: texts have theirs escaped. */
    for (char *at = inquiry->last.data + inquiry->answer_at; *at; at++) {
        if (*at == '\n' || *at == '\r') {
            *at = ' ';
        }
    }
    (void)buf_text(&inquiry->last, "\n\n");
}

static void replay_states(struct inquiry *inquiry, const json_t *answer)
{
    size_t index = 0;
    json_t *step = NULL;
    double ms = 0;
    json_array_foreach(json_array_at(answer, "trace"), index, step)
    {
        struct dgm_event event = {.kind = DGM_STATUS,
                                  .state = json_text_at(step, "state"),
                                  .status = json_text_at(step, "status"),
                                  .ms = ms};
        ms += json_real_at(step, "ms", 0);
        inquiry_log(inquiry, &event);
    }
}

struct inquiry *inquiry_replay(struct server *server, const char *answer_json)
{
    struct err err;
    struct arena *arena = arena_new();
    json_t *answer = json_parse(arena, answer_json, strlen(answer_json), &err);
    struct inquiry *inquiry =
        inquiry_new(server, NULL, json_text_at(answer, "question"), NULL);
    replay_states(inquiry, answer);
    if (json_text_at(answer, "sql")) {
        struct dgm_event event = {.kind = DGM_SQL, .text = json_text_at(answer, "sql")};
        inquiry_log(inquiry, &event);
    }
    bool failed = str_equal(json_text_at(answer, "status"), "failed");
    inquiry_log_end(inquiry, failed ? "error" : "done", answer_json);
    inquiry->rested = true;
    arena_free(arena);
    return inquiry;
}
