/*
 * MCP, the Model Context Protocol, without a transport: JSON-RPC messages go in, messages
 * come out through an outlet. Both eras of the protocol are served: the revisions of 2025
 * (initialize, then requests of that client) and 2026-07-28 (every request by itself).
 *
 * Everything here may be called from any thread. Messages of one client may run at the same
 * time: questions interleave, and a cancel reaches one that runs.
 */
#ifndef DGM_MCP_MCP_H
#define DGM_MCP_MCP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dragoman_server.h"

struct mcp;
struct mcp_client;
struct workers;

struct mcp_settings {
    struct dgm *dgm;
    const char *datasource;  /* for calls that name none; NULL: found from the question */
    struct workers *workers; /* run what may block; NULL: the caller's thread does */
    struct workers *later; /* run what a thread of the library must not; NULL: it does */
    int64_t watch_ms;      /* between two looks for changes of what is subscribed to */
};

/* What the server says, one JSON text without line breaks. */
enum mcp_frame_kind {
    MCP_NOTICE,  /* a notification, or a request to the client; more follows */
    MCP_REPLY,   /* the response: the last frame */
    MCP_NOTHING, /* there is no response: the last frame */
};

struct mcp_frame {
    enum mcp_frame_kind kind;
    const char *text; /* `size` bytes; valid during the call */
    size_t size;
    unsigned http_status; /* for HTTP, of the last frame */
    bool greets;          /* the reply to initialize: a conversation of 2025 begins */
};

/* Where the frames of one message go: any number of notices, then exactly one reply or
 * nothing. Called from any thread, one at a time for each message. It must not block for
 * long and must not call back. */
struct mcp_outlet {
    void (*send)(void *context, const struct mcp_frame *frame);
    void *context;
};

/* What HTTP says about a message beside its body; on other transports NULL. */
struct mcp_headers {
    const char *version; /* MCP-Protocol-Version; NULL: absent, here and below */
    const char *method;  /* Mcp-Method */
    const char *name;    /* Mcp-Name */
};

enum {
    MCP_MESSAGE_MOST = 1 << 20,  /* bytes of a message from a client */
    MCP_RESULT_MOST = 24 * 1024, /* bytes of the data in a tool's result */
    MCP_SESSION_SIZE = 160       /* of the id of a conversation, with its NUL */
};

/* Two references: the caller's, given back with mcp_free, and one of each client. */
struct mcp *mcp_new(const struct mcp_settings *settings);
void mcp_free(struct mcp *mcp);

/* One conversation. Its requests are those of this caller; NULL: the local user. */
struct mcp_client *mcp_client_new(struct mcp *mcp, const struct dgm_access *access);
void mcp_client_ref(struct mcp_client *client);
/* The id of a conversation with a client that has just greeted: every process with the same
 * store knows from it what the client is able to do. May block. */
void mcp_session_write(struct mcp_client *client, char out[MCP_SESSION_SIZE]);
/* A client for such an id, if this caller began it and it is not too old; else NULL. */
struct mcp_client *mcp_session_adopt(struct mcp *mcp, const struct dgm_access *access,
                                     const char *id);
/* What runs goes on. */
void mcp_client_unref(struct mcp_client *client);
/* Gives the reference back and cancels what runs, in the model and in the
 * database. Messages end with MCP_NOTHING before this returns. */
void mcp_client_close(struct mcp_client *client);
/* The client will say no more: calls that wait for its answer end with their options. */
void mcp_client_no_more(struct mcp_client *client);
/* The number of calls at work or waiting. */
size_t mcp_client_calls(struct mcp_client *client);
/* Is one of them at work, and not just waiting for the user? */
bool mcp_client_works(struct mcp_client *client);
/* Can it come again for a stream that it lost, and knows what an empty event with an id means
 * (2025-11-25)? */
bool mcp_client_resumes(struct mcp_client *client);
/* Does somebody hear what it has subscribed to, or did? For one of 2026: it did subscribe. */
bool mcp_client_hears(struct mcp_client *client);
/* Whose client is it? */
const struct dgm_access *mcp_client_access(const struct mcp_client *client);

/* A client of 2025 hears what belongs to none of its requests: changes of resources. They go
 * to this outlet until MCP_NOTHING, which an earlier one gets now. access: whose request opened
 * it, valid until then; nothing is said once it does not hold any more. */
void mcp_client_listen(struct mcp_client *client, const struct dgm_access *access,
                       const struct mcp_outlet *outlet);
/* The outlet with this context is gone; it gets MCP_NOTHING, unless it had. */
void mcp_client_deafen(struct mcp_client *client, const void *context);
/* Looks for such changes if it is time to; returns at once. To be called now and then. */
void mcp_tick(struct mcp *mcp, int64_t now_ms);
/* Nobody hears of changes any more: calls that listen end, and no new ones begin. */
void mcp_hush(struct mcp *mcp);

/* A message that was read, not yet handled. */
struct mcp_message;

/* Is it a revision of 2025, or an earlier one? */
bool mcp_version_is_old(const char *version);

/* To whom a message belongs, for transports with many clients. */
enum mcp_way {
    MCP_WAY_ALONE,        /* to itself: of 2026-07-28, or no proper message at all */
    MCP_WAY_GREETING,     /* initialize: to a new client */
    MCP_WAY_CONVERSATION, /* to the client that has greeted */
};

/* text NULL: it was longer than MCP_MESSAGE_MOST. */
struct mcp_message *mcp_read(const char *text, size_t size);
void mcp_drop(struct mcp_message *message); /* frees it unhandled */
enum mcp_way mcp_way(const struct mcp_message *message,
                     const struct mcp_headers *headers);
/* Handles the message and frees it. Notifications and everything quick are handled before
 * it returns; the rest goes to the workers, if there are some. */
void mcp_handle(struct mcp_client *client, const struct mcp_headers *headers,
                struct mcp_message *message, const struct mcp_outlet *outlet);

#endif
