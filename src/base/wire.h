/*
 * Plain HTTP/1.1 to a numeric address or localhost without libcurl, which is how local
 * models are reached, often by thousands of parallel calls. libcurl needs 12 KB and 22 µs
 * per request, this less than 1 KB and a third of the time. Host names, TLS, proxies and
 * everything unusual are left to libcurl. Only on the loop's thread.
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
    char *scratch;     /* WIRE_SCRATCH bytes that belong to the pool */
    struct wire *idle; /* idle connections, newest first */
    size_t address_count;
    size_t address; /* index of the address that worked last */
    struct sockaddr_storage addresses[2];
};

enum { WIRE_SCRATCH = 64 * 1024 };

/* Can this URL be requested without libcurl? */
bool wire_can(const char *url);
/* Formats the request line and the headers. */
void wire_head(const struct fetch_request *request, struct buf *out);

bool wire_site_init(struct wire_site *site, struct loop *loop, char *scratch,
                    const char *url);
void wire_site_release(struct wire_site *site); /* closes the idle connections */
void wire_site_trim(struct wire_site *site,
                    /* closes those that have been idle since then */
                    int64_t idle_since_ms);

/* Sends the ticket's request; fetch_finish follows. */
void wire_start(struct wire_site *site, struct fetch_ticket *ticket);
/* Detaches the ticket from its connection, which is kept if the response was complete. */
void wire_detach(struct fetch_ticket *ticket);
int wire_status(const struct wire *wire); /* 0 before the status line */
int64_t wire_retry_after_ms(const struct wire *wire);
/* When connecting began; 0 when connected. */
int64_t wire_connecting_since_ms(const struct wire *wire);

#endif
