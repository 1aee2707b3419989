/* Questions that are written in one transaction: in order, and only the newest version of
 * each. */
#ifndef DGM_STORE_SQLITE_BATCH_H
#define DGM_STORE_SQLITE_BATCH_H

#include "base/buf.h"
#include "base/map.h"
#include "store/store.h"

struct batch_entry {
    struct store_question question; /* its texts follow the struct in the same block */
    size_t bytes;
    /* shared store: false if the write was refused because of an older fence */
    bool kept;
    struct batch_entry *before;
    struct batch_entry *next;
};

/* Events of a question for a shared store: lines of JSON. */
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
/* Copies the question; it is not yet in a batch. */
struct batch_entry *store_batch_entry_new(const struct store_question *question);
/* Appends it; an older version with the same id is dropped. */
void store_batch_put(struct batch *batch, struct batch_entry *entry);
/* Appends an event; returns its size. */
size_t store_batch_event(struct batch *batch, const char *id, int64_t fence,
                         const char *json);
bool store_batch_empty(const struct batch *batch);
/* A copy in the arena; false when the id is not in it. */
bool store_batch_get(const struct batch *batch, struct arena *arena, const char *id,
                     struct store_question *out);

#endif
