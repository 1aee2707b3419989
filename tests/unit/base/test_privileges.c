/* From root to a user: tried in a child, since there is no way back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/err.h"
#include "base/privileges.h"

static int in_child(int (*act)(void))
{
    pid_t child = fork();
    if (child == 0) {
        _exit(act());
    }
    int status = 0;
    assert_true(child > 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* The capabilities in a line of /proc/self/status, as a number. */
static unsigned long long capabilities(const char *name)
{
    char line[256];
    unsigned long long value = ~0ULL;
    FILE *file = fopen("/proc/self/status", "re");
    while (file && fgets(line, sizeof line, file)) {
        if (strncmp(line, name, strlen(name)) == 0) {
            value = strtoull(line + strlen(name) + 1, NULL, 16);
        }
    }
    if (file) {
        (void)fclose(file);
    }
    return value;
}

static void users_are_found(void **state)
{
    (void)state;
    struct err err;
    struct privileges_user user;
    err_clear(&err);
    assert_true(privileges_find("root", "", &user, &err));
    assert_int_equal(user.uid, 0);
    assert_string_equal(user.name, "root");
    assert_true(privileges_find("54321", "", &user, &err));
    assert_int_equal(user.uid, 54321);
    assert_int_equal(user.gid, 54321);
    assert_string_equal(user.name, "");
    assert_true(privileges_find("0", "54322", &user, &err));
    assert_int_equal(user.gid, 54322);
    assert_false(privileges_find("no such user", "", &user, &err));
    assert_non_null(strstr(err.message, "no user 'no such user'"));
    assert_false(privileges_find("root", "no such group", &user, &err));
    assert_non_null(strstr(err.message, "no group"));
    assert_false(privileges_find("-1", "", &user, &err));
    assert_false(privileges_find("4294967295", "", &user, &err)); /* means "none" */
}

static int become_somebody(void)
{
    struct err err;
    struct privileges_user user;
    err_clear(&err);
    if (!privileges_find("54321", "54322", &user, &err) ||
        !privileges_become(&user, &err)) {
        return 1;
    }
    if (getuid() != 54321 || geteuid() != 54321 || getgid() != 54322 ||
        getgroups(0, NULL) != 0) {
        return 2;
    }
    if (setuid(0) == 0 || seteuid(0) == 0 || setgid(0) == 0 ||
        capabilities("CapPrm:") != 0) {
        return 3;
    }
    if (!privileges_become(&user, &err)) { /* again is fine */
        return 4;
    }
    user.uid++;
    return privileges_become(&user, &err) ? 5 : 0; /* only root can */
}

static int shed(void)
{
    (void)privileges_shed();
    unsigned long long files = 6; /* CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH */
    return (capabilities("CapEff:") & ~files) || (capabilities("CapPrm:") & ~files) ||
           (capabilities("CapBnd:") & ~files && getuid() == 0) ||
           /* takes CAP_SETGID; not setgid(), which ends a process whose threads differ
              (TSan has one) */
           syscall(SYS_setgid, 54321) == 0;
}

static void root_becomes_somebody(void **state)
{
    (void)state;
    if (geteuid() != 0) {
        skip();
    }
    assert_int_equal(in_child(become_somebody), 0);
}

static void powers_are_shed(void **state)
{
    (void)state;
    assert_int_equal(in_child(shed), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(users_are_found),
        cmocka_unit_test(root_becomes_somebody),
        cmocka_unit_test(powers_are_shed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
