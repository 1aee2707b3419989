/* Shared by the files of the sandbox. */
#ifndef DGM_BASE_SANDBOX_PARTS_H
#define DGM_BASE_SANDBOX_PARTS_H

#include "base/sandbox/sandbox.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANDBOX_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANDBOX_SANITIZED 1
#endif
#endif
#ifndef SANDBOX_SANITIZED
#define SANDBOX_SANITIZED 0
#endif

/* Writes down what came of a layer; errno says why it does not hold. Returns `holds`. */
bool sandbox_note(struct sandbox_report *report, enum sandbox_layer layer, bool holds);
void sandbox_probe_files(struct sandbox_report *report);
void sandbox_probe_calls(struct sandbox_report *report);

/* What happens to a system call. */
enum sandbox_action { SANDBOX_PERM, SANDBOX_ALLOW, SANDBOX_NOSYS, SANDBOX_KILL };

/* A condition on an argument: (argument & mask) == value; mask 0: no condition. */
struct sandbox_check {
    unsigned char argument;
    uint64_t mask;
    uint64_t value;
};

/* The first matching row decides; without one the call fails with EPERM. */
struct sandbox_call {
    unsigned number;
    unsigned char actions[SANDBOX_PROFILES];
    struct sandbox_check checks[2];
    bool own_process; /* the first argument must be this process's id */
};

const struct sandbox_call *sandbox_call_table(size_t *count);
/* The newest system call known to the table; newer ones fail with ENOSYS. */
enum { SANDBOX_NEWEST_CALL = 450 };

#endif
