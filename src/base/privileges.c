/* Who this process is: from root to an ordinary user, for good. */
#include "base/privileges.h"

#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef __linux__
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

#include "base/err.h"
#include "base/str.h"

enum { RECORD_SIZE = 4096 };

static bool unknown(struct err *err, const char *what, const char *name)
{
    (void)err_set(err, ERR_CONFIG, "There is no %s '%.64s' on this machine.", what, name);
    return err_hint(err, "Make it first (useradd --system dragoman), or give a number.");
}

static bool find_group(const char *group, gid_t *out, struct err *err)
{
    char room[RECORD_SIZE];
    struct group record;
    struct group *found = NULL;
    int64_t number = -1;
    if (str_to_int(group, &number) && number >= 0 && number < UINT32_MAX) {
        *out = (gid_t)number;
        return true;
    }
    (void)getgrnam_r(group, &record, room, sizeof room, &found);
    if (!found) {
        return unknown(err, "group", group);
    }
    *out = found->gr_gid;
    return true;
}

bool privileges_find(const char *user, const char *group, struct privileges_user *out,
                     struct err *err)
{
    char room[RECORD_SIZE];
    struct passwd record;
    struct passwd *found = NULL;
    int64_t number = -1;
    *out = (struct privileges_user){0};
    bool by_number = str_to_int(user, &number) && number >= 0 && number < UINT32_MAX;
    if (by_number) {
        (void)getpwuid_r((uid_t)number, &record, room, sizeof room, &found);
    } else {
        (void)getpwnam_r(user, &record, room, sizeof room, &found);
    }
    if (!found && !by_number) {
        return unknown(err, "user", user);
    }
    out->uid = found ? found->pw_uid : (uid_t)number;
    out->gid = found ? found->pw_gid : (gid_t)number;
    if (found) {
        (void)snprintf(out->name, sizeof out->name, "%s", found->pw_name);
        (void)snprintf(out->home, sizeof out->home, "%s", found->pw_dir);
    }
    return str_empty(group) || find_group(group, &out->gid, err);
}

static bool take_over(const struct privileges_user *user)
{
    bool grouped =
        *user->name ? initgroups(user->name, user->gid) == 0 : setgroups(0, NULL) == 0;
    return grouped && setresgid(user->gid, user->gid, user->gid) == 0 &&
           setresuid(user->uid, user->uid, user->uid) == 0;
}

bool privileges_become(const struct privileges_user *user, struct err *err)
{
    if (geteuid() == user->uid && getegid() == user->gid) {
        return true;
    }
    if (geteuid() != 0) {
        (void)err_set(err, ERR_CONFIG, "Only root can become another user.");
        return err_hint(err, "Start it as that user, or leave server.user empty.");
    }
    if (!take_over(user)) {
        char reason[128];
        return err_set(err, ERR_CONFIG, "The user cannot be changed: %s.",
                       strerror_r(errno, reason, sizeof reason));
    }
    if (user->uid != 0 && (setresuid(0, 0, 0) == 0 || setresgid(0, 0, 0) == 0)) {
        return err_set(err, ERR_INTERNAL, "Root's rights could not be given up.");
    }
    /* before any thread is started, so no other thread reads it */
    if (*user->home) {
        (void)setenv("HOME", user->home, 1);
    }
    return true;
}

#ifdef __linux__

bool privileges_shed(void)
{
    const uint64_t kept = 1ULL << CAP_DAC_OVERRIDE | 1ULL << CAP_DAC_READ_SEARCH;
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct sets[2] = {{0}};
    if (syscall(SYS_capget, &header, sets) != 0) {
        return false;
    }
    for (int i = 0; i <= CAP_LAST_CAP; i++) {
        if (!(kept >> i & 1)) {
            (void)prctl(PR_CAPBSET_DROP, i, 0, 0, 0);
        }
    }
    (void)prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
    bool any = false;
    for (size_t i = 0; i < 2; i++) {
        sets[i].permitted &= (uint32_t)(kept >> (i * 32));
        sets[i].effective &= sets[i].permitted;
        sets[i].inheritable = 0;
        any = any || sets[i].permitted;
    }
    return syscall(SYS_capset, &header, sets) != 0 || any;
}

#else

bool privileges_shed(void)
{
    return geteuid() == 0;
}

#endif
