/* libcurl is loaded by the first request that needs it, where others will be the rule. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dlfcn.h>
#include <stdatomic.h>
#include <unistd.h>

#include "base/fetch/fetch.h"

struct ending {
    atomic_bool done;
    struct fetch_result result;
};

static void on_done(void *context, const struct fetch_result *result)
{
    struct ending *ending = context;
    ending->result = *result;
    atomic_store(&ending->done, true);
}

/* Nobody answers there: what counts is how it ends. */
static void try_url(struct fetch *fetch, const char *url, struct ending *out)
{
    atomic_init(&out->done, false);
    struct fetch_request request = {
        .method = "GET", .url = url, .on_done = on_done, .context = out};
    fetch_forget(fetch_start(fetch, &request));
    while (!atomic_load(&out->done)) {
        (void)usleep(1000);
    }
}

static bool is_loaded(void)
{
    void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_NOLOAD);
    if (library) {
        (void)dlclose(library);
    }
    return library != NULL;
}

static void only_what_needs_it_loads_it(void **state)
{
    (void)state;
    struct err err;
    struct ending ending;
    assert_false(is_loaded());
    struct fetch_settings settings = {.url = "http://127.0.0.1:1/v1"};
    struct fetch *fetch = fetch_new(&settings, &err);
    assert_non_null(fetch);
    assert_false(is_loaded());
    try_url(fetch, "ftp://127.0.0.1/", &ending);
    assert_true(is_loaded());
    assert_false(ending.result.ok);
    assert_int_equal(ending.result.error.code, ERR_NETWORK);
    try_url(fetch, "http://127.0.0.1:1/v1", &ending);
    assert_false(ending.result.ok);
    assert_int_equal(ending.result.error.code, ERR_NETWORK);
    fetch_free(fetch);
}

static void a_client_that_sent_nothing_ends(void **state)
{
    (void)state;
    struct err err;
    struct fetch_settings settings = {.url = "http://127.0.0.1:1/v1"};
    struct fetch *fetch = fetch_new(&settings, &err);
    assert_non_null(fetch);
    fetch_free(fetch);
    settings.url = "https://models.invalid/v1"; /* needs it: at once */
    fetch = fetch_new(&settings, &err);
    assert_non_null(fetch);
    assert_true(is_loaded());
    fetch_free(fetch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_what_needs_it_loads_it),
        cmocka_unit_test(a_client_that_sent_nothing_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
