/*
 * The conversations of MCP clients of 2025. An id is no key: it finds a conversation only for
 * the key that began it. Clients of 2026-07-28 have none.
 */
#ifndef DGM_SERVER_MCP_ASSISTANTS_H
#define DGM_SERVER_MCP_ASSISTANTS_H

#include <stdbool.h>
#include <stdint.h>

#include "mcp/mcp.h"

struct assistants;
struct recheck;
struct server;
struct speech;

struct assistants *assistants_new(struct server *server);
void assistants_free(struct assistants *assistants);
struct mcp *assistants_mcp(struct assistants *assistants);

/* Begins a conversation with the client, which gets a reference; writes its id. False:
 * there are too many. */
bool assistants_open(struct assistants *assistants, struct mcp_client *client,
                     char id[MCP_SESSION_SIZE]);
bool assistants_are_many(struct assistants *assistants);
/* A reference to the client of a conversation; NULL: it is not there for this caller. One that
 * another process began, or that was forgotten here, goes on. */
struct mcp_client *assistants_find(struct assistants *assistants, const char *id,
                                   const struct dgm_access *access);
/* Ends a conversation with all that runs. False: it is not there for this caller. */
bool assistants_end(struct assistants *assistants, const char *id,
                    const struct dgm_access *access);
/* Ends what was idle for too long, and the longest idle where there are too many. */
void assistants_sweep(struct assistants *assistants, int64_t now_ms);
/* Ends all of them. */
void assistants_close(struct assistants *assistants);

/* Takes over a reference to a speech that has ended, for a while. */
void assistants_keep(struct assistants *assistants, struct speech *speech);
/* A reference to the speech of this client whose stream has this id; NULL: none is kept. */
struct speech *assistants_recall(struct assistants *assistants,
                                 const struct mcp_client *client, const char *id,
                                 size_t size);

/* Streams get a comment now and then, so that proxies keep them open. */
void assistants_beat(struct assistants *assistants);
/* Whose streams are open, and an end to those whose callers have lost their access. */
void assistants_note(struct assistants *assistants, struct recheck *recheck);
void assistants_cut(struct assistants *assistants, const struct recheck *recheck);
/* A speech is known from its beginning to its end. */
void assistants_hear(struct assistants *assistants, struct speech *speech);
void assistants_forget(struct assistants *assistants, struct speech *speech);

#endif
