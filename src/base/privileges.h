/*
 * Who this process is: from root to an ordinary user, for good, and root without the
 * powers that it does not use.
 */
#ifndef DGM_BASE_PRIVILEGES_H
#define DGM_BASE_PRIVILEGES_H

#include <stdbool.h>
#include <sys/types.h>

struct err;

struct privileges_user {
    uid_t uid;
    gid_t gid;
    char name[64];  /* "" when the number has no name */
    char home[256]; /* "" when not known */
};

/* By name or number; `group` "" means the user's own group. */
bool privileges_find(const char *user, const char *group, struct privileges_user *out,
                     struct err *err);
/* Takes over user, group, further groups and HOME; proves that there is no way back.
 * Being that user already is fine; else it takes root. */
bool privileges_become(const struct privileges_user *user, struct err *err);
/* Gives up every capability but those to read and write files of others, in this process
 * and those that it starts. Returns whether any is left. */
bool privileges_shed(void);

#endif
