/* What is said between processes: rows come over as they were, and a process that lies is
 * not believed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/arena.h"

#ifdef DRAGOMAN_HAS_DUCKDB
#include "datasource/duckdb/duckdb.h"

static struct value text_of(enum value_kind kind, const char *text)
{
    struct value value = {.kind = kind};
    value.text.data = text;
    value.text.size = strlen(text);
    return value;
}

static void rows_come_over_as_they_were(void **state)
{
    (void)state;
    struct value cells[8] = {{.kind = VALUE_NULL},
                             {.kind = VALUE_BOOL, .boolean = true},
                             {.kind = VALUE_INT, .integer = INT64_MIN},
                             {.kind = VALUE_REAL, .real = -0.5},
                             text_of(VALUE_NUMBER, "-12.50"),
                             text_of(VALUE_TEXT, "B\xC3\xA4r"),
                             {.kind = VALUE_BLOB, .text = {"\0\xFF", 2}},
                             text_of(VALUE_JSON, "[1]")};
    struct value got[8];
    struct arena *arena = arena_new();
    struct buf out;
    buf_init(&out, 1 << 16);
    frame_put_row(&out, cells, 8, SIZE_MAX, SIZE_MAX);
    struct frame_reader in = {.at = out.data, .left = out.size};
    assert_true(frame_get_row(&in, arena, got, 8));
    assert_int_equal(in.left, 0);
    for (size_t i = 0; i < 8; i++) {
        assert_int_equal(got[i].kind, cells[i].kind);
        if (cells[i].kind >= VALUE_NUMBER) {
            assert_int_equal(got[i].text.size, cells[i].text.size);
            assert_memory_equal(got[i].text.data, cells[i].text.data, got[i].text.size);
        }
    }
    assert_true(got[1].boolean);
    assert_int_equal(got[2].integer, INT64_MIN);
    assert_true(got[3].real == -0.5);
    /* every shorter one is seen to be that */
    for (size_t size = 0; size < out.size; size++) {
        char *copy = arena_copy(arena, out.data, size);
        in = (struct frame_reader){.at = copy, .left = size};
        assert_false(frame_get_row(&in, arena, got, 8));
    }
    buf_release(&out);
    arena_free(arena);
}

static void long_rows_are_cut_where_nobody_takes_more(void **state)
{
    (void)state;
    const struct value cells[2] = {text_of(VALUE_TEXT, "0123456789"),
                                   text_of(VALUE_TEXT, "0123456789")};
    struct value got[2];
    struct arena *arena = arena_new();
    struct buf out;
    buf_init(&out, 1 << 16);
    frame_put_row(&out, cells, 2, SIZE_MAX, 13);
    struct frame_reader in = {.at = out.data, .left = out.size};
    assert_true(frame_get_row(&in, arena, got, 2));
    assert_int_equal(got[0].text.size, 10);
    assert_int_equal(got[1].text.size, 3);
    assert_false(got[0].cut);
    assert_true(got[1].cut);
    buf_clear(&out);
    frame_put_row(&out, cells, 2, 4, SIZE_MAX);
    in = (struct frame_reader){.at = out.data, .left = out.size};
    assert_true(frame_get_row(&in, arena, got, 2));
    assert_int_equal(got[0].text.size, 4);
    assert_true(got[0].cut);
    assert_true(got[1].cut);
    buf_release(&out);
    arena_free(arena);
}

/* ------------------------------------------------------------------ lies */

static bool take_columns(void *context, const struct rows_column *columns, size_t count)
{
    (void)context;
    (void)columns;
    return count > 0;
}

static bool take_row(void *context, const struct value *cells)
{
    (void)cells;
    (*(int64_t *)context)++;
    return true;
}

/* What becomes of a query when this is all that is ever said. */
static enum err_code told(const char *said, size_t size, int64_t *rows)
{
    int control[2];
    int line[2];
    struct err err;
    const struct datasource_sink sink = {
        .columns = take_columns, .row = take_row, .context = rows};
    const struct datasource_limits limits = {.max_rows = 10, .max_bytes = 1000};
    assert_true(frame_pair(SOCK_STREAM, control) && frame_pair(SOCK_STREAM, line));
    struct engine engine = {.spawner = UINT64_MAX, .uses = 2};
    (void)pthread_mutex_init(&engine.lock, NULL);
    frame_stream_init(&engine.control, control[0], NULL, NULL);
    struct duckdb_session session = {.limits = &limits,
                                     .line = {.engine = &engine, .limits = &limits}};
    frame_stream_init(&session.line.stream, line[0], NULL, NULL);
    buf_init(&session.line.out, 1 << 16);
    assert_int_equal(send(line[1], said, size, MSG_NOSIGNAL), (ssize_t)size);
    (void)shutdown(line[1], SHUT_WR);
    err_clear(&err);
    *rows = 0;
    bool ok = duckdb_run(&session, "SELECT 1", false, &sink, &err);
    assert_true(ok == (err.code == ERR_OK));
    frame_stream_release(&session.line.stream);
    buf_release(&session.line.out);
    frame_stream_release(&engine.control);
    (void)pthread_mutex_destroy(&engine.lock);
    (void)close(control[1]);
    (void)close(line[1]);
    return err.code;
}

