/* Names of actors: an account, and a digest of what a sign-in says of it. */
#include "model/actor.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/sha256.h"
#include "base/str.h"

enum { DIGEST_BYTES = 16, DIGEST_LETTERS = 2 * DIGEST_BYTES };

void actor_name(char out[ACTOR_SIZE], const char *account, const char *identity)
{
    unsigned char digest[SHA256_SIZE];
    char hex[DIGEST_LETTERS + 1];
    if (str_empty(identity) || str_equal(identity, "{}")) {
        str_put(out, ACTOR_SIZE, account);
        return;
    }
    sha256(identity, strlen(identity), digest);
    str_hex(hex, digest, DIGEST_BYTES);
    (void)snprintf(out, ACTOR_SIZE, "%s~%s", account, hex);
}

/* Bytes of the account's name. */
static size_t account_size(const char *actor)
{
    size_t size = strlen(actor);
    size_t rest = size > DIGEST_LETTERS ? size - DIGEST_LETTERS - 1 : 0;
    if (rest == 0 || actor[rest] != '~') {
        return size;
    }
    for (const char *at = actor + rest + 1; *at; at++) {
        if (str_hex_digit(*at) < 0) {
            return size;
        }
    }
    return rest;
}

const char *actor_account(struct arena *arena, const char *actor)
{
    size_t size = actor ? account_size(actor) : 0;
    return !actor || actor[size] == '\0' ? actor : arena_copy(arena, actor, size);
}

bool actor_has_claims(const char *actor)
{
    return actor && actor[account_size(actor)] != '\0';
}

bool actor_is_of(const char *actor, const char *account)
{
    const char *name = str_or_empty(account);
    size_t size = account_size(str_or_empty(actor));
    return strlen(name) == size && memcmp(str_or_empty(actor), name, size) == 0;
}
