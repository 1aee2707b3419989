/* Sample values, row counts and statistics of one table behind ODBC, in SQL that every
 * database takes. */
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "datasource/odbc/odbc_driver.h"

enum {
    EXACT_ROWS = 200000, /* of larger tables only the rows are counted */
    BATCH_COLUMNS = 60,
    SAMPLE_BYTES = 100, /* a longer text is no value one would ask for */
    SQL_MOST = 1 << 20,
};

struct profiling {
    struct odbc_session *session;
    struct table *table;
    struct arena *arena;
    int samples;
    struct buf sql;
    size_t from;
    size_t to;
    struct column *column;
    int seen; /* rows of samples looked at */
};

static bool type_among(const struct column *column, const char *const *words)
{
    for (; *words; words++) {
        if (str_starts_nocase(column->type, *words)) {
            return true;
        }
    }
    return false;
}

static bool holds_words(const struct column *column)
{
    static const char *const words[] = {"VARCHAR", "CHAR", NULL};
    return type_among(column, words) || str_equal(column->type, "TEXT");
}

static bool ordered(const struct column *column)
{
    static const char *const words[] = {
        "TINYINT", "SMALLINT", "INTEGER", "BIGINT",  "DECIMAL", "NUMERIC", "REAL",
        "DOUBLE",  "DATE",     "TIME",    "VARCHAR", "CHAR",    NULL};
    return type_among(column, words);
}

static const char *cell_text(struct profiling *work, const struct value *cell)
{
    struct buf text;
    if (cell->kind == VALUE_NULL) {
        return NULL;
    }
    buf_init(&text, 4096);
    value_print(&text, cell);
    const char *kept = buf_clone(&text, work->arena);
    buf_release(&text);
    return kept;
}

static int64_t cell_int(const struct value *cell)
{
    return cell->kind == VALUE_INT ? cell->integer : -1;
}

static bool statistics_row(void *context, const struct value *cells)
{
    struct profiling *work = context;
    int64_t rows = cell_int(&cells[0]);
    const struct value *at = &cells[1];
    work->table->row_count = rows;
    work->table->row_count_exact = rows >= 0;
    for (size_t i = work->from; i < work->to; i++) {
        struct column *column = &work->table->columns.items[i];
        int64_t present = cell_int(at++);
        if (rows > 0 && present >= 0) {
            column->null_share = 1.0 - (double)present / (double)rows;
        }
        if (!ordered(column)) {
            continue;
        }
        column->distinct = cell_int(at++);
        const char *least = cell_text(work, at++);
        const char *greatest = cell_text(work, at++);
        bool shown =
            !holds_words(column) || (least && text_is_date(least, strlen(least)));
        column->least = shown ? least : NULL;
        column->greatest = shown ? greatest : NULL;
    }
    return false;
}

static void column_add(struct profiling *work, const char *before,
                       const struct column *column, const char *after)
{
    (void)buf_text(&work->sql, before);
    odbc_quote(work->session->state, &work->sql, column->name);
    (void)buf_text(&work->sql, after);
}

/* Drivers read a whole row: a long text is cut in the server where that is known how. */
static void extreme_add(struct profiling *work, const char *function,
                        const struct column *column)
{
    bool cut = work->session->state->product->cuts_cells && holds_words(column);
    (void)buf_format(&work->sql, ", %s(%s", function, cut ? "LEFT(" : "");
    column_add(work, "", column, "");
    (void)(cut ? buf_format(&work->sql, ", %d))", SAMPLE_BYTES)
               : buf_char(&work->sql, ')'));
}

static bool statistics_read(struct profiling *work, struct err *err)
{
    buf_clear(&work->sql);
    (void)buf_text(&work->sql, "SELECT COUNT(*)");
    for (size_t i = work->from; i < work->to; i++) {
        const struct column *column = &work->table->columns.items[i];
        column_add(work, ", COUNT(", column, ")");
        if (ordered(column)) {
            column_add(work, ", COUNT(DISTINCT ", column, ")");
            extreme_add(work, "MIN", column);
            extreme_add(work, "MAX", column);
        }
    }
    (void)buf_text(&work->sql, " FROM ");
    odbc_quote_table(work->session->state, &work->sql, work->table);
    return odbc_ask(work->session, buf_get(&work->sql), 1, statistics_row, work, err);
}

static bool sample_row(void *context, const struct value *cells)
{
    enum { LOOKED_AT = 50 }; /* long texts are passed over, but not for ever */
    struct profiling *work = context;
    const char *text = cell_text(work, &cells[0]);
    if (text && text[0] && strlen(text) <= SAMPLE_BYTES) {
        VEC_PUSH(work->arena, &work->column->samples, text);
    }
    return (int)work->column->samples.count < work->samples && ++work->seen < LOOKED_AT;
}

/* The most frequent words of one text column. */
static bool samples_read(struct profiling *work, struct column *column, struct err *err)
{
    work->column = column;
    work->seen = 0;
    buf_clear(&work->sql);
    column_add(work, "SELECT ", column, ", COUNT(*) FROM ");
    odbc_quote_table(work->session->state, &work->sql, work->table);
    column_add(work, " WHERE ", column, " <> ''");
    if (work->session->state->product->cuts_cells) {
        column_add(work, " AND CHAR_LENGTH(", column, ")");
        (void)buf_format(&work->sql, " <= %d", SAMPLE_BYTES);
    }
    column_add(work, " GROUP BY ", column, " ORDER BY 2 DESC, 1");
    return odbc_ask(work->session, buf_get(&work->sql), 0, sample_row, work, err);
}

static bool profile_work(struct odbc_session *session, void *context, struct err *err)
{
    struct profiling *work = context;
    struct table *table = work->table;
    work->session = session;
    work->from = 0;
    work->to = 0;
    if (!statistics_read(work, err)) { /* the rows alone */
        return false;
    }
    for (work->from = 0;
         table->row_count <= EXACT_ROWS && work->from < table->columns.count;
         work->from = work->to) {
        work->to = work->from + BATCH_COLUMNS;
        work->to = work->to < table->columns.count ? work->to : table->columns.count;
        if (!statistics_read(work, err)) {
            return false;
        }
    }
    for (size_t i = 0;
         i < table->columns.count && table->row_count <= EXACT_ROWS && work->samples > 0;
         i++) {
        struct column *column = &table->columns.items[i];
        if (holds_words(column) && column->samples.count == 0 &&
            !samples_read(work, column, err)) {
            return false;
        }
    }
    return true;
}

bool odbc_profile(struct datasource *source, struct schema *schema, struct table *table,
                  struct arena *arena, int samples,
                  const struct datasource_limits *limits, struct err *err)
{
    (void)schema;
    struct profiling work = {.table = table, .arena = arena, .samples = samples};
    buf_init(&work.sql, SQL_MOST);
    bool ok = odbc_with(source, limits, profile_work, &work, err);
    buf_release(&work.sql);
    return ok;
}
