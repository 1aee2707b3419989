/* Files, limits and privileges of the sandbox, tried for real in a child; its report. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/sandbox/sandbox.h"
#include "unit/support/sandbox_child.h"

static char outside[64];

static void enter_files(void)
{
    struct sandbox_report report = {0};
    const struct sandbox_path paths[] = {
        {inside, SANDBOX_READ | SANDBOX_WRITE},
        {"/nowhere/at/all", SANDBOX_READ},
    };
    if (!sandbox_files(paths, 2, SANDBOX_DENY_CONNECT | SANDBOX_DENY_BIND, &report) ||
        report.paths_missing != 1) {
        _exit(BROKEN);
    }
}

static int read_secret(void)
{
    return refused(open(outside, O_RDONLY | O_CLOEXEC) >= 0, EACCES);
}

static int write_outside(void)
{
    char path[128];
    (void)snprintf(path, sizeof path, "%s.new", outside);
    return refused(open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600) >= 0, EACCES);
}

static int connect_somewhere(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(9)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    return refused(connect(fd, (struct sockaddr *)&address, sizeof address) == 0, EACCES);
}

static int listen_somewhere(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    return refused(bind(fd, (struct sockaddr *)&address, sizeof address) == 0, EACCES);
}

static void files_are_closed(void **state)
{
    (void)state;
    if (!has(SANDBOX_FILES)) {
        skip();
    }
    assert_int_equal(in_child(enter_files, compute), LET_THROUGH);
    assert_int_equal(in_child(enter_files, read_secret), REFUSED);
    assert_int_equal(in_child(enter_files, write_outside), REFUSED);
    if (has(SANDBOX_TCP)) {
        assert_int_equal(in_child(enter_files, connect_somewhere), REFUSED);
        assert_int_equal(in_child(enter_files, listen_somewhere), REFUSED);
    }
}

static void enter_limits(void)
{
    struct sandbox_report report = {0};
    struct sandbox_limits limits = {
        .data_bytes = 256 << 20, .cpu_seconds = 1, .file_bytes = 4, .open_files = 16};
    if (!sandbox_limits(&limits, &report) || !sandbox_complete(&report)) {
        _exit(BROKEN);
    }
}

static int take_much_memory(void)
{
    void *memory = malloc((size_t)512 << 20);
    bool got = memory != NULL;
    free(memory);
    return got ? LET_THROUGH : REFUSED;
}

static int take_some_memory(void)
{
    void *memory = malloc((size_t)64 << 20);
    bool got = memory != NULL;
    free(memory);
    return got ? LET_THROUGH : REFUSED;
}

static int open_many_files(void)
{
    for (int i = 0; i < 16; i++) {
        if (open("/dev/null", O_RDONLY | O_CLOEXEC) < 0) {
            return refused(false, EMFILE);
        }
    }
    return LET_THROUGH;
}

static int burn_time(void)
{
    for (volatile unsigned long i = 0;; i++) {}
    return LET_THROUGH;
}

/* The process is told, not ended: it may be a line of a log that goes to a file. */
static int write_much(void)
{
    char path[128];
    (void)snprintf(path, sizeof path, "%s/long", inside);
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    return write(fd, "1234", 4) == 4 ? refused(write(fd, "5", 1) == 1, EFBIG) : BROKEN;
}

static int core_limit(void)
{
    struct rlimit limit;
    return getrlimit(RLIMIT_CORE, &limit) == 0 && limit.rlim_max == 0 ? REFUSED
                                                                      : LET_THROUGH;
}

static void limits_hold(void **state)
{
    (void)state;
    assert_int_equal(in_child(enter_limits, take_some_memory), LET_THROUGH);
    assert_int_equal(in_child(enter_limits, open_many_files), REFUSED);
    assert_int_equal(in_child(enter_limits, core_limit), REFUSED);
    assert_int_equal(in_child(enter_limits, write_much), REFUSED);
    assert_int_equal(in_child(enter_limits, burn_time), -SIGXCPU);
    if (!sandbox_with_sanitizer()) {
        assert_int_equal(in_child(enter_limits, take_much_memory), REFUSED);
    }
}

static void enter_privileges(void)
{
    struct sandbox_report report = {0};
    if (!sandbox_privileges(&report) || !sandbox_complete(&report)) {
        _exit(BROKEN);
    }
}

static int is_bound(void)
{
    bool silent = sandbox_with_sanitizer() || prctl(PR_GET_DUMPABLE, 0, 0, 0, 0) == 0;
    return silent && prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1 ? REFUSED : LET_THROUGH;
}

static void privileges_are_gone(void **state)
{
    (void)state;
    assert_int_equal(in_child(enter_privileges, is_bound), REFUSED);
}

/* The child ends when its parent does: the grandchild's end of a pipe closes. */
static void a_child_ends_with_its_parent(void **state)
{
    (void)state;
    int ends[2];
    char byte = 0;
    assert_int_equal(pipe(ends), 0);
    pid_t middle = fork();
    if (middle == 0) {
        pid_t parent = getpid();
        pid_t grandchild = fork();
        if (grandchild == 0) {
            struct sandbox_report report = {0};
            (void)close(ends[0]);
            bool set = sandbox_parent(parent, SIGKILL, &report);
            (void)!write(ends[1], set ? "y" : "n", 1);
            for (;;) {
                (void)pause();
            }
        }
        (void)close(ends[1]);
        _exit(read(ends[0], &byte, 1) == 1 && byte == 'y' ? 0 : 1);
    }
    int status = 0;
    (void)close(ends[1]);
    assert_int_equal(waitpid(middle, &status, 0), middle);
    assert_int_equal(status, 0);
    assert_int_equal(read(ends[0], &byte, 1), 0); /* end of file: nobody holds it */
    (void)close(ends[0]);
    struct sandbox_report report = {0};
    assert_false(sandbox_parent(1, 0, &report) && getppid() != 1);
}

static void the_report_says_what_holds(void **state)
{
    (void)state;
    char text[200];
    struct sandbox_report report = {0};
    sandbox_describe(&report, text, sizeof text);
    assert_string_equal(text, "none");
    assert_true(sandbox_complete(&report));
    report.layers[SANDBOX_PRIVILEGES] = SANDBOX_HOLDS;
    report.layers[SANDBOX_FILES] = SANDBOX_HOLDS;
    report.landlock_abi = 3;
    report.layers[SANDBOX_TCP] = SANDBOX_NOT_AVAILABLE;
    report.layers[SANDBOX_SCOPE] = SANDBOX_NOT_AVAILABLE;
    report.layers[SANDBOX_CALLS] = SANDBOX_FAILED;
    sandbox_describe(&report, text, sizeof text);
    assert_string_equal(text,
                        "privileges, files (Landlock 3); not available: tcp, scope; "
                        "failed: calls");
    assert_false(sandbox_complete(&report));
    char tiny[8];
    sandbox_describe(&report, tiny, sizeof tiny);
    assert_string_equal(tiny, "privile");
}

static int make_scene(void **state)
{
    (void)state;
    (void)snprintf(outside, sizeof outside, "/tmp/dragoman-secret-XXXXXX");
    make_folder();
    int secret = mkstemp(outside);
    return secret < 0 ? -1 : close(secret);
}

static int remove_scene(void **state)
{
    (void)state;
    return unlink(outside) + rmdir(inside);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_are_closed),
        cmocka_unit_test(limits_hold),
        cmocka_unit_test(privileges_are_gone),
        cmocka_unit_test(a_child_ends_with_its_parent),
        cmocka_unit_test(the_report_says_what_holds),
    };
    return cmocka_run_group_tests(tests, make_scene, remove_scene);
}
