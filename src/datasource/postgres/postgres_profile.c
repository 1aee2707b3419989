/* Sample values, row counts and statistics of one PostgreSQL table, at a bounded price:
 * small tables are read, of large ones the server's own statistics are. */
#include "datasource/postgres/postgres_driver.h"

#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"

enum {
    SCAN_ROWS = 10000,    /* rows looked at for samples and shares */
    EXACT_ROWS = 200000,  /* up to here rows are counted and extremes looked for */
    BATCH_COLUMNS = 100,  /* columns per statement */
    SAMPLED_COLUMNS = 20, /* columns whose samples are asked for at once */
    SAMPLE_BYTES = 100,   /* a longer text is no value one would ask for */
    SQL_MOST = 1 << 20,
};

struct profiling {
    struct postgres_session *session;
    struct postgres_state *state;
    struct table *table;
    struct arena *arena;
    int samples;
    struct buf sql;
    bool whole;  /* the scanned rows are all there are */
    size_t from; /* the columns being asked about */
    size_t to;
    struct column *column; /* of the statistics row before */
};

static void quote_table(struct profiling *work)
{
    postgres_quote(&work->sql, work->table->namespace[0] ? work->table->namespace
                                                         : work->state->schema);
    (void)buf_char(&work->sql, '.');
    postgres_quote(&work->sql, work->table->bare_name);
}

static bool type_among(const struct column *column, const char *const *words)
{
    for (; *words; words++) {
        if (str_starts_nocase(column->type, *words) && !strstr(column->type, "[]")) {
            return true;
        }
    }
    return false;
}

/* Types that have a least and a greatest value worth knowing. */
static bool ordered(const struct column *column)
{
    static const char *const words[] = {
        "SMALLINT", "INTEGER",  "BIGINT",  "NUMERIC", "REAL", "DOUBLE", "DATE",
        "TIME",     "INTERVAL", "VARCHAR", "CHAR",    "TEXT", NULL};
    return type_among(column, words) && !str_starts_nocase(column->type, "DATERANGE");
}

static bool holds_words(const struct column *column)
{
    static const char *const words[] = {"VARCHAR", "CHAR", "TEXT", "ENUM", NULL};
    return type_among(column, words);
}

/* Types that can be told apart. */
static bool countable(const struct column *column)
{
    static const char *const words[] = {"BOOLEAN", "UUID", "ENUM", "INET", NULL};
    return ordered(column) || type_among(column, words);
}

static bool count_row(void *context, const char *const *texts)
{
    struct profiling *work = context;
    int64_t count = 0;
    if (texts[0] && str_to_int(texts[0], &count)) {
        work->table->row_count = count;
        work->table->row_count_exact = count <= EXACT_ROWS;
        work->whole = count <= SCAN_ROWS;
    }
    return false;
}

static bool ask(struct profiling *work, bool (*row)(void *, const char *const *),
                struct err *err)
{
    return postgres_rows(work->session, buf_get(&work->sql), row, work, err);
}

/* A large table keeps the server's estimate. */
static bool rows_count(struct profiling *work, struct err *err)
{
    if (work->table->row_count > EXACT_ROWS) {
        return true;
    }
    int64_t known = work->table->row_count;
    buf_clear(&work->sql);
    (void)buf_text(&work->sql, "SELECT count(*) FROM (SELECT 1 FROM ");
    quote_table(work);
    (void)buf_format(&work->sql, " LIMIT %d) AS t", EXACT_ROWS + 1);
    if (!ask(work, count_row, err)) {
        return false;
    }
    if (!work->table->row_count_exact && known > work->table->row_count) {
        work->table->row_count = known;
    }
    return true;
}

static const char *extreme(struct profiling *work, const struct column *column,
                           const char *text)
{
    if (!text || (holds_words(column) && !text_is_date(text, strlen(text)))) {
        return NULL;
    }
    return arena_text(work->arena, text);
}

