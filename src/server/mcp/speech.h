/*
 * What is said about one message of an MCP client: a JSON reply; or, if something precedes
 * the reply (progress, a question to the user), a stream of server-sent events.
 *
 * A stream of a conversation of 2025 outlives its connection: its events have ids, and a
 * client that comes again with the last one (Last-Event-ID) gets those after it.
 *
 * Ownership: reference counted: one of the outlet until the last frame, then, where there
 * was a stream of a conversation, of those that are kept (assistants.h); one of each
 * connection, one of the job that cancels for a client that went away.
 */
#ifndef DGM_SERVER_MCP_SPEECH_H
#define DGM_SERVER_MCP_SPEECH_H

#include <stdbool.h>

#include "mcp/mcp.h"

struct exchange;
struct recheck;
struct speech;

enum speech_kind {
    SPEECH_ALONE, /* the client is this message's own (2026-07-28): a closed stream cancels */
    SPEECH_CALL,    /* a message of a conversation of 2025 */
    SPEECH_CHANGES, /* no message: what a conversation hears of changes; begins at once */
};

/* The exchange gets its reply when it is known. The outlet refers to the speech. */
struct speech *speech_new(struct exchange *exchange, struct mcp_client *client,
                          enum speech_kind kind, struct mcp_outlet *outlet);
/* A stream of what the client hears of changes. */
void speech_changes(struct exchange *exchange, struct mcp_client *client);
void speech_unref(struct speech *speech);
/* Another connection reads the stream, from after this event. False: it has none. */
bool speech_goes_on(struct speech *speech, struct exchange *exchange, int64_t event);

/* The list of all, under its owner's lock. */
void speech_link(struct speech *speech, struct speech **first);
void speech_unlink(struct speech *speech);
void speech_beat(struct speech *first);
void speech_note(struct speech *first, struct recheck *recheck);
/* A reference to one that its caller may not have any more, each once; NULL: there is none. */
struct speech *speech_take_lost(struct speech *first, const struct recheck *recheck);
/* Ends it, and what runs for it. Without that lock: this cancels, which may block. */
void speech_cut(struct speech *speech);
/* A reference to the one of this client with this id; NULL: there is none. */
struct speech *speech_find(struct speech *first, const struct mcp_client *client,
                           const char *id, size_t size);

#endif
