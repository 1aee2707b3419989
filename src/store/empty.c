/*
 * Tables without rows. Every question asks for lessons and datasets, and most stores have none: while nothing was
 * committed since a table was seen empty, it is not asked again. Under load that is nearly always so, since
 * questions are committed in groups.
 */
#include <string.h>

#include "base/err.h"
#include "store/tables/table.h"

static bool moment_of(const struct store_connection *connection, struct store_moment *out)
{
    return connection->backend->moment && connection->backend->moment(connection, out);
}

bool store_empty_known(struct store *store, enum store_rare table)
{
    struct store_moment now;
    if (!moment_of(store->connections[0], &now)) {
        return false;
    }
    (void)pthread_mutex_lock(&store->rare_lock);
    const struct store_empty *empty = &store->empty[table];
    bool known = empty->known && memcmp(&empty->since, &now, sizeof now) == 0;
    (void)pthread_mutex_unlock(&store->rare_lock);
    return known;
}

void store_empty_look(struct store *store, struct store_connection *connection,
                      enum store_rare table)
{
    static const enum store_query queries[STORE_RARE] = {
        [STORE_LESSONS] = QUERY_LESSON_ANY,
        [STORE_DATASETS] = QUERY_DATASET_ANY,
    };
    struct err ignored = {0};
    struct store_empty found = {.known = true};
    if (!moment_of(connection,
                   &found.since)) { /* before the look: what comes later counts */
        return;
    }
    struct store_cursor *row =
        store_query_start(connection, queries[table], &ignored, "");
    bool any = !row || store_query_next(connection, row, &ignored);
    store_query_end(row);
    if (!any && ignored.code == ERR_OK) {
        (void)pthread_mutex_lock(&store->rare_lock);
        store->empty[table] = found;
        (void)pthread_mutex_unlock(&store->rare_lock);
    }
}
