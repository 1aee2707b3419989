/* The table of system calls, made from sandbox_calls.def. */
#include "base/sandbox/sandbox_parts.h"

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))

#include <net/if.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#define ROW(call, engine, server, ...)                                                   \
    {.number = SYS_##call,                                                               \
     .actions = {SANDBOX_##engine, SANDBOX_##server},                                    \
     .checks = {__VA_ARGS__}},
#define ARG(argument, mask, value)                                                       \
    {                                                                                    \
        argument, mask, value                                                            \
    }
#define PLAIN(call, engine, server)                                                      \
    {.number = SYS_##call, .actions = {SANDBOX_##engine, SANDBOX_##server}},
#define BOTH(call)          PLAIN(call, ALLOW, ALLOW)
#define SERVER(call)        PLAIN(call, PERM, ALLOW)
#define DEADLY(call)        PLAIN(call, KILL, KILL)
#define DEADLY_ENGINE(call) PLAIN(call, KILL, PERM)
#define OWN(call)                                                                        \
    {.number = SYS_##call,                                                               \
     .actions = {SANDBOX_ALLOW, SANDBOX_ALLOW},                                          \
     .own_process = true},

static const struct sandbox_call calls[] = {
#if SANDBOX_SANITIZED
    /* The leak check of the sanitizers stops the program from a helper process. */
    BOTH(clone) BOTH(ptrace) BOTH(prctl)
#endif
#include "base/sandbox/sandbox_calls.def"
};

const struct sandbox_call *sandbox_call_table(size_t *count)
{
    *count = sizeof calls / sizeof calls[0];
    return calls;
}

#endif
