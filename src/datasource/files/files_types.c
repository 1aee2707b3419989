/*
 * Chooses a type for columns of text: candidates are tried on rows from all over the
 * table, the best one is then checked on every row. A few cells that do not fit become
 * empty and are reported; many, or one in a column of codes, leave the column text.
 */
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "datasource/files/files_driver.h"

enum {
    SAMPLE_CELLS = 2000000, /* cells looked at in all, shared among the columns */
    SAMPLE_ROWS = 5000,
    SAMPLE_ROWS_LEAST = 200,
    REPORTED_MOST = 1000,
    SCALE_MOST = 10,
};

/* A cell's text without spaces, or NULL when it says that there is nothing. */
#define CELL                                                                             \
    "CASE WHEN trim(c%zu) IN ('', 'NA', 'N/A', 'n/a', 'NULL', 'null', 'None', 'nan',"    \
    " 'NaN', '-', '--', '?', '#N/A', '.') THEN NULL ELSE trim(c%zu) END"

#define DATE  "[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}"
#define TIME  "[0-9]{1,2}:[0-9]{2}(:[0-9]{2}([.][0-9]+)?)?"
#define DOTS  "[0-9]{1,2}[.][0-9]{1,2}[.][0-9]{4}"
#define SLASH "[0-9]{1,2}/[0-9]{1,2}/[0-9]{4}"
#define CLOCKS(date)                                                                     \
    "try_strptime(@, ['" date " %H:%M:%S', '" date " %H:%M', '" date "'])"

enum kind { KIND_PLAIN, KIND_INTEGER, KIND_NUMBER, KIND_REAL };

/* In the order in which equals are preferred; @ is the cell. */
static const struct candidate {
    const char *type;
    const char *pattern;
    const char *sql;
    enum kind kind;
    const char *text; /* of a number with a point and nothing else */
} candidates[] = {
    {"BOOLEAN", "(?i)true|false", "lower(@) = 'true'", KIND_PLAIN, NULL},
    {"DATE", DATE, "try_cast(@ AS DATE)", KIND_PLAIN, NULL},
    {"DATE", DOTS, "try_strptime(@, '%d.%m.%Y')::DATE", KIND_PLAIN, NULL},
    {"DATE", SLASH, "try_strptime(@, '%m/%d/%Y')::DATE", KIND_PLAIN, NULL},
    {"DATE", SLASH, "try_strptime(@, '%d/%m/%Y')::DATE", KIND_PLAIN, NULL},
    {"DATE", "[0-9]{4}/[0-9]{1,2}/[0-9]{1,2}", "try_strptime(@, '%Y/%m/%d')::DATE",
     KIND_PLAIN, NULL},
    {"DATE", "[0-9]{1,2}-[0-9]{1,2}-[0-9]{4}", "try_strptime(@, '%d-%m-%Y')::DATE",
     KIND_PLAIN, NULL},
    {"DATE", "[0-9]{1,2}[- ][A-Za-z]{3}[- ][0-9]{4}",
     "try_strptime(replace(@, ' ', '-'), '%d-%b-%Y')::DATE", KIND_PLAIN, NULL},
    {"TIMESTAMP", DATE "([T ]" TIME ")?", "try_cast(@ AS TIMESTAMP)", KIND_PLAIN, NULL},
    {"TIMESTAMP WITH TIME ZONE", DATE "[T ]" TIME " ?(Z|[-+][0-9]{2}(:?[0-9]{2})?)",
     "try_cast(@ AS TIMESTAMPTZ)", KIND_PLAIN, NULL},
    {"TIMESTAMP", DOTS "( " TIME ")?", CLOCKS("%d.%m.%Y"), KIND_PLAIN, NULL},
    {"TIMESTAMP", SLASH "( " TIME ")?", CLOCKS("%m/%d/%Y"), KIND_PLAIN, NULL},
    {"TIMESTAMP", SLASH "( " TIME ")?", CLOCKS("%d/%m/%Y"), KIND_PLAIN, NULL},
    {"TIME", TIME, "try_cast(CASE WHEN length(@) < 6 THEN @ || ':00' ELSE @ END AS TIME)",
     KIND_PLAIN, NULL},
    {"BIGINT", "-?[0-9]{1,18}", "try_cast(@ AS BIGINT)", KIND_INTEGER, "@"},
    {"DECIMAL", "-?([0-9]{1,18}([.][0-9]*)?|[.][0-9]+)", "try_cast(@ AS DOUBLE)",
     KIND_NUMBER, "@"},
    {"DOUBLE", "-?([0-9]+([.][0-9]*)?|[.][0-9]+)([eE][-+]?[0-9]+)?",
     "try_cast(@ AS DOUBLE)", KIND_REAL, "@"},
    {"DECIMAL", "-?([0-9]{1,3}(,[0-9]{3})+|[0-9]{1,18})([.][0-9]+)?",
     "try_cast(replace(@, ',', '') AS DOUBLE)", KIND_NUMBER, "replace(@, ',', '')"},
    {"DECIMAL", "-?([0-9]{1,3}([.][0-9]{3})+|[0-9]{1,18})(,[0-9]+)?",
     "try_cast(replace(replace(@, '.', ''), ',', '.') AS DOUBLE)", KIND_NUMBER,
     "replace(replace(@, '.', ''), ',', '.')"},
};

