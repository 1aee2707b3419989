/* The profiler: counts a table's rows, then asks for statistics and samples of its
 * columns. Small tables are read; of large ones the first rows are, and what the server
 * and its indexes know. */
#include "datasource/profile/profile_state.h"

#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"

enum { SQL_MOST = 1 << 20, SAMPLE_CELLS = 2, KNOWN_CELLS = 6 };

static bool profile_query(struct profiling *work, size_t columns,
                          bool (*row)(void *, const char *const *), struct err *err)
{
    const struct profile_session *session = work->session;
    return session->rows(session->context, buf_get(&work->sql), columns, row, work, err);
}

static bool count_row(void *context, const char *const *texts)
{
    struct profiling *work = context;
    const struct profile_dialect *dialect = work->dialect;
    int64_t count = 0;
    if (texts[0] && str_to_int(texts[0], &count)) {
        bool bounded =
            !dialect->counts_all || (work->table->is_view && dialect->count_view != NULL);
        work->small = count <= dialect->exact_rows;
        work->table->row_count = count;
        work->table->row_count_exact = work->small || !bounded;
    }
    return false;
}

/* A large table keeps the estimate it came with. */
static bool rows_count(struct profiling *work, struct err *err)
{
    const struct profile_dialect *dialect = work->dialect;
    struct table *table = work->table;
    int64_t known = table->row_count;
    if (dialect->estimate_factor > 0 &&
        known > dialect->estimate_factor * dialect->exact_rows) {
        return true;
    }
    buf_clear(&work->sql);
    profile_sql_add(work,
                    table->is_view && dialect->count_view ? dialect->count_view
                                                          : dialect->count_table,
                    0, NULL);
    if (!profile_query(work, 1, count_row, err)) {
        return false;
    }
    if (!table->row_count_exact && known > table->row_count) {
        table->row_count = known;
    }
    return true;
}

static const char *text_keep(struct profiling *work, const char *text)
{
    size_t size = strlen(text);
    return arena_text(work->arena, text_clean(work->arena, text, &size));
}

/* Of words only dates are worth knowing. */
static const char *extreme(struct profiling *work, const struct column *column,
                           const char *text)
{
    bool any = work->dialect->extremes_checked || !profile_holds_words(work, column);
    return text && (any || text_is_date(text, strlen(text))) ? text_keep(work, text)
                                                             : NULL;
}

static void column_read(struct profiling *work, struct column *column, int64_t rows,
                        const char *const *figures)
{
    int64_t present = 0;
    const char *distinct = figures[FIGURE_DISTINCT];
    if (rows > 0 && figures[FIGURE_PRESENT] &&
        str_to_int(figures[FIGURE_PRESENT], &present)) {
        column->null_share = 1.0 - (double)present / (double)rows;
    }
    if (!distinct || !str_to_int(distinct, &column->distinct)) {
        column->distinct = -1;
    }
    if (rows > 0) { /* the least number of an empty table is 0 in ClickHouse */
        column->least = extreme(work, column, figures[FIGURE_LEAST]);
        column->greatest = extreme(work, column, figures[FIGURE_GREATEST]);
    }
}

/* rows, then of each column the figures that were asked for */
static bool statistics_row(void *context, const char *const *texts)
{
    struct profiling *work = context;
    int64_t rows = 0;
    if (!*texts || !str_to_int(*texts++, &rows)) {
        return false;
    }
    for (size_t i = work->from; i < work->to; i++) {
        struct column *column = &work->table->columns.items[i];
        const char *figures[FIGURE_COUNT] = {NULL};
        for (enum profile_figure figure = 0; figure < FIGURE_COUNT; figure++) {
            if (profile_figure_form(work, column, figure)) {
                figures[figure] = *texts++;
            }
        }
        column_read(work, column, rows, figures);
    }
    return false;
}

static bool statistics_read(struct profiling *work, struct err *err)
{
    size_t count = work->table->columns.count;
    if (!work->small && !work->dialect->first_rows) {
        return true;
    }
    for (work->from = 0; work->from < count; work->from = work->to) {
        work->to = work->from + work->dialect->batch_columns;
        work->to = work->to < count ? work->to : count;
        size_t columns = profile_statistics_sql(work);
        if (!profile_query(work, columns, statistics_row, err)) {
            return false;
        }
    }
    return true;
}

static void known_column(struct profiling *work, struct column *column,
                         const char *const *texts)
{
    double share = 0;
    double distinct = 0;
    if (texts[1] && str_to_real(texts[1], &share)) {
        column->null_share = share;
    }
    if (texts[2] && str_to_real(texts[2], &distinct) && distinct != 0) {
        double rows = (double)work->table->row_count;
        column->distinct = (int64_t)round(distinct > 0 ? distinct : -distinct * rows);
    }
    column->least = texts[3] ? extreme(work, column, texts[3]) : column->least;
    column->greatest = texts[4] ? extreme(work, column, texts[4]) : column->greatest;
}

