/* Requests that the calling thread waits for: pieces, caps, stops, deadlines, lost lines.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <arpa/inet.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/webclient.h"

/* A server that gives every connection the same answer and then waits or closes. */
struct stub {
    int listener;
    int port;
    const char *answer;
    bool hangs; /* keeps the connection open after the answer */
    int connections;
    pthread_t thread;
};

static void *stub_run(void *context)
{
    struct stub *stub = context;
    int open[16];
    int count = 0;
    for (int peer; count < 16 && (peer = accept(stub->listener, NULL, NULL)) >= 0;) {
        char request[4096];
        stub->connections++;
        while (read(peer, request, sizeof request) > 0) {
            size_t size = strlen(stub->answer);
            if (write(peer, stub->answer, size) != (ssize_t)size || stub->hangs ||
                !strstr(stub->answer, "Content-Length")) {
                break;
            }
        }
        if (stub->hangs) {
            open[count++] = peer;
        } else {
            (void)close(peer);
        }
    }
    while (count > 0) {
        (void)close(open[--count]);
    }
    return NULL;
}

static void stub_start(struct stub *stub, const char *answer, bool hangs)
{
    struct sockaddr_in address = {.sin_family = AF_INET};
    socklen_t size = sizeof address;
    *stub = (struct stub){.answer = answer, .hangs = hangs};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    stub->listener = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(bind(stub->listener, (struct sockaddr *)&address, size), 0);
    assert_int_equal(listen(stub->listener, 8), 0);
    assert_int_equal(getsockname(stub->listener, (struct sockaddr *)&address, &size), 0);
    stub->port = ntohs(address.sin_port);
    assert_int_equal(pthread_create(&stub->thread, NULL, stub_run, stub), 0);
}

static void stub_stop(struct stub *stub)
{
    (void)shutdown(stub->listener, SHUT_RDWR);
    assert_int_equal(pthread_join(stub->thread, NULL), 0);
    (void)close(stub->listener);
}

static struct webclient *client_new(void)
{
    struct err err;
    struct webclient *client = webclient_new(NULL, &err);
    assert_non_null(client);
    return client;
}

static struct webclient_request request_to(const struct stub *stub, char url[64])
{
    (void)snprintf(url, 64, "http://127.0.0.1:%d/x", stub->port);
    return (struct webclient_request){
        .method = "GET", .url = url, .deadline_ms = clock_ms() + 20000};
}

#define GOOD    "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"
#define BAD     "HTTP/1.1 500 No\r\nContent-Length: 4\r\n\r\noops"
#define ENDLESS "HTTP/1.1 200 OK\r\n\r\nfirst"

static bool take_piece(void *context, const char *data, size_t size)
{
    return buf_add(context, data, size);
}

static bool take_none(void *context, const char *data, size_t size)
{
    (void)context;
    (void)data;
    (void)size;
    return false;
}

static void answers_are_collected_or_streamed(void **state)
{
    (void)state;
    struct stub stub;
    struct webclient *client = client_new();
    struct webclient_reply reply;
    struct err err;
    char url[64];
    struct buf got;
    stub_start(&stub, GOOD, false);
    struct webclient_request request = request_to(&stub, url);
    assert_true(webclient_call(client, &request, &reply, &err));
    assert_int_equal(reply.status, 200);
    assert_string_equal(buf_get(&reply.body), "hello");
    webclient_reply_release(&reply);
    buf_init(&got, 100);
    request.on_data = take_piece;
    request.context = &got;
    assert_true(webclient_call(client, &request, &reply, &err));
    assert_string_equal(buf_get(&got), "hello");
    assert_false(reply.enough);
    webclient_reply_release(&reply);
    request.on_data = take_none;
    assert_true(webclient_call(client, &request, &reply, &err));
    assert_true(reply.enough);
    webclient_reply_release(&reply);
    buf_release(&got);
    webclient_free(client);
    stub_stop(&stub);
    assert_true(stub.connections <= 2); /* the first was used again */
}

static void bad_answers_keep_their_text(void **state)
{
    (void)state;
    struct stub stub;
    struct webclient *client = client_new();
    struct webclient_reply reply;
    struct err err;
    char url[64];
    stub_start(&stub, BAD, false);
    struct webclient_request request = request_to(&stub, url);
    request.on_data = take_none; /* not for errors */
    assert_true(webclient_call(client, &request, &reply, &err));
    assert_int_equal(reply.status, 500);
    assert_string_equal(buf_get(&reply.body), "oops");
    webclient_reply_release(&reply);
    webclient_free(client);
    stub_stop(&stub);
}

