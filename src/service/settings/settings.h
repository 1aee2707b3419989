/* The settings as an administrator may see them. */
#ifndef DGM_SERVICE_SETTINGS_H
#define DGM_SERVICE_SETTINGS_H

#include "service/instance.h"

/* Walks the keys that may be changed: NULL after the last. */
const char *settings_changeable(size_t index);
/* Takes over what another process has changed, if this one follows them. */
void settings_follow(struct dgm *dgm);
/* dictionary.c: writes the files of what other processes have described. */
void dictionary_follow(struct dgm *dgm);
/* A configuration that was read again, with the changes above it; yours. NULL: it does
 * not go with them. */
struct options *settings_reloaded(struct dgm *dgm, const struct options *configured,
                                  struct err *err);

#endif
