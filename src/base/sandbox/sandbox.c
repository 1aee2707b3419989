/* Resource limits, core dumps, and a report of what is active. */
#include "base/sandbox/sandbox.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "base/sandbox/sandbox_parts.h"

static const char *const names[SANDBOX_LAYERS] = {
    [SANDBOX_PRIVILEGES] = "privileges", [SANDBOX_DUMPS] = "dumps",
    [SANDBOX_PARENT] = "parent",         [SANDBOX_LIMITS] = "limits",
    [SANDBOX_FILES] = "files",           [SANDBOX_TCP] = "tcp",
    [SANDBOX_SCOPE] = "scope",           [SANDBOX_CALLS] = "calls",
};

bool sandbox_with_sanitizer(void)
{
    return SANDBOX_SANITIZED;
}

bool sandbox_note(struct sandbox_report *report, enum sandbox_layer layer, bool holds)
{
    int error = errno;
    bool missing = error == ENOSYS || error == EOPNOTSUPP;
    report->layers[layer] = holds     ? SANDBOX_HOLDS
                            : missing ? SANDBOX_NOT_AVAILABLE
                                      : SANDBOX_FAILED;
    report->errors[layer] = holds || missing ? 0 : error;
    return holds;
}

static bool set_limit(int resource, uint64_t soft, uint64_t hard)
{
    struct rlimit now;
    if (getrlimit((__rlimit_resource_t)resource, &now) != 0) {
        return false;
    }
    /* Never above what holds already: only root may raise it, and nobody should here. */
    rlim_t ceiling = now.rlim_max;
    struct rlimit wanted = {
        .rlim_cur = (rlim_t)soft < ceiling ? (rlim_t)soft : ceiling,
        .rlim_max = (rlim_t)hard < ceiling ? (rlim_t)hard : ceiling,
    };
    return setrlimit((__rlimit_resource_t)resource, &wanted) == 0;
}

bool sandbox_limits(const struct sandbox_limits *limits, struct sandbox_report *report)
{
    bool memory = !SANDBOX_SANITIZED;
    const struct {
        int resource;
        uint64_t value;
        uint64_t grace;
        bool wanted;
    } rows[] = {
        {RLIMIT_CORE, 0, 0, true},
        {RLIMIT_AS, limits->address_bytes, 0, memory && limits->address_bytes > 0},
        {RLIMIT_DATA, limits->data_bytes, 0, memory && limits->data_bytes > 0},
        {RLIMIT_CPU, limits->cpu_seconds, 1, limits->cpu_seconds > 0},
        {RLIMIT_FSIZE, limits->file_bytes, 0, limits->file_bytes > 0},
        {RLIMIT_NOFILE, limits->open_files, 0, limits->open_files > 0},
    };
    /* A write past the bound fails. The signal would end the process for a line on
     * stderr. */
    bool holds = limits->file_bytes == 0 || signal(SIGXFSZ, SIG_IGN) != SIG_ERR;
    int error = holds ? 0 : errno;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].wanted &&
            !set_limit(rows[i].resource, rows[i].value, rows[i].value + rows[i].grace)) {
            holds = false;
            error = errno;
        }
    }
    errno = error;
    return sandbox_note(report, SANDBOX_LIMITS, holds);
}

#ifdef __linux__

bool sandbox_privileges(struct sandbox_report *report)
{
    struct rlimit none = {0, 0};
    bool bound = sandbox_note(report, SANDBOX_PRIVILEGES,
                              prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
    bool silent =
        sandbox_note(report, SANDBOX_DUMPS,
                     setrlimit(RLIMIT_CORE, &none) == 0 &&
                         (SANDBOX_SANITIZED || prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0));
    return bound && silent;
}

bool sandbox_parent(pid_t parent, int signal, struct sandbox_report *report)
{
    bool set = prctl(PR_SET_PDEATHSIG, signal, 0, 0, 0) == 0;
    if (set && getppid() != parent) {
        set = false;
        errno = ESRCH;
    }
    return sandbox_note(report, SANDBOX_PARENT, set);
}

#else

bool sandbox_privileges(struct sandbox_report *report)
{
    struct rlimit none = {0, 0};
    bool silent = sandbox_note(report, SANDBOX_DUMPS, setrlimit(RLIMIT_CORE, &none) == 0);
    errno = ENOSYS;
    return sandbox_note(report, SANDBOX_PRIVILEGES, false) && silent;
}

bool sandbox_parent(pid_t parent, int signal, struct sandbox_report *report)
{
    (void)parent;
    (void)signal;
    errno = ENOSYS;
    return sandbox_note(report, SANDBOX_PARENT, false);
}

#endif

void sandbox_probe(struct sandbox_report *report)
{
    *report = (struct sandbox_report){0};
    sandbox_probe_files(report);
    sandbox_probe_calls(report);
}

bool sandbox_complete(const struct sandbox_report *report)
{
    for (size_t i = 0; i < SANDBOX_LAYERS; i++) {
        if (report->layers[i] != SANDBOX_HOLDS &&
            report->layers[i] != SANDBOX_NOT_ASKED) {
            return false;
        }
    }
    return true;
}

struct text {
    char *out;
    size_t size;
    size_t used;
};

static void sandbox_add(struct text *text, const char *part)
{
    size_t room = text->size - text->used;
    int wrote = snprintf(text->out + text->used, room, "%s", part);
    text->used += wrote < 0 ? 0 : (size_t)wrote < room ? (size_t)wrote : room - 1;
}

static void add_layers(struct text *text, const struct sandbox_report *report,
                       enum sandbox_state state, const char *title)
{
    bool first = true;
    for (size_t i = 0; i < SANDBOX_LAYERS; i++) {
        if (report->layers[i] != state) {
            continue;
        }
        char abi[32] = "";
        if (i == SANDBOX_FILES && state == SANDBOX_HOLDS) {
            (void)snprintf(abi, sizeof abi, " (Landlock %d)", report->landlock_abi);
        }
        sandbox_add(text, first && text->used > 0 ? "; " : "");
        sandbox_add(text, first ? title : ", ");
        sandbox_add(text, names[i]);
        sandbox_add(text, abi);
        first = false;
    }
}

void sandbox_describe(const struct sandbox_report *report, char *out, size_t size)
{
    struct text text = {.out = out, .size = size};
    out[0] = '\0';
    add_layers(&text, report, SANDBOX_HOLDS, "");
    add_layers(&text, report, SANDBOX_NOT_AVAILABLE, "not available: ");
    add_layers(&text, report, SANDBOX_FAILED, "failed: ");
    if (text.used == 0) {
        sandbox_add(&text, "none");
    }
}
