/*
 * Encrypts secrets for the store with a key that is not in the store. The key comes from
 * DRAGOMAN_KEY (64 hexadecimal digits), from the file named by DRAGOMAN_KEY_FILE, or from
 * the file "key" in the data folder, which is created (mode 0600) when first used.
 */
#ifndef DGM_STORE_SEAL_H
#define DGM_STORE_SEAL_H

#include <stdbool.h>

struct arena;
struct err;
struct options;

/* Is there a key? Without one, nothing can have been encrypted. */
bool seal_has_key(const struct options *options);
/* The encrypted secret as hexadecimal text in the arena. It can only be decrypted under
 * the same name, so that secrets cannot be exchanged. NULL: err says why. */
char *seal_close(const struct options *options, struct arena *arena, const char *name,
                 const char *text, struct err *err);
char *seal_open(const struct options *options, struct arena *arena, const char *name,
                const char *sealed, struct err *err);

#endif
