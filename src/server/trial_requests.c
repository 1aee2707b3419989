/* Requests that two programs could read differently: each must be refused. */
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "dragoman_lab.h"
#include "server/framing/framing.h"
#include "server/trial.h"

enum { REPORT_MOST = 1 << 16 };

struct request {
    const char *what;
    const char *bytes;
    size_t size;
};

#define REQUEST(what, bytes)                                                             \
    {                                                                                    \
        (what), (bytes), sizeof(bytes) - 1                                               \
    }
#define GET    "GET /healthz HTTP/1.1\r\n"
#define HOST   "Host: localhost\r\n"
#define POST   "POST /api/v1/ask HTTP/1.1\r\n" HOST
#define SECOND "GET /api/v1/datasources HTTP/1.1\r\n" HOST "\r\n"

static const struct request requests[] = {
    REQUEST("two lengths",
            POST "Content-Length: 2\r\nContent-Length: 0\r\n\r\n{}" SECOND),
    REQUEST("a length twice", POST "Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}"),
    REQUEST("two lengths in one header", POST "Content-Length: 2, 2\r\n\r\n{}"),
    REQUEST("a length with a sign", POST "Content-Length: +2\r\n\r\n{}"),
    REQUEST("a length in hexadecimal", POST "Content-Length: 0x2\r\n\r\n{}"),
    REQUEST("a length over 64 bits",
            POST "Content-Length: 18446744073709551618\r\n\r\n{}"),
    REQUEST("a length and chunks", POST
            "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" SECOND),
    REQUEST("chunks and a length", POST
            "Transfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n0\r\n\r\n" SECOND),
    REQUEST("chunks twice", POST "Transfer-Encoding: chunked\r\nTransfer-Encoding: "
                                 "chunked\r\n\r\n0\r\n\r\n"),
    REQUEST("chunks and another encoding",
            POST "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n"),
    REQUEST("a blank behind chunked",
            POST "Transfer-Encoding: chunked \r\n\r\n0\r\n\r\n"),
    REQUEST("a chunk with a sign",
            POST "Transfer-Encoding: chunked\r\n\r\n-1\r\n\r\n0\r\n\r\n"),
    REQUEST("two hosts", GET HOST "Host: evil.example\r\n\r\n"),
    REQUEST("no host", GET "Accept: */*\r\n\r\n"),
    REQUEST("a blank before a colon", GET "Host : localhost\r\n\r\n"),
    REQUEST("a header over two lines", GET HOST "X: a\r\n b\r\n\r\n"),
    REQUEST("lines without CR", "GET /healthz HTTP/1.1\nHost: localhost\n\n"),
    REQUEST("CR without LF", GET HOST "X: a\rY: b\r\n\r\n"),
    REQUEST("a NUL in a header", GET HOST "X: a\0b\r\n\r\n"),
    REQUEST("a NUL in the address", "GET /healthz\0x HTTP/1.1\r\n" HOST "\r\n"),
    REQUEST("an escaped slash in a path", "GET /api%2fv1 HTTP/1.1\r\n" HOST "\r\n"),
    REQUEST("an address of another host",
            "GET http://localhost%2e/healthz HTTP/1.1\r\n" HOST "\r\n"),
    REQUEST("two keys",
            GET HOST "Authorization: Bearer a\r\nAuthorization: Bearer b\r\n\r\n"),
    REQUEST("no version", "GET /healthz\r\n" HOST "\r\n"),
};

/* Feeds the request in pieces of this size. */
static bool refused(const struct request *request, size_t piece)
{
    struct framing framing = {0};
    for (size_t at = 0; at < request->size && !framing.fault; at += piece) {
        size_t left = request->size - at;
        (void)framing_read(&framing, request->bytes + at, left < piece ? left : piece);
    }
    return framing.fault != NULL;
}

int trial_requests(void (*report)(void *context, const struct dgm_trial *trial),
                   void *context)
{
    struct dgm_trial trial = {.dialect = "http", .class_name = "request"};
    struct buf lines;
    buf_init(&lines, REPORT_MOST);
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++) {
        const struct request *request = &requests[i];
        bool held = refused(request, request->size) && refused(request, 1);
        trial.statements++;
        trial.by_guard += held;
        trial.breaches += !held;
        if (!held) {
            (void)buf_format(&lines, "http: %s was accepted\n", request->what);
        }
    }
    trial.report = buf_get(&lines);
    report(context, &trial);
    buf_release(&lines);
    return trial.breaches;
}
