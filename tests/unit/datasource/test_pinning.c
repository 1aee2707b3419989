/* A server that was allowed is reached at the address that was looked at, not at what its
 * name means a moment later; and a table around a driver's table leaves nothing out. */
#include <arpa/inet.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/err.h"
#include "datasource/datasource.h"
#include "datasource/decorator.h"
#include "model/options/options.h"

/* Counts who comes, and hangs up. */
struct listener {
    int socket;
    int port;
    atomic_int guests;
    atomic_bool ending;
    pthread_t thread;
};

static void *listen_on(void *context)
{
    struct listener *listener = context;
    while (!atomic_load(&listener->ending)) {
        struct pollfd ready = {.fd = listener->socket, .events = POLLIN};
        if (poll(&ready, 1, 10) > 0) {
            int guest = accept(listener->socket, NULL, NULL);
            atomic_fetch_add(&listener->guests, 1);
            (void)close(guest);
        }
    }
    return NULL;
}

static int set_up(void **state)
{
    static struct listener listener;
    struct sockaddr_in address = {.sin_family = AF_INET};
    socklen_t size = sizeof address;
    listener = (struct listener){.socket = socket(AF_INET, SOCK_STREAM, 0)};
    (void)inet_pton(AF_INET, "127.0.0.1", &address.sin_addr);
    if (bind(listener.socket, (struct sockaddr *)&address, sizeof address) != 0 ||
        listen(listener.socket, 16) != 0 ||
        getsockname(listener.socket, (struct sockaddr *)&address, &size) != 0) {
        return -1;
    }
    listener.port = ntohs(address.sin_port);
    *state = &listener;
    return pthread_create(&listener.thread, NULL, listen_on, &listener);
}

static int tear_down(void **state)
{
    struct listener *listener = *state;
    atomic_store(&listener->ending, true);
    (void)pthread_join(listener->thread, NULL);
    (void)close(listener->socket);
    return 0;
}

/* How many came to the listener when the host was allowed at `address`; -1: no driver. */
static int guests(struct listener *listener, const char *scheme, const char *host,
                  const char *address)
{
    char url[200];
    char out[33];
    struct err err;
    err_clear(&err);
    (void)snprintf(url, sizeof url, "%s://reader:x@%s:%d/x", scheme, host,
                   listener->port);
    struct options *options = options_new();
    struct datasource_setting setting = {.id = "x", .url = url};
    struct datasource *source = datasource_attach(&setting, options, &err);
    if (!source) {
        options_free(options);
        return -1;
    }
    int before = atomic_load(&listener->guests);
    struct datasource_limits limits = {.deadline_ms = clock_ms() + 1500};
    source->address = address;
    assert_false(datasource_signature(source, &limits, out, &err));
    (void)usleep(30000);
    datasource_close(source);
    options_free(options);
    return err.code == ERR_DATASOURCE_KIND ? -1 : atomic_load(&listener->guests) - before;
}

static void servers_are_reached_where_they_were_allowed(void **state)
{
    static const char *const schemes[] = {"mysql", "mongodb", "clickhouse"};
    for (size_t i = 0; i < sizeof schemes / sizeof schemes[0]; i++) {
        /* The name leads nowhere, the address to us. */
        int pinned = guests(*state, schemes[i], "no.such.host.invalid", "127.0.0.1");
        /* The name leads to us, the address elsewhere: as after a second look-up. */
        int rebound = guests(*state, schemes[i], "localhost", "127.0.0.2");
        if (pinned == 0) {
            fail_msg("%s does not go to the address", schemes[i]);
        }
        if (rebound > 0) {
            fail_msg("%s looks the name up again", schemes[i]);
        }
    }
}

static bool inspect(struct datasource *source, struct arena *arena,
                    const struct datasource_limits *limits,
                    struct datasource_inspection *out, struct err *err)
{
    (void)arena;
    (void)limits;
    (void)err;
    out->version = source->state;
    return true;
}

static void close_nothing(struct datasource *source)
{
    (void)source;
}

static void a_decorator_leaves_nothing_out(void **state)
{
    (void)state;
    static char own[] = "the driver's own state";
    static const struct datasource_driver driver = {.name = "x",
                                                    .engine = "another",
                                                    .local = true,
                                                    .counts_steps = true,
                                                    .close = close_nothing,
                                                    .inspect = inspect};
    struct arena *arena = arena_new();
    struct datasource source = {.arena = arena, .driver = &driver, .state = own};
    (void)decorator_wrap(&source, &(struct datasource_driver){.close = close_nothing});
    source.state = NULL; /* as when the inner one was opened behind the decorator */
    assert_string_equal(source.driver->name, "x");
    assert_string_equal(source.driver->engine, "another");
    assert_true(source.driver->local && source.driver->counts_steps);
    assert_null(source.driver->execute);
    struct datasource_inspection out = {0};
    struct err err;
    assert_true(source.driver->inspect(&source, arena, NULL, &out, &err));
    assert_string_equal(out.version, own);
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(servers_are_reached_where_they_were_allowed,
                                        set_up, tear_down),
        cmocka_unit_test(a_decorator_leaves_nothing_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
