/* Questions that are written together. */
#include "store/batch.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/memory.h"

/* Where the texts of a question are, so that copying them is one loop. */
static const size_t text_fields[] = {
    offsetof(struct store_question, id),
    offsetof(struct store_question, session_id),
    offsetof(struct store_question, account),
    offsetof(struct store_question, state),
    offsetof(struct store_question, text),
    offsetof(struct store_question, checkpoint),
    offsetof(struct store_question, answer),
    offsetof(struct store_question, status),
    offsetof(struct store_question, datasource),
    offsetof(struct store_question, sql),
    offsetof(struct store_question, brain),
};

enum {
    TEXTS = sizeof text_fields / sizeof text_fields[0],
    EVENTS_MOST = 1024 * 1024, /* of a question in a batch */
};

static const char **text_at(struct store_question *question, size_t index)
{
    return (const char **)(void *)((char *)question + text_fields[index]);
}

void store_batch_init(struct batch *batch)
{
    *batch = (struct batch){0};
    map_init(&batch->by_id, false);
    map_init(&batch->events_by_id, false);
}

void store_batch_release(struct batch *batch)
{
    while (batch->first) {
        struct batch_entry *entry = batch->first;
        batch->first = entry->next;
        memory_free(entry);
    }
    while (batch->events) {
        struct batch_event *event = batch->events;
        batch->events = event->next;
        buf_release(&event->lines);
        memory_free(event);
    }
    map_release(&batch->by_id);
    map_release(&batch->events_by_id);
    store_batch_init(batch);
}

struct batch_entry *store_batch_entry_new(const struct store_question *question)
{
    struct store_question copy = *question;
    size_t sizes[TEXTS];
    size_t total = sizeof(struct batch_entry);
    for (size_t i = 0; i < TEXTS; i++) {
        const char *text = *text_at(&copy, i);
        sizes[i] = text ? strlen(text) + 1 : 0;
        total += sizes[i];
    }
    struct batch_entry *entry = memory_resize(NULL, total);
    *entry = (struct batch_entry){.question = copy, .bytes = total};
    char *at = (char *)(entry + 1);
    for (size_t i = 0; i < TEXTS; i++) {
        const char **text = text_at(&entry->question, i);
        if (sizes[i]) {
            memcpy(at, *text, sizes[i]);
            *text = at;
            at += sizes[i];
        }
    }
    return entry;
}

static void batch_drop(struct batch *batch, struct batch_entry *entry)
{
    *(entry->before ? &entry->before->next : &batch->first) = entry->next;
    *(entry->next ? &entry->next->before : &batch->last) = entry->before;
    batch->bytes -= entry->bytes;
    memory_free(entry);
}

void store_batch_put(struct batch *batch, struct batch_entry *entry)
{
    struct batch_entry *old = map_set(&batch->by_id, entry->question.id, entry);
    if (old) {
        batch_drop(batch, old);
    }
    entry->before = batch->last;
    entry->next = NULL;
    *(batch->last ? &batch->last->next : &batch->first) = entry;
    batch->last = entry;
    batch->bytes += entry->bytes;
}

bool store_batch_get(const struct batch *batch, struct arena *arena, const char *id,
                     struct store_question *out)
{
    const struct batch_entry *entry = map_get(&batch->by_id, id);
    if (!entry) {
        return false;
    }
    *out = entry->question;
    for (size_t i = 0; i < TEXTS; i++) {
        const char **text = text_at(out, i);
        *text = arena_text(arena, *text);
    }
    return true;
}

size_t store_batch_event(struct batch *batch, const char *id, int64_t fence,
                         const char *json)
{
    struct batch_event *event = map_get(&batch->events_by_id, id);
    if (!event) {
        event = memory_alloc(sizeof *event);
        (void)snprintf(event->id, sizeof event->id, "%s", id);
        buf_init(&event->lines, EVENTS_MOST);
        event->next = batch->events;
        batch->events = event;
        (void)map_set(&batch->events_by_id, id, event);
    }
    event->fence = fence;
    size_t from = event->lines.size;
    (void)buf_format(&event->lines, "%s\n", json);
    if (event->lines.full) { /* half a line is none */
        buf_truncate(&event->lines, from);
    }
    batch->bytes += event->lines.size - from;
    return event->lines.size - from;
}

bool store_batch_empty(const struct batch *batch)
{
    return !batch->first && !batch->events;
}
