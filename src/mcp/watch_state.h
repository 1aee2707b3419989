/* What is known of a listener, and what the files of subscriptions share. */
#ifndef DGM_MCP_WATCH_STATE_H
#define DGM_MCP_WATCH_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/writer.h"
#include "mcp/call.h"
#include "mcp/watch.h"

enum { MCP_WATCHED_MOST = 64 }; /* resources of one listener */

struct mcp_watched {
    char *uri;
    uint64_t hash;
};

struct mcp_watch {
    int references;
    struct mcp_client *client;       /* a reference while listed */
    struct mcp_call *call;           /* 2026: the call that lasts, a reference; or NULL */
    struct mcp_outlet outlet;        /* 2025: where notifications go … */
    bool hears;                      /* … if somebody hears them … */
    const struct dgm_access *access; /* … with this access */
    bool wants_list;
    bool list_known;
    uint64_t list_hash;
    struct mcp_watched items[MCP_WATCHED_MOST];
    size_t count;
    uint64_t round; /* of the last look at it */
    struct mcp_watch *next;
    struct mcp_watch **link; /* NULL: not listed */
};

/* All of these are called with the lock of the watches held. */

void mcp_watch_unref(struct mcp_watch *watch);
/* Of a client of 2025, which wants to hear of the list of resources, too. */
struct mcp_watch *mcp_watch_of(struct mcp_client *client);
void mcp_watch_list(struct mcp_watches *watches, struct mcp_watch *watch);
/* NULL: it was not listed. The caller gives back the reference after the lock. */
struct mcp_client *mcp_watch_unlist(struct mcp_watch *watch);
struct mcp_watched *mcp_watch_find(struct mcp_watch *watch, const char *uri);
/* False: too many, or the address is too long. */
bool mcp_watch_add(struct mcp_watch *watch, const char *uri, uint64_t hash);
void mcp_watch_drop(struct mcp_watch *watch, const char *uri);

/* A notification: begun, its params written, and sent. */
void mcp_watch_note(struct writer *json, struct buf *buf, const struct mcp_watch *watch,
                    const char *method);
void mcp_watch_send(struct writer *json, struct buf *buf, struct mcp_watch *watch);

#endif
