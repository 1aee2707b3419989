/* Its events as server-sent events. */
#include "server/questions/inquiry_events.h"

#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/str.h"
#include "base/writer.h"
#include "server/questions/inquiry.h"
#include "server/response.h"
#include "server/state.h"

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

int64_t inquiry_number(const struct inquiry *inquiry, size_t index)
{
    if (!inquiry->numbers || inquiry->count == 0) {
        return inquiry->before + (int64_t)index + 1;
    }
    return index < inquiry->count ? inquiry->numbers[index]
                                  : inquiry->numbers[inquiry->count - 1] + 1;
}

static void inquiry_events_begin(struct buf *out, const char *name, int64_t number)
{
    struct writer writer; /* for a question of twenty events printf would be half of it */
    writer_init(&writer, out);
    (void)buf_text(out, "id: ");
    writer_int(&writer, number);
    (void)buf_text(out, "\nevent: ");
    (void)buf_text(out, name);
    (void)buf_text(out, "\ndata: ");
}

/* Keeps the event just written, or removes it if it does not fit. */
static void inquiry_events_keep(struct inquiry *inquiry, size_t from, int64_t number)
{
    (void)buf_text(&inquiry->log, "\n\n");
    if (inquiry->log.full) {
        buf_truncate(&inquiry->log, from);
        return;
    }
    if (inquiry->count == inquiry->capacity) {
        inquiry->capacity = inquiry->capacity ? inquiry->capacity * 2 : 16;
        inquiry->ends =
            memory_resize(inquiry->ends, inquiry->capacity * sizeof *inquiry->ends);
        if (inquiry->server->shared) {
            inquiry->numbers = memory_resize(
                inquiry->numbers, inquiry->capacity * sizeof *inquiry->numbers);
        }
    }
    if (inquiry->numbers) {
        inquiry->numbers[inquiry->count] = number;
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
    if (dgm_answer_incomplete(answer)) {
        writer_key_bool(writer, "incomplete", true);
    }
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

/* For a question that another process works on, whose events are stored as JSON. */
static void write_data(struct writer *writer, const struct dgm_event *event)
{
    struct err err;
    struct arena *arena = arena_new();
    json_t *data = json_parse(arena, event->data, strlen(event->data), &err);
    if (event->kind == DGM_CLARIFICATION) {
        data = json_object_get(data, "clarification");
    }
    const char *key = NULL;
    json_t *value = NULL;
    json_object_foreach(data, key, value)
    {
        writer_key(writer, key);
        json_write_item(value, writer);
    }
    arena_free(arena);
}

static void note_trace(struct inquiry *inquiry, const struct dgm_event *event)
{
    struct writer writer;
    size_t before = inquiry->trace.size;
    writer_init(&writer, &inquiry->trace);
    writer.comma = before > 0;
    writer_object(&writer);
    writer_key_text(&writer, "state", event->state);
    writer_key_real(&writer, "ms", event->ms);
    writer_object_end(&writer);
    if (inquiry->trace.full) {
        buf_truncate(&inquiry->trace, before);
    }
}

/* The data of an event that is neither a status nor a text. */
static void write_object(struct buf *out, const struct dgm_event *event)
{
    struct writer writer;
    writer_init(&writer, out);
    writer_object(&writer);
    if (event->data) {
        write_data(&writer, event);
    } else if (event->kind == DGM_ROWS && event->answer) {
        write_rows(&writer, event->answer);
    } else if (event->kind == DGM_CLARIFICATION && event->answer) {
        write_clarification(&writer, event->answer);
    }
    writer_object_end(&writer);
}

/* Writes the event as it is sent; `object` is its data if that exists already. */
static void log_now(struct inquiry *inquiry, size_t name, const struct dgm_event *event,
                    const char *object)
{
    struct writer writer;
    size_t from = inquiry->log.size;
    int64_t number = inquiry->server->shared && event->number
                         ? event->number
                         : inquiry_number(inquiry, inquiry->count);
    inquiry_events_begin(&inquiry->log, names[name].name, number);
    writer_init(&writer, &inquiry->log);
    if (event->kind == DGM_STATUS) {
        writer_object(&writer);
        writer_key_text(&writer, "state", event->state);
        writer_key_text(&writer, "status", event->status);
        writer_key_real(&writer, "ms", event->ms);
        writer_object_end(&writer);
        if (!inquiry->rested) { /* then its answer has the same information */
            note_trace(inquiry, event);
        }
    } else if (names[name].text_key) {
        writer_object(&writer);
        writer_key_text(&writer, names[name].text_key, str_or_empty(event->text));
        writer_object_end(&writer);
    } else if (object) {
        writer_raw(&writer, object);
    } else {
        write_object(&inquiry->log, event);
    }
    inquiry_events_keep(inquiry, from, number);
}

/*
 * An event that no client has requested yet, followed by its texts. Its formatted size is
 * at most eight times as large; the bound relies on that.
 */
struct told {
    double ms;
    uint32_t name;
    uint32_t size; /* of the texts, NULs and all */
};

enum { GROWS_MOST = 8, END_ROOM = 64 /* id, name and line ends of the last event */ };

static void add_text(struct buf *out, const char *text)
{
    (void)buf_add(out, text, strlen(text) + 1);
}

/* False: it must be formatted at once. */
static bool log_later(struct inquiry *inquiry, size_t name, const struct dgm_event *event)
{
    struct buf *told = &inquiry->told;
    bool status = event->kind == DGM_STATUS;
    if (inquiry->server->shared || inquiry->streams || inquiry->log.full ||
        (status && (!event->state || !event->status))) {
        return false;
    }
    struct told head = {.ms = event->ms, .name = (uint32_t)name};
    size_t from = told->size;
    told->ceiling = (INQUIRY_LOG_MOST - inquiry->log.size) / GROWS_MOST;
    (void)buf_add(told, &head, sizeof head);
    if (status) {
        add_text(told, event->state);
        add_text(told, event->status);
    } else if (names[name].text_key) {
        add_text(told, str_or_empty(event->text));
    } else {
        write_object(told, event);
        (void)buf_char(told, '\0');
    }
    if (told->full) {
        buf_truncate(told, from);
        told->full = false;
        return false;
    }
    head.size = (uint32_t)(told->size - from - sizeof head);
    memcpy(told->data + from, &head, sizeof head);
    inquiry->later++;
    return true;
}

void inquiry_catch_up(struct inquiry *inquiry)
{
    struct buf *told = &inquiry->told;
    for (size_t at = 0; at < told->size;) {
        struct told head;
        memcpy(&head, told->data + at, sizeof head);
        const char *text = told->data + at + sizeof head;
        struct dgm_event event = {.kind = names[head.name].kind, .ms = head.ms};
        event.state = text;
        event.status = event.kind == DGM_STATUS ? text + strlen(text) + 1 : NULL;
        event.text = text;
        log_now(inquiry, head.name, &event, text);
        at += sizeof head + head.size;
    }
    buf_release(told);
    inquiry->later = 0;
}

void inquiry_log(struct inquiry *inquiry, const struct dgm_event *event)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (names[i].kind == event->kind && !log_later(inquiry, i, event)) {
            inquiry_catch_up(inquiry);
            log_now(inquiry, i, event, NULL);
        }
    }
}

