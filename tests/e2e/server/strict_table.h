/* Requests as bytes, and the statuses of all replies up to the end of the connection. A
 * proper request follows each: its 200 comes last where the connection goes on. */
#ifndef DGM_E2E_STRICT_TABLE_H
#define DGM_E2E_STRICT_TABLE_H

#include <stddef.h>

struct row {
    const char *what;
    const char *bytes; /* may hold NULs */
    size_t size;
    const char *statuses;
};

#define ROW(what, statuses, bytes)                                                       \
    {                                                                                    \
        (what), (bytes), sizeof(bytes) - 1, (statuses)                                   \
    }
#define REFUSED(what, bytes) ROW(what, "400", bytes)

#define GET     "GET /healthz HTTP/1.1\r\n"
#define HOST    "Host: localhost\r\n"
#define END     "\r\n"
#define POST    "POST /api/v1/ask HTTP/1.1\r\nContent-Type: application/json\r\n" HOST
#define CHUNKED POST "Transfer-Encoding: chunked\r\n\r\n"
#define EMPTY                                                                            \
    "{\"query\": \"\"}" /* 13 bytes, a 400 of the route, which closes nothing            \
                         */
#define SMUGGLED "GET /api/v1/datasources HTTP/1.1\r\nHost: localhost\r\n\r\n"

