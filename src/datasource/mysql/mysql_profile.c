/* Sample values, row counts and statistics of one MySQL table, at a bounded price: small
 * tables are read; of large ones the first rows are, and what indexes know. */
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "datasource/mysql/mysql_driver.h"

enum {
    SCAN_ROWS = 10000,       /* rows looked at for samples and shares */
    EXACT_ROWS = 200000,     /* up to here rows are counted and extremes looked for */
    BATCH_COLUMNS = 100,     /* columns per statement */
    SAMPLED_COLUMNS = 20,    /* columns whose samples are asked for at once */
    SAMPLE_CHARACTERS = 100, /* a longer text is no value one would ask for */
    SQL_MOST = 1 << 20,
};

struct profiling {
    struct maria_session *session;
    struct table *table;
    struct arena *arena;
    int samples;
    struct buf sql;
    bool whole;  /* the scanned rows are all there are */
    size_t from; /* the columns being asked about */
    size_t to;
};

static const char *database_of(const struct profiling *work)
{
    return work->table->namespace[0] ? work->table->namespace
                                     : work->session->state->database;
}

static void quote_table(struct profiling *work)
{
    maria_quote(&work->sql, database_of(work));
    (void)buf_char(&work->sql, '.');
    maria_quote(&work->sql, work->table->bare_name);
}

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
    static const char *const words[] = {"VARCHAR",  "CHAR", "TEXT",       "ENUM",
                                        "TINYTEXT", "SET",  "MEDIUMTEXT", NULL};
    return type_among(column, words);
}

/* Types that have a least and a greatest value worth knowing. */
static bool ordered(const struct column *column)
{
    static const char *const words[] = {
        "TINYINT", "SMALLINT", "MEDIUMINT", "INTEGER", "BIGINT",  "DECIMAL", "FLOAT",
        "DOUBLE",  "DATE",     "TIME",      "YEAR",    "VARCHAR", "CHAR",    NULL};
    return type_among(column, words);
}

/* Types that can be told apart. */
static bool countable(const struct column *column)
{
    static const char *const words[] = {"BOOLEAN", "UUID", "INET", "BIT", NULL};
    return ordered(column) || holds_words(column) || type_among(column, words);
}

/* The first column of an index: the server finds its ends without reading the table. */
static bool indexed(const struct table *table, const struct column *column)
{
    for (size_t i = 0; i < table->indexes.count; i++) {
        const struct texts *columns = &table->indexes.items[i].columns;
        if (columns->count > 0 && str_equal(columns->items[0], column->name)) {
            return true;
        }
    }
    return false;
}