/* Failed questions also end with "done", after their status: browsers use "error" for a
 * lost connection. */
void inquiry_log_end(struct inquiry *inquiry, const char *answer_json)
{
    size_t size = strlen(answer_json);
    inquiry->http_status = response_answer_status(answer_json);
    buf_expect(&inquiry->last, size + END_ROOM); /* it is kept for minutes: no more */
    inquiry_events_begin(&inquiry->last, "done",
                         inquiry_number(inquiry, inquiry->count + inquiry->later));
    inquiry->answer_at = inquiry->last.size;
    (void)buf_add(&inquiry->last, answer_json, size);
    inquiry->answer_size = inquiry->last.size - inquiry->answer_at;
    /* A line feed in JSON stands between values only: texts have theirs escaped. */
    char *answer = inquiry->last.data + inquiry->answer_at;
    for (char *at = answer; (at = strchr(at, '\n'));) {
        *at = ' ';
    }
    for (char *at = answer; (at = strchr(at, '\r'));) {
        *at = ' ';
    }
    (void)buf_text(&inquiry->last, "\n\n");
}

static void replay_states(struct inquiry *inquiry, const json_t *answer)
{
    size_t index = 0;
    json_t *step = NULL;
    double ms = 0;
    const char *status = NULL;
    json_array_foreach(json_array_at(answer, "trace"), index, step)
    {
        status = dgm_status_at(status, json_text_at(step, "state"));
        struct dgm_event event = {.kind = DGM_STATUS,
                                  .state = json_text_at(step, "state"),
                                  .status = status,
                                  .ms = ms};
        ms += json_real_at(step, "ms", 0);
        if (index + 1 == json_array_size(json_array_at(answer, "trace")) &&
            json_text_at(answer, "sql")) {
            struct dgm_event sql = {.kind = DGM_SQL, .text = json_text_at(answer, "sql")};
            inquiry_log(inquiry, &sql);
        }
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
    inquiry->before = INQUIRY_RETOLD;
    replay_states(inquiry, answer);
    inquiry_log_end(inquiry, answer_json);
    inquiry->rested = true;
    inquiry->retold = true;
    arena_free(arena);
    return inquiry;
}
