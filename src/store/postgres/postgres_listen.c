/* Waits for notifications of other processes. */
#include <poll.h>
#include <stdint.h>
#include <unistd.h>

#include "base/err.h"
#include "store/postgres/postgres_backend.h"

static void tell_all(struct postgres_connection *own,
                     void (*heard)(void *context, const char *text), void *context)
{
    PGnotify *note = NULL;
    while ((note = PQnotifies(own->link))) {
        heard(context, note->extra);
        PQfreemem(note);
    }
}

bool store_postgres_listen(struct store_connection *connection, int wake, int timeout_ms,
                           void (*heard)(void *context, const char *text), void *context,
                           struct err *err)
{
    struct postgres_connection *own = (struct postgres_connection *)connection;
    const PGconn *before = own->link;
    if (!store_postgres_ready(own, err)) {
        return false;
    }
    if (!own->listens || own->link != before) {
        if (!store_postgres_run(own->link, "LISTEN dragoman", err)) {
            return false;
        }
        own->listens = true;
        heard(context, NULL); /* nobody has listened until now */
    }
    tell_all(own, heard, context); /* came with the look whether it is alive */
    struct pollfd wait[2] = {{.fd = PQsocket(own->link), .events = POLLIN},
                             {.fd = wake, .events = POLLIN}};
    if (poll(wait, 2, timeout_ms) > 0 && wait[1].revents) {
        uint64_t number = 0;
        (void)!read(wake, &number, sizeof number);
    }
    if (wait[0].revents && !PQconsumeInput(own->link)) {
        return store_postgres_fail(NULL, err);
    }
    tell_all(own, heard, context);
    return true;
}
