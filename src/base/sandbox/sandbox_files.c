/* Files and TCP ports (Landlock). */
#include "base/sandbox/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

#include "base/memory.h"
#include "base/program.h"
#include "base/sandbox/sandbox_parts.h"

/* What was left open. The process is bound for good, so this is only ever written once,
 * before it has threads. */
static struct {
    char **paths;
    size_t count;
    bool closed;
} left;

#ifdef __linux__
static void remember(const struct sandbox_path *paths, size_t count)
{
    left.paths = memory_alloc((count + 1) * sizeof *left.paths);
    for (size_t i = 0; i < count; i++) {
        char *real = realpath(paths[i].path, NULL);
        if (real) {
            left.paths[left.count++] = real;
        }
    }
    left.closed = true;
}
#endif

bool sandbox_covers(const char *path)
{
    char *real = left.closed ? realpath(path, NULL) : NULL;
    bool covered = !real; /* a missing file says nothing about rights */
    for (size_t i = 0; i < left.count && !covered; i++) {
        size_t size = strlen(left.paths[i]);
        covered = strncmp(real, left.paths[i], size) == 0 &&
                  (real[size] == '/' || !real[size] || left.paths[i][size - 1] == '/');
    }
    free(real);
    return covered;
}

#ifdef __linux__

/* The kernel's numbers, written down here because the headers of the system may be older
 * than the kernel that runs. They are the same on every processor. */
enum { CREATE_RULESET = 444, ADD_RULE = 445, RESTRICT_SELF = 446 };
enum { WANT_VERSION = 1, RULE_PATH_BENEATH = 1 };

#define FS_EXECUTE     (1ULL << 0)
#define FS_WRITE_FILE  (1ULL << 1)
#define FS_READ_FILE   (1ULL << 2)
#define FS_READ_DIR    (1ULL << 3)
#define FS_REMOVE_DIR  (1ULL << 4)
#define FS_REMOVE_FILE (1ULL << 5)
#define FS_MAKE_DIR    (1ULL << 7)
#define FS_MAKE_REG    (1ULL << 8)
#define FS_ABI_1       ((1ULL << 13) - 1)
#define FS_REFER       (1ULL << 13)
#define FS_TRUNCATE    (1ULL << 14)
#define FS_IOCTL_DEV   (1ULL << 15)

#define NET_BIND    (1ULL << 0)
#define NET_CONNECT (1ULL << 1)

#define SCOPE_ABSTRACT_SOCKET (1ULL << 0)
#define SCOPE_SIGNAL          (1ULL << 1)

#define FS_FILE_RIGHTS (FS_EXECUTE | FS_WRITE_FILE | FS_READ_FILE | FS_TRUNCATE)
#define FS_READING     (FS_READ_FILE | FS_READ_DIR)
#define FS_WRITING                                                                       \
    (FS_WRITE_FILE | FS_TRUNCATE | FS_REMOVE_FILE | FS_REMOVE_DIR | FS_MAKE_REG |        \
     FS_MAKE_DIR | FS_REFER)

struct ruleset_attributes {
    uint64_t fs;
    uint64_t net;
    uint64_t scoped;
};

struct path_rule {
    uint64_t allowed;
    int32_t parent_fd;
} __attribute__((packed));

/* What each version of Landlock added. */
static const struct {
    int abi;
    uint64_t fs;
    size_t size; /* of the attributes that this version knows */
} versions[] = {
    {1, FS_ABI_1, 8}, {2, FS_REFER, 8},      {3, FS_TRUNCATE, 8},
    {4, 0, 16},       {5, FS_IOCTL_DEV, 16}, {6, 0, 24},
};
enum { NET_SINCE = 4, SCOPE_SINCE = 6 };

/*
 * What the loader and libc read at any time: libraries that are loaded when it is first
 * needed with their tables, time zones, locales, random numbers, the number of
 * processors.
 */
static const struct sandbox_path common[] = {
#ifdef DRAGOMAN_COVERAGE_FOLDER /* where a build for coverage writes its counts */
    {DRAGOMAN_COVERAGE_FOLDER, SANDBOX_READ | SANDBOX_WRITE},
#endif
    {"/lib", SANDBOX_READ},
    {"/lib64", SANDBOX_READ},
    {"/usr/lib", SANDBOX_READ},
    {"/usr/lib64", SANDBOX_READ},
    {"/usr/local/lib", SANDBOX_READ},
    {"/etc/ld.so.cache", SANDBOX_READ},
    {"/etc/ld.so.preload", SANDBOX_READ},
    {"/etc/localtime", SANDBOX_READ},
    {"/etc/timezone", SANDBOX_READ},
    {"/etc/locale.alias", SANDBOX_READ},
    {"/usr/share/zoneinfo", SANDBOX_READ},
    {"/usr/share/locale", SANDBOX_READ},
    {"/dev/null", SANDBOX_READ | SANDBOX_WRITE},
    {"/dev/zero", SANDBOX_READ},
    {"/dev/random", SANDBOX_READ},
    {"/dev/urandom", SANDBOX_READ},
    {"/proc/self", SANDBOX_READ},
    {"/proc/meminfo", SANDBOX_READ},
    {"/proc/cpuinfo", SANDBOX_READ},
    {"/proc/stat", SANDBOX_READ},
    {"/proc/sys/vm", SANDBOX_READ},
    {"/proc/sys/kernel/random", SANDBOX_READ},
    {"/sys/devices/system/cpu", SANDBOX_READ},
    {"/sys/devices/system/node", SANDBOX_READ},
    {"/sys/fs/cgroup", SANDBOX_READ},
    {"/sys/kernel/mm/transparent_hugepage", SANDBOX_READ},
};

