/* What came back from a trial run, as numbers. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/hash.h"
#include "base/str.h"
#include "model/rows.h"
#include "parser/parser.h"

/* Number of rows examined: callers may stop after different numbers of rows, and the
 * result must not depend on that. */
enum { LOOKED_MOST = 1000, YEAR_FIRST = 1800, YEAR_LAST = 2100 };

static uint64_t cell_hash(const struct value *value)
{
    struct buf buf;
    buf_init(&buf, 1 << 20);
    value_print(&buf, value);
    uint64_t hash = hash_of(buf_get(&buf), buf.size) + (uint64_t)value->kind % 2;
    buf_release(&buf);
    return hash;
}

static bool says_nothing(const struct rows *rows)
{
    if (rows->count != 1 || rows->column_count != 1) {
        return rows->count == 0;
    }
    const struct value *value = rows_cell(rows, 0, 0);
    return value->kind == VALUE_NULL || (value->kind == VALUE_INT && value->integer == 0);
}

/* "2024-03", "2024-03-05", with or without a time. */
static bool is_date(const struct value *value)
{
    const char *text = value->text.data;
    if (value->kind != VALUE_TEXT || value->text.size < 7) {
        return false;
    }
    for (size_t i = 0; i < 7; i++) {
        if (i == 4 ? text[i] != '-' : text[i] < '0' || text[i] > '9') {
            return false;
        }
    }
    return true;
}

static bool is_year(const struct value *value)
{
    return value->kind == VALUE_INT && value->integer >= YEAR_FIRST &&
           value->integer <= YEAR_LAST;
}

static bool is_number(const struct value *value)
{
    return value->kind == VALUE_INT || value->kind == VALUE_REAL ||
           value->kind == VALUE_NUMBER;
}

static bool is_negative(const struct value *value)
{
    return (value->kind == VALUE_INT && value->integer < 0) ||
           (value->kind == VALUE_REAL && value->real < 0) ||
           (value->kind == VALUE_NUMBER && value->text.size && *value->text.data == '-');
}

/* One column's cells; hashes[row * columns + column] are theirs. */
static void look_at_column(const struct rows *rows, const uint64_t *hashes, size_t count,
                           size_t column, struct parser_looks *looks)
{
    size_t nulls = 0;
    size_t numbers = 0;
    size_t dates = 0;
    size_t years = 0;
    bool same = true;
    for (size_t row = 0; row < count; row++) {
        const struct value *value = rows_cell(rows, row, column);
        nulls += value->kind == VALUE_NULL;
        numbers += is_number(value);
        dates += is_date(value);
        years += is_year(value);
        looks->negative = looks->negative || is_negative(value);
        same = same && hashes[row * rows->column_count + column] == hashes[column];
    }
    size_t there = count - nulls;
    looks->nulls += (double)nulls;
    looks->null_columns += count && !there;
    looks->constant_columns += count > 1 && there && same;
    looks->number_columns += there && numbers == there;
    looks->year_columns += there && years == there;
    looks->date_columns += there && dates == there;
    looks->text_columns += there && numbers < there && dates < there;
}

static int by_size(const void *a, const void *b)
{
    uint64_t left = *(const uint64_t *)a;
    uint64_t right = *(const uint64_t *)b;
    return (left > right) - (left < right);
}

static size_t repeated(uint64_t *lines, size_t count)
{
    size_t again = 0;
    qsort(lines, count, sizeof *lines, by_size);
    for (size_t i = 1; i < count; i++) {
        again += lines[i] == lines[i - 1];
    }
    return again;
}

static void look_at(const struct rows *rows, const uint64_t *hashes, uint64_t *lines,
                    size_t count, struct parser_looks *looks)
{
    for (size_t column = 0; column < rows->column_count; column++) {
        look_at_column(rows, hashes, count, column, looks);
    }
    looks->many = rows->count > LOOKED_MOST;
    for (size_t row = 0; row < count && rows->column_count; row++) {
        uint64_t first = hashes[row * rows->column_count];
        looks->things += first * first; /* in any order */
    }
    if (count) {
        looks->nulls /= (double)(count * (rows->column_count ? rows->column_count : 1));
        looks->repeated = (double)repeated(lines, count) / (double)count;
    }
    const struct value *only =
        rows->count == 1 && rows->column_count == 1 ? rows_cell(rows, 0, 0) : NULL;
    looks->zero = only && ((only->kind == VALUE_INT && only->integer == 0) ||
                           (only->kind == VALUE_REAL && only->real == 0));
}

void parser_outcome_of(const struct rows *rows, bool ordered, struct parser_outcome *out)
{
    uint64_t total = rows->column_count;
    size_t looked = rows->count < LOOKED_MOST ? rows->count : LOOKED_MOST;
    struct arena *scratch = arena_new();
    uint64_t *hashes =
        arena_array(scratch, looked * rows->column_count + 1, sizeof *hashes);
    uint64_t *lines = arena_array(scratch, looked + 1, sizeof *lines);
    out->rows = rows->count;
    out->columns = rows->column_count;
    for (size_t row = 0; row < rows->count; row++) {
        uint64_t line = 1469598103934665603U;
        for (size_t column = 0; column < rows->column_count; column++) {
            uint64_t hash = cell_hash(rows_cell(rows, row, column));
            line = (line ^ hash) * 1099511628211U;
            if (row < looked) {
                hashes[row * rows->column_count + column] = hash;
            }
        }
        if (row < looked) {
            lines[row] = line;
        }
        total = ordered ? (total ^ line) * 1099511628211U : total + line * line;
    }
    out->result = total ^ rows->count;
    out->empty = says_nothing(rows);
    out->looks = (struct parser_looks){0};
    look_at(rows, hashes, lines, looked, &out->looks);
    arena_free(scratch);
}
