/*
 * What a server that was taken over must not be able to do, tried for real: each attempt
 * is made in a child process that has entered the server's own sandbox (cage.h), with a
 * data folder and a folder for temporary files of its own.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/sandbox/sandbox.h"
#include "base/sandbox/sandbox_escape.h"
#include "dragoman.h"
#include "dragoman_lab.h"
#include "server/cage.h"
#include "server/trial.h"

enum { REPORT_MOST = 1 << 16 };
enum { TRY_REFUSED, TRY_THROUGH, TRY_NOT_CAGED, TRY_NOT_AVAILABLE };

static struct spot {
    char folder[64];
    char secret[80]; /* a file that no setting names */
    char made[80];   /* one that must not be made */
    char data[80];   /* store.folder */
    char temporary[80];
    char kept[96]; /* a file in the data folder */
} spot;

static bool read_file(void)
{
    return open(spot.secret, O_RDONLY | O_CLOEXEC) >= 0;
}

static bool make_file(void)
{
    return open(spot.made, O_WRONLY | O_CREAT | O_CLOEXEC, 0600) >= 0;
}

static bool listen_again(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    return bind(fd, (struct sockaddr *)&address, sizeof address) == 0;
}

static bool signal_parent(void)
{
    return kill(getppid(), SIGCONT) == 0;
}

static bool run_data(void)
{
    void *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return memory != MAP_FAILED;
}

static bool open_raw_socket(void)
{
    return socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0) >= 0;
}

static void *add_one(void *number)
{
    *(int *)number += 1;
    return NULL;
}

/* What a server needs; without it the refusals would prove nothing. */
static bool serve(void)
{
    int number = 0;
    pthread_t thread;
    int kept = open(spot.kept, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    int line = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    return kept >= 0 && write(kept, "x", 1) == 1 && line >= 0 &&
           pthread_create(&thread, NULL, add_one, &number) == 0 &&
           pthread_join(thread, NULL) == 0 && number == 1;
}

static const struct attempt {
    const char *what;
    enum sandbox_layer layer; /* that must refuse it */
    bool (*through)(void);
    bool sanitizer; /* one needs it, so that it stays allowed then */
} attempts[] = {
    {"read a file that no setting names", SANDBOX_FILES, read_file, false},
    {"make a file outside of the data folder", SANDBOX_FILES, make_file, false},
    {"listen on a further port", SANDBOX_TCP, listen_again, false},
    {"start a program", SANDBOX_CALLS, sandbox_escape_program, false},
    {"make a process", SANDBOX_CALLS, sandbox_escape_process, true},
    {"look into another process", SANDBOX_CALLS, sandbox_escape_trace, true},
    {"signal another process", SANDBOX_CALLS, signal_parent, false},
    {"run data as code", SANDBOX_CALLS, run_data, false},
    {"open a raw socket", SANDBOX_CALLS, open_raw_socket, false},
};
static const struct attempt needed = {"work", SANDBOX_PRIVILEGES, serve, false};

static int in_cage(const struct attempt *attempt)
{
    struct sandbox_report report;
    struct dgm_error error;
    struct dgm_config *config = dgm_config_new();
    if (setenv("TMPDIR", spot.temporary, 1) != 0 ||
        !dgm_config_set(config, "store.folder", spot.data, &error) ||
        !cage_become(config, &error) || !cage_close(config, &report, &error)) {
        return TRY_NOT_CAGED;
    }
    if (report.layers[attempt->layer] != SANDBOX_HOLDS ||
        (attempt->sanitizer && sandbox_with_sanitizer())) {
        return TRY_NOT_AVAILABLE;
    }
    return attempt->through() ? TRY_THROUGH : TRY_REFUSED;
}

static int play(const struct attempt *attempt)
{
    int status = -1;
    pid_t child = fork();
    if (child == 0) {
        _exit(in_cage(attempt));
    }
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    if (child > 0 && WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS) {
        return TRY_REFUSED; /* the filter ends who calls what only an attacker would */
    }
    return child > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : TRY_NOT_CAGED;
}

static bool spot_make(void)
{
    const char *base = getenv("TMPDIR");
    int length = snprintf(spot.folder, sizeof spot.folder, "%s/dragoman-XXXXXX",
                          base && *base ? base : "/tmp");
    if (length >= (int)sizeof spot.folder || !mkdtemp(spot.folder)) {
        return false;
    }
    (void)snprintf(spot.secret, sizeof spot.secret, "%s/secret", spot.folder);
    (void)snprintf(spot.made, sizeof spot.made, "%s/made", spot.folder);
    (void)snprintf(spot.data, sizeof spot.data, "%s/data", spot.folder);
    (void)snprintf(spot.temporary, sizeof spot.temporary, "%s/tmp", spot.folder);
    (void)snprintf(spot.kept, sizeof spot.kept, "%s/kept", spot.data);
    int secret = open(spot.secret, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    return secret >= 0 && close(secret) == 0 && mkdir(spot.data, 0700) == 0 &&
           mkdir(spot.temporary, 0700) == 0;
}

static void spot_remove(void)
{
    (void)unlink(spot.secret);
    (void)unlink(spot.made);
    (void)unlink(spot.kept);
    (void)rmdir(spot.data);
    (void)rmdir(spot.temporary);
    (void)rmdir(spot.folder);
}

static void count(struct dgm_trial *trial, struct buf *lines,
                  const struct attempt *attempt, int result)
{
    trial->statements++;
    if (attempt == &needed) {
        bool works = result == TRY_THROUGH;
        trial->harmless += works;
        trial->breaches += !works;
        (void)(works || buf_text(lines, "server: its sandbox lets no server work\n"));
        return;
    }
    trial->by_engine += result == TRY_REFUSED;
    trial->harmless += result == TRY_NOT_AVAILABLE;
    trial->breaches += result == TRY_THROUGH || result == TRY_NOT_CAGED;
    (void)(result == TRY_REFUSED ||
           buf_format(lines, "server: %s: %s\n", attempt->what,
                      result == TRY_THROUGH     ? "could"
                      : result == TRY_NOT_CAGED ? "the sandbox could not be entered"
                                                : "not tried, this system has nothing "
                                                  "that would refuse it"));
}

static int trial_sandbox(void (*report)(void *context, const struct dgm_trial *trial),
                         void *context)
{
    struct dgm_trial trial = {.dialect = "server", .class_name = "sandbox"};
    struct buf lines;
    buf_init(&lines, REPORT_MOST);
    bool made = spot_make();
    for (size_t i = 0; made && i < sizeof attempts / sizeof *attempts; i++) {
        count(&trial, &lines, &attempts[i], play(&attempts[i]));
    }
    if (made) {
        count(&trial, &lines, &needed, play(&needed));
    } else {
        (void)buf_text(&lines, "server: not tried: no folder could be made\n");
    }
    spot_remove();
    trial.report = buf_get(&lines);
    report(context, &trial);
    buf_release(&lines);
    return trial.breaches;
}

int server_trial(void (*report)(void *context, const struct dgm_trial *trial),
                 void *context)
{
    return trial_requests(report, context) + trial_sandbox(report, context);
}
