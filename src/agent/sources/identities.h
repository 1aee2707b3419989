/*
 * What sign-ins say: roles, and claims for the conditions of policies. Each actor has one
 * identity, which never changes, because its name contains a digest of it. Whoever has
 * none, has no role and no claim.
 */
#ifndef DGM_AGENT_IDENTITIES_H
#define DGM_AGENT_IDENTITIES_H

#include "base/json.h"

struct arena;
struct identities;
struct texts;

struct identities *identities_new(void);
void identities_free(struct identities *identities);

void identities_put(struct identities *identities, const char *actor, const char *text);
/* The identity as JSON in the arena; NULL: there is none. */
const json_t *identities_get(struct identities *identities, const char *actor,
                             struct arena *arena);
/* Those of its claims, as JSON in a fixed order; NULL without names. */
const char *identities_claims(const json_t *identity, const struct texts *names,
                              struct arena *arena);

#endif