enum {
    CANDIDATES = sizeof candidates / sizeof *candidates,
    DATE_MONTH_FIRST = 3,
    DATE_DAY_FIRST = 4,
    CLOCK_MONTH_FIRST = 11,
    CLOCK_DAY_FIRST = 12,
    NUMBER_PLAIN = 15,
    NUMBER_REAL = 16,
    NUMBER_POINT = 17,
    NUMBER_COMMA = 18,
};

struct typing {
    struct files_work *work;
    const char *table;
    const char *helper;
    int64_t rows;
    size_t index; /* of the column */
    struct files_column *column;
    int64_t filled;
    int64_t fits[CANDIDATES];
    int64_t zeros; /* 007 */
    int64_t scale;
    int64_t digits;
    size_t reported;
};

/* The template with `with` for every @. */
static void files_types_put(struct buf *out, const char *text, const char *with)
{
    for (; *text; text++) {
        if (*text == '@') {
            (void)buf_text(out, with);
        } else {
            (void)buf_char(out, *text);
        }
    }
}

static void put_guarded(struct buf *out, const struct candidate *candidate,
                        const char *sql, const char *cell)
{
    (void)buf_format(out, "CASE WHEN regexp_full_match(%s, '%s') THEN ", cell,
                     candidate->pattern);
    files_types_put(out, sql, cell);
    (void)buf_text(out, " END");
}

static void put_from(struct typing *work, int64_t every)
{
    (void)buf_format(&work->work->sql, " FROM (SELECT " CELL " AS x FROM %s", work->index,
                     work->index, work->helper);
    if (every > 1) {
        (void)buf_format(&work->work->sql, " WHERE rowid %% %lld = 0", (long long)every);
    }
    (void)buf_char(&work->work->sql, ')');
}

static bool sample_row(void *context, const char *const *texts)
{
    struct typing *work = context;
    (void)str_to_int(texts[0] ? texts[0] : "", &work->filled);
    for (size_t i = 0; i < CANDIDATES; i++) {
        (void)str_to_int(texts[i + 1] ? texts[i + 1] : "", &work->fits[i]);
    }
    return false;
}

static bool sample_read(struct typing *work, int64_t every, struct err *err)
{
    struct buf *sql = &work->work->sql;
    buf_clear(sql);
    (void)buf_text(sql, "SELECT count(x)::VARCHAR");
    for (size_t i = 0; i < CANDIDATES; i++) {
        (void)buf_text(sql, ", count(");
        put_guarded(sql, &candidates[i], candidates[i].sql, "x");
        (void)buf_text(sql, ")::VARCHAR");
    }
    put_from(work, every);
    return files_run(work->work, sample_row, work, err);
}

/* Where both orders are possible the one of the country that the file seems to be from.
 */
static bool before(const struct typing *work, size_t a, size_t b)
{
    if (work->work->comma && ((a == DATE_DAY_FIRST && b == DATE_MONTH_FIRST) ||
                              (a == CLOCK_DAY_FIRST && b == CLOCK_MONTH_FIRST) ||
                              (a == NUMBER_COMMA && b == NUMBER_POINT))) {
        return true;
    }
    return false;
}

