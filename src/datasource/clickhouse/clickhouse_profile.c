/* Sample values, row counts and statistics of one ClickHouse table, at a bounded price.
 */
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "datasource/clickhouse/clickhouse_driver.h"

enum {
    SCAN_ROWS = 10000,    /* rows looked at for samples and shares */
    EXACT_ROWS = 200000,  /* up to here extremes are looked for */
    BATCH_COLUMNS = 100,  /* columns per statement */
    SAMPLED_COLUMNS = 20, /* columns whose samples are asked for at once */
    SAMPLE_BYTES = 100,   /* a longer text is no value one would ask for */
    SQL_MOST = 1 << 20,
    PER_COLUMN = 4, /* figures */
};

struct profiling {
    struct clickhouse_state *state;
    const struct datasource_limits *limits;
    struct table *table;
    struct arena *arena;
    int samples;
    struct buf sql;
    bool small;  /* all rows may be read */
    bool whole;  /* the scanned rows are all there are */
    size_t from; /* the columns being asked about */
    size_t to;
};

static bool type_among(const struct column *column, const char *const *words)
{
    for (; *words; words++) {
        if (str_starts(column->type, *words)) {
            return true;
        }
    }
    return false;
}

/* Types that have a least and a greatest value worth knowing. */
static bool ordered(const struct column *column)
{
    static const char *const words[] = {"Int",  "UInt",   "Float", "Decimal",
                                        "Date", "String", NULL};
    return type_among(column, words) && !str_starts(column->type, "Interval");
}

static bool holds_words(const struct column *column)
{
    static const char *const words[] = {"String", "FixedString", "Enum", NULL};
    return type_among(column, words);
}

static bool countable(const struct column *column)
{
    static const char *const words[] = {"Bool", "UUID", "IPv", NULL};
    return ordered(column) || holds_words(column) || type_among(column, words);
}

static bool ask(struct profiling *work, bool (*row)(void *, const char *const *),
                struct err *err)
{
    return clickhouse_rows(work->state, buf_get(&work->sql), work->limits, row, work,
                           err);
}

static void name_add(struct profiling *work, const char *before,
                     const struct column *column, const char *after)
{
    (void)buf_text(&work->sql, before);
    clickhouse_quote(&work->sql, column->name);
    (void)buf_text(&work->sql, after);
}

static bool count_row(void *context, const char *const *texts)
{
    struct profiling *work = context;
    int64_t count = 0;
    if (texts[0] && str_to_int(texts[0], &count)) {
        work->table->row_count = count;
        work->small = count <= EXACT_ROWS;
        work->whole = count <= SCAN_ROWS;
        work->table->row_count_exact = !work->table->is_view || work->small;
    }
    return false;
}

/* A table knows how many rows it has, or reads its smallest column; a view computes. */
static bool rows_count(struct profiling *work, struct err *err)
{
    buf_clear(&work->sql);
    (void)buf_text(&work->sql, work->table->is_view
                                   ? "SELECT count() FROM (SELECT 1 FROM "
                                   : "SELECT count() FROM ");
    clickhouse_quote_table(&work->sql, work->state, work->table);
    if (work->table->is_view) {
        (void)buf_format(&work->sql, " LIMIT %d)", EXACT_ROWS + 1);
    }
    return ask(work, count_row, err);
}

static const char *extreme(struct profiling *work, const struct column *column,
                           const char *text)
{
    if (!text || (holds_words(column) && !text_is_date(text, strlen(text)))) {
        return NULL;
    }
    return arena_text(work->arena, text);
}

/* rows, then per column: present, distinct, least, greatest */
static bool statistics_row(void *context, const char *const *texts)
{
    struct profiling *work = context;
    int64_t rows = 0;
    if (!texts[0] || !str_to_int(texts[0], &rows) || rows == 0) {
        return false; /* an empty table's least number is 0 here: no figure at all */
    }
    for (size_t i = work->from; i < work->to; i++) {
        struct column *column = &work->table->columns.items[i];
        const char *const *four = texts + 1 + PER_COLUMN * (i - work->from);
        int64_t present = 0;
        if (four[0] && str_to_int(four[0], &present)) {
            column->null_share = 1.0 - (double)present / (double)rows;
        }
        if (!four[1] || !str_to_int(four[1], &column->distinct)) {
            column->distinct = -1;
        }
        column->least = extreme(work, column, four[2]);
        column->greatest = extreme(work, column, four[3]);
    }
    return false;
}

