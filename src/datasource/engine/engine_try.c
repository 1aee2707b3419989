/*
 * What an engine's process must not be able to do, tried for real: each attempt is made
 * in a process of its own, bounded exactly as one that opens a database.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/sandbox/sandbox.h"
#include "base/sandbox/sandbox_escape.h"
#include "datasource/engine/engine_helper.h"
#include "datasource/engine/engine_program.h"

enum { TRY_REFUSED, TRY_THROUGH, TRY_NOT_CAGED, TRY_NOT_AVAILABLE };

static bool read_file(void)
{
    return open("/etc/passwd", O_RDONLY | O_CLOEXEC) >= 0;
}

static bool make_file(void)
{
    static const char path[] = "/tmp/dragoman-attack-sandbox";
    int made = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    return made >= 0 && unlink(path) == 0;
}

static bool open_socket(void)
{
    return socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0) >= 0;
}

static bool take_memory(void)
{
    size_t size = (size_t)1 << 36; /* 64 GB */
    return mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) !=
           MAP_FAILED;
}

static const struct attempt {
    const char *what;
    enum sandbox_layer layer; /* that must refuse it */
    bool (*through)(void);
} attempts[] = {
    {"read a file that is not the database", SANDBOX_FILES, read_file},
    {"make a file", SANDBOX_FILES, make_file},
    {"open a network socket", SANDBOX_CALLS, open_socket},
    {"start a program", SANDBOX_CALLS, sandbox_escape_program},
    {"make a process", SANDBOX_CALLS, sandbox_escape_process},
    {"look into another process", SANDBOX_CALLS, sandbox_escape_trace},
    {"take more memory than it may", SANDBOX_LIMITS, take_memory},
};

enum { ATTEMPTS = sizeof attempts / sizeof *attempts };

/* A sanitizer needs memory and processes of its own, so those stay allowed then. */
static bool with_sanitizer_only(const struct attempt *attempt)
{
    return sandbox_with_sanitizer() && attempt->layer != SANDBOX_FILES;
}

int engine_try_main(const char *number)
{
    long index = strtol(number, NULL, 10);
    if (index < 0 || index >= ATTEMPTS) {
        return TRY_NOT_CAGED;
    }
    const struct attempt *attempt = &attempts[index];
    const struct host_opening opening = {.mode = ENGINE_STAGE,
                                         .options = {.sql_memory_mb = 256}};
    const struct host_files files = {0};
    struct sandbox_report report = {0};
    if (!host_cage(&opening, &files, &report)) {
        return TRY_NOT_CAGED;
    }
    if (report.layers[attempt->layer] != SANDBOX_HOLDS || with_sanitizer_only(attempt)) {
        return TRY_NOT_AVAILABLE;
    }
    return attempt->through() ? TRY_THROUGH : TRY_REFUSED;
}

static int play(const char *program, size_t index)
{
    struct arena *arena = arena_new();
    char *environment[] = {NULL};
    char *arguments[] = {arena_text(arena, "dragoman"), arena_text(arena, ENGINE_WORD),
                         arena_format(arena, "%zu", index), NULL};
    posix_spawn_file_actions_t actions;
    pid_t pid;
    int status = -1;
    (void)posix_spawn_file_actions_init(&actions);
    for (int i = 0; i < 3; i++) {
        (void)posix_spawn_file_actions_addopen(&actions, i, "/dev/null", O_RDWR, 0);
    }
    if (posix_spawn(&pid, program, &actions, NULL, arguments, environment) == 0) {
        while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {}
    }
    (void)posix_spawn_file_actions_destroy(&actions);
    arena_free(arena);
    if (status >= 0 && WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS) {
        return TRY_REFUSED; /* the filter ends who calls what only an attacker would */
    }
    return status >= 0 && WIFEXITED(status) ? WEXITSTATUS(status) : TRY_NOT_CAGED;
}

bool engine_try(const struct options *options, struct engine_trial *out, struct err *err)
{
    struct arena *arena = arena_new();
    const char *program = engine_program(arena, options, err);
    *out = (struct engine_trial){0};
    for (size_t i = 0; program && i < ATTEMPTS; i++) {
        int result = play(program, i);
        out->attempts++;
        out->refused += result == TRY_REFUSED;
        out->not_available += result == TRY_NOT_AVAILABLE;
        if (result == TRY_THROUGH || result == TRY_NOT_CAGED) {
            out->through[out->through_count++] = attempts[i].what;
        }
    }
    arena_free(arena);
    return program != NULL;
}