static const struct candidate *files_types_choose(struct typing *work)
{
    size_t best = CANDIDATES;
    for (size_t i = 0; i < CANDIDATES; i++) {
        int64_t most = best < CANDIDATES ? work->fits[best] : 0;
        if (work->fits[i] > most ||
            (best < CANDIDATES && work->fits[i] == most && before(work, i, best))) {
            best = i;
        }
    }
    if (best == CANDIDATES || work->fits[best] * 10 < work->filled * 9) {
        return NULL;
    }
    bool dates = best == DATE_MONTH_FIRST || best == DATE_DAY_FIRST;
    bool clocks = best == CLOCK_MONTH_FIRST || best == CLOCK_DAY_FIRST;
    size_t other = best == DATE_MONTH_FIRST    ? DATE_DAY_FIRST
                   : best == DATE_DAY_FIRST    ? DATE_MONTH_FIRST
                   : best == CLOCK_MONTH_FIRST ? CLOCK_DAY_FIRST
                                               : CLOCK_MONTH_FIRST;
    if ((dates || clocks) && work->fits[other] == work->fits[best]) {
        files_warn(work->work, "%s: %s: the dates were read as %s", work->table,
                   work->column->name,
                   best == DATE_MONTH_FIRST || best == CLOCK_MONTH_FIRST
                       ? "month/day/year"
                       : "day/month/year");
    }
    return &candidates[best];
}

static bool check_row(void *context, const char *const *texts)
{
    struct typing *work = context;
    int64_t *const numbers[] = {&work->filled, &work->fits[0], &work->zeros, &work->scale,
                                &work->digits};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        *numbers[i] = 0;
        (void)str_to_int(texts[i] ? texts[i] : "", numbers[i]);
    }
    return false;
}

/* The candidate on every row: fits[0] of them are `filled`. */
static bool check_all(struct typing *work, const struct candidate *candidate,
                      struct err *err)
{
    struct buf *sql = &work->work->sql;
    buf_clear(sql);
    (void)buf_text(sql, "SELECT count(x)::VARCHAR, count(");
    put_guarded(sql, candidate, candidate->sql, "x");
    (void)buf_text(sql, ")::VARCHAR");
    if (candidate->text) {
        (void)buf_text(sql, ", count_if(regexp_full_match(x, '-?0[0-9]+'))::VARCHAR, "
                            "max(length(split_part(");
        put_guarded(sql, candidate, candidate->text, "x");
        (void)buf_text(sql, ", '.', 2)))::VARCHAR, max(length(split_part(");
        put_guarded(sql, candidate, candidate->text, "x");
        (void)buf_text(sql, ", '.', 1)))::VARCHAR");
    } else {
        (void)buf_text(sql, ", '0', '0', '0'");
    }
    put_from(work, 1);
    return files_run(work->work, check_row, work, err);
}

/* Codes are not measured: every one must fit, or none is a number. */
static bool is_code(const char *name)
{
    static const char *const ends[] = {"id",   "code", "nr",  "no",    "number",
                                       "zip",  "plz",  "key", "phone", "postcode",
                                       "isbn", "sku",  "iban"};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        if (str_ends_nocase(name, ends[i])) {
            return true;
        }
    }
    return false;
}

static int64_t misfits_allowed(const struct typing *work)
{
    if (is_code(work->column->name) || work->filled < 10) {
        return 0;
    }
    return work->filled < 20 ? 1 : work->filled / 20;
}

static bool misfit_row(void *context, const char *const *texts)
{
    struct typing *work = context;
    int64_t row = 0;
    (void)str_to_int(texts[0] ? texts[0] : "", &row);
    const struct files_reject reject = {.table = work->table,
                                        .line = row + 1,
                                        .column = work->column->name,
                                        .reason = work->column->type,
                                        .text = texts[1] ? texts[1] : ""};
    if (work->reported == 0) {
        files_warn(work->work,
                   "%s: %s: %lld of %lld cells could not be read as %s and were set to "
                   "NULL (row %lld: "
                   "'%.40s')",
                   work->table, work->column->name,
                   (long long)(work->filled - work->fits[0]), (long long)work->filled,
                   work->column->type, (long long)row + 1, reject.text);
    }
    work->reported++;
    files_reject(work->work, &reject);
    return work->reported < REPORTED_MOST;
}

static bool misfits_report(struct typing *work, const struct candidate *candidate,
                           struct err *err)
{
    struct buf *sql = &work->work->sql;
    if (work->filled == work->fits[0]) {
        return true;
    }
    work->reported = 0;
    buf_clear(sql);
    (void)buf_format(sql,
                     "SELECT r::VARCHAR, left(x, 200) FROM (SELECT rowid AS r, " CELL
                     " AS x FROM %s) WHERE x IS NOT NULL AND (",
                     work->index, work->index, work->helper);
    put_guarded(sql, candidate, candidate->sql, "x");
    (void)buf_format(sql, ") IS NULL ORDER BY r LIMIT %d",
                     work->work->reject ? REPORTED_MOST : 1);
    return files_run(work->work, misfit_row, work, err);
}

