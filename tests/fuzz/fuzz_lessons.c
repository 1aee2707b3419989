/*
 * Looks for files of lessons that make the reader fall, get past its checks, or come back
 * as something else after an export. layers: knowledge
 *
 * The first byte chooses the dialect; the rest is the file.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "base/utf8.h"
#include "knowledge/lessons/lessons.h"
#include "sql/guard.h"

static void expect(bool condition)
{
    if (!condition) {
        abort();
    }
}

/* What any lesson that was let in must be. */
static void check_one(struct arena *arena, enum dialect dialect,
                      const struct lesson *lesson)
{
    const char *texts[] = {lesson->schema_name, lesson->actual_name};
    for (size_t i = 0; i < 2; i++) {
        expect(texts[i] && *texts[i] && strlen(texts[i]) <= 4000);
        expect(utf8_valid(texts[i], strlen(texts[i]), NULL));
        for (const char *at = texts[i]; *at; at++) {
            bool line = lesson->kind == LESSON_QUERY && strchr("\n\r\t", *at);
            expect((unsigned char)*at >= 0x20 || line);
        }
    }
    expect(lesson->confidence >= 0 && lesson->confidence <= 1);
    expect(lesson->success_count >= 0 && lesson->success_count <= lesson->usage_count);
    if (lesson->kind == LESSON_QUERY) {
        struct guard_result result;
        guard_check(arena, dialect, lesson->actual_name, strlen(lesson->actual_name),
                    NULL, &result);
        expect(result.verdict == GUARD_READ);
    }
    if (lesson->transformation_rule) {
        const char *made = lesson_transform(arena, lesson->transformation_rule, "table");
        const char *back =
            made ? lesson_untransform(arena, lesson->transformation_rule, made) : NULL;
        expect(!made || !back || str_equal_nocase(back, "table"));
    }
}

static void check_export(struct arena *arena, enum dialect dialect,
                         const struct lessons *lessons,
                         void (*write)(const struct lessons *, struct buf *))
{
    struct buf out;
    struct lessons again = {0};
    struct err err;
    buf_init(&out, 64 * 1024 * 1024);
    write(lessons, &out);
    if (out.size <= LESSONS_FILE_MOST) { /* a small file may say much by little */
        expect(lessons_read(arena, dialect, buf_get(&out), out.size, &again, &err));
        expect(again.count == lessons->count);
    }
    buf_release(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1) {
        return 0;
    }
    struct arena *arena = arena_new();
    struct lessons lessons = {0};
    struct err err;
    enum dialect dialect = (enum dialect)(data[0] % 4);
    if (lessons_read(arena, dialect, (const char *)data + 1, size - 1, &lessons, &err)) {
        for (size_t i = 0; i < lessons.count; i++) {
            check_one(arena, dialect, &lessons.items[i]);
        }
        check_export(arena, dialect, &lessons, lessons_write_yaml);
        check_export(arena, dialect, &lessons, lessons_write_json);
    } else {
        expect(err.code != ERR_OK && *err.message);
    }
    arena_free(arena);
    return 0;
}