static int landlock_version(void)
{
    long abi = syscall(CREATE_RULESET, NULL, (size_t)0, WANT_VERSION);
    return abi < 0 ? 0 : (int)abi;
}

static int open_ruleset(int abi, unsigned denials, uint64_t *fs)
{
    struct ruleset_attributes wanted = {0};
    size_t size = 0;
    for (size_t i = 0; i < sizeof versions / sizeof versions[0]; i++) {
        if (abi >= versions[i].abi) {
            wanted.fs |= versions[i].fs;
            size = versions[i].size;
        }
    }
    if (abi >= NET_SINCE) {
        wanted.net = (denials & SANDBOX_DENY_BIND ? NET_BIND : 0) |
                     (denials & SANDBOX_DENY_CONNECT ? NET_CONNECT : 0);
    }
    if (abi >= SCOPE_SINCE && (denials & SANDBOX_DENY_OTHERS)) {
        wanted.scoped = SCOPE_ABSTRACT_SOCKET | SCOPE_SIGNAL;
    }
    *fs = wanted.fs;
    return (int)syscall(CREATE_RULESET, &wanted, size, 0);
}

/* False only when the kernel refuses a rule; a path that is not there is counted. */
static bool allow(int ruleset, const struct sandbox_path *path, uint64_t handled,
                  size_t *missing)
{
    struct stat found;
    int at = open(path->path, O_PATH | O_CLOEXEC);
    if (at < 0) {
        *missing += 1;
        return true;
    }
    struct path_rule rule = {.parent_fd = at};
    rule.allowed = (path->access & SANDBOX_READ ? FS_READING : 0) |
                   (path->access & SANDBOX_WRITE ? FS_WRITING : 0);
    if (fstat(at, &found) == 0 && !S_ISDIR(found.st_mode)) {
        rule.allowed &= FS_FILE_RIGHTS;
    }
    rule.allowed &= handled;
    bool ok =
        rule.allowed == 0 || syscall(ADD_RULE, ruleset, RULE_PATH_BENEATH, &rule, 0) == 0;
    int error = errno;
    (void)close(at);
    errno = error;
    return ok;
}

static bool enter(const struct sandbox_path *paths, size_t count, unsigned denials,
                  int abi, size_t *missing)
{
    uint64_t handled = 0;
    size_t ignored = 0;
    int ruleset = open_ruleset(abi, denials, &handled);
    bool ok = ruleset >= 0;
    for (size_t i = 0; ok && i < sizeof common / sizeof common[0]; i++) {
        ok = allow(ruleset, &common[i], handled, &ignored);
    }
    char own[4096]; /* a relocatable archive has its libraries elsewhere */
    if (ok && program_libraries(own, sizeof own)) {
        const struct sandbox_path libraries = {own, SANDBOX_READ};
        ok = allow(ruleset, &libraries, handled, &ignored);
    }
    for (size_t i = 0; ok && i < count; i++) {
        ok = allow(ruleset, &paths[i], handled, missing);
    }
    ok = ok && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         syscall(RESTRICT_SELF, ruleset, 0) == 0;
    int error = errno;
    if (ruleset >= 0) {
        (void)close(ruleset);
    }
    errno = error;
    return ok;
}

static void note_denials(struct sandbox_report *report, unsigned denials, bool entered)
{
    int error = errno;
    const struct {
        enum sandbox_layer layer;
        unsigned denials;
        int since;
    } rows[] = {
        {SANDBOX_TCP, SANDBOX_DENY_BIND | SANDBOX_DENY_CONNECT, NET_SINCE},
        {SANDBOX_SCOPE, SANDBOX_DENY_OTHERS, SCOPE_SINCE},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (denials & rows[i].denials) {
            bool known = report->landlock_abi >= rows[i].since;
            errno = known ? error : ENOSYS;
            (void)sandbox_note(report, rows[i].layer, entered && known);
        }
    }
    errno = error;
}

bool sandbox_files(const struct sandbox_path *paths, size_t count, unsigned denials,
                   struct sandbox_report *report)
{
    report->landlock_abi = landlock_version();
    report->paths_missing = 0;
    errno = ENOSYS;
    bool entered =
        report->landlock_abi > 0 &&
        enter(paths, count, denials, report->landlock_abi, &report->paths_missing);
    note_denials(report, denials, entered);
    if (!sandbox_note(report, SANDBOX_FILES, entered)) {
        return false;
    }
    remember(paths, count);
    return true;
}

void sandbox_probe_files(struct sandbox_report *report)
{
    report->landlock_abi = landlock_version();
    errno = ENOSYS;
    note_denials(report, SANDBOX_DENY_BIND | SANDBOX_DENY_OTHERS,
                 report->landlock_abi > 0);
    (void)sandbox_note(report, SANDBOX_FILES, report->landlock_abi > 0);
}

#else

bool sandbox_files(const struct sandbox_path *paths, size_t count, unsigned denials,
                   struct sandbox_report *report)
{
    (void)paths;
    (void)count;
    (void)denials;
    errno = ENOSYS;
    return sandbox_note(report, SANDBOX_FILES, false);
}

void sandbox_probe_files(struct sandbox_report *report)
{
    errno = ENOSYS;
    (void)sandbox_note(report, SANDBOX_FILES, false);
}

#endif
