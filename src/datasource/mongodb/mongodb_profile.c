/* Sample values, row counts and statistics of one table, from the documents at both ends
 * of its collection. */
#include "base/arena.h"
#include "datasource/mongodb/mongodb_driver.h"
#include "datasource/profile/profile.h"

enum { LOOK_DOCUMENTS = 2000 };

struct profiling {
    struct arena *arena; /* of this profile */
    const struct mongodb_table *table;
    struct profile_tally *tallies;
    size_t *columns;
    int64_t rows;
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

static bool tally_row(void *context, const struct value *cells)
{
    struct profiling *work = context;
    work->rows++;
    for (size_t i = 0; i < work->table->columns.count; i++) {
        if (cells[i].kind != VALUE_NULL) {
            profile_tally_add(&work->tallies[i], work->arena, &cells[i], true,
                              value_ordered(&work->table->columns.items[i], &cells[i]));
        }
    }
    return true;
}

static void column_fill(struct profiling *work, const struct mongodb_column *from,
                        struct profile_tally *tally, struct column *column,
                        struct arena *arena, int samples, bool whole)
{
    profile_tally_fill(tally, work->rows, true, column, arena);
    if (whole && !tally->too_many && from->kind != MONGODB_DOCUMENT) {
        column->distinct = (int64_t)tally->values.count;
    }
    if (from->kind == MONGODB_TEXT || from->kind == MONGODB_OTHER) {
        profile_tally_samples(tally, samples, false, column, arena);
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
    for (size_t i = 0; i < count; i++) {
        work.columns[i] = i;
        profile_tally_init(&work.tallies[i]);
    }
    bool ok = rows_read(session, &work, asked, &whole, err);
    for (size_t i = 0; i < count; i++) {
        struct column *column =
            ok ? table_column(asked->table, asked->from->columns.items[i].name) : NULL;
        if (column) {
            column_fill(&work, &asked->from->columns.items[i], &work.tallies[i], column,
                        asked->arena, asked->samples, whole);
        }
        profile_tally_release(&work.tallies[i]);
    }
    if (ok && whole) {
        asked->table->row_count = work.rows;
        asked->table->row_count_exact = true;
    }
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