static bool statistics_row(void *context, const char *const *texts)
{
    struct profiling *work = context;
    int64_t rows = 0;
    if (!texts[0] || !str_to_int(texts[0], &rows)) {
        return false;
    }
    for (size_t i = work->from; i < work->to; i++) {
        struct column *column = &work->table->columns.items[i];
        const char *const *four = texts + 1 + 4 * (i - work->from);
        int64_t present = 0;
        if (rows > 0 && four[0] && str_to_int(four[0], &present)) {
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

static void statistic_add(struct profiling *work, const char *before, const char *name,
                          const char *after)
{
    (void)buf_text(&work->sql, before);
    postgres_quote(&work->sql, name);
    (void)buf_text(&work->sql, after);
}

static bool statistics_read(struct profiling *work, struct err *err)
{
    struct buf *sql = &work->sql;
    buf_clear(sql);
    (void)buf_text(sql, "SELECT count(*)");
    for (size_t i = work->from; i < work->to; i++) {
        const struct column *column = &work->table->columns.items[i];
        statistic_add(work, ", count(", column->name, ")");
        if (work->whole && countable(column)) {
            statistic_add(work, ", count(DISTINCT ", column->name, ")");
        } else {
            (void)buf_text(sql, ", NULL");
        }
        if (ordered(column)) {
            /* of a text only a date is kept, and nothing else is worth sending */
            const char *end = holds_words(column) ? ")::text, 100)" : ")::text";
            statistic_add(work, holds_words(column) ? ", left(min(" : ", min(",
                          column->name, end);
            statistic_add(work, holds_words(column) ? ", left(max(" : ", max(",
                          column->name, end);
        } else {
            (void)buf_text(sql, ", NULL, NULL");
        }
    }
    (void)buf_text(sql, " FROM ");
    quote_table(work);
    return ask(work, statistics_row, err);
}

static void sample_keep(struct profiling *work, struct column *column, const char *text)
{
    if (text && (int)column->samples.count < work->samples) {
        VEC_PUSH(work->arena, &column->samples, arena_text(work->arena, text));
    }
}

/* the column's index, a value */
static bool sample_row(void *context, const char *const *texts)
{
    struct profiling *work = context;
    int64_t index = -1;
    if (texts[0] && str_to_int(texts[0], &index) && index >= 0 &&
        (size_t)index < work->table->columns.count) {
        sample_keep(work, &work->table->columns.items[index], texts[1]);
    }
    return true;
}

/* The most frequent words of one text column among the first rows. */
static void sample_ask(struct profiling *work, size_t index)
{
    (void)buf_format(&work->sql, "%s(SELECT %zu, v FROM (SELECT ",
                     work->sql.size ? " UNION ALL " : "", index);
    statistic_add(work, "", work->table->columns.items[index].name, "::text AS v FROM ");
    quote_table(work);
    (void)buf_format(&work->sql,
                     " LIMIT %d) AS t WHERE v <> '' AND length(v) <= %d GROUP BY v"
                     " ORDER BY count(*) DESC, v COLLATE \"C\" LIMIT %d)",
                     SCAN_ROWS, SAMPLE_BYTES, work->samples);
}

/* Several columns in one statement: over a slow line the way there costs the most. */
static bool samples_read(struct profiling *work, struct err *err)
{
    size_t asked = 0;
    bool ok = true;
    buf_clear(&work->sql);
    for (size_t i = 0; ok && work->samples > 0 && i < work->table->columns.count; i++) {
        const struct column *column = &work->table->columns.items[i];
        if (!holds_words(column) || column->samples.count > 0) {
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

/* name, share of NULL, distinct (below 0: a share of the rows), bounds, frequent value */
static bool known_row(void *context, const char *const *texts)
{
    struct profiling *work = context;
    struct column *column = table_column(work->table, texts[0]);
    double share = 0;
    double distinct = 0;
    if (!column) {
        return true;
    }
    if (column != work->column) { /* rows come column by column */
        work->column = column;
        if (texts[1] && str_to_real(texts[1], &share)) {
            column->null_share = share;
        }
        if (texts[2] && str_to_real(texts[2], &distinct) && distinct != 0) {
            double rows = (double)work->table->row_count;
            column->distinct = (int64_t)round(distinct > 0 ? distinct : -distinct * rows);
        }
        column->least = extreme(work, column, texts[3]);
        column->greatest = extreme(work, column, texts[4]);
    }
    if (texts[5] && texts[5][0] && holds_words(column) &&
        strlen(texts[5]) <= SAMPLE_BYTES) {
        sample_keep(work, column, texts[5]);
    }
    return true;
}

/* What ANALYZE has found out: one question for the whole table, however large it is. */
static bool known_read(struct profiling *work, struct err *err)
{
    PGconn *connection = work->session->connection;
    const char *namespace =
        work->table->namespace[0] ? work->table->namespace : work->state->schema;
    char *schema = PQescapeLiteral(connection, namespace, strlen(namespace));
    char *table = PQescapeLiteral(connection, work->table->bare_name,
                                  strlen(work->table->bare_name));
    buf_clear(&work->sql);
    (void)buf_format(
        &work->sql,
        "SELECT s.attname, s.null_frac, s.n_distinct, b.bounds[1],"
        " b.bounds[array_upper(b.bounds, 1)], v.value FROM pg_stats s CROSS JOIN LATERAL"
        " (SELECT s.histogram_bounds::text::text[] AS bounds) b LEFT JOIN LATERAL"
        " unnest(s.most_common_vals::text::text[]) WITH ORDINALITY v(value, place)"
        " ON v.place <= %d WHERE s.schemaname = %s AND s.tablename = %s"
        " ORDER BY s.attname, v.place",
        work->samples, schema ? schema : "NULL", table ? table : "NULL");
    PQfreemem(schema);
    PQfreemem(table);
    work->column = NULL;
    return ask(work, known_row, err);
}

static bool profile_run(struct profiling *work, struct err *err)
{
    struct table *table = work->table;
    if (!rows_count(work, err)) {
        return false;
    }
    if (!table->row_count_exact && !table->is_view && !known_read(work, err)) {
        return false;
    }
    for (work->from = 0; table->row_count_exact && work->from < table->columns.count;
         work->from = work->to) {
        work->to = work->from + BATCH_COLUMNS;
        work->to = work->to < table->columns.count ? work->to : table->columns.count;
        if (!statistics_read(work, err)) {
            return false;
        }
    }
    return samples_read(work, err);
}

static bool profile_work(struct postgres_session *session, void *context, struct err *err)
{
    struct profiling *work = context;
    work->session = session;
    return profile_run(work, err);
}

bool postgres_profile(struct datasource *source, struct schema *schema,
                      struct table *table, struct arena *arena, int samples,
                      const struct datasource_limits *limits, struct err *err)
{
    (void)schema;
    struct profiling work = {
        .state = source->state, .table = table, .arena = arena, .samples = samples};
    buf_init(&work.sql, SQL_MOST);
    bool ok = postgres_with(source, limits, profile_work, &work, err);
    buf_release(&work.sql);
    return ok;
}