/* see profile_dialect.known; rows come column by column */
static bool known_row(void *context, const char *const *texts)
{
    struct profiling *work = context;
    struct column *column = texts[0] ? table_column(work->table, texts[0]) : NULL;
    if (!column) {
        return true;
    }
    if (column != work->column) {
        work->column = column;
        known_column(work, column, texts);
    }
    if (texts[5] && texts[5][0] && profile_holds_words(work, column) &&
        strlen(texts[5]) <= PROFILE_SAMPLE_BYTES &&
        (int)column->samples.count < work->samples) {
        VEC_PUSH(work->arena, &column->samples, text_keep(work, texts[5]));
    }
    return true;
}

static bool known_read(struct profiling *work, struct err *err)
{
    if (work->small || work->table->is_view || !work->dialect->known) {
        return true;
    }
    buf_clear(&work->sql);
    profile_sql_add(work, work->dialect->known, 0, NULL);
    work->column = NULL;
    return profile_query(work, KNOWN_CELLS, known_row, err);
}

/* the column's index, a value */
static bool sample_row(void *context, const char *const *texts)
{
    struct profiling *work = context;
    int most = work->dialect->samples_seen;
    int64_t index = -1;
    if (!texts[0] || !str_to_int(texts[0], &index) || index < 0 ||
        (size_t)index >= work->table->columns.count) {
        return true;
    }
    struct column *column = &work->table->columns.items[index];
    bool fits =
        texts[1] && texts[1][0] && (!most || strlen(texts[1]) <= PROFILE_SAMPLE_BYTES);
    if (fits && (int)column->samples.count < work->samples) {
        VEC_PUSH(work->arena, &column->samples, text_keep(work, texts[1]));
    }
    /* long texts are passed over, but not for ever */
    return !most || ((int)column->samples.count < work->samples && ++work->seen < most);
}

static bool samples_run(struct profiling *work, struct err *err)
{
    /* without a LIMIT, the statement has a third column to order by */
    size_t columns = SAMPLE_CELLS + (work->dialect->samples_seen > 0);
    work->seen = 0;
    bool ok = profile_query(work, columns, sample_row, err);
    buf_clear(&work->sql);
    return ok;
}

/* The most frequent words of each text column among the first rows. */
static bool samples_read(struct profiling *work, struct err *err)
{
    const struct profile_dialect *dialect = work->dialect;
    size_t asked = 0;
    if (work->samples <= 0 || (dialect->samples_seen && !work->small)) {
        return true;
    }
    buf_clear(&work->sql);
    for (size_t i = 0; i < work->table->columns.count; i++) {
        const struct column *column = &work->table->columns.items[i];
        if (!profile_holds_words(work, column) || column->samples.count > 0) {
            continue;
        }
        (void)buf_text(&work->sql, asked > 0 ? " UNION ALL " : "");
        profile_sql_add(work, dialect->samples, i, NULL);
        if (++asked == dialect->sample_columns) {
            asked = 0;
            if (!samples_run(work, err)) {
                return false;
            }
        }
    }
    return asked == 0 || samples_run(work, err);
}

bool profile_samples_of(struct profiling *work, size_t column, struct err *err)
{
    work->table->columns.items[column].samples.count = 0;
    buf_clear(&work->sql);
    profile_sql_add(work, work->dialect->samples, column, NULL);
    return samples_run(work, err);
}

bool profile_table(const struct profile_session *session, struct table *table,
                   struct arena *arena, int samples, struct err *err)
{
    /* One more than a few: then it shows that there are not so few. */
    struct profiling work = {
        .session = session,
        .dialect = session->dialect,
        .table = table,
        .arena = arena,
        .samples = samples > 0 && samples <= PROFILE_FEW ? PROFILE_FEW + 1 : samples,
        .scan = PROFILE_SCAN_ROWS};
    buf_init(&work.sql, SQL_MOST);
    bool ok = rows_count(&work, err) && statistics_read(&work, err) &&
              known_read(&work, err) && samples_read(&work, err) &&
              profile_few(&work, samples, err) && profile_days(&work, err);
    buf_release(&work.sql);
    return ok;
}

const char *profile_cell(struct arena *arena, const struct value *value)
{
    enum { CELL_MOST = 4096 };
    struct buf text;
    if (value->kind == VALUE_NULL || value->kind == VALUE_BLOB) {
        return NULL;
    }
    buf_init(&text, CELL_MOST);
    value_print(&text, value);
    const char *kept = buf_clone(&text, arena);
    buf_release(&text);
    return kept;
}
