/*
 * The connection of a call that only reads. SQLite's one connection is the writer's, too:
 * while a batch of questions is written, and the disk is waited for, those who only read
 * take a second one, which a WAL file lets them do. It is opened when it is needed first.
 */
#include "base/err.h"
#include "store/tables/table.h"

static struct store_connection *second_get(struct store *store)
{
    (void)pthread_mutex_lock(&store->second_lock);
    if (!store->second_tried) {
        struct err ignored = {0}; /* then all go on by the first one */
        store->second_tried = true;
        store->second = store->backend->connect_again(store->connections[0], &ignored);
    }
    struct store_connection *second = store->second;
    (void)pthread_mutex_unlock(&store->second_lock);
    return second;
}

struct store_connection *store_reading_begin(struct store *store)
{
    struct store_connection *usual = store_connection_of(store);
    if (pthread_mutex_trylock(&usual->lock) == 0) {
        return usual;
    }
    struct store_connection *second =
        store->backend->connections == 1 ? second_get(store) : NULL;
    struct store_connection *taken = second ? second : usual;
    (void)pthread_mutex_lock(&taken->lock);
    return taken;
}

void store_reading_end(struct store_connection *connection)
{
    (void)pthread_mutex_unlock(&connection->lock);
}
