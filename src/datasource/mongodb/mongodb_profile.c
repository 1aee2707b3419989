/* Sample values, row counts and statistics of one table, from the documents at both ends
 * of its collection. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "base/str.h"
#include "datasource/mongodb/mongodb_driver.h"

enum {
    LOOK_DOCUMENTS = 2000,
    DISTINCT_MOST = 2000, /* values of one column that are told apart */
    SAMPLE_BYTES = 100,   /* a longer text is no value one would ask for */
    TEXT_MOST = 4096,
};

struct seen {
    char *text;
    int64_t count;
    size_t order; /* when it was first met */
};

struct seens {
    struct seen *items;
    size_t count;
    size_t capacity;
};

/* What is known of one column so far. */
struct tally {
    struct map places; /* text -> position in values + 1 */
    struct seens values;
    int64_t present;
    bool too_many;
    bool has_extremes;
    struct value least;
    struct value greatest;
};

struct profiling {
    struct arena *arena; /* of this profile */
    const struct mongodb_table *table;
    struct tally *tallies;
    size_t *columns;
    int64_t rows;
    struct buf text;
};

/* Numbers by size, dates and texts by bytes; other kinds have no order here. */
static bool value_ordered(const struct mongodb_column *column, const struct value *value)
{
    bool number = value->kind == VALUE_INT || value->kind == VALUE_REAL;
    return (number && column->kind >= MONGODB_INT && column->kind <= MONGODB_REAL) ||
           (value->kind == VALUE_NUMBER && column->kind == MONGODB_DECIMAL) ||
           (value->kind == VALUE_TEXT &&
            (column->kind == MONGODB_TIME ||
             (column->kind == MONGODB_TEXT &&
              text_is_date(value->text.data, value->text.size))));
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

static void extremes_note(struct profiling *work, struct tally *tally,
                          const struct value *value)
{
    if (value->kind == VALUE_REAL && value->real != value->real) {
        return; /* not a number */
    }
    if (!tally->has_extremes || value_less(value, &tally->least)) {
        tally->least = value_clone(work->arena, value);
    }
    if (!tally->has_extremes || value_less(&tally->greatest, value)) {
        tally->greatest = value_clone(work->arena, value);
    }
    tally->has_extremes = true;
}

static void value_note(struct profiling *work, struct tally *tally,
                       const struct value *value)
{
    buf_clear(&work->text);
    value_print(&work->text, value);
    if (work->text.full) {
        tally->too_many = true;
        work->text.full = false;
        return;
    }
    const char *text = buf_get(&work->text);
    size_t place = (size_t)map_get(&tally->places, text);
    if (place) {
        tally->values.items[place - 1].count++;
        return;
    }
    if (tally->values.count >= DISTINCT_MOST) {
        tally->too_many = true;
        return;
    }
    struct seen *seen = VEC_ADD(work->arena, &tally->values);
    seen->text = arena_text(work->arena, text);
    seen->count = 1;
    seen->order = tally->values.count;
    (void)map_set(&tally->places, text,
                  (void *)tally->values.count); /* NOLINT: a number, not a place */
}

static bool tally_row(void *context, const struct value *cells)
{
    struct profiling *work = context;
    work->rows++;
    for (size_t i = 0; i < work->table->columns.count; i++) {
        struct tally *tally = &work->tallies[i];
        if (cells[i].kind == VALUE_NULL) {
            continue;
        }
        tally->present++;
        if (value_ordered(&work->table->columns.items[i], &cells[i])) {
            extremes_note(work, tally, &cells[i]);
        }
        value_note(work, tally, &cells[i]);
    }
    return true;
}

static int seen_compare(const void *a, const void *b)
{
    const struct seen *left = a;
    const struct seen *right = b;
    if (left->count != right->count) {
        return left->count > right->count ? -1 : 1;
    }
    return left->order < right->order ? -1 : left->order > right->order;
}

static const char *extreme_text(struct profiling *work, struct arena *arena,
                                const struct value *value)
{
    buf_clear(&work->text);
    value_print(&work->text, value);
    return arena_text(arena, buf_get(&work->text));
}

static void column_fill(struct profiling *work, const struct mongodb_column *from,
                        struct tally *tally, struct column *column, struct arena *arena,
                        int samples, bool whole)
{
    if (work->rows > 0) {
        column->null_share = 1.0 - (double)tally->present / (double)work->rows;
    }
    if (whole && !tally->too_many && from->kind != MONGODB_DOCUMENT) {
        column->distinct = (int64_t)tally->values.count;
    }
    if (tally->has_extremes) {
        column->least = extreme_text(work, arena, &tally->least);
        column->greatest = extreme_text(work, arena, &tally->greatest);
    }
    bool words = from->kind == MONGODB_TEXT || from->kind == MONGODB_OTHER;
    if (!words || tally->values.count == 0) {
        return;
    }
    qsort(tally->values.items, tally->values.count, sizeof *tally->values.items,
          seen_compare);
    for (size_t i = 0; i < tally->values.count && (int)column->samples.count < samples;
         i++) {
        const char *text = tally->values.items[i].text;
        if (text[0] && strlen(text) <= SAMPLE_BYTES) {
            VEC_PUSH(arena, &column->samples, arena_text(arena, text));
        }
    }
}

struct asked {
    struct mongodb_shape *shape;
    struct mongodb_table *from;
    struct table *table;
    struct arena *arena;
    int samples;
};

static bool rows_read(struct mongodb_session *session, struct profiling *work,
                      const struct asked *asked, bool *whole, struct err *err)
{
    struct mongodb_reading reading = {.shape = asked->shape,
                                      .table = asked->from,
                                      .columns = work->columns,
                                      .count = asked->from->columns.count,
                                      .limit = asked->shape->whole ? LOOK_DOCUMENTS
                                                                   : LOOK_DOCUMENTS / 2};
    *whole = asked->shape->whole;
    bool ok = mongodb_rows(session, &reading, tally_row, work, err);
    if (ok && !*whole && !asked->shape->is_view) {
        reading.newest = true;
        ok = mongodb_rows(session, &reading, tally_row, work, err);
    }
    return ok;
}

static bool profile_work(struct mongodb_session *session, void *context, struct err *err)
{
    const struct asked *asked = context;
    size_t count = asked->from->columns.count;
    struct profiling work = {.arena = arena_new(), .table = asked->from};
    bool whole = false;
    work.tallies = arena_array(work.arena, count, sizeof *work.tallies);
    work.columns = arena_array(work.arena, count, sizeof *work.columns);
    buf_init(&work.text, TEXT_MOST);
    for (size_t i = 0; i < count; i++) {
        work.columns[i] = i;
        map_init(&work.tallies[i].places, false);
    }
    bool ok = rows_read(session, &work, asked, &whole, err);
    for (size_t i = 0; i < count; i++) {
        struct column *column =
            ok ? table_column(asked->table, asked->from->columns.items[i].name) : NULL;
        if (column) {
            column_fill(&work, &asked->from->columns.items[i], &work.tallies[i], column,
                        asked->arena, asked->samples, whole);
        }
        map_release(&work.tallies[i].places);
    }
    if (ok && whole) {
        asked->table->row_count = work.rows;
        asked->table->row_count_exact = true;
    }
    buf_release(&work.text);
    arena_free(work.arena);
    return ok;
}

bool mongodb_profile(struct datasource *source, struct schema *schema,
                     struct table *table, struct arena *arena, int samples,
                     const struct datasource_limits *limits, struct err *err)
{
    struct mongodb_state *state = source->state;
    struct asked asked = {.table = table, .arena = arena, .samples = samples};
    (void)schema;
    asked.shape = mongodb_shape_of_table(state, table->name, &asked.from);
    if (!asked.shape) {
        return true; /* nothing is known of it: the schema came from elsewhere */
    }
    bool ok = mongodb_with(source, limits, profile_work, &asked, err);
    mongodb_shape_unref(state, asked.shape);
    return ok;
}
