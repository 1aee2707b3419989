/*
 * libsodium, loaded when first needed. Only the store includes this.
 */
#ifndef DGM_STORE_SODIUM_H
#define DGM_STORE_SODIUM_H

#ifdef DRAGOMAN_HAS_SODIUM
#include <sodium.h>
#include <stdbool.h>

struct err;

struct sodium {
#define FUNCTION(name) __typeof__(&name) name; /* NOLINT: a member's name */
#include "store/secrets/sodium.def"
#undef FUNCTION
};

/* NULL: the library is missing; err says what to do. */
const struct sodium *sodium_get(struct err *err);

#endif
#endif