static bool statistics_read(struct profiling *work, struct err *err)
{
    struct buf *sql = &work->sql;
    buf_clear(sql);
    (void)buf_text(sql, "SELECT count()");
    for (size_t i = work->from; i < work->to; i++) {
        const struct column *column = &work->table->columns.items[i];
        name_add(work, ", count(", column, ")");
        if (work->whole && countable(column)) {
            name_add(work, ", uniqExact(", column, ")");
        } else {
            (void)buf_text(sql, ", NULL");
        }
        if (work->small && ordered(column)) {
            name_add(work, ", toString(min(", column, "))");
            name_add(work, ", toString(max(", column, "))");
        } else {
            (void)buf_text(sql, ", NULL, NULL");
        }
    }
    (void)buf_text(sql, " FROM ");
    if (!work->small) { /* of a large table the first rows */
        (void)buf_text(sql, "(SELECT * FROM ");
    }
    clickhouse_quote_table(sql, work->state, work->table);
    if (!work->small) {
        (void)buf_format(sql, " LIMIT %d)", SCAN_ROWS);
    }
    return ask(work, statistics_row, err);
}

/* the column's index, a value */
static bool sample_row(void *context, const char *const *texts)
{
    struct profiling *work = context;
    int64_t index = -1;
    if (texts[0] && texts[1] && str_to_int(texts[0], &index) && index >= 0 &&
        (size_t)index < work->table->columns.count) {
        struct column *column = &work->table->columns.items[index];
        if ((int)column->samples.count < work->samples) {
            VEC_PUSH(work->arena, &column->samples, arena_text(work->arena, texts[1]));
        }
    }
    return true;
}

/* The most frequent words of one text column among the first rows. */
static void sample_ask(struct profiling *work, size_t index)
{
    const struct column *column = &work->table->columns.items[index];
    (void)buf_format(&work->sql,
                     "%sSELECT %zu AS i, v FROM (SELECT assumeNotNull(toString(",
                     work->sql.size ? " UNION ALL " : "", index);
    name_add(work, "", column, ")) AS v, count() AS c FROM (SELECT ");
    name_add(work, "", column, " FROM ");
    clickhouse_quote_table(&work->sql, work->state, work->table);
    (void)buf_format(&work->sql, " LIMIT %d) WHERE isNotNull(", SCAN_ROWS);
    name_add(work, "", column, "");
    (void)buf_format(&work->sql,
                     ") AND v != '' AND length(v) <= %d GROUP BY v ORDER BY c DESC, v"
                     " LIMIT %d)",
                     SAMPLE_BYTES, work->samples);
}

static bool samples_read(struct profiling *work, struct err *err)
{
    size_t asked = 0;
    bool ok = true;
    buf_clear(&work->sql);
    for (size_t i = 0; ok && work->samples > 0 && i < work->table->columns.count; i++) {
        if (!holds_words(&work->table->columns.items[i])) {
            continue;
        }
        sample_ask(work, i);
        if (++asked == SAMPLED_COLUMNS) {
            ok = ask(work, sample_row, err);
            buf_clear(&work->sql);
            asked = 0;
        }
    }
    return ok && (asked == 0 || ask(work, sample_row, err));
}

static bool profile_run(struct profiling *work, struct err *err)
{
    struct table *table = work->table;
    if (!rows_count(work, err)) {
        return false;
    }
    for (work->from = 0; work->from < table->columns.count; work->from = work->to) {
        work->to = work->from + BATCH_COLUMNS;
        work->to = work->to < table->columns.count ? work->to : table->columns.count;
        if (!statistics_read(work, err)) {
            return false;
        }
    }
    return samples_read(work, err);
}

bool clickhouse_profile(struct datasource *source, struct schema *schema,
                        struct table *table, struct arena *arena, int samples,
                        const struct datasource_limits *limits, struct err *err)
{
    (void)schema;
    struct profiling work = {.state = source->state,
                             .limits = limits,
                             .table = table,
                             .arena = arena,
                             .samples = samples};
    buf_init(&work.sql, SQL_MOST);
    bool ok = profile_run(&work, err);
    buf_release(&work.sql);
    return ok;
}
