/* Questions that are written together: in order, the newest of each id only. */
#ifndef DGM_STORE_SQLITE_BATCH_H
#define DGM_STORE_SQLITE_BATCH_H

#include "base/buf.h"
#include "base/map.h"
#include "store/store.h"

struct batch_entry {
    struct store_question question; /* its texts stand behind the struct, in one block */
    size_t bytes;
    bool kept; /* in a shared store: false when its fence was an older one */
    struct batch_entry *before;
    struct batch_entry *next;
};

/* What has happened to a question, for a shared store: lines of JSON. */
struct batch_event {
    char id[ID_SIZE];
    int64_t fence;
    struct buf lines;
    struct batch_event *next;
};

struct batch {
    struct batch_entry *first;
    struct batch_entry *last;
    struct map by_id; /* id -> struct batch_entry */
    struct batch_event *events;
    struct map events_by_id; /* id -> struct batch_event */
    size_t bytes;
};

void store_batch_init(struct batch *batch);
void store_batch_release(struct batch *batch); /* empty and usable again */
/* A copy of the question, not yet in a batch. */
struct batch_entry *store_batch_entry_new(const struct store_question *question);
/* Puts it at the end; an older one of the same id is dropped. */
void store_batch_put(struct batch *batch, struct batch_entry *entry);
/* One line more of what has happened to a question; returns what it weighs. */
size_t store_batch_event(struct batch *batch, const char *id, int64_t fence,
                         const char *json);
bool store_batch_empty(const struct batch *batch);
/* A copy in the arena; false when the id is not in it. */
bool store_batch_get(const struct batch *batch, struct arena *arena, const char *id,
                     struct store_question *out);

#endif
