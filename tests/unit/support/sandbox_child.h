/* Tests of the sandbox: what becomes of an act in a child that took rights from itself.
 */
#ifndef DGM_TESTS_SANDBOX_CHILD_H
#define DGM_TESTS_SANDBOX_CHILD_H

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/sandbox/sandbox.h"

enum { REFUSED = 0, LET_THROUGH = 1, BROKEN = 2 };

static char inside[64]; /* a folder that the child may use */

/* What became of `act` in a child that entered `enter`: its exit status, or minus the
 * signal that ended it. */
static inline int in_child(void (*enter)(void), int (*act)(void))
{
    pid_t child = fork();
    if (child == 0) {
        enter();
        _exit(act());
    }
    int status = 0;
    assert_true(child > 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

static inline struct sandbox_report offered(void)
{
    struct sandbox_report report;
    sandbox_probe(&report);
    return report;
}

static inline bool has(enum sandbox_layer layer)
{
    return offered().layers[layer] == SANDBOX_HOLDS;
}

static inline int refused(bool done, int error)
{
    return done ? LET_THROUGH : errno == error ? REFUSED : BROKEN;
}

static inline void make_folder(void)
{
    (void)snprintf(inside, sizeof inside, "/tmp/dragoman-sandbox-XXXXXX");
    assert_non_null(mkdtemp(inside));
}

/* Threads, memory and files in `inside`. */
static inline void *add_one(void *number)
{
    *(int *)number += 1;
    return NULL;
}

static inline bool files_work(void)
{
    char path[96];
    char second[96];
    char text[4] = "";
    (void)snprintf(path, sizeof path, "%s/file", inside);
    (void)snprintf(second, sizeof second, "%s/renamed", inside);
    FILE *file = fopen(path, "w+e");
    bool ok = file && fputs("abc", file) >= 0 && fflush(file) == 0 &&
              ftruncate(fileno(file), 2) == 0 && fsync(fileno(file)) == 0;
    if (file) {
        (void)fclose(file);
    }
    file = ok && rename(path, second) == 0 ? fopen(second, "re") : NULL;
    ok = file && fread(text, 1, 3, file) == 2 && strcmp(text, "ab") == 0;
    if (file) {
        (void)fclose(file);
    }
    return ok && unlink(second) == 0;
}

static inline int compute(void)
{
    int number = 1;
    pthread_t thread;
    if (pthread_create(&thread, NULL, add_one, &number) != 0) {
        return BROKEN;
    }
    (void)pthread_join(thread, NULL);
    void *memory = malloc(64 << 20);
    if (memory) {
        memset(memory, 1, 64 << 20);
    }
    free(memory);
    return memory && number == 2 && files_work() ? LET_THROUGH : BROKEN;
}

#endif
