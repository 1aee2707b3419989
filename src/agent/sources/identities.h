/*
 * What the newest sign-in of each account says of it: roles, and claims for the conditions
 * of policies. An account has one identity at a time, so what it may see does not depend
 * on the way by which it came. Whoever has none, has no role and no claim.
 */
#ifndef DGM_AGENT_IDENTITIES_H
#define DGM_AGENT_IDENTITIES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/json.h"

struct arena;
struct identities;
struct texts;

struct identities *identities_new(void);
void identities_free(struct identities *identities);

/* False: there is another one from a later time. */
bool identities_put(struct identities *identities, const char *account, const char *text,
                    int64_t at);
/* The identity as JSON in the arena; NULL: there is none. */
const json_t *identities_get(struct identities *identities, const char *account,
                             struct arena *arena);
/* Those of its claims, as JSON in a fixed order; NULL without names. */
const char *identities_claims(const json_t *identity, const struct texts *names,
                              struct arena *arena);

#endif
