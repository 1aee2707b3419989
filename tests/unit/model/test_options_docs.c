/* docs/configuration.md is what options.def says; DRAGOMAN_WRITE_DOCS=1 rewrites it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/file.h"
#include "model/options/options.h"

static const char path[] = "docs/configuration.md";

static void the_page_is_up_to_date(void **state)
{
    (void)state;
    struct err err;
    struct buf page;
    buf_init(&page, 1000000);
    options_markdown(&page);
    assert_false(page.full);
    if (getenv("DRAGOMAN_WRITE_DOCS")) {
        assert_true(file_write(path, page.data, page.size, &err));
    }
    struct arena *arena = arena_new();
    const char *stored = file_read(arena, path, 1000000, NULL, &err);
    if (!stored || strcmp(stored, buf_get(&page)) != 0) {
        fail_msg("%s is out of date: run tools/gen-config", path);
    }
    arena_free(arena);
    buf_release(&page);
}

static void every_key_is_in_it(void **state)
{
    (void)state;
    struct arena *arena = arena_new();
    struct buf page;
    buf_init(&page, 1000000);
    options_markdown(&page);
    for (size_t i = 0; options_key(i); i++) {
        assert_non_null(
            strstr(buf_get(&page), arena_format(arena, "\n| `%s` |", options_key(i))));
    }
    buf_release(&page);
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_page_is_up_to_date),
        cmocka_unit_test(every_key_is_in_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
