/* Ids, clocks, hashes, log levels, memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/hash.h"
#include "base/id.h"
#include "base/log.h"
#include "base/map.h"
#include "base/memory.h"

static void ids_are_new_each_time(void **state)
{
    (void)state;
    struct map seen;
    map_init(&seen, false);
    for (int i = 0; i < 2000; i++) {
        char id[ID_SIZE];
        id_new("q", id);
        assert_int_equal(strlen(id), 28);
        assert_memory_equal(id, "q-", 2);
        assert_true(id_valid(id));
        assert_null(map_set(&seen, id, &seen));
    }
    map_release(&seen);
    char id[ID_SIZE];
    id_new("prefix_that_is_long", id);
    assert_memory_equal(id, "prefix_t-", 9);
    assert_true(id_valid(id));
}

/* A program that embeds the library may fork: parent and child go on with other ids. */
static void ids_differ_after_a_fork(void **state)
{
    (void)state;
    char own[ID_SIZE];
    char theirs[ID_SIZE] = "";
    int ends[2];
    id_new("q", own); /* there is a supply now */
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        id_new("q", theirs);
        _exit(write(ends[1], theirs, sizeof theirs) == sizeof theirs ? 0 : 1);
    }
    id_new("q", own);
    assert_true(child > 0);
    assert_int_equal(read(ends[0], theirs, sizeof theirs), sizeof theirs);
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_true(id_valid(theirs));
    assert_string_not_equal(own, theirs);
    (void)close(ends[0]);
    (void)close(ends[1]);
}

static void forged_ids_are_not_valid(void **state)
{
    (void)state;
    assert_false(id_valid(NULL));
    assert_false(id_valid(""));
    assert_false(id_valid("q-"));
    assert_false(id_valid("q-../../etc/passwd"));
    assert_false(id_valid("q-abc def"));
    assert_false(id_valid("q-' OR 1=1"));
    assert_false(id_valid("q-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"));
}

static void clocks(void **state)
{
    (void)state;
    struct arena *arena = arena_new();
    int64_t before = clock_us();
    assert_true(clock_us() >= before);
    assert_true(clock_ms() >= before / 1000);
    assert_true(clock_passed(clock_ms()));
    assert_false(clock_passed(clock_ms() + 500));
    assert_false(clock_passed(clock_ms() + 5000));
    assert_true(clock_wall_s() > 1600000000);
    assert_true(clock_wall_ms() / 1000 >= 1600000000);
    assert_string_equal(clock_iso(arena, 0), "1970-01-01T00:00:00Z");
    assert_string_equal(clock_iso(arena, 951782400), "2000-02-29T00:00:00Z");
    arena_free(arena);
}

static void dates_follow_the_zone_and_leave_ours_alone(void **state)
{
    (void)state;
    struct arena *arena = arena_new();
    (void)setenv("TZ", "UTC0", 1);
    int64_t late = 951782400 - 60; /* 2000-02-28 23:59 UTC */
    assert_string_equal(clock_date(arena, late, ""), "2000-02-28");
    assert_string_equal(clock_date(arena, late, "XXX-2"), "2000-02-29");
    assert_string_equal(clock_date(arena, late, "XXX5"), "2000-02-28");
    assert_string_equal(getenv("TZ"), "UTC0");
    (void)unsetenv("TZ");
    (void)clock_date(arena, late, "XXX-2");
    assert_null(getenv("TZ"));
    arena_free(arena);
}

static void dates_are_seen_at_the_beginning(void **state)
{
    (void)state;
    assert_true(clock_begins_with_date("2026-11-15"));
    assert_true(clock_begins_with_date("2026-11-15T04:20"));
    assert_false(clock_begins_with_date("2026-11"));
    assert_false(clock_begins_with_date("15.11.2026"));
    assert_false(clock_begins_with_date(""));
}

static void hash_texts(const char *a, const char *b, char out[33])
{
    struct hash *hash = hash_new();
    hash_text(hash, a);
    hash_text(hash, b);
    hash_hex(hash, out);
    hash_free(hash);
}

static void hashes_keep_parts_apart(void **state)
{
    (void)state;
    char one[33];
    char two[33];
    hash_texts("ab", "c", one);
    hash_texts("ab", "c", two);
    assert_string_equal(one, two);
    assert_int_equal(strlen(one), 32);
    hash_texts("a", "bc", two);
    assert_string_not_equal(one, two);
    assert_true(hash_of("a", 1) == hash_of("a", 1));
    assert_true(hash_of("a", 1) != hash_of("b", 1));
}

