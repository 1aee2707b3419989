/* Compares the rows of the answer with those of the parser's readings. */
#include "agent/understand/agreeing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agent/counting/counting.h"
#include "agent/run_statement.h"
#include "agent/sources/policing.h"
#include "agent/understand/readings.h"
#include "base/buf.h"
#include "base/hash.h"
#include "base/str.h"
#include "sql/describe/describe.h"

enum {
    READINGS_MOST = 3, /* the parser is often right with one of its first ones */
    CHECK_MS = 1000,
    CHECK_ROWS = 1000,
    COLUMNS_MOST = 32,
    WORDS_MOST = 15, /* of a difference that is read at a glance */
    CELL_MOST = 4096,
};

/* 5 and 5.0 are one number, and 90.09 and 90.0899999999999 as well. */
static uint64_t cell_hash(const struct value *value)
{
    struct buf text;
    double real = 0;
    buf_init(&text, CELL_MOST);
    value_print(&text, value);
    char number[40];
    const char *shown = buf_get(&text);
    if (value->kind != VALUE_NULL && str_to_real(shown, &real)) {
        (void)snprintf(number, sizeof number, "%.9g", real);
        shown = number;
    }
    uint64_t hash = value->kind == VALUE_NULL ? 1 : hash_of(shown, strlen(shown));
    buf_release(&text);
    return hash;
}

static int compare_hashes(const void *a, const void *b)
{
    const uint64_t *first = a;
    const uint64_t *second = b;
    return (*first > *second) - (*first < *second);
}

/* The hashes of one column's cells, sorted. */
static uint64_t *column_hashes(struct run *run, const struct rows *rows, size_t column)
{
    uint64_t *hashes = arena_array(run->scratch, rows->count + 1, sizeof *hashes);
    for (size_t row = 0; row < rows->count; row++) {
        hashes[row] = cell_hash(rows_cell(rows, row, column));
    }
    qsort(hashes, rows->count, sizeof *hashes, compare_hashes);
    return hashes;
}

/* The hashes of the rows over some columns in an order, sorted. */
static uint64_t *row_hashes(struct run *run, const struct rows *rows,
                            const size_t *columns, size_t count)
{
    uint64_t *hashes = arena_array(run->scratch, rows->count + 1, sizeof *hashes);
    for (size_t row = 0; row < rows->count; row++) {
        hashes[row] = 1469598103934665603U;
        for (size_t i = 0; i < count; i++) {
            hashes[row] = (hashes[row] ^ cell_hash(rows_cell(rows, row, columns[i]))) *
                          1099511628211U;
        }
    }
    qsort(hashes, rows->count, sizeof *hashes, compare_hashes);
    return hashes;
}

/* Do both say the same, where one of them may show more columns? There are rows. */
static bool same_rows(struct run *run, const struct rows *a, const struct rows *b)
{
    const struct rows *few = a->column_count <= b->column_count ? a : b;
    const struct rows *many = few == a ? b : a;
    size_t of_few[COLUMNS_MOST];
    size_t of_many[COLUMNS_MOST];
    bool used[COLUMNS_MOST] = {false};
    if (a->count != b->count || many->column_count > COLUMNS_MOST) {
        return false;
    }
    size_t size = a->count * sizeof(uint64_t);
    for (size_t i = 0; i < few->column_count; i++) {
        const uint64_t *wanted = column_hashes(run, few, i);
        size_t k = 0;
        while (k < many->column_count &&
               (used[k] || memcmp(wanted, column_hashes(run, many, k), size) != 0)) {
            k++;
        }
        if (k == many->column_count) {
            return false;
        }
        used[k] = true;
        of_few[i] = i;
        of_many[i] = k;
    }
    return memcmp(row_hashes(run, few, of_few, few->column_count),
                  row_hashes(run, many, of_many, few->column_count), size) == 0;
}

static bool read_rows(struct run *run, const char *sql, struct rows *rows)
{
    int64_t steps;
    struct datasource_limits limits =
        run_probe_limits(run, CHECK_MS, CHECK_ROWS + 1, &steps);
    struct err trouble;
    err_clear(&trouble);
    rows_init(rows, run->scratch);
    const char *read = counting_read_kept(run, run->scratch, run_statement(run, sql));
    return datasource_execute(run_datasource(run), read ? read : sql, run_schema(run),
                              &limits, rows, &trouble) &&
           rows->cut == ROWS_WHOLE;
}

