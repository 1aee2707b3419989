/*
 * Restricts this process for good: limits, files, network, system calls.
 *
 * Any layer may be unavailable (another system, an old kernel, another processor); the
 * report says so, and the caller decides whether that is acceptable.
 *
 * The order matters: sandbox_privileges, sandbox_limits, sandbox_files, sandbox_calls.
 * Landlock applies to the calling thread and the threads it starts later, so call it
 * before any thread is started; the seccomp filter applies to all threads.
 */
#ifndef DGM_BASE_SANDBOX_H
#define DGM_BASE_SANDBOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum sandbox_layer {
    SANDBOX_PRIVILEGES, /* no new privileges: set-user-id programs stay powerless */
    SANDBOX_DUMPS,      /* no core dump; other processes of the user cannot read memory */
    SANDBOX_PARENT,     /* ends when its parent ends */
    SANDBOX_LIMITS,     /* rlimits */
    SANDBOX_FILES,      /* Landlock: files outside of the list are closed */
    SANDBOX_TCP,        /* Landlock from ABI 4: TCP */
    SANDBOX_SCOPE,      /* Landlock from ABI 6: signals and abstract sockets to others */
    SANDBOX_CALLS,      /* seccomp: system calls */
    SANDBOX_LAYERS
};

enum sandbox_state {
    SANDBOX_NOT_ASKED,
    SANDBOX_HOLDS,
    SANDBOX_NOT_AVAILABLE, /* the system or the build does not have it */
    SANDBOX_FAILED,        /* the layer exists but could not be activated; see `errors` */
};

struct sandbox_report {
    enum sandbox_state layers[SANDBOX_LAYERS];
    int errors[SANDBOX_LAYERS]; /* errno of a layer that failed */
    int landlock_abi;           /* 0: none */
    size_t paths_missing;       /* of sandbox_files: paths that do not exist */
};

/* 0: unchanged. Core dumps are always disabled. */
struct sandbox_limits {
    uint64_t address_bytes; /* all mappings; not with a sanitizer, which maps terabytes */
    uint64_t data_bytes;    /* private writable memory; not with a sanitizer */
    uint64_t cpu_seconds;   /* SIGXCPU, one second later SIGKILL */
    uint64_t file_bytes;    /* largest file that can be written */
    uint64_t open_files;
};

enum sandbox_access {
    SANDBOX_READ = 1,
    SANDBOX_WRITE = 2, /* change, create, remove, rename; does not include reading */
};

struct sandbox_path {
    const char *path; /* a file, or a folder with everything in it; links are followed */
    unsigned access;  /* enum sandbox_access */
};

enum sandbox_denial {
    SANDBOX_DENY_BIND = 1,    /* no new TCP listener */
    SANDBOX_DENY_CONNECT = 2, /* no TCP connection */
    SANDBOX_DENY_OTHERS = 4,  /* no signal and no abstract socket to processes outside */
};

enum sandbox_profile {
    SANDBOX_ENGINE, /* computes with threads and files; no sockets, no processes */
    SANDBOX_SERVER, /* the same with sockets; no programs, no processes */
    SANDBOX_PROFILES
};

/* Is this a build with a sanitizer? Then memory is not limited, and what its leak check
 * needs (ptrace, a helper process) stays allowed. */
bool sandbox_with_sanitizer(void);

/* No new privileges, no core dumps, no reading of this process by others. */
bool sandbox_privileges(struct sandbox_report *report);
/*
 * Sends `signal` when the thread that created this process ends. Also false if `parent`
 * has already ended, because then the signal would never come. Call it first in a child
 * process.
 */
bool sandbox_parent(pid_t parent, int signal, struct sandbox_report *report);
bool sandbox_limits(const struct sandbox_limits *limits, struct sandbox_report *report);
/*
 * Denies access to all files except these, those of the dynamic loader and libc
 * (libraries, time zones, locales, random numbers) and this process's own /proc. Missing
 * paths are skipped and counted. Open files stay open.
 */
bool sandbox_files(const struct sandbox_path *paths, size_t count, unsigned denials,
                   struct sandbox_report *report);
/* Is this path accessible after sandbox_files? True if no restriction is active. */
bool sandbox_covers(const char *path);
/*
 * The filter applies to all threads. System calls that are not listed fail with EPERM,
 * unknown newer ones with ENOSYS; calls that only an attacker makes end the process
 * (SIGSYS).
 */
bool sandbox_calls(enum sandbox_profile profile, struct sandbox_report *report);

/* Reports what this system supports without activating anything: HOLDS means "would
 * hold". */
void sandbox_probe(struct sandbox_report *report);

/* Are all requested layers active? */
bool sandbox_complete(const struct sandbox_report *report);
/* "privileges, dumps, files (Landlock 7), calls; not available: tcp" */
void sandbox_describe(const struct sandbox_report *report, char *out, size_t size);

#endif