static bool ask(struct profiling *work, bool (*row)(void *, const char *const *),
                struct err *err)
{
    return maria_rows(work->session, buf_get(&work->sql), row, work, err);
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

/* A large table keeps the server's estimate. */
static bool rows_count(struct profiling *work, struct err *err)
{
    int64_t known = work->table->row_count;
    if (known > 2 * (int64_t)EXACT_ROWS) { /* the estimate may be off by half */
        return true;
    }
    buf_clear(&work->sql);
    (void)buf_text(&work->sql, "SELECT COUNT(*) FROM (SELECT 1 FROM ");
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
    size_t size = strlen(text);
    return arena_text(work->arena, text_clean(work->arena, text, &size));
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

static void column_add(struct profiling *work, const char *before, const char *name,
                       const char *after)
{
    (void)buf_text(&work->sql, before);
    maria_quote(&work->sql, name);
    (void)buf_text(&work->sql, after);
}

/* min() of a whole large table only where an index has it; the rest by the first rows. */
static void extreme_add(struct profiling *work, const struct column *column,
                        const char *function)
{
    const struct table *table = work->table;
    (void)buf_text(&work->sql, ", ");
    if (!ordered(column) || (!table->row_count_exact && !indexed(table, column))) {
        (void)buf_text(&work->sql, "NULL");
        return;
    }
    (void)buf_format(&work->sql, "%s%s(", table->row_count_exact ? "" : "(SELECT ",
                     function);
    column_add(work, "", column->name, ")");
    if (!table->row_count_exact) {
        (void)buf_text(&work->sql, " FROM ");
        quote_table(work);
        (void)buf_char(&work->sql, ')');
    }
}

static bool statistics_read(struct profiling *work, struct err *err)
{
    struct buf *sql = &work->sql;
    buf_clear(sql);
    (void)buf_text(sql, "SELECT COUNT(*)");
    for (size_t i = work->from; i < work->to; i++) {
        const struct column *column = &work->table->columns.items[i];
        column_add(work, ", COUNT(", column->name, ")");
        if (work->whole && countable(column)) {
            column_add(work, ", COUNT(DISTINCT ", column->name, ")");
        } else {
            (void)buf_text(sql, ", NULL");
        }
        extreme_add(work, column, "MIN");
        extreme_add(work, column, "MAX");
    }
    (void)buf_text(sql, " FROM ");
    if (work->table->row_count_exact) {
        quote_table(work);
    } else {
        (void)buf_text(sql, "(SELECT * FROM ");
        quote_table(work);
        (void)buf_format(sql, " LIMIT %d) AS t", SCAN_ROWS);
    }
    return ask(work, statistics_row, err);
}

/* the column's index, a value */
static bool sample_row(void *context, const char *const *texts)
{
    struct profiling *work = context;
    int64_t index = -1;
    if (texts[0] && str_to_int(texts[0], &index) && index >= 0 &&
        (size_t)index < work->table->columns.count && texts[1]) {
        struct column *column = &work->table->columns.items[index];
        size_t size = strlen(texts[1]);
        if ((int)column->samples.count < work->samples) {
            VEC_PUSH(work->arena, &column->samples,
                     arena_text(work->arena, text_clean(work->arena, texts[1], &size)));
        }
    }
    return true;
}

/* The most frequent words of one text column among the first rows. */
static void sample_ask(struct profiling *work, size_t index)
{
    (void)buf_format(&work->sql, "%s(SELECT %zu, v FROM (SELECT ",
                     work->sql.size ? " UNION ALL " : "", index);
    column_add(work, "CAST(", work->table->columns.items[index].name,
               " AS CHAR) COLLATE utf8mb4_bin AS v FROM ");
    quote_table(work);
    (void)buf_format(&work->sql,
                     " LIMIT %d) AS t WHERE v <> '' AND CHAR_LENGTH(v) <= %d GROUP BY v"
                     " ORDER BY COUNT(*) DESC, v LIMIT %d)",
                     SCAN_ROWS, SAMPLE_CHARACTERS, work->samples);
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

/* column, its number of different values as the index knows it */
static bool known_row(void *context, const char *const *texts)
{
    struct profiling *work = context;
    struct column *column = texts[0] ? table_column(work->table, texts[0]) : NULL;
    int64_t distinct = 0;
    if (column && texts[1] && str_to_int(texts[1], &distinct) && distinct > 0) {
        column->distinct = distinct;
    }
    return true;
}

static bool known_read(struct profiling *work, struct err *err)
{
    buf_clear(&work->sql);
    (void)buf_text(&work->sql, "SELECT COLUMN_NAME, MAX(CARDINALITY) FROM"
                               " information_schema.STATISTICS WHERE SEQ_IN_INDEX = 1"
                               " AND SUB_PART IS NULL AND TABLE_SCHEMA = ");
    maria_literal(&work->sql, database_of(work));
    (void)buf_text(&work->sql, " AND TABLE_NAME = ");
    maria_literal(&work->sql, work->table->bare_name);
    (void)buf_text(&work->sql, " GROUP BY COLUMN_NAME");
    return ask(work, known_row, err);
}

static bool profile_work(struct maria_session *session, void *context, struct err *err)
{
    struct profiling *work = context;
    struct table *table = work->table;
    work->session = session;
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
    return (table->row_count_exact || table->is_view || known_read(work, err)) &&
           samples_read(work, err);
}

bool maria_profile(struct datasource *source, struct schema *schema, struct table *table,
                   struct arena *arena, int samples,
                   const struct datasource_limits *limits, struct err *err)
{
    (void)schema;
    struct profiling work = {.table = table, .arena = arena, .samples = samples};
    buf_init(&work.sql, SQL_MOST);
    bool ok = maria_with(source, limits, profile_work, &work, err);
    buf_release(&work.sql);
    return ok;
}