static const struct row rows[] = {
    /* what ordinary clients send */
    ROW("a request", "200 200", GET HOST END),
    ROW("a host with a port", "200 200", GET "Host: localhost:8080\r\n\r\n"),
    ROW("a host in capitals", "200 200", GET "HOST: LOCALHOST:8080\r\n\r\n"),
    ROW("an address", "200 200", GET "Host: 127.0.0.1:1\r\n\r\n"),
    ROW("an address of IPv6", "200 200", GET "Host: [::1]:8080\r\n\r\n"),
    ROW("an address of IPv6 without a port", "200 200", GET "Host: [::1]\r\n\r\n"),
    ROW("no blank behind the colon", "200 200", GET "Host:localhost\r\n\r\n"),
    ROW("blanks around a value", "200 200", GET "Host: \t localhost \t\r\n\r\n"),
    ROW("an empty header", "200 200", GET HOST "X-Empty:\r\n\r\n"),
    ROW("a header in UTF-8", "200 200", GET HOST "X-Name: \xc3\xa4\r\n\r\n"),
    ROW("a header twice", "200 200", GET HOST "Accept: a\r\nAccept: b\r\n\r\n"),
    ROW("a whole URL", "200 200",
        "GET http://localhost:80/healthz HTTP/1.1\r\nHost: localhost:80\r\n\r\n"),
    ROW("a whole URL in capitals", "200 200",
        "GET HTTPS://LOCALHOST/healthz?a HTTP/1.1\r\nHost: localhost\r\n\r\n"),
    ROW("a whole URL without a path", "200 200",
        "GET http://localhost HTTP/1.1\r\nHost: localhost\r\n\r\n"),
    ROW("HTTP/1.0", "200", "GET /healthz HTTP/1.0\r\n" HOST END),
    ROW("a body", "400 200", POST "Content-Length: 13\r\n\r\n" EMPTY),
    ROW("a body that is a request", "400 200",
        POST "Content-Length: 53\r\n\r\n" SMUGGLED),
    ROW("zeros before a length", "400 200", POST "Content-Length: 0013\r\n\r\n" EMPTY),
    ROW("chunks", "400 200", CHUNKED "5\r\n{\"que\r\n008\r\nry\": \"\"}\r\n0\r\n\r\n"),
    ROW("chunks in capitals", "400 200",
        POST "TRANSFER-ENCODING: CHUNKED\r\n\r\nD\r\n" EMPTY "\r\n000\r\n\r\n"),
    ROW("no chunk", "400 200", CHUNKED "0\r\n\r\n"),
    ROW("a chunk that is a request", "400 200",
        CHUNKED "35\r\n" SMUGGLED "\r\n0\r\n\r\n"),
    ROW("a body that waits for its turn", "100 400 200",
        POST "Expect: 100-continue\r\nContent-Length: 13\r\n\r\n" EMPTY),
    ROW("a body that is a request, at a path that is none", "404",
        "POST /nowhere HTTP/1.1\r\n" HOST "Content-Length: 53\r\n\r\n" SMUGGLED),
    ROW("a chunk that is a request, at a path that is none", "404",
        "POST /nowhere HTTP/1.1\r\n" HOST
        "Transfer-Encoding: chunked\r\n\r\n35\r\n" SMUGGLED "\r\n0\r\n\r\n"),
    ROW("OPTIONS of everything", "404", "OPTIONS * HTTP/1.1\r\n" HOST END),
    ROW("an unknown method", "405", "BREW /healthz HTTP/1.1\r\n" HOST END),

    /* names of other servers */
    ROW("a name behind the port", "403", GET "Host: 127.0.0.1:18080.evil.com\r\n\r\n"),
    ROW("a name behind the brackets", "403", GET "Host: [::1]evil.com\r\n\r\n"),
    ROW("a name behind brackets and port", "403", GET "Host: [::1]:1.evil.com\r\n\r\n"),
    ROW("brackets that stay open", "403", GET "Host: [::1\r\n\r\n"),
    ROW("brackets around nothing", "403", GET "Host: []\r\n\r\n"),
    ROW("a user", "403", GET "Host: localhost@evil.com\r\n\r\n"),
    ROW("a user before our name", "403", GET "Host: evil.com@localhost\r\n\r\n"),
    ROW("a user and a password", "403", GET "Host: localhost:80@evil.com\r\n\r\n"),
    ROW("a longer name", "403", GET "Host: localhost.evil.com\r\n\r\n"),
    ROW("a path behind it", "403", GET "Host: localhost/evil\r\n\r\n"),
    ROW("two names", "403", GET "Host: localhost, evil.com\r\n\r\n"),
    ROW("two names and a blank", "403", GET "Host: localhost evil.com\r\n\r\n"),
    ROW("two ports", "403", GET "Host: localhost:1:2\r\n\r\n"),
    ROW("a port of no digits", "403", GET "Host: localhost:\r\n\r\n"),
    ROW("a port with a sign", "403", GET "Host: localhost:+80\r\n\r\n"),
    ROW("a port too large", "403", GET "Host: localhost:65536\r\n\r\n"),
    ROW("a port of many digits", "403", GET "Host: localhost:000080\r\n\r\n"),
    ROW("a list's comma", "403", GET "Host: ,\r\n\r\n"),

    /* the first line */
    REFUSED("a blank in the address", "GET /a b HTTP/1.1\r\n" HOST END),
    REFUSED("two blanks before the address", "GET  /healthz HTTP/1.1\r\n" HOST END),
    REFUSED("two blanks behind the address", "GET /healthz  HTTP/1.1\r\n" HOST END),
    REFUSED("a tab for a blank", "GET\t/healthz HTTP/1.1\r\n" HOST END),
    REFUSED("a blank before the method", " " GET HOST END),
    REFUSED("a line before the first", "\r\n" GET HOST END),
    REFUSED("a blank behind the version", "GET /healthz HTTP/1.1 \r\n" HOST END),
    REFUSED("no version", "GET /healthz\r\n" HOST END),
    REFUSED("HTTP/2", "GET /healthz HTTP/2.0\r\n" HOST END),
    REFUSED("the begin of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
    REFUSED("a version in small letters", "GET /healthz http/1.1\r\n" HOST END),
    REFUSED("a NUL in the address", "GET /healthz\0x HTTP/1.1\r\n" HOST END),
    REFUSED("an escaped NUL in the address", "GET /healthz%00x HTTP/1.1\r\n" HOST END),
    REFUSED("an escaped slash in a path", "GET /api%2fv1%2Fstatus HTTP/1.1\r\n" HOST END),
    ROW("an escaped slash in an argument", "200 200",
        "GET /healthz?a=b%2Fc%2e HTTP/1.1\r\n" HOST END),
    REFUSED("an escaped NUL in an argument", "GET /healthz?a=%00 HTTP/1.1\r\n" HOST END),
    REFUSED("an escape that is none", "GET /healthz?a=%zz HTTP/1.1\r\n" HOST END),
    REFUSED("a part of a page", "GET /healthz#top HTTP/1.1\r\n" HOST END),
    REFUSED("no address", "GET HTTP/1.1\r\n" HOST END),
    REFUSED("a path without a slash", "GET healthz HTTP/1.1\r\n" HOST END),
    REFUSED("a whole URL of another host",
            "GET http://evil.com/healthz HTTP/1.1\r\n" HOST END),
    REFUSED("a whole URL of another port",
            "GET http://localhost:1/healthz HTTP/1.1\r\n" HOST END),
    REFUSED("a whole URL that begins alike",
            "GET http://localhost.evil.com/healthz HTTP/1.1\r\n" HOST END),
    REFUSED("a whole URL with a user",
            "GET http://a@localhost/healthz HTTP/1.1\r\n" HOST END),
    REFUSED("a whole URL with an escape in its host",
            "GET http://localhos%74/healthz HTTP/1.1\r\n" HOST END),
    REFUSED("a whole URL with an escape before its host",
            "GET http:%2f/localhost/healthz HTTP/1.1\r\n" HOST END),
    REFUSED("a whole URL of another kind",
            "GET httpss://localhost/healthz HTTP/1.1\r\n" HOST END),
    REFUSED("a tunnel", "CONNECT localhost:80 HTTP/1.1\r\n" HOST END),

    /* lines and headers */
    REFUSED("bare LF everywhere", "GET /healthz HTTP/1.1\nHost: localhost\n\n"),
    REFUSED("bare LF behind the first line", "GET /healthz HTTP/1.1\n" HOST END),
    REFUSED("bare LF behind a header", GET "Host: localhost\nX: y\r\n\r\n"),
    REFUSED("bare LF behind the last header", GET HOST "X: y\n\r\n"),
    REFUSED("bare LF for the empty line", GET HOST "\n"),
    REFUSED("two bare LF at the end", GET "Host: localhost\n\n"),
    REFUSED("bare CR in a header", GET HOST "X: y\rZ: a\r\n\r\n"),
    REFUSED("bare CR for the empty line", GET HOST "\r\r\n"),
    REFUSED("CR twice", GET "Host: localhost\r\r\n\r\n"),
    REFUSED("a NUL in a header", GET HOST "X: a\0b\r\n\r\n"),
    REFUSED("a NUL behind a header", GET HOST "X: a\0\r\n\r\n"),
    REFUSED("a NUL and LF behind a header", GET HOST "X: a\0\n\r\n"),
    REFUSED("a NUL and LF for the empty line", GET HOST "\0\n"),
    REFUSED("a NUL in a name", GET HOST "X\0Y: a\r\n\r\n"),
    REFUSED("a NUL in Host", GET "Host: localhost\0.evil.com\r\n\r\n"),
    REFUSED("a bell in a header", GET HOST "X: a\ab\r\n\r\n"),
    REFUSED("a DEL in a header", GET HOST "X: a\177b\r\n\r\n"),
    REFUSED("a header over two lines", GET HOST "X: a\r\n b\r\n\r\n"),
    REFUSED("a header over two lines, by a tab", GET HOST "X: a\r\n\tb\r\n\r\n"),
    REFUSED("a first header that goes on", GET " X: a\r\n" HOST END),
    REFUSED("a blank before the colon of Host", GET "Host : localhost\r\n\r\n"),
    REFUSED("a tab before the colon", GET HOST "Content-Length\t: 5\r\n\r\n"),
    REFUSED("a header without a colon", GET HOST "Strange\r\n\r\n"),
    REFUSED("a header without a name", GET HOST ": a\r\n\r\n"),
    REFUSED("a name with a bracket", GET HOST "X(a): a\r\n\r\n"),
    REFUSED("a name in UTF-8", GET HOST "\xc3\xa4: a\r\n\r\n"),
    REFUSED("no Host", GET "Accept: */*\r\n\r\n"),
    REFUSED("no header", GET END),
    REFUSED("no Host in HTTP/1.0", "GET /healthz HTTP/1.0\r\n\r\n"),
    REFUSED("an empty Host", GET "Host:\r\n\r\n"),
    REFUSED("two Host", GET HOST "Host: evil.com\r\n\r\n"),
    REFUSED("the same Host twice", GET HOST HOST END),
    REFUSED("two keys",
            GET HOST "Authorization: Bearer a\r\nauthorization: Bearer b\r\n\r\n"),
    REFUSED("two origins",
            GET HOST "Origin: http://localhost\r\nOrigin: http://evil.com\r\n\r\n"),

    /* where a body ends */
    REFUSED("two lengths",
            POST "Content-Length: 13\r\nContent-Length: 0\r\n\r\n" EMPTY SMUGGLED),
    REFUSED("the same length twice",
            POST "Content-Length: 13\r\ncontent-length: 13\r\n\r\n" EMPTY SMUGGLED),
    REFUSED("two lengths in one", POST "Content-Length: 13, 13\r\n\r\n" EMPTY),
    REFUSED("a length with a sign", POST "Content-Length: +13\r\n\r\n" EMPTY),
    REFUSED("a length below zero", POST "Content-Length: -1\r\n\r\n" EMPTY),
    REFUSED("a length with an x", POST "Content-Length: 0xd\r\n\r\n" EMPTY),
    REFUSED("a length with a dot", POST "Content-Length: 13.0\r\n\r\n" EMPTY),
    REFUSED("a length with a blank inside", POST "Content-Length: 1 3\r\n\r\n" EMPTY),
    REFUSED("no length", POST "Content-Length: \r\n\r\n" EMPTY),
    REFUSED("a length that is too long",
            POST "Content-Length: 18446744073709551629\r\n\r\n" EMPTY),
    REFUSED("a NUL behind a length", POST "Content-Length: 13\0\r\n\r\n" EMPTY),
    REFUSED("a length and chunks", POST
            "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" SMUGGLED),
    REFUSED("chunks and a length", POST
            "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n" SMUGGLED),
    REFUSED("chunks twice",
            POST "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n"
                 "\r\n0\r\n\r\n" SMUGGLED),
    REFUSED("chunks and identity", POST
            "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n"),
    REFUSED("identity", POST "Transfer-Encoding: identity\r\n\r\n" SMUGGLED),
    REFUSED("gzip and chunks", POST "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n"),
    REFUSED("chunks and more", POST "Transfer-Encoding: chunked, x\r\n\r\n0\r\n\r\n"),
    REFUSED("chunked in part", POST "Transfer-Encoding: chunke\r\n\r\n0\r\n\r\n"),
    REFUSED("chunked and a letter", POST "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n"),
    REFUSED("chunked and a blank", POST "Transfer-Encoding: chunked \r\n\r\n0\r\n\r\n"),
    REFUSED("chunked and a NUL", POST "Transfer-Encoding: chunked\0\r\n\r\n0\r\n\r\n"),
    REFUSED("no encoding", POST "Transfer-Encoding:\r\n\r\n0\r\n\r\n"),
    REFUSED("a blank before the colon of the encoding",
            POST "Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n" SMUGGLED),
    REFUSED("chunks in HTTP/1.0", "POST /api/v1/ask HTTP/1.0\r\n" HOST
                                  "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n" SMUGGLED),
    REFUSED("a chunk's size with an x", CHUNKED "0xd\r\n" EMPTY "\r\n0\r\n\r\n"),
    REFUSED("a chunk's size with a sign", CHUNKED "+d\r\n" EMPTY "\r\n0\r\n\r\n"),
    REFUSED("a chunk's size below zero", CHUNKED "-1\r\n" EMPTY "\r\n0\r\n\r\n"),
    REFUSED("a chunk's size and a blank", CHUNKED "d \r\n" EMPTY "\r\n0\r\n\r\n"),
    REFUSED("a blank and a chunk's size", CHUNKED " d\r\n" EMPTY "\r\n0\r\n\r\n"),
    REFUSED("no size of a chunk", CHUNKED "\r\n" EMPTY "\r\n0\r\n\r\n"),
    REFUSED("a chunk's size that is too long",
            CHUNKED "1000000000000000d\r\n" EMPTY "\r\n0\r\n\r\n"),
    REFUSED("a chunk with a note", CHUNKED "d;a=b\r\n" EMPTY "\r\n0\r\n\r\n"),
    REFUSED("a chunk with a note over two lines",
            CHUNKED "d;\n" EMPTY "\r\n0\r\n\r\n" SMUGGLED),
    REFUSED("bare LF behind a chunk's size", CHUNKED "d\n" EMPTY "\r\n0\r\n\r\n"),
    REFUSED("bare LF behind a chunk", CHUNKED "d\r\n" EMPTY "\n0\r\n\r\n"),
    REFUSED("bare CR behind a chunk's size", CHUNKED "d\r" EMPTY "\r\n0\r\n\r\n"),
    REFUSED("bare LF behind the last chunk", CHUNKED "d\r\n" EMPTY "\r\n0\n\r\n"),
    REFUSED("bare LF at the end of the chunks", CHUNKED "d\r\n" EMPTY "\r\n0\r\n\n"),
    REFUSED("a chunk that is longer than it says", CHUNKED "c\r\n" EMPTY "\r\n0\r\n\r\n"),
    REFUSED("a header behind the chunks",
            CHUNKED "d\r\n" EMPTY "\r\n0\r\nHost: evil.com\r\n\r\n"),
};

#endif