/* What goes to standard error while `text` is logged. */
static void logged(const char *text, char *out, size_t size)
{
    FILE *file = tmpfile();
    assert_non_null(file);
    (void)fflush(stderr);
    int kept = dup(STDERR_FILENO);
    (void)dup2(fileno(file), STDERR_FILENO);
    log_line(LOG_SERVER, LOG_ERROR, "%s", text);
    (void)fflush(stderr);
    (void)dup2(kept, STDERR_FILENO);
    (void)close(kept);
    rewind(file);
    out[fread(out, 1, size - 1, file)] = '\0';
    (void)fclose(file);
}

static void log_lines_cannot_be_forged(void **state)
{
    (void)state;
    char line[500];
    logged("a\n2026 error: b\r\x1b[2J\xC2\x9B\xE2\x80\xA8\xE2\x80\xAE\xFF\xC3\xA9", line,
           sizeof line);
    const char *end = strstr(line, "error server: a 2026 error: b  [2J");
    assert_non_null(end);
    assert_string_equal(end + strlen("error server: a 2026 error: b  [2J"),
                        "        ?\xC3\xA9\n");
    assert_ptr_equal(strchr(line, '\n'), line + strlen(line) - 1);
}

static void log_levels_go_by_topic(void **state)
{
    (void)state;
    assert_true(log_configure("error,llm=debug"));
    assert_true(log_enabled(LOG_LLM, LOG_DEBUG));
    assert_false(log_enabled(LOG_STORE, LOG_WARN));
    assert_true(log_enabled(LOG_STORE, LOG_ERROR));
    assert_false(log_configure("loud"));
    assert_false(log_configure("info,nowhere=debug"));
    assert_true(log_enabled(LOG_LLM, LOG_DEBUG)); /* a bad text changes nothing */
    assert_false(log_enabled(LOG_STORE, LOG_INFO));
    assert_true(log_configure("warn"));
}

static void memory_is_zeroed_and_copied(void **state)
{
    (void)state;
    char *zero = memory_alloc(64);
    for (size_t i = 0; i < 64; i++) {
        assert_int_equal(zero[i], 0);
    }
    zero = memory_resize(zero, 128);
    memory_free(zero);
    char *copy = memory_copy("abc", 2);
    assert_string_equal(copy, "ab");
    memory_free(copy);
    assert_null(memory_text(NULL));
    memory_free(NULL);
}

static jmp_buf exhausted;

static void jump_out(size_t size)
{
    (void)size;
    longjmp(exhausted, 1);
}

static void overflow_reaches_the_handler(void **state)
{
    (void)state;
    memory_on_exhausted(jump_out);
    if (setjmp(exhausted) == 0) {
        void *never = memory_array(SIZE_MAX / 2, 4);
        memory_free(never);
        fail_msg("an impossible size came back");
    }
    memory_on_exhausted(NULL);
}

static void later_ids_sort_behind_earlier_ones(void **state)
{
    (void)state;
    char before[ID_SIZE];
    char after[ID_SIZE];
    char again[ID_SIZE];
    id_new_later("q", before);
    id_new_later("q", again);
    assert_true(id_valid(before));
    assert_string_not_equal(before, again);
    (void)nanosleep(&(struct timespec){.tv_nsec = 3000000}, NULL);
    id_new_later("q", after);
    assert_true(strcmp(before, after) < 0 && strcmp(again, after) < 0);
    assert_int_equal(strlen(after), 28);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(later_ids_sort_behind_earlier_ones),
        cmocka_unit_test(ids_are_new_each_time),
        cmocka_unit_test(ids_differ_after_a_fork),
        cmocka_unit_test(forged_ids_are_not_valid),
        cmocka_unit_test(clocks),
        cmocka_unit_test(dates_follow_the_zone_and_leave_ours_alone),
        cmocka_unit_test(dates_are_seen_at_the_beginning),
        cmocka_unit_test(hashes_keep_parts_apart),
        cmocka_unit_test(log_lines_cannot_be_forged),
        cmocka_unit_test(log_levels_go_by_topic),
        cmocka_unit_test(memory_is_zeroed_and_copied),
        cmocka_unit_test(overflow_reaches_the_handler),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
