/* The id of a conversation of 2025: what its client is able to do, signed. */
#include "mcp/session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/sha256.h"
#include "base/str.h"
#include "base/vec.h"
#include "mcp/abilities.h"
#include "mcp/methods.h"

enum { LIFE_S = 7 * 24 * 3600, PARTS = 4, TEXT_MOST = 1024, HEX = 16 };

enum {
    IS_OLDER = 1, /* 2025-06-18 */
    ELICITS = 2,
    OLD_ENUMS = 4,
    SAMPLES = 8,
    ROOTS = 16,
    ALL = 31,
};

/* Loaded once; the first one without a store stays. */
static void load_secret(struct mcp *mcp)
{
    char secret[DGM_SECRET_SIZE] = "";
    struct dgm_error error;
    (void)pthread_mutex_lock(&mcp->secret_lock);
    if (!mcp->secret_known) {
        bool shared = dgm_secret(mcp->settings.dgm, "mcp", secret, &error);
        size_t size = strlen(secret);
        if (shared && size) {
            memset(mcp->secret, 0, MCP_SECRET);
            memcpy(mcp->secret, secret, size < MCP_SECRET ? size : MCP_SECRET);
        }
        mcp->secret_known = true;
    }
    (void)pthread_mutex_unlock(&mcp->secret_lock);
}

void mcp_sign(struct mcp *mcp, const char *text, size_t size, char out[MCP_MAC_SIZE])
{
    unsigned char mac[SHA256_SIZE];
    load_secret(mcp);
    sha256_keyed(mcp->secret, MCP_SECRET, text, size, mac);
    str_hex(out, mac, sizeof mac);
}

bool mcp_sign_same(const char *a, const char *b)
{
    size_t size = strlen(a);
    unsigned different = 0;
    if (size != strlen(b)) {
        return false;
    }
    for (size_t i = 0; i < size; i++) {
        different |= (unsigned)((unsigned char)a[i] ^ (unsigned char)b[i]);
    }
    return different == 0;
}

static void sign(struct mcp *mcp, const struct dgm_access *access, const char *random,
                 unsigned flags, int64_t born_s, char out[MCP_MAC_SIZE])
{
    char text[TEXT_MOST];
    int size = snprintf(text, sizeof text, "session\n%s\n%x\n%lld\n%s\n%s\n", random,
                        flags, (long long)born_s, access->key_id, access->account);
    mcp_sign(mcp, text, size > 0 && (size_t)size < sizeof text ? (size_t)size : 0, out);
}

void mcp_session_write(struct mcp_client *client, char out[MCP_SESSION_SIZE])
{
    char random[ID_SIZE];
    char mac[MCP_MAC_SIZE];
    int64_t born_s = clock_wall_s();
    /* No lock: with a call's lock held, and before others know the client. */
    struct mcp_abilities able = client->abilities;
    bool older = str_equal(client->version, MCP_VERSION_OLDER);
    unsigned flags = (older ? IS_OLDER : 0U) | (able.elicits ? ELICITS : 0U) |
                     (able.old_enums ? OLD_ENUMS : 0U) | (able.samples ? SAMPLES : 0U) |
                     (able.roots ? ROOTS : 0U);
    id_new("mcp", random);
    sign(client->mcp, &client->access, random, flags, born_s, mac);
    (void)snprintf(out, MCP_SESSION_SIZE, "%s.%x.%lld.%s", random, flags,
                   (long long)born_s, mac);
}

static struct mcp_client *greeted(struct mcp *mcp, const struct dgm_access *access,
                                  unsigned flags)
{
    struct mcp_client *client = mcp_client_new(mcp, access);
    client->version = (flags & IS_OLDER) ? MCP_VERSION_OLDER : MCP_VERSION_2025;
    client->abilities = (struct mcp_abilities){
        .elicits = (flags & ELICITS) != 0,
        .old_enums = (flags & OLD_ENUMS) != 0,
        .samples = (flags & SAMPLES) != 0,
        .roots = (flags & ROOTS) != 0,
    };
    return client;
}

struct mcp_client *mcp_session_adopt(struct mcp *mcp, const struct dgm_access *access,
                                     const char *id)
{
    struct arena *arena = arena_new();
    struct texts parts = {0};
    int64_t flags = 0;
    int64_t born_s = 0;
    char mac[MCP_MAC_SIZE] = "";
    int64_t now_s = clock_wall_s();
    bool good = strlen(id) < MCP_SESSION_SIZE;
    if (good) {
        str_split(arena, id, '.', &parts);
        good = parts.count == PARTS && id_valid(parts.items[0]) &&
               str_to_int(parts.items[2], &born_s) && strlen(parts.items[1]) <= 2;
    }
    if (good) {
        flags = strtol(parts.items[1], NULL, HEX);
        good = flags >= 0 && flags <= ALL && born_s <= now_s && now_s - born_s < LIFE_S;
    }
    if (good) {
        sign(mcp, access, parts.items[0], (unsigned)flags, born_s, mac);
        good = mcp_sign_same(mac, parts.items[3]);
    }
    arena_free(arena);
    return good ? greeted(mcp, access, (unsigned)flags) : NULL;
}
