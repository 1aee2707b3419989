/* Log lines: for people and for machines, one event each, whatever the words are. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/json.h"
#include "base/log.h"

static char lines[4096];

/* What `write` puts on standard error. */
static void capture(void (*write_lines)(void))
{
    (void)fflush(stderr);
    FILE *file = tmpfile();
    int saved = dup(STDERR_FILENO);
    assert_true(file && saved >= 0 && dup2(fileno(file), STDERR_FILENO) >= 0);
    write_lines();
    (void)fflush(stderr);
    (void)dup2(saved, STDERR_FILENO);
    (void)close(saved);
    rewind(file);
    lines[fread(lines, 1, sizeof lines - 1, file)] = '\0';
    (void)fclose(file);
}

static void forged(void)
{
    static const struct log_field fields[] = {
        {.name = "path", .text = "/x status=200\n2026 error server: forged"},
        {.name = "status", .number = 404},
        {.name = "none", .text = ""},
    };
    log_request("r-1");
    log_event(LOG_SERVER, LOG_INFO, "request", fields, 3);
    log_request(NULL);
    LOG(LOG_STORE, LOG_WARN, "first\nsecond \"%s\"", "quoted");
}

static void for_people(void **state)
{
    (void)state;
    assert_true(log_configure("info"));
    assert_true(log_format("text"));
    capture(forged);
    assert_non_null(strstr(lines, " info server: request path=\"/x status=200"));
    assert_non_null(strstr(lines, " status=404 none=\"\" request_id=r-1\n"));
    assert_non_null(strstr(lines, " warn store: first second \"quoted\"\n"));
    assert_null(strstr(lines, "\n2026 error"));
    size_t count = 0;
    for (const char *at = lines; (at = strchr(at, '\n')); at++) {
        count++;
    }
    assert_int_equal(count, 2);
}

static void for_machines(void **state)
{
    (void)state;
    assert_true(log_format("json"));
    capture(forged);
    struct arena *arena = arena_new();
    struct err err;
    char *second = strchr(lines, '\n');
    assert_non_null(second);
    *second++ = '\0';
    second[strcspn(second, "\n")] = '\0';
    const json_t *event = json_parse(arena, lines, strlen(lines), &err);
    assert_string_equal(json_text_at(event, "level"), "info");
    assert_string_equal(json_text_at(event, "topic"), "server");
    assert_string_equal(json_text_at(event, "message"), "request");
    assert_string_equal(json_text_at(event, "request_id"), "r-1");
    assert_string_equal(json_text_at(event, "path"),
                        "/x status=200\n2026 error server: forged");
    assert_int_equal(json_int_at(event, "status", 0), 404);
    event = json_parse(arena, second, strlen(second), &err);
    assert_string_equal(json_text_at(event, "message"), "first\nsecond \"quoted\"");
    assert_null(json_text_at(event, "request_id"));
    arena_free(arena);
    assert_true(log_format("text"));
}

static void unknown_words(void **state)
{
    (void)state;
    assert_false(log_format("xml"));
    assert_false(log_format(NULL));
    assert_false(log_configure("loud"));
    assert_false(log_configure("info,kitchen=debug"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(for_people),
        cmocka_unit_test(for_machines),
        cmocka_unit_test(unknown_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