static void large_answers_are_refused(void **state)
{
    (void)state;
    struct stub stub;
    struct webclient *client = client_new();
    struct webclient_reply reply;
    struct err err;
    char url[64];
    stub_start(&stub, GOOD, false);
    struct webclient_request request = request_to(&stub, url);
    request.max_bytes = 3;
    assert_false(webclient_call(client, &request, &reply, &err));
    assert_int_equal(err.code, ERR_RESULT_TOO_LARGE);
    webclient_reply_release(&reply);
    webclient_free(client);
    stub_stop(&stub);
}

static void *fire_soon(void *context)
{
    (void)usleep(50000);
    cancel_fire(context);
    return NULL;
}

/* The answer has begun and does not end. */
static void waiting_ends_by_deadline_and_by_stop(void **state)
{
    (void)state;
    struct stub stub;
    struct webclient *client = client_new();
    struct webclient_reply reply;
    struct cancel cancel;
    struct err err;
    char url[64];
    pthread_t thread;
    stub_start(&stub, ENDLESS, true);
    struct webclient_request request = request_to(&stub, url);
    request.deadline_ms = clock_ms() + 100;
    assert_false(webclient_call(client, &request, &reply, &err));
    assert_int_equal(err.code, ERR_TIMEOUT);
    assert_int_equal(reply.status, 200);
    webclient_reply_release(&reply);
    cancel_init(&cancel);
    request.deadline_ms = clock_ms() + 60000;
    request.cancel = &cancel;
    assert_int_equal(pthread_create(&thread, NULL, fire_soon, &cancel), 0);
    assert_false(webclient_call(client, &request, &reply, &err));
    assert_int_equal(err.code, ERR_STOPPED);
    assert_int_equal(pthread_join(thread, NULL), 0);
    webclient_reply_release(&reply);
    cancel_release(&cancel);
    webclient_free(client);
    stub_stop(&stub);
}

static void lost_lines_and_wrong_addresses_are_said(void **state)
{
    (void)state;
    struct stub stub;
    struct webclient *client = client_new();
    struct webclient_reply reply;
    struct err err;
    char url[64];
    stub_start(&stub, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhal",
               false);
    struct webclient_request request = request_to(&stub, url);
    assert_false(webclient_call(client, &request, &reply, &err));
    assert_int_equal(err.code, ERR_NETWORK);
    assert_int_equal(reply.status, 200);
    webclient_reply_release(&reply);
    stub_stop(&stub);
    assert_false(webclient_call(client, &request, &reply, &err)); /* nobody is there */
    assert_int_equal(err.code, ERR_NETWORK);
    assert_int_equal(reply.status, 0);
    webclient_reply_release(&reply);
    static const char *const urls[] = {"file:///etc/passwd", "ftp://127.0.0.1/x", "::"};
    for (size_t i = 0; i < 3; i++) {
        request.url = urls[i];
        assert_false(webclient_call(client, &request, &reply, &err));
        assert_int_equal(err.code, ERR_NETWORK);
        webclient_reply_release(&reply);
    }
    webclient_free(client);
    assert_null(webclient_new("/nowhere/root.crt", &err));
    assert_int_equal(err.code, ERR_CONFIG);
}

/* Connections that are kept are not handed to programs that are started meanwhile. */
static void nobody_inherits_connections(void **state)
{
    (void)state;
    struct stub stub;
    struct webclient *client = client_new();
    struct webclient_reply reply;
    struct err err;
    char url[64];
    int found = 0;
    stub_start(&stub, GOOD, false);
    struct webclient_request request = request_to(&stub, url);
    assert_true(webclient_call(client, &request, &reply, &err));
    webclient_reply_release(&reply);
    for (int fd = 3; fd < 256; fd++) {
        struct sockaddr_in peer = {0};
        socklen_t size = sizeof peer;
        if (getpeername(fd, (struct sockaddr *)&peer, &size) == 0 &&
            peer.sin_family == AF_INET && ntohs(peer.sin_port) == stub.port) {
            found++;
            assert_true(fcntl(fd, F_GETFD) & FD_CLOEXEC);
        }
    }
    assert_int_equal(found, 1);
    webclient_free(client);
    stub_stop(&stub);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_are_collected_or_streamed),
        cmocka_unit_test(bad_answers_keep_their_text),
        cmocka_unit_test(large_answers_are_refused),
        cmocka_unit_test(waiting_ends_by_deadline_and_by_stop),
        cmocka_unit_test(lost_lines_and_wrong_addresses_are_said),
        cmocka_unit_test(nobody_inherits_connections),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
