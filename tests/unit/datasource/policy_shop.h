/* A shop in a folder of its own, opened under a policy. Include it after cmocka.h. */
#ifndef DGM_TESTS_POLICY_SHOP_H
#define DGM_TESTS_POLICY_SHOP_H

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "policy_hold.h"

struct bench {
    char folder[40];
    char path[80];
    struct options *options;
    struct datasource *source; /* under the policy */
    struct schema *schema;
    struct arena *arena;
};

static inline int policy_setup(void **state)
{
    static struct bench bench;
    memset(&bench, 0, sizeof bench);
    (void)snprintf(bench.folder, sizeof bench.folder, "/tmp/dragoman-XXXXXX");
    if (!mkdtemp(bench.folder)) {
        return -1;
    }
    bench.options = options_new();
    bench.arena = arena_new();
    *state = &bench;
    return 0;
}

static inline int policy_teardown(void **state)
{
    struct bench *bench = *state;
    schema_unref(bench->schema);
    datasource_close(bench->source);
    (void)unlink(bench->path);
    int left = rmdir(bench->folder);
    options_free(bench->options);
    arena_free(bench->arena);
    return left;
}

static inline void make_sqlite(struct bench *bench)
{
    sqlite3 *db = NULL;
    (void)snprintf(bench->path, sizeof bench->path, "%s/shop.db", bench->folder);
    assert_int_equal(sqlite3_open(bench->path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, policy_tables, NULL, NULL, NULL), SQLITE_OK);
    (void)sqlite3_close(db);
}

static inline void set_policy(struct bench *bench, const char *yaml)
{
    struct err err;
    err_clear(&err);
    const char *place = strstr(yaml, "PLACE");
    const char *text = arena_format(bench->arena, "%.*s%s%s", (int)(place - yaml), yaml,
                                    bench->path, place + strlen("PLACE"));
    if (!options_parse(bench->options, "test.yaml", text, strlen(text), &err)) {
        fail_msg("%s", err.message);
    }
}

static inline void open_policy(struct bench *bench, const char *yaml)
{
    struct err err;
    err_clear(&err);
    set_policy(bench, yaml);
    bench->source =
        datasource_open(&bench->options->datasources.items[0], bench->options, &err);
    if (!bench->source) {
        fail_msg("%s (%s)", err.message, err.detail);
    }
    bench->schema = datasource_describe(bench->source, NULL, &err);
    if (!bench->schema) {
        fail_msg("%s (%s)", err.message, err.detail);
    }
    schema_normalize(bench->schema);
}

#endif
