/*
 * A row of totals at the end of a sheet: "Total", "Summe", or no name at all, with the
 * sums of the rows above. It would be counted and added up with them, so it is left out
 * and reported. The sums must fit: a customer may be called Total.
 */
#include "base/str.h"
#include "datasource/files/files_driver.h"

enum {
    COLUMNS_MOST = 60,
    ROWS_LEAST = 3, /* two rows and their sum */
};

/* A cell as a number, with a point or with a comma before the fraction. */
#define BARE(cell) "regexp_replace(replace(" cell ", '(', '-'), '[^0-9.,-]', '', 'g')"
#define POINT      "try_cast(replace(" BARE("c%zu") ", ',', '') AS DOUBLE)"
#define COMMA      "try_cast(replace(replace(" BARE("c%zu") ", '.', ''), ',', '.') AS DOUBLE)"
#define WORDS                                                                            \
    "'total', 'totals', 'grand total', 'sum', 'sums', 'summe', 'gesamt', "               \
    "'gesamtsumme', 'insgesamt', 'total:', 'sum:', 'summe:', 'gesamt:', 'overall'"

struct total {
    int64_t row;
    int64_t filled; /* cells with a number */
    int64_t sums;   /* cells with the sum of the rows above */
    int64_t named;  /* cells that say "Total" */
    int64_t words;  /* cells with any other text */
    int64_t keyless;
};

static bool total_row(void *context, const char *const *texts)
{
    struct total *total = context;
    int64_t *const numbers[] = {&total->row,   &total->filled, &total->sums,
                                &total->named, &total->words,  &total->keyless};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        (void)str_to_int(texts[i] ? texts[i] : "", numbers[i]);
    }
    return false;
}

/* For each column one term: what it says of the last row. */
static void put_terms(struct buf *sql, size_t columns, const char *before,
                      const char *term, const char *after)
{
    (void)buf_text(sql, before);
    for (size_t i = 0; i < columns; i++) {
        (void)buf_text(sql, i ? " + " : "");
        for (const char *at = term; *at; at++) {
            if (*at == '@') {
                (void)buf_format(sql, "%zu", i);
            } else {
                (void)buf_char(sql, *at);
            }
        }
    }
    (void)buf_text(sql, after);
}

static void put_cells(struct buf *sql, const char *helper, size_t columns)
{
    (void)buf_text(sql, "WITH cells AS (SELECT rowid AS r");
    for (size_t i = 0; i < columns; i++) {
        (void)buf_format(sql,
                         ", trim(coalesce(c%zu, '')) AS t%zu, " POINT " AS p%zu, " COMMA
                         " AS k%zu",
                         i, i, i, i, i, i);
    }
    (void)buf_format(
        sql, " FROM %s), last AS (SELECT max(r) AS r FROM cells), above AS (", helper);
    (void)buf_text(sql, "SELECT count(*) AS n");
    for (size_t i = 0; i < columns; i++) {
        (void)buf_format(sql,
                         ", sum(p%zu) AS sp%zu, sum(k%zu) AS sk%zu, "
                         "count(p%zu) AS n%zu, count_if(t%zu = '') AS e%zu",
                         i, i, i, i, i, i, i, i);
    }
    (void)buf_text(sql, " FROM cells WHERE r < (SELECT r FROM last)) ");
}

/* "12 rows" or "2024-03" is no number. */
#define NUMBER_CELL                                                                      \
    "(t@ <> '' AND NOT regexp_matches(t@, '[0-9]-[0-9]|[0-9]/[0-9]|[a-z]{4}') AND "      \
    "(p@ IS NOT NULL OR k@ IS NOT NULL))"
#define SUM_CELL                                                                         \
    "(" NUMBER_CELL " AND n@ > 1 AND (abs(p@ - sp@) < 0.011 OR abs(k@ - sk@) < 0.011))"

static bool read_last(struct files_work *work, const char *helper, size_t columns,
                      struct total *out, struct err *err)
{
    struct buf *sql = &work->sql;
    buf_clear(sql);
    put_cells(sql, helper, columns);
    (void)buf_text(sql, "SELECT cells.r::VARCHAR, ");
    put_terms(sql, columns, "(", "coalesce(" NUMBER_CELL ", false)::INT", ")::VARCHAR, ");
    put_terms(sql, columns, "(", "coalesce(" SUM_CELL ", false)::INT", ")::VARCHAR, ");
    put_terms(sql, columns, "(", "(lower(t@) IN (" WORDS "))::INT", ")::VARCHAR, ");
    put_terms(sql, columns, "(",
              "(t@ <> '' AND NOT coalesce(" NUMBER_CELL
              ", false) AND lower(t@) NOT IN (" WORDS "))::INT",
              ")::VARCHAR, ");
    /* the rows above have a name in the first column, and this one has none */
    (void)buf_text(sql, "(t0 = '' AND e0 = 0)::INT::VARCHAR FROM cells, above WHERE "
                        "cells.r = (SELECT r FROM last)");
    return files_run(work, total_row, out, err);
}

static bool no_row(void *context, const char *const *texts)
{
    (void)context;
    (void)texts;
    return true;
}

bool files_total(struct files_work *work, const char *table, const char *helper,
                 size_t columns, int64_t *rows, struct err *err)
{
    struct total total = {0};
    if (work->big || columns < 2 || columns > COLUMNS_MOST || *rows < ROWS_LEAST) {
        return true; /* of a large file only the beginning is here */
    }
    if (!read_last(work, helper, columns, &total, err)) {
        return false;
    }
    bool named = total.named == 1 && total.sums > 0;
    bool unnamed =
        total.keyless && total.words == 0 && total.sums > 0 && total.sums == total.filled;
    if (!named && !unnamed) {
        return true;
    }
    files_warn(work, "%s: row %lld is the total of the rows above and was left out",
               table, (long long)*rows);
    buf_clear(&work->sql);
    (void)buf_format(&work->sql, "DELETE FROM %s WHERE rowid = %lld", helper,
                     (long long)total.row);
    --*rows;
    return files_run(work, no_row, NULL, err);
}
