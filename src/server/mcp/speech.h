/*
 * What is said about one message of an MCP client: a JSON reply; or, if something precedes
 * the reply (progress, a question to the user), a stream of server-sent events.
 *
 * Ownership: reference counted: one of the outlet until the last frame, one of the stream,
 * one of the job that cancels for a client that went away.
 */
#ifndef DGM_SERVER_MCP_SPEECH_H
#define DGM_SERVER_MCP_SPEECH_H

#include <stdbool.h>

#include "mcp/mcp.h"

struct exchange;
struct speech;

/* The exchange gets its reply when it is known. alone: the client is this message's own
 * (2026-07-28), so a closed stream cancels it. The outlet refers to the speech. */
struct speech *speech_new(struct exchange *exchange, struct mcp_client *client,
                          bool alone, struct mcp_outlet *outlet);

/* The list of all, under its owner's lock. */
void speech_link(struct speech *speech, struct speech **first);
void speech_unlink(struct speech *speech);
void speech_beat(struct speech *first);

#endif
