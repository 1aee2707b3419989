/*
 * Subscriptions: who wants to hear of changes, and what was seen last. A client of 2025
 * subscribes to resources one by one and hears on a stream of its own; one of 2026-07-28 opens
 * a call that lasts (subscriptions/listen). Now and then a worker reads what is subscribed to
 * as its subscriber may see it, and tells who hears it of a difference.
 */
#ifndef DGM_MCP_WATCH_H
#define DGM_MCP_WATCH_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

struct mcp;
struct mcp_client;
struct mcp_watch;

/* Of one struct mcp. */
struct mcp_watches {
    pthread_mutex_t lock;    /* guards the rest, and all that is watched */
    struct mcp_watch *first; /* those who hear */
    int64_t due_ms;          /* of the next look */
    uint64_t round;
    bool looking;
    bool over; /* nobody may begin to listen */
};

/* What a client of 2025 has subscribed to; freed with the client. */
void mcp_watch_free(struct mcp_watch *watch);
/* Its stream ends: nobody hears for this client any more. */
void mcp_watch_close(struct mcp_client *client);

#endif
