/* System calls (seccomp). */
#include "base/sandbox/sandbox.h"

#include <errno.h>
#include <stddef.h>
#include <unistd.h>

#include "base/sandbox/sandbox_parts.h"

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#ifdef __x86_64__
#define OWN_ARCHITECTURE AUDIT_ARCH_X86_64
#else
#define OWN_ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

/* x86_64 has a second set of the same calls under numbers with this bit. */
enum { OTHER_NUMBERS = 0x40000000, PROGRAM_SIZE = 2048, ROW_SIZE = 32 };

static const uint32_t verdicts[] = {
    [SANDBOX_PERM] = SECCOMP_RET_ERRNO | EPERM,
    [SANDBOX_ALLOW] = SECCOMP_RET_ALLOW,
    [SANDBOX_NOSYS] = SECCOMP_RET_ERRNO | ENOSYS,
    [SANDBOX_KILL] = SECCOMP_RET_KILL_PROCESS,
};

struct program {
    struct sock_filter code[PROGRAM_SIZE];
    unsigned short count;
    bool full;
};

static void emit(struct program *program, uint16_t code, uint8_t yes, uint8_t no,
                 uint32_t value)
{
    if (program->count == PROGRAM_SIZE) {
        program->full = true;
        return;
    }
    program->code[program->count++] = (struct sock_filter){code, yes, no, value};
}

static void emit_load(struct program *program, size_t offset)
{
    emit(program, BPF_LD | BPF_W | BPF_ABS, 0, 0, (uint32_t)offset);
}

static void emit_verdict(struct program *program, enum sandbox_action action)
{
    emit(program, BPF_RET | BPF_K, 0, 0, verdicts[action]);
}

/* Half of an argument must be `value` under `mask`. The jump to the end of the row is
 * filled in by the caller: where it stands is noted in `jumps`. */
static void emit_half(struct program *program, size_t offset, uint32_t mask,
                      uint32_t value, unsigned short *jumps, size_t *jump_count)
{
    if (mask == 0) {
        return;
    }
    emit_load(program, offset);
    emit(program, BPF_ALU | BPF_AND | BPF_K, 0, 0, mask);
    jumps[(*jump_count)++] = program->count;
    emit(program, BPF_JMP | BPF_JEQ | BPF_K, 0, 0, value);
}

static void emit_check(struct program *program, const struct sandbox_check *check,
                       unsigned short *jumps, size_t *jump_count)
{
    size_t low = offsetof(struct seccomp_data, args) + 8U * check->argument;
    emit_half(program, low, (uint32_t)check->mask, (uint32_t)check->value, jumps,
              jump_count);
    emit_half(program, low + 4, (uint32_t)(check->mask >> 32),
              (uint32_t)(check->value >> 32), jumps, jump_count);
}

static void emit_call(struct program *program, const struct sandbox_call *call,
                      enum sandbox_action action)
{
    unsigned short jumps[8];
    size_t jump_count = 0;
    jumps[jump_count++] = program->count;
    emit(program, BPF_JMP | BPF_JEQ | BPF_K, 0, 0, call->number);
    for (size_t i = 0; i < sizeof call->checks / sizeof call->checks[0]; i++) {
        emit_check(program, &call->checks[i], jumps, &jump_count);
    }
    if (call->own_process) {
        struct sandbox_check own = {0, UINT32_MAX, (uint32_t)getpid()};
        emit_check(program, &own, jumps, &jump_count);
    }
    emit_verdict(program, action);
    for (size_t i = 0; i < jump_count; i++) {
        program->code[jumps[i]].jf = (uint8_t)(program->count - jumps[i] - 1);
    }
    if (jump_count > 1) {
        emit_load(program, offsetof(struct seccomp_data, nr));
    }
}

static void emit_all(struct program *program, enum sandbox_profile profile)
{
    size_t count = 0;
    const struct sandbox_call *calls = sandbox_call_table(&count);
    emit_load(program, offsetof(struct seccomp_data, arch));
    emit(program, BPF_JMP | BPF_JEQ | BPF_K, 1, 0, OWN_ARCHITECTURE);
    emit_verdict(program, SANDBOX_KILL);
    emit_load(program, offsetof(struct seccomp_data, nr));
#ifdef __x86_64__
    emit(program, BPF_JMP | BPF_JGE | BPF_K, 0, 1, OTHER_NUMBERS);
    emit_verdict(program, SANDBOX_KILL);
#endif
    for (size_t i = 0; i < count && program->count + ROW_SIZE < PROGRAM_SIZE; i++) {
        enum sandbox_action action = (enum sandbox_action)calls[i].actions[profile];
        if (action != SANDBOX_PERM) {
            emit_call(program, &calls[i], action);
        }
    }
    emit(program, BPF_JMP | BPF_JGT | BPF_K, 0, 1, SANDBOX_NEWEST_CALL);
    emit_verdict(program, SANDBOX_NOSYS);
    emit_verdict(program, SANDBOX_PERM);
    program->full = program->full || program->count + ROW_SIZE >= PROGRAM_SIZE;
}

bool sandbox_calls(enum sandbox_profile profile, struct sandbox_report *report)
{
    struct program program = {0};
    emit_all(&program, profile);
    struct sock_fprog whole = {.len = program.count, .filter = program.code};
    errno = E2BIG;
    bool holds = !program.full && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
                 syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC,
                         &whole) == 0;
    if (!holds && errno == EINVAL) {
        errno = ENOSYS; /* a kernel without filters says it in this way */
    }
    return sandbox_note(report, SANDBOX_CALLS, holds);
}

void sandbox_probe_calls(struct sandbox_report *report)
{
    uint32_t action = SECCOMP_RET_KILL_PROCESS;
    bool there = syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
    errno = ENOSYS;
    (void)sandbox_note(report, SANDBOX_CALLS, there);
}

#else

bool sandbox_calls(enum sandbox_profile profile, struct sandbox_report *report)
{
    (void)profile;
    errno = ENOSYS;
    return sandbox_note(report, SANDBOX_CALLS, false);
}

void sandbox_probe_calls(struct sandbox_report *report)
{
    errno = ENOSYS;
    (void)sandbox_note(report, SANDBOX_CALLS, false);
}

#endif
