/* The filter of system calls, tried for real: what is allowed works, the rest is refused.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/sandbox/sandbox.h"
#include "unit/support/sandbox_child.h"

static void enter_calls(enum sandbox_profile profile)
{
    struct sandbox_report report = {0};
    if (!sandbox_privileges(&report) || !sandbox_calls(profile, &report)) {
        _exit(BROKEN);
    }
}

static void enter_engine(void)
{
    enter_calls(SANDBOX_ENGINE);
}

static void enter_server(void)
{
    enter_calls(SANDBOX_SERVER);
}

static int run_program(void)
{
    char *arguments[] = {(char[]){"true"}, NULL};
    (void)execv("/bin/true", arguments);
    return refused(false, EPERM);
}

static int trace_parent(void)
{
    return refused(ptrace(PTRACE_ATTACH, getppid(), NULL, NULL) == 0, EPERM);
}

static int make_process(void)
{
    pid_t child = fork();
    if (child == 0) {
        _exit(0);
    }
    return refused(child > 0, EPERM);
}

static int make_socket(void)
{
    return refused(socket(AF_INET, SOCK_STREAM, 0) >= 0, EPERM);
}

static int make_packet_socket(void)
{
    return refused(socket(AF_PACKET, SOCK_RAW, 0) >= 0, EPERM);
}

static int type_into_terminal(void)
{
    char sign = 'x';
    return refused(ioctl(0, TIOCSTI, &sign) == 0, EPERM);
}

static int signal_parent(void)
{
    return refused(kill(getppid(), SIGCONT) == 0, EPERM);
}

static int code_in_data(void)
{
    void *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory != MAP_FAILED) {
        return LET_THROUGH;
    }
    memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return refused(mprotect(memory, 4096, PROT_READ | PROT_EXEC) == 0, EPERM);
}

static int raise_limit(void)
{
    struct rlimit limit = {.rlim_cur = 64, .rlim_max = 64};
    return refused(setrlimit(RLIMIT_NOFILE, &limit) == 0, EPERM);
}

static int call_from_the_future(void)
{
    return refused(syscall(999) == 0, ENOSYS);
}

static int serve(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET};
    struct sockaddr *any = (struct sockaddr *)&address;
    socklen_t size = sizeof address;
    struct addrinfo *found = NULL;
    char byte = 'x';
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    int client = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (bind(listener, any, size) != 0 || listen(listener, 1) != 0 ||
        getsockname(listener, any, &size) != 0 || connect(client, any, size) != 0) {
        return BROKEN;
    }
    int server = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
    if (write(client, &byte, 1) != 1 || read(server, &byte, 1) != 1 ||
        getaddrinfo("localhost", "80", NULL, &found) != 0) {
        return BROKEN;
    }
    freeaddrinfo(found);
    return compute();
}

static int end_by_abort(void)
{
    (void)signal(SIGABRT, SIG_DFL);
    abort();
}

/* With a sanitizer the leak check runs here, inside the sandbox. */
static int end_by_exit(void)
{
    exit(LET_THROUGH);
}

static void an_engine_computes(void **state)
{
    (void)state;
    if (!has(SANDBOX_CALLS)) {
        skip();
    }
    assert_int_equal(in_child(enter_engine, compute), LET_THROUGH);
    assert_int_equal(in_child(enter_engine, end_by_abort), -SIGABRT);
    assert_int_equal(in_child(enter_engine, end_by_exit), LET_THROUGH);
}

static void a_server_serves(void **state)
{
    (void)state;
    if (!has(SANDBOX_CALLS)) {
        skip();
    }
    assert_int_equal(in_child(enter_server, serve), LET_THROUGH);
    assert_int_equal(in_child(enter_server, end_by_abort), -SIGABRT);
    assert_int_equal(in_child(enter_server, end_by_exit), LET_THROUGH);
}

static void calls_are_closed(void **state)
{
    (void)state;
    if (!has(SANDBOX_CALLS)) {
        skip();
    }
    const struct {
        const char *name;
        int (*act)(void);
        int engine;
        int server;
        bool leak_check; /* sanitizers need it at their end */
    } rows[] = {
        {"run a program", run_program, -SIGSYS, REFUSED, false},
        {"trace the parent", trace_parent, -SIGSYS, -SIGSYS, true},
        {"make a process", make_process, REFUSED, REFUSED, true},
        {"make a socket", make_socket, REFUSED, LET_THROUGH, false},
        {"make a packet socket", make_packet_socket, REFUSED, REFUSED, false},
        {"type into the terminal", type_into_terminal, REFUSED, REFUSED, false},
        {"signal the parent", signal_parent, REFUSED, REFUSED, false},
        {"run data as code", code_in_data, REFUSED, REFUSED, false},
        {"change a limit", raise_limit, REFUSED, REFUSED, false},
        {"a call from the future", call_from_the_future, REFUSED, REFUSED, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].leak_check && sandbox_with_sanitizer()) {
            continue;
        }
        int engine = in_child(enter_engine, rows[i].act);
        int server = in_child(enter_server, rows[i].act);
        print_message("%s: engine %d, server %d\n", rows[i].name, engine, server);
        assert_int_equal(engine, rows[i].engine);
        assert_int_equal(server, rows[i].server);
    }
}

/* Every deadly call by its number, so that none is forgotten in the table. */
static const long deadly[] = {
    SYS_ptrace,
    SYS_process_vm_readv,
    SYS_process_vm_writev,
    SYS_mount,
    SYS_umount2,
    SYS_pivot_root,
    SYS_open_tree,
    SYS_move_mount,
    SYS_fsopen,
    SYS_bpf,
    SYS_perf_event_open,
    SYS_userfaultfd,
    SYS_io_uring_enter,
    SYS_init_module,
    SYS_finit_module,
    SYS_kexec_load,
    SYS_reboot,
    SYS_swapon,
    SYS_open_by_handle_at,
    SYS_pidfd_getfd,
    SYS_fanotify_init,
    SYS_clock_settime,
    SYS_execve,
    SYS_execveat,
    SYS_keyctl,
    SYS_add_key,
    SYS_request_key,
    SYS_io_uring_setup,
    SYS_unshare,
    SYS_setns,
    SYS_chroot,
};
static long tried;

static int try_deadly(void)
{
    return refused(syscall(tried, -1L, 0L, 0L, 0L, 0L, 0L) >= 0, EPERM);
}

static void deadly_calls_end_an_engine(void **state)
{
    (void)state;
    if (!has(SANDBOX_CALLS)) {
        skip();
    }
    for (size_t i = 0; i < sizeof deadly / sizeof deadly[0]; i++) {
        tried = deadly[i];
        if (tried == SYS_ptrace && sandbox_with_sanitizer()) {
            continue;
        }
        assert_int_equal(in_child(enter_engine, try_deadly), -SIGSYS);
        int server = in_child(enter_server, try_deadly);
        assert_true(server == -SIGSYS || server == REFUSED);
    }
}

static int make_scene(void **state)
{
    (void)state;
    make_folder();
    return 0;
}

static int remove_scene(void **state)
{
    (void)state;
    return rmdir(inside);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_engine_computes),
        cmocka_unit_test(a_server_serves),
        cmocka_unit_test(calls_are_closed),
        cmocka_unit_test(deadly_calls_end_an_engine),
    };
    return cmocka_run_group_tests(tests, make_scene, remove_scene);
}
