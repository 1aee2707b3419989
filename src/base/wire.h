/*
 * Plain HTTP/1.1 to a server at a numeric address or localhost, without libcurl: that is
 * where models run on one's own machines, and where thousands of calls wait. libcurl
 * needs 12 KB and 22 us per request, this less than 1 KB and a third of the time. Names,
 * TLS, proxies and anything unusual stay with libcurl. Loop thread only.
 */
#ifndef DGM_BASE_WIRE_H
#define DGM_BASE_WIRE_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

struct buf;
struct fetch_request;
struct fetch_ticket;
struct loop;
struct wire;

/* One server. */
struct wire_site {
    struct loop *loop;
    char *scratch;     /* the pool's, WIRE_SCRATCH bytes */
    struct wire *idle; /* open connections without a request, newest first */
    size_t address_count;
    size_t address; /* the one that worked last */
    struct sockaddr_storage addresses[2];
};

enum { WIRE_SCRATCH = 64 * 1024 };

/* May this URL go this way? */
bool wire_can(const char *url);
/* Request line and headers. */
void wire_head(const struct fetch_request *request, struct buf *out);

bool wire_site_init(struct wire_site *site, struct loop *loop, char *scratch,
                    const char *url);
void wire_site_release(struct wire_site *site); /* closes the idle connections */
void wire_site_trim(struct wire_site *site,
                    int64_t idle_since_ms); /* those idle since then */

/* Sends the ticket's request; fetch_finish follows. */
void wire_start(struct wire_site *site, struct fetch_ticket *ticket);
/* Takes the ticket off its connection, which is kept if the response was complete. */
void wire_detach(struct fetch_ticket *ticket);
int wire_status(const struct wire *wire); /* 0 before the status line */
int64_t wire_retry_after_ms(const struct wire *wire);
/* When connecting began; 0 when connected. */
int64_t wire_connecting_since_ms(const struct wire *wire);

#endif
