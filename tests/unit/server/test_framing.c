/* Where requests begin and end, however their bytes are cut. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "server/framing/framing.h"

#define HEAD "POST /a HTTP/1.1\r\nHost: h\r\n"

/* At once, and in two parts at every place: the same is good, and the same is wrong. */
static struct framing read_all(const char *bytes, size_t size, size_t *good)
{
    struct framing whole = {0};
    *good = framing_read(&whole, bytes, size);
    for (size_t cut = 0; cut <= size; cut++) {
        struct framing parts = {0};
        size_t first = framing_read(&parts, bytes, cut);
        size_t second = framing_read(&parts, bytes + cut, size - cut);
        assert_int_equal(first + second, *good);
        assert_ptr_equal(parts.fault, whole.fault);
        assert_ptr_equal(parts.ending, whole.ending);
        assert_int_equal(parts.heads, whole.heads);
        assert_int_equal(parts.fault_at, whole.fault_at);
    }
    return whole;
}

static void test_good_requests_are_counted(void **state)
{
    static const char bytes[] =
        "GET /a?b=%20c HTTP/1.1\r\nHost: h\r\n\r\n" HEAD
        "Content-Length: 4\r\n\r\nGET " HEAD
        "Transfer-Encoding: Chunked\r\n\r\n2\r\n\r\n\r\n0a\r\n0123456789\r\n0\r\n\r\n"
        "OPTIONS * HTTP/1.0\r\nHost:\r\n\r\n"
        "GET https://h:1/ HTTP/1.1\r\nhost: h:1\r\nX: \t\xff\r\n\r\n";
    size_t good = 0;
    (void)state;
    struct framing framing = read_all(bytes, sizeof bytes - 1, &good);
    assert_null(framing.fault);
    assert_int_equal(good, sizeof bytes - 1);
    assert_int_equal(framing.heads, 5);
    for (size_t i = 0; i < 5; i++) {
        assert_null(framing_fault(&framing, i));
    }
    assert_non_null(framing_fault(&framing, 5)); /* the library must not see a sixth */
}

/* A request is good up to '|'; what the library gets instead of the rest; which it is. */
static const struct {
    const char *bytes;
    const char *ending;
    size_t fault_at;
} faults[] = {
    {"|\r\nGET", "GET / HTTP/1.1\r\n\r\n", 0},
    {"GE|\t/", " / HTTP/1.1\r\n\r\n", 0},
    {"GET | /", "/ HTTP/1.1\r\n\r\n", 0},
    {"GET /%0|0", " HTTP/1.1\r\n\r\n", 0},
    {"GET / HTT|Q", "P/1.1\r\n\r\n", 0},
    {"GET / HTTP/1.1|\n", "\r\n\r\n", 0},
    {HEAD "A|\t: b", ": 0\r\n\r\n", 0},
    {HEAD "A: b|\nC", "\r\n\r\n", 0},
    {HEAD "Host|: h", ": 0\r\n\r\n", 0},
    {HEAD "Content-Length: 1|,1\r\n", "0\r\n\r\n", 0},
    {HEAD "Content-Length: 999999999999999|9\r\n", "0\r\n\r\n", 0},
    {HEAD "Transfer-Encoding: chunked|,\r\n", "\r\n\r\n", 0},
    {HEAD "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r|\n", "\n", 0},
    {"GET / HTTP/1.1\r\n\r|\n", "\n", 0},
    {HEAD "\r\n|\n", "GET / HTTP/1.1\r\n\r\n", 1},
    {HEAD "Transfer-Encoding: chunked\r\n\r\n|;", "!\r\n", 0},
    {HEAD "Transfer-Encoding: chunked\r\n\r\n1|;", "!\r\n", 0},
    {HEAD "Transfer-Encoding: chunked\r\n\r\n1\r\na|b", "!\r\n", 0},
    {HEAD "Transfer-Encoding: chunked\r\n\r\n0\r\n|a: b", "\r\n", 0},
};

static void test_faults_are_found_where_they_are(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        char bytes[256];
        const char *bar = strchr(faults[i].bytes, '|');
        assert_non_null(bar);
        size_t before = (size_t)(bar - faults[i].bytes);
        memcpy(bytes, faults[i].bytes, before);
        memcpy(bytes + before, bar + 1, strlen(bar)); /* its end, too */
        size_t good = 0;
        struct framing framing = read_all(bytes, strlen(bytes), &good);
        assert_non_null(framing.fault);
        assert_int_equal(good, before);
        assert_string_equal(framing.ending, faults[i].ending);
        assert_int_equal(framing.fault_at, faults[i].fault_at);
        assert_ptr_equal(framing_fault(&framing, faults[i].fault_at), framing.fault);
        if (faults[i].fault_at > 0) { /* those before it are as good as they were */
            assert_null(framing_fault(&framing, faults[i].fault_at - 1));
        }
        assert_int_equal(framing_read(&framing, "GET", 3), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_good_requests_are_counted),
        cmocka_unit_test(test_faults_are_found_where_they_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
