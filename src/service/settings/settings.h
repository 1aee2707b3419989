/* The settings as an administrator sees them. */
#ifndef DGM_SERVICE_SETTINGS_H
#define DGM_SERVICE_SETTINGS_H

#include "service/instance.h"

/* Iterates over the keys that may be changed: NULL after the last. */
const char *settings_changeable(size_t index);
/* Applies changes by another process, if this process follows them. */
void settings_follow(struct dgm *dgm);
/* dictionary.c: writes files for the descriptions that other processes have stored. */
void dictionary_follow(struct dgm *dgm);
/* A newly read configuration with the changes at run time applied; the caller owns it.
 * NULL: the changes are invalid for it. */
struct options *settings_reloaded(struct dgm *dgm, const struct options *configured,
                                  struct err *err);

#endif