static bool may_check(const struct run *run)
{
    const struct answer *answer = &run->answer;
    return answer->brain == BRAIN_LLM && answer->parser_asked &&
           run->understanding.readings.count && answer->has_rows &&
           answer->rows.count <= CHECK_ROWS && answer->rows.cut == ROWS_WHOLE &&
           !run->query.is_write && !run->request.given_sql && !run->request.delivery &&
           !run->request.details.count && run_datasource(run)->driver->local &&
           !policing_wants_approval(run);
}

/* "by the country of stores" and "by the country of customers": what is the same on both
 * sides is left out. */
static const char *part_of(struct run *run, const struct texts *words, size_t front,
                           size_t back)
{
    struct texts part = {0};
    for (size_t i = front; i + back < words->count; i++) {
        VEC_PUSH(run->scratch, &part, words->items[i]);
    }
    if (part.count == 0 || part.count > WORDS_MOST) {
        return NULL;
    }
    return str_join(run->scratch, &part, " ");
}

/* The model's SQL as it was meant, without what was added for the database. */
static const char *meant_sql(const struct run *run)
{
    return run->query.counted_from ? run->query.counted_from
           : run->query.unlimited  ? run->query.unlimited
                                   : run->answer.sql;
}

/* The full stop is no part of a word. */
static void split_sentence(struct run *run, const char *text, struct texts *out)
{
    size_t size = strlen(text);
    size -= size && text[size - 1] == '.';
    str_split(run->scratch, arena_copy(run->scratch, text, size), ' ', out);
}

static void tell_difference(struct run *run, const struct run_reading *model,
                            const struct run_reading *parser)
{
    struct texts ours = {0};
    struct texts theirs = {0};
    split_sentence(run, model->words, &theirs);
    split_sentence(run, parser->words, &ours);
    size_t least = ours.count < theirs.count ? ours.count : theirs.count;
    size_t front = 0;
    size_t back = 0;
    while (front < least && str_equal(ours.items[front], theirs.items[front])) {
        front++;
    }
    while (back < least - front && str_equal(ours.items[ours.count - 1 - back],
                                             theirs.items[theirs.count - 1 - back])) {
        back++;
    }
    const char *here = part_of(run, &theirs, front, back);
    const char *there = part_of(run, &ours, front, back);
    if (here && there) {
        run_warn(
            run,
            "The built-in parser understood the question differently, with other rows: "
            "\"%s\" instead of \"%s\".",
            there, here);
    } else {
        run_warn(run, "Another possible meaning, with other rows: %s", parser->words);
    }
}

/* Both readings are offered by their numbers: the model's, which is in use, comes first. */
static void offer_both(struct run *run)
{
    enum dialect dialect = datasource_dialect(run_datasource(run));
    struct run_readings *readings = &run->understanding.readings;
    struct run_reading parser = readings->items[0];
    const char *sql = meant_sql(run);
    const char *words =
        arena_text(run->arena, describe_sql(run->arena, run_statement(run, sql)));
    const char *parsed =
        arena_text(run->arena, describe_sql_text(run->arena, dialect, parser.sql));
    struct run_reading model = {.sql = arena_text(run->arena, sql),
                                .words = words,
                                .tables = run->answer.tables,
                                .by_model = true};
    parser.words = str_empty(parsed) ? parser.words : parsed;
    if (str_empty(words) || str_equal_nocase(words, parser.words)) {
        run_warn(run, "Another possible meaning, with other rows: %s", parser.words);
        return;
    }
    tell_difference(run, &model, &parser);
    *readings = (struct run_readings){0};
    VEC_PUSH(run->arena, readings, model);
    VEC_PUSH(run->arena, readings, parser);
    readings_note(run, &readings->items[0]);
}

void agreeing_check(struct run *run)
{
    const struct run_readings *readings = &run->understanding.readings;
    bool compared = false;
    if (!may_check(run)) {
        return;
    }
    for (size_t i = 0; i < readings->count && i < READINGS_MOST; i++) {
        struct rows rows;
        if (!read_rows(run, readings->items[i].sql, &rows)) {
            continue;
        }
        bool empty = run->answer.rows.count == 0;
        if (empty ? rows.count == 0 && i == 0
                  : same_rows(run, &run->answer.rows, &rows)) {
            run->query.agreement = empty    ? AGREEMENT_NONE
                                   : i == 0 ? AGREEMENT_SAME
                                            : AGREEMENT_NEAR;
            return;
        }
        compared = compared || i == 0;
    }
    if (compared && run->answer.parser_probability >= run->options->parser_ask) {
        run->query.agreement = AGREEMENT_OTHER;
        offer_both(run);
    }
}
