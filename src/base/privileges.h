/*
 * The user of this process: changes from root to an ordinary user for good, or drops the
 * capabilities of root that are not used.
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
/* Changes user, group, supplementary groups and HOME, and verifies that there is no way
 * back. Does nothing if the process runs as that user; otherwise it needs root. */
bool privileges_become(const struct privileges_user *user, struct err *err);
/* Drops every capability except those for reading and writing other users' files, in this
 * process and its children. Returns whether any is left. */
bool privileges_shed(void);

#endif
