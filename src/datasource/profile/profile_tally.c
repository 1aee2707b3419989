/* The values of a column counted as they are read, for databases that are not asked by
 * SQL. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "datasource/profile/profile.h"

enum {
    DISTINCT_MOST = 2000, /* distinct values of one column that are counted */
    TEXT_MOST = 4096,
};

void profile_tally_init(struct profile_tally *tally)
{
    *tally = (struct profile_tally){0};
    map_init(&tally->places, false);
}

void profile_tally_release(struct profile_tally *tally)
{
    map_release(&tally->places);
}

static double value_size(const struct value *value)
{
    switch (value->kind) {
    case VALUE_INT:
        return (double)value->integer;
    case VALUE_REAL:
        return value->real;
    default: /* a decimal: near enough to tell which is greater */
        return strtod(value->text.data, NULL);
    }
}

static bool value_less(const struct value *a, const struct value *b)
{
    if (a->kind == VALUE_TEXT && b->kind == VALUE_TEXT) {
        size_t size = a->text.size < b->text.size ? a->text.size : b->text.size;
        int order = memcmp(a->text.data, b->text.data, size);
        return order < 0 || (order == 0 && a->text.size < b->text.size);
    }
    return value_size(a) < value_size(b);
}

static void extremes_note(struct profile_tally *tally, struct arena *arena,
                          const struct value *value)
{
    if (value->kind == VALUE_REAL && value->real != value->real) {
        return; /* not a number */
    }
    if (!tally->has_extremes || value_less(value, &tally->least)) {
        tally->least = value_clone(arena, value);
    }
    if (!tally->has_extremes || value_less(&tally->greatest, value)) {
        tally->greatest = value_clone(arena, value);
    }
    tally->has_extremes = true;
}

static void value_count(struct profile_tally *tally, struct arena *arena,
                        const char *text)
{
    size_t place = (size_t)map_get(&tally->places, text);
    if (place) {
        tally->values.items[place - 1].count++;
        return;
    }
    if (tally->values.count >= DISTINCT_MOST) {
        tally->too_many = true;
        return;
    }
    struct profile_counted *counted = VEC_ADD(arena, &tally->values);
    counted->text = arena_text(arena, text);
    counted->count = 1;
    counted->met = tally->values.count;
    (void)map_set(&tally->places, text,
                  (void *)tally->values.count); /* NOLINT: a number, not a place */
}

void profile_tally_add(struct profile_tally *tally, struct arena *arena,
                       const struct value *value, bool counted, bool ordered)
{
    tally->present++;
    if (ordered) {
        extremes_note(tally, arena, value);
    }
    if (!counted) {
        return;
    }
    struct buf text;
    buf_init(&text, TEXT_MOST);
    value_print(&text, value);
    if (text.full) {
        tally->too_many = true;
    } else {
        value_count(tally, arena, buf_get(&text));
    }
    buf_release(&text);
}

void profile_tally_fill(const struct profile_tally *tally, int64_t rows, bool extremes,
                        struct column *column, struct arena *arena)
{
    if (rows > 0) {
        column->null_share = 1.0 - (double)tally->present / (double)rows;
    }
    if (extremes && tally->has_extremes) {
        column->least = profile_cell(arena, &tally->least);
        column->greatest = profile_cell(arena, &tally->greatest);
    }
}

static int by_count(const void *a, const void *b)
{
    const struct profile_counted *left = a;
    const struct profile_counted *right = b;
    return (left->count < right->count) - (left->count > right->count);
}

static int by_count_then_met(const void *a, const void *b)
{
    const struct profile_counted *left = a;
    const struct profile_counted *right = b;
    int order = by_count(a, b);
    return order ? order : (left->met > right->met) - (left->met < right->met);
}

static int by_count_then_text(const void *a, const void *b)
{
    const struct profile_counted *left = a;
    const struct profile_counted *right = b;
    int order = by_count(a, b);
    return order ? order : strcmp(left->text, right->text);
}

void profile_tally_samples(struct profile_tally *tally, int samples, bool by_text,
                           struct column *column, struct arena *arena)
{
    if (tally->values.count > 1) {
        qsort(tally->values.items, tally->values.count, sizeof *tally->values.items,
              by_text ? by_count_then_text : by_count_then_met);
    }
    bool few = samples > 0 && tally->values.count <= PROFILE_FEW && column->distinct > 0;
    int most = few && samples < PROFILE_FEW ? PROFILE_FEW : samples;
    for (size_t i = 0; i < tally->values.count && (int)column->samples.count < most;
         i++) {
        const char *text = tally->values.items[i].text;
        if (text[0] && strlen(text) <= PROFILE_SAMPLE_BYTES) {
            VEC_PUSH(arena, &column->samples, arena_text(arena, text));
        }
    }
    column->samples_all = few && (int64_t)column->samples.count == column->distinct;
}
