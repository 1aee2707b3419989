/* Which servers are on this machine: only there may a line do without encryption. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/host.h"

static void this_machine_is_known(void **state)
{
    (void)state;
    static const char *const here[] = {
        "127.0.0.1",     "127.8.9.10", "localhost",        "LocalHost",
        "::1",           "[::1]",      "::ffff:127.0.0.1", "",
        "/run/mysqld/s", "@abstract",  "/tmp,::1,",        "localhost,127.0.0.1"};
    for (size_t i = 0; i < sizeof here / sizeof *here; i++) {
        if (!hosts_are_here(here[i])) {
            fail_msg("elsewhere: %s", here[i]);
        }
    }
    assert_true(hosts_are_here(NULL));
}

static void other_machines_are_not_mistaken_for_it(void **state)
{
    (void)state;
    static const char *const elsewhere[] = {
        "db",           "127.example.org", "127.0.0.1.example.org",
        "10.0.0.1",     "0.0.0.0",         "localhost.example",
        "::",           "2002:7f00:1::",   "::ffff:10.0.0.1",
        "127.0.0.1,db", "db,localhost",    "[::2]",
        "128.0.0.1",    "::127.0.0.1",     "127.1",
        "service"};
    for (size_t i = 0; i < sizeof elsewhere / sizeof *elsewhere; i++) {
        if (hosts_are_here(elsewhere[i])) {
            fail_msg("here: %s", elsewhere[i]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(this_machine_is_known),
        cmocka_unit_test(other_machines_are_not_mistaken_for_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
