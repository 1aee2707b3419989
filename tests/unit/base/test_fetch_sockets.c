/* libcurl's sockets: nothing is done with the number of one that libcurl has closed, and
 * no program that is started gets one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/syscall.h>

#include "../support/fetch_scene.h"

static atomic_int watched;   /* sockets that the kernel was asked to watch */
static atomic_int strange;   /* calls for a number that is closed or somebody else's */
static atomic_int outward;   /* watched sockets to other processes … */
static atomic_int handed_on; /* … and those that a program started by us would get */

static void look_at(int fd)
{
    struct sockaddr_storage address;
    socklen_t size = sizeof address;
    if (getsockname(fd, (struct sockaddr *)&address, &size) == 0 &&
        address.ss_family == AF_INET) {
        (void)atomic_fetch_add(&outward, 1);
        (void)atomic_fetch_add(&handed_on, (fcntl(fd, F_GETFD) & FD_CLOEXEC) == 0);
    }
}

/* In place of the C library's: the same, and it keeps count. Adding a socket that is
 * there already fails with EEXIST, which is no fault. */
int epoll_ctl(int epoll, int operation, int fd, struct epoll_event *event)
{
    int result = (int)syscall(SYS_epoll_ctl, epoll, operation, fd, event);
    int error = errno;
    if (result == 0 && operation == EPOLL_CTL_ADD) {
        look_at(fd);
        (void)atomic_fetch_add(&watched, 1);
    } else if (result != 0 && (error == EBADF || error == ENOENT)) {
        (void)atomic_fetch_add(&strange, 1);
    }
    errno = error;
    return result;
}

/* A listener whose queue is full: who connects to it waits. */
struct full_listener {
    int listener;
    int port;
    int callers[2];
};

static void full_listener_init(struct full_listener *full)
{
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    full->listener = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(bind(full->listener, (struct sockaddr *)&address, size), 0);
    assert_int_equal(listen(full->listener, 0), 0);
    assert_int_equal(getsockname(full->listener, (struct sockaddr *)&address, &size), 0);
    full->port = ntohs(address.sin_port);
    for (size_t i = 0; i < 2; i++) {
        full->callers[i] = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
        (void)connect(full->callers[i], (struct sockaddr *)&address, size);
    }
}

static void full_listener_close(struct full_listener *full)
{
    (void)close(full->callers[0]);
    (void)close(full->callers[1]);
    (void)close(full->listener);
}

/* libcurl closes the socket of an unfinished connection first and says so afterwards.
 * Another thread may have got the number in between. */
static void test_cancelled_while_connecting(void **state)
{
    (void)state;
    struct err err;
    struct full_listener full;
    full_listener_init(&full);
    char url[128];
    (void)snprintf(url, sizeof url, "http://127.0.0.1:%d/", full.port);
    struct fetch *one =
        fetch_new(&(struct fetch_settings){.loops = 1, .libcurl_only = true}, &err);
    for (int round = 0; round < 5; round++) {
        struct catch catch;
        catch_init(&catch);
        struct fetch_request request = request_to(url, &catch);
        int before = atomic_load(&watched);
        struct fetch_ticket *ticket = fetch_start(one, &request);
        while (atomic_load(&watched) == before) {
            (void)usleep(1000);
        }
        fetch_cancel(ticket);
        fetch_forget(ticket);
        await_done(&catch);
        assert_true(catch.result.cancelled);
    }
    fetch_free(one);
    full_listener_close(&full);
    assert_int_equal(atomic_load(&strange), 0);
}

/* Finished, hung up on and kept connections: the same. */
static void test_many_ends(void **state)
{
    (void)state;
    static const char *const paths[] = {"/echo", "/once", "/half", "/nothing", "/old"};
    for (int round = 0; round < 50; round++) {
        struct catch catch;
        run(paths[round % 5], NULL, &catch);
        buf_release(&catch.data);
    }
    assert_int_equal(atomic_load(&strange), 0);
}

static void test_nobody_inherits_them(void **state)
{
    struct catch catch;
    (void)state;
    run("/echo", NULL, &catch);
    buf_release(&catch.data);
    assert_true(atomic_load(&outward) > 0);
    assert_int_equal(atomic_load(&handed_on), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cancelled_while_connecting),
        cmocka_unit_test(test_many_ends),
        cmocka_unit_test(test_nobody_inherits_them),
    };
    libcurl_only = true;
    return cmocka_run_group_tests_name("libcurl's sockets", tests, set_up, tear_down);
}