struct speech {
    struct buf all;
    struct buf one;
};

static struct buf *say(struct speech *speech, enum engine_message kind, uint64_t serial)
{
    frame_begin(&speech->one, kind);
    frame_put_number(&speech->one, serial);
    return &speech->one;
}

static void said(struct speech *speech)
{
    assert_true(frame_end(&speech->one));
    assert_true(buf_add(&speech->all, speech->one.data, speech->one.size));
}

static void columns_say(struct speech *speech, uint64_t count)
{
    struct buf *out = say(speech, ENGINE_COLUMNS, 1);
    frame_put_number(out, count);
    for (uint64_t i = 0; i < count && i < 3; i++) {
        frame_put_string(out, "name");
        frame_put_string(out, "VARCHAR");
    }
    said(speech);
}

static void row_say(struct speech *speech, uint64_t rows, uint64_t serial)
{
    const struct value cell = text_of(VALUE_TEXT, "Ann");
    struct buf *out = say(speech, ENGINE_ROWS, serial);
    frame_put_number(out, rows);
    frame_put_row(out, &cell, 1, SIZE_MAX, SIZE_MAX);
    said(speech);
}

static void end_say(struct speech *speech)
{
    frame_put_number(say(speech, ENGINE_OK, 1), 0);
    said(speech);
}

static void lies_are_not_believed(void **state)
{
    (void)state;
    int64_t rows = 0;
    for (int lie = 0; lie < 7; lie++) {
        struct speech speech;
        buf_init(&speech.all, 1 << 16);
        buf_init(&speech.one, 1 << 16);
        if (lie == 1) {
            columns_say(&speech, UINT64_MAX);
        } else if (lie != 2) { /* rows without columns */
            columns_say(&speech, 1);
        }
        if (lie == 3) {
            columns_say(&speech, 1); /* twice */
        }
        row_say(&speech, lie == 4 ? UINT64_MAX : 1, lie == 5 ? 7 : 1);
        if (lie == 6) {
            speech.all.data[3] = 0x7F; /* the first frame has two gigabytes */
        }
        end_say(&speech);
        enum err_code code = told(speech.all.data, speech.all.size, &rows);
        assert_int_equal(code, lie == 0 ? ERR_OK : ERR_DATASOURCE_UNREACHABLE);
        assert_true(rows <= 1);
        /* and when it ends in the middle of a word */
        for (size_t size = 0; lie == 0 && size < speech.all.size; size++) {
            assert_int_equal(told(speech.all.data, size, &rows),
                             ERR_DATASOURCE_UNREACHABLE);
        }
        buf_release(&speech.all);
        buf_release(&speech.one);
    }
}

static void texts_are_made_good(void **state)
{
    (void)state;
    struct arena *arena = arena_new();
    const struct value cells[2] = {text_of(VALUE_TEXT, "a\xFF"),
                                   text_of(VALUE_NUMBER, "1; DROP")};
    struct value got[2];
    struct buf out;
    buf_init(&out, 1 << 16);
    frame_put_row(&out, cells, 2, SIZE_MAX, SIZE_MAX);
    struct frame_reader in = {.at = out.data, .left = out.size};
    assert_true(frame_get_row(&in, arena, got, 2));
    assert_memory_equal(got[0].text.data, "a\xEF\xBF\xBD", 4);
    assert_int_equal(got[1].kind, VALUE_TEXT);
    buf_release(&out);
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_come_over_as_they_were),
        cmocka_unit_test(long_rows_are_cut_where_nobody_takes_more),
        cmocka_unit_test(lies_are_not_believed),
        cmocka_unit_test(texts_are_made_good),
    };
    return cmocka_run_group_tests_name("engine_wire", tests, NULL, NULL);
}

#else

int main(void)
{
    return 0;
}

#endif
