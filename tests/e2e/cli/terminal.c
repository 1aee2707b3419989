/*
 * Runs a program on a terminal of its own (a pty) and plays a script of what a person
 * does:
 *
 *     size 60 24          columns and rows; before anything else
 *     expect TEXT         waits until TEXT appears after what was matched before
 *     send TEXT           types it
 *     never TEXT          fails when TEXT has appeared anywhere so far
 *     exit N              waits for the end and compares the exit status
 *
 * TEXT knows \e \r \n \\ and \xHH. usage: terminal SCRIPT PROGRAM [ARGUMENT]...
 */
#include <errno.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST = 1 << 20, PATIENCE_MS = 20000, SETTLE_MS = 100, AGAIN_MS = 1000 };

struct session {
    int fd;
    pid_t child;
    char data[MOST + 1];
    size_t size;
    size_t matched; /* expect looks after this */
    bool ended;
    bool said_bye; /* Ctrl-D was typed last; typed before the editor listens it is lost,
                      and a person would type it again */
};

static struct session session;

static long now_ms(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void give_up(int line, const char *why, const char *text)
{
    fprintf(stderr, "terminal: line %d: %s: %s\n--- the screen so far:\n", line, why,
            text);
    for (size_t i = 0; i < session.size; i++) {
        unsigned char c = (unsigned char)session.data[i];
        if (c == 27) {
            fputs("\\e", stderr);
        } else {
            fputc(c, stderr);
        }
    }
    fputs("\n---\n", stderr);
    if (session.child > 0) {
        (void)kill(session.child, SIGKILL);
    }
    exit(1);
}

/* Reads what is there, waiting at most this long; false at the end or after the wait. */
static bool read_some(long wait_ms)
{
    struct pollfd ready = {.fd = session.fd, .events = POLLIN};
    if (session.ended || poll(&ready, 1, (int)wait_ms) <= 0) {
        return false;
    }
    ssize_t got = read(session.fd, session.data + session.size, MOST - session.size);
    if (got <= 0) {
        session.ended = true; /* EIO: the other side is closed */
        return false;
    }
    session.size += (size_t)got;
    session.data[session.size] = '\0';
    return true;
}

static char *decode(const char *text)
{
    char *out = calloc(strlen(text) + 1, 1);
    size_t at = 0;
    for (; out && *text; text++) {
        if (*text != '\\' || !text[1]) {
            out[at++] = *text;
            continue;
        }
        text++;
        unsigned value = 0;
        int used = 0;
        if (*text == 'x' && sscanf(text + 1, "%2x%n", &value, &used) == 1) {
            out[at++] = (char)value;
            text += used;
        } else {
            out[at++] = *text == 'e'   ? 27
                        : *text == 'r' ? '\r'
                        : *text == 'n' ? '\n'
                                       : *text;
        }
    }
    return out;
}

static char *find(const char *text, size_t from)
{
    return memmem(session.data + from, session.size - from, text, strlen(text));
}

static void do_expect(int line, const char *text)
{
    long until = now_ms() + PATIENCE_MS;
    char *found = NULL;
    while (!(found = find(text, session.matched))) {
        long left = until - now_ms();
        if (left <= 0 || (session.ended && !find(text, session.matched))) {
            give_up(line, "expected and not seen", text);
        }
        (void)read_some(left);
    }
    session.matched = (size_t)(found - session.data) + strlen(text);
}

static void do_exit(int line, const char *text)
{
    long until = now_ms() + PATIENCE_MS;
    while (!session.ended && now_ms() < until) {
        if (!read_some(AGAIN_MS) && !session.ended && session.said_bye) {
            (void)!write(session.fd, "\x04", 1);
        }
    }
    int status = 0;
    if (!session.ended || waitpid(session.child, &status, 0) != session.child) {
        give_up(line, "the program did not end", text);
    }
    session.child = 0;
    int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    if (code != (int)strtol(text, NULL, 10)) {
        char got[32];
        (void)snprintf(got, sizeof got, "%d, not %s", code, text);
        give_up(line, "the exit status is", got);
    }
}

static void step(int line, const char *word, const char *raw)
{
    char *text = decode(raw);
    if (!text) {
        exit(1);
    }
    if (strcmp(word, "expect") == 0) {
        do_expect(line, text);
    } else if (strcmp(word, "send") == 0) {
        /* libedit shows its prompt a moment before it takes the terminal over; what is
         * typed in between the kernel takes for itself. People are never that quick. */
        (void)poll(NULL, 0, SETTLE_MS);
        if (write(session.fd, text, strlen(text)) != (ssize_t)strlen(text)) {
            give_up(line, "could not type", raw);
        }
        session.said_bye = strcmp(text, "\x04") == 0;
    } else if (strcmp(word, "never") == 0) {
        if (find(text, 0)) {
            give_up(line, "must not appear", raw);
        }
    } else if (strcmp(word, "exit") == 0) {
        do_exit(line, text);
    } else if (strcmp(word, "size") != 0) { /* read before the start */
        give_up(line, "unknown step", word);
    }
    free(text);
}

int main(int argc, char **argv)
{
    FILE *script = argc > 2 ? fopen(argv[1], "r") : NULL;
    if (!script) {
        fprintf(stderr, "usage: terminal SCRIPT PROGRAM [ARGUMENT]...\n");
        return 2;
    }
    char text[4096];
    struct winsize size = {.ws_col = 80, .ws_row = 24};
    while (fgets(text, sizeof text, script)) {
        (void)sscanf(text, "size %hu %hu", &size.ws_col, &size.ws_row);
    }
    rewind(script);
    session.child = forkpty(&session.fd, NULL, NULL, &size);
    if (session.child < 0) {
        perror("terminal: no pseudo-terminal can be opened");
        return 1;
    }
    if (session.child == 0) {
        (void)execv(argv[2], argv + 2);
        _exit(127);
    }
    for (int line = 1; fgets(text, sizeof text, script); line++) {
        text[strcspn(text, "\n")] = '\0';
        if (!*text || *text == '#') {
            continue;
        }
        char *space = strchr(text, ' ');
        if (space) {
            *space = '\0';
        }
        step(line, text, space ? space + 1 : "");
    }
    (void)fclose(script);
    if (session.child > 0) {
        give_up(0, "the script must end with", "exit");
    }
    return 0;
}
