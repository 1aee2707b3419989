/* Somebody between dragoman and a server, who can see and spoil how they agree on
 * encryption. */
#ifndef DGM_TESTS_CONFORMANCE_LINE_PROXY_H
#define DGM_TESTS_CONFORMANCE_LINE_PROXY_H

#include <stdatomic.h>
#include <stdbool.h>

#include "conformance.h"

enum line_mode {
    LINE_PASS,   /* everything as it is */
    LINE_BREAK,  /* resets the line when the client begins the handshake */
    LINE_STRIP,  /* says in the server's name that it has no TLS */
    LINE_SLOW,   /* holds the server's part of the handshake back for a while */
    LINE_SILENT, /* and for ever */
};

struct line_proxy;

/* An address of this machine that others can reach, too; false: it has none. */
enum { LINE_HOST_SIZE = 64 };
bool line_proxy_outer(char out[LINE_HOST_SIZE]);

/* Listens on 127.0.0.1, or on every address of this machine. */
struct line_proxy *line_proxy_new(enum kind_line words, int server_port, bool everywhere);
void line_proxy_free(struct line_proxy *proxy);
int line_proxy_port(const struct line_proxy *proxy);
void line_proxy_set(struct line_proxy *proxy, enum line_mode mode);
/* So far: handshakes that clients began, and logins that they sent in plain text. */
int line_proxy_handshakes(struct line_proxy *proxy);
int line_proxy_plain_logins(struct line_proxy *proxy);

#endif
