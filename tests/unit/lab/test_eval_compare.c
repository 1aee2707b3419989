/* When two results are the same answer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/arena.h"
#include "model/rows.h"
#include "model/value.h"
#include "lab/eval/eval_compare.h"

enum { WIDE = 40, ROWS = 3 };

/* Row r, column c holds what `cell` says; 0 is NULL. */
static struct rows made(struct arena *arena, size_t columns, int64_t (*cell)(int, int))
{
    struct rows rows;
    struct rows_column heads[WIDE + WIDE + WIDE];
    struct value values[WIDE + WIDE + WIDE];
    rows_init(&rows, arena);
    for (size_t i = 0; i < columns; i++) {
        heads[i] = (struct rows_column){"c", ""};
    }
    rows_set_columns(&rows, heads, columns);
    for (int row = 0; row < ROWS; row++) {
        for (size_t i = 0; i < columns; i++) {
            int64_t number = cell(row, (int)i);
            values[i] = (struct value){.kind = number ? VALUE_INT : VALUE_NULL,
                                       .integer = number};
        }
        rows_add(&rows, values);
    }
    return rows;
}

static int64_t counted(int row, int column)
{
    return 1 + row * 1000 + column;
}

static int64_t turned(int row, int column)
{
    return counted(row, (column + 7) % WIDE);
}

static int64_t other(int row, int column)
{
    return row == 2 && column == 30 ? 5 : counted(row, column);
}

static int64_t mixed(int row, int column)
{
    return counted((row + column % 2) % ROWS, column); /* the columns hold the same */
}

static int64_t nothing(int row, int column)
{
    (void)row;
    (void)column;
    return 0;
}

static int64_t nearly_nothing(int row, int column)
{
    (void)row;
    return column == WIDE - 1 ? 1 : 0;
}

static void wide_results(void **state)
{
    (void)state;
    struct arena *arena = arena_new();
    struct rows whole = made(arena, WIDE, counted);
    struct rows moved = made(arena, WIDE, turned);
    struct rows changed = made(arena, WIDE, other);
    struct rows shuffled = made(arena, WIDE, mixed);
    assert_true(eval_same(arena, &whole, &whole, false));
    assert_true(eval_same(arena, &whole, &whole, true));
    assert_true(eval_same(arena, &whole, &moved, true));
    assert_false(eval_same(arena, &whole, &changed, false));
    assert_false(eval_same(arena, &whole, &shuffled, false));
    arena_free(arena);
}

/* Columns that are all alike can be put into more orders than there is time for. */
static void alike_columns(void **state)
{
    (void)state;
    struct arena *arena = arena_new();
    struct rows empty = made(arena, WIDE, nothing);
    struct rows one = made(arena, WIDE, nearly_nothing);
    assert_true(eval_same(arena, &empty, &empty, true));
    assert_true(eval_same(arena, &one, &one, false));
    assert_false(eval_same(arena, &empty, &one, false));
    assert_false(eval_same(arena, &one, &empty, false));
    arena_free(arena);
}

static void other_sizes(void **state)
{
    (void)state;
    struct arena *arena = arena_new();
    struct rows narrow = made(arena, 2, counted);
    struct rows wider = made(arena, 3, counted);
    struct rows beyond = made(arena, 3 * WIDE, counted);
    assert_false(eval_same(arena, &narrow, &wider, false));
    assert_false(eval_same(arena, &beyond, &beyond, false)); /* bounded: never compared */
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wide_results),
        cmocka_unit_test(alike_columns),
        cmocka_unit_test(other_sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
