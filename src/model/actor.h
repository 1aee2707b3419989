/*
 * Who acts in an account. Sign-ins of one account may bring different roles and claims, and
 * each must see what its own allow. So what a caller sees, asks and gets belongs to an
 * actor: the account itself, or "ann~DIGEST" for a sign-in with roles or claims, where the
 * digest is of these. Names of accounts have no "~".
 */
#ifndef DGM_MODEL_ACTOR_H
#define DGM_MODEL_ACTOR_H

#include <stdbool.h>
#include <stddef.h>

struct arena;

enum { ACTOR_SIZE = 112 };

/* identity: roles and claims as JSON in a fixed order; NULL or "{}": there are none. */
void actor_name(char out[ACTOR_SIZE], const char *account, const char *identity);
/* The account in which the actor acts; borrowed if it is the actor itself. */
const char *actor_account(struct arena *arena, const char *actor);
/* Has the actor roles or claims of a sign-in? */
bool actor_has_claims(const char *actor);
/* Does the actor act in this account? NULL and "" are the local user. */
bool actor_is_of(const char *actor, const char *account);

#endif
