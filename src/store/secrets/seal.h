/*
 * Secrets that are kept in the store: sealed with a key that is not in it. The key comes
 * from DRAGOMAN_KEY (64 hexadecimal digits), from the file that DRAGOMAN_KEY_FILE names,
 * or from the file "key" in the data folder, which is made (mode 0600) at first use.
 */
#ifndef DGM_STORE_SEAL_H
#define DGM_STORE_SEAL_H

#include <stdbool.h>

struct arena;
struct err;
struct options;

/* Is there a key at all? Without one nothing can have been sealed. */
bool seal_has_key(const struct options *options);
/* As hexadecimal text in the arena. It can be opened under the same name alone, so that
 * one secret cannot be put in another's place. NULL: err says why. */
char *seal_close(const struct options *options, struct arena *arena, const char *name,
                 const char *text, struct err *err);
char *seal_open(const struct options *options, struct arena *arena, const char *name,
                const char *sealed, struct err *err);

#endif