static const char *written(struct files_work *work)
{
    return buf_clone(&work->sql, work->arena);
}

static void settle(struct typing *work, const struct candidate *candidate)
{
    struct files_work *files = work->work;
    struct buf *sql = &files->sql;
    const char *cell = arena_format(files->arena, "trim(c%zu)", work->index);
    const char *as = candidate->sql;
    work->column->type = candidate->type;
    if (candidate->kind == KIND_NUMBER) {
        bool wide = work->digits + work->scale > 18;
        work->column->type = work->scale == 0 && !wide
                                 ? "BIGINT"
                                 : arena_format(files->arena, "DECIMAL(%d,%lld)",
                                                wide ? 38 : 18, (long long)work->scale);
        as = arena_format(files->arena, "try_cast(%s AS %s)", candidate->text,
                          work->column->type);
    }
    buf_clear(sql);
    put_guarded(sql, candidate, as, cell);
    work->column->sql = written(files);
}

static bool column_type(struct typing *work, int64_t every, struct err *err)
{
    work->column->type = "VARCHAR";
    work->column->sql = arena_format(work->work->arena, "c%zu", work->index);
    if (!sample_read(work, every, err)) {
        return false;
    }
    const struct candidate *candidate =
        work->filled > 0 ? files_types_choose(work) : NULL;
    if (!candidate) {
        return true;
    }
    if (!check_all(work, candidate, err)) {
        return false;
    }
    /* whole numbers at first, others further down */
    if (work->fits[0] < work->filled && candidate->kind == KIND_INTEGER) {
        candidate = &candidates[NUMBER_PLAIN];
        if (!check_all(work, candidate, err)) {
            return false;
        }
    }
    bool fine = candidate->kind == KIND_NUMBER &&
                (work->scale > SCALE_MOST || work->digits + work->scale > 38);
    if ((work->fits[0] < work->filled && candidate == &candidates[NUMBER_PLAIN]) ||
        (fine && candidate == &candidates[NUMBER_PLAIN])) {
        int64_t fits = work->fits[0];
        if (!check_all(work, &candidates[NUMBER_REAL], err)) {
            return false;
        }
        if (work->fits[0] > fits || fine) {
            candidate = &candidates[NUMBER_REAL];
        } else if (!check_all(work, candidate, err)) {
            return false;
        }
    }
    if (work->zeros > 0 || work->filled - work->fits[0] > misfits_allowed(work)) {
        return true;
    }
    settle(work, candidate);
    return misfits_report(work, candidate, err);
}

static bool count_row(void *context, const char *const *texts)
{
    int64_t *rows = context;
    (void)str_to_int(texts[0] ? texts[0] : "", rows);
    return false;
}

bool files_types(struct files_work *work, const char *table, const char *helper,
                 struct files_columns *columns, struct err *err)
{
    struct typing typing = {.work = work, .table = table, .helper = helper};
    buf_clear(&work->sql);
    (void)buf_format(&work->sql, "SELECT count(*)::VARCHAR FROM %s", helper);
    if (!files_run(work, count_row, &typing.rows, err) ||
        !files_rows_hold(work, typing.rows, err) ||
        !files_total(work, table, helper, columns->count, &typing.rows, err)) {
        return false;
    }
    int64_t most = SAMPLE_CELLS / (int64_t)(columns->count ? columns->count : 1);
    most = most > SAMPLE_ROWS ? SAMPLE_ROWS : most;
    most = most < SAMPLE_ROWS_LEAST ? SAMPLE_ROWS_LEAST : most;
    for (size_t i = 0; i < columns->count; i++) {
        typing.index = i;
        typing.column = &columns->items[i];
        if (!column_type(&typing, typing.rows / most + 1, err)) {
            return false;
        }
    }
    return true;
}

void files_select(struct files_work *work, const struct files_columns *columns)
{
    (void)buf_text(&work->sql, "SELECT ");
    for (size_t i = 0; i < columns->count; i++) {
        (void)buf_format(&work->sql, "%s%s AS ", i ? ", " : "", columns->items[i].sql);
        (void)buf_quote(&work->sql, columns->items[i].name, '"');
    }
    (void)buf_text(&work->sql, " FROM ");
}
