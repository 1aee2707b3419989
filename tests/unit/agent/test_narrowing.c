/* Which datasources a question names. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "agent/sources/narrowing.h"
#include "agent/sources/sources.h"
#include "base/str.h"

struct named {
    const char *text;
    const char *ids; /* joined by a space */
};

static void test_named(void **state)
{
    (void)state;
    static struct datasource_setting settings[] = {
        {.id = "shop", .url = "/data/shop.db"},
        {.id = "web_logs", .url = "clickhouse://h/logs"},
        {.id = "crm", .url = "postgres://u:p@h/crm"},
        {.id = "hr", .url = "postgresql://h/hr"},
        {.id = "lake", .url = "events.duckdb"},
    };
    static const struct named all[] = {
        {"users from my PostgreSQL database", "crm hr"},
        {"users in Postgres", "crm hr"},
        {"how many hits in clickhouse?", "web_logs"},
        {"errors in the web logs", "web_logs"},
        {"errors in web-logs today", "web_logs"},
        {"orders in the SHOP?", "shop"},
        {"orders in my sqlite file", "shop"},
        {"shopping carts", ""},
        {"customers of shop and crm", "shop crm"},
        {"the crm in my postgres database", "crm"}, /* the id says more than the kind */
        {"events from DuckDB", "lake"},
        {"three people", ""},
        {"", ""},
    };
    struct options options = {.datasources = {settings, 5, 5}};
    struct agent agent = {.options = &options, .sources = sources_new(&options)};
    struct run run = {.arena = arena_new(), .agent = &agent};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        struct texts ids = {0};
        narrowing_named(&run, all[i].text, &ids);
        const char *joined = str_join(run.arena, &ids, " ");
        if (!str_equal(joined, all[i].ids)) {
            fail_msg("%s: %s", all[i].text, joined);
        }
    }
    arena_free(run.arena);
    sources_free(agent.sources);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_named)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
