/*
 * One request of a client while it is handled, and its one reply. A call may end at once, or
 * later from a thread of the library; who comes second says nothing.
 *
 * Ownership: reference counted: one of the client's list until the call has ended, one of
 * the code that handles it, one of a question's observer. Fields before `lock` do not change
 * once the call is known to the client.
 */
#ifndef DGM_MCP_CALL_H
#define DGM_MCP_CALL_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/id.h"
#include "base/json.h"
#include "mcp/mcp.h"
#include "mcp/message.h"
#include "mcp/watch.h"

struct mcp_asked;
struct mcp_method;
struct mcp_tool;

enum { MCP_SECRET = 32, MCP_MAC_SIZE = 65, MCP_CALLS_MOST = 64 };

struct mcp {
    struct mcp_settings settings;
    atomic_int references;
    pthread_mutex_t secret_lock;      /* guards the next two */
    bool secret_known;                /* it is the store's, or there is none */
    unsigned char secret[MCP_SECRET]; /* protects what a client carries for us */
    struct mcp_watches watches;
};

/* What a client is able to do, as it said with initialize or with the request. */
struct mcp_abilities {
    bool elicits;   /* asks its user with a form */
    bool old_enums; /* choices as enum and enumNames (2025-06-18) */
    bool samples;   /* its model writes texts for servers */
    bool roots;     /* it lists folders of its user */
};

/* The levels of the protocol's log messages, least severe first. */
enum mcp_level {
    MCP_LOG_DEBUG,
    MCP_LOG_INFO,
    MCP_LOG_NOTICE,
    MCP_LOG_WARNING,
    MCP_LOG_ERROR,
    MCP_LOG_CRITICAL,
    MCP_LOG_ALERT,
    MCP_LOG_EMERGENCY,
    MCP_LOG_NONE, /* the client wants no messages */
};

struct mcp_client {
    struct mcp *mcp;
    atomic_int references;
    struct dgm_access access;
    struct mcp_watch *watch; /* 2025: its subscriptions, under their lock; or NULL */
    atomic_bool hears;       /* somebody hears what they say */
    pthread_mutex_t lock;    /* guards the rest */
    const char *version;     /* of 2025, after initialize; else NULL */
    struct mcp_abilities abilities;
    enum mcp_level level; /* of 2025: log messages below it are not sent */
    bool closed;
    bool silent; /* it will say no more */
    struct mcp_call *calls;
    atomic_size_t count;   /* of them; read without the lock, like … */
    atomic_size_t waiting; /* … those that wait for the user */
};

struct mcp_call {
    struct mcp_client *client; /* a reference */
    atomic_int references;
    struct arena *arena; /* used by the thread that handles the call */
    const char *id;      /* as JSON */
    const struct mcp_method *method;
    const struct mcp_tool *tool; /* of tools/call; or NULL */
    const json_t *params;        /* an object, or NULL */
    bool modern;                 /* of 2026-07-28 */
    struct mcp_abilities abilities;
    enum mcp_level level; /* log messages below it are not sent */
    const char *progress; /* the progress token as JSON; or NULL */
    struct mcp_outlet outlet;

    pthread_mutex_t lock; /* guards the rest; the outlet is used under it */
    bool ended;
    bool cancelled;
    char query_id[ID_SIZE];  /* the question that works for it; "" before that */
    int64_t steps;           /* progress so far */
    struct mcp_asked *asked; /* our requests whose responses it waits for */
    char *options;           /* while it waits: the result for who does not choose */
    struct mcp_call *next;   /* in the client's list, under the client's lock */
    struct mcp_call **link;
};

/* A reference to the open call with this id; NULL: there is none. */
struct mcp_call *mcp_client_find(struct mcp_client *client, const char *id);

/* A new call, known to the client; NULL: it may not be, and the reply was sent. Takes over
 * the memory of the message. */
struct mcp_call *mcp_call_new(struct mcp_client *client,
                              const struct mcp_message *message,
                              const struct mcp_outlet *outlet);
void mcp_call_ref(struct mcp_call *call);
void mcp_call_unref(struct mcp_call *call);

/* Sends a notification or a request to the client, unless the call has ended. */
void mcp_call_note(struct mcp_call *call, const char *text, size_t size);
/* Ends the call with its last frame. False: it had ended. */
bool mcp_call_end(struct mcp_call *call, const struct mcp_frame *frame);
/* Ends it without a reply, and stops its question in the model and in the database. */
void mcp_call_cancel(struct mcp_call *call);
/* The question that works for the call from now on: stopped if the call was cancelled. */
void mcp_call_works(struct mcp_call *call, struct dgm_question *question);

/* The account that functions of the library want; NULL: the local user. */
const char *mcp_call_account(const struct mcp_call *call);
const char *mcp_client_account(const struct mcp_client *client);
const struct dgm_access *mcp_call_access(const struct mcp_call *call);
struct dgm *mcp_call_dgm(const struct mcp_call *call);

#endif
