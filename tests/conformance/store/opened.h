/* A store that is opened for each test, in memory or at the place that is given. */
#ifndef DGM_TESTS_STORE_OPENED_H
#define DGM_TESTS_STORE_OPENED_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#include "base/arena.h"
#include "conformance/store/place.h"

struct fixture {
    struct store *store;
    struct arena *arena;
    struct err err;
};

static inline int setup(void **state)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);
    struct options options = {.store_url = place_given() ? place_given() : "memory:",
                              .store_commit_ms = 1};
    fixture->store =
        place_clear(&fixture->err) ? store_open(&options, &fixture->err) : NULL;
    fixture->arena = arena_new();
    *state = fixture;
    if (!fixture->store) {
        (void)printf("%s (%s)\n", fixture->err.message, fixture->err.detail);
    }
    return fixture->store ? 0 : -1;
}

static inline int teardown(void **state)
{
    struct fixture *fixture = *state;
    store_close(fixture->store);
    arena_free(fixture->arena);
    free(fixture);
    return 0;
}

static inline void must(bool ok, const struct err *err)
{
    if (!ok) {
        fail_msg("%s: %s (%s)", err_name(err->code), err->message, err->detail);
    }
}

#endif
