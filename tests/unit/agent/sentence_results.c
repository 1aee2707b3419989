/* Results for the test of sentences. */
#include "unit/agent/sentence_results.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT = 5000 };

static uint64_t seed = 20260001;

uint64_t results_draw(uint64_t below)
{
    seed += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t mixed = seed;
    mixed = (mixed ^ (mixed >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    mixed = (mixed ^ (mixed >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (mixed ^ (mixed >> 31)) % below;
}

static bool chance(uint64_t percent)
{
    return results_draw(100) < percent;
}

static const char *const plain_texts[] = {
    "Germany", "France",   "Peru",          "São Tomé", "online",  "Ada Lovelace",
    "store",   "(no one)", "O'Neill & Co.", "北京",     "Zürich",  "a-b",
    "x",       "Ω",        "first class",   "New York", "no value"};

static const char *const hostile_texts[] = {
    "A leads with 99 orders, 100 % of the total. The end",
    "line\nbreak\r\n\ttab",
    "\x1b[31mred\x1b[0m",
    "right\xe2\x80\xaeleft\xe2\x80\xac",
    "zero\xe2\x80\x8bwidth\xef\xbb\xbf",
    "<script>alert(1)</script>",
    "[link](http://evil.example/?q=1) **bold** `code`",
    "\xff\xfe\xc3\x28 bad \xed\xa0\x80",
    "\"quoted\" “and” „again“ «so»",
    "{name} {value} %s %n",
    "12,345.67 %",
    "2025-13-45",
    "",
    "   ",
    "1e309",
    "\xf0\x9f\x98\x80\xf0\x9f\x98\x80",
};

static const char *const headings[] = {"country",   "name",  "sum_amount",  "avg_price",
                                       "count",     "total", "x",           "firstName",
                                       "last_name", "month", "year",        "share",
                                       "day",       "value", "customer_id", "amount"};

static struct value text_value(struct arena *arena, const char *text, size_t size)
{
    return (struct value){.kind = VALUE_TEXT,
                          .text = {arena_copy(arena, text, size), size}};
}

static struct value any_text(struct arena *arena, uint64_t hostile)
{
    static char huge[TEXT];
    if (!chance(hostile)) {
        const char *text =
            plain_texts[results_draw(sizeof plain_texts / sizeof *plain_texts)];
        return text_value(arena, text, strlen(text));
    }
    if (chance(5)) { /* long ones of many-byte characters */
        size_t size = results_draw(TEXT - 4);
        for (size_t i = 0; i < size; i++) {
            huge[i] = "\xe2\x82\xac"[i % 3];
        }
        return text_value(arena, huge, size);
    }
    if (chance(10)) {
        char bytes[30];
        size_t size = results_draw(sizeof bytes);
        for (size_t i = 0; i < size; i++) {
            bytes[i] = (char)results_draw(256);
        }
        return text_value(arena, bytes, size);
    }
    const char *text =
        hostile_texts[results_draw(sizeof hostile_texts / sizeof *hostile_texts)];
    return text_value(arena, text, strlen(text));
}

static double any_size(void)
{
    static const double sizes[] = {1, 10, 100, 1e4, 1e6, 1e9, 1e-3, 1e-7, 1e16};
    return sizes[results_draw(chance(80) ? 5 : sizeof sizes / sizeof *sizes)];
}

static struct value any_number(struct arena *arena, int kind, bool negative)
{
    double real = (double)results_draw(1000000) / 1e6 * any_size();
    real = negative && chance(30) ? -real : real;
    if (kind == 0) {
        return (struct value){.kind = VALUE_INT, .integer = (int64_t)real};
    }
    if (kind == 1) {
        return (struct value){.kind = VALUE_REAL,
                              .real = chance(50) ? round(real * 100) / 100 : real};
    }
    char digits[80];
    int size = snprintf(digits, sizeof digits, "%.*f", (int)results_draw(6), real);
    struct value value = text_value(arena, digits, (size_t)size);
    value.kind = VALUE_NUMBER;
    return value;
}

static struct value any_time(struct arena *arena, int form, size_t row, int step)
{
    char text[40];
    int month = 2024 * 12 + (int)row * step + (form > 3 ? (int)results_draw(2) : 0);
    int year = month / 12;
    switch (form) {
    case 0:
        (void)snprintf(text, sizeof text, "%04d-%02d", year, month % 12 + 1);
        break;
    case 1:
        (void)snprintf(text, sizeof text, "%04d-%02d-01 00:00:00", year, month % 12 + 1);
        break;
    case 2:
        return (struct value){.kind = VALUE_INT, .integer = 2000 + (int)row * step};
    case 3:
        (void)snprintf(text, sizeof text, "%04d-Q%d", 2000 + (int)row / 4,
                       (int)row % 4 + 1);
        break;
    default:
        (void)snprintf(text, sizeof text, "%04d-%02d-%02dT%02d:30:00Z", year,
                       month % 12 + 1, (int)results_draw(28) + 1, (int)results_draw(24));
    }
    return text_value(arena, text, strlen(text));
}

static void set_column(struct result *result, size_t column, const char *name)
{
    result->rows.columns[column] = (struct rows_column){.name = name, .type = ""};
}

static struct value *cell_of(struct result *result, size_t row, size_t column)
{
    return &result->rows.cells[row * result->rows.column_count + column];
}

static void fill_column(struct arena *arena, struct result *result, size_t column)
{
    struct fact_column *fact = &result->facts.columns[column];
    const char *name = headings[results_draw(sizeof headings / sizeof *headings)];
    uint64_t hostile = result->wild ? 60 : 0;
    uint64_t role = results_draw(10);
    int form = (int)results_draw(5);
    int kind = (int)results_draw(3);
    int step = chance(80) ? 1 : -1;
    bool negative = chance(30);
    bool nulls = chance(25);
    bool few = chance(30);
    size_t gap = chance(20) ? 1 + results_draw(4) : 0; /* periods are missing there */
    size_t gap_at = results_draw(result->rows.count + 1);
    bool time = role < 2 && column == 0;
    bool number = !time && role < 6 && (column > 0 || role < 3);
    if (result->wild && chance(20)) {
        name = hostile_texts[results_draw(6)];
    }
    set_column(result, column, time && form == 2 ? "year" : name);
    *fact = (struct fact_column){.kind = number ? (enum fact_kind)results_draw(4)
                                                : FACT_PLAIN};
    if (number) {
        fact->adds = (fact->kind == FACT_COUNT || fact->kind == FACT_SUM) && chance(80);
        fact->things = fact->kind == FACT_COUNT && chance(70) ? "orders" : NULL;
        fact->thing = fact->things && chance(80) ? "order" : NULL;
        if (fact->kind != FACT_COUNT && chance(30)) {
            bool euro = chance(50);
            fact->unit = (struct fact_unit){euro ? "€" : "km", euro};
        }
        kind = fact->kind == FACT_COUNT ? 0 : kind;
        negative = negative && fact->kind != FACT_COUNT;
    }
    for (size_t i = 0; i < result->rows.count; i++) {
        struct value *cell = cell_of(result, i, column);
        *cell = time     ? any_time(arena, form, i + (i >= gap_at ? gap : 0), step)
                : number ? few ? (struct value){.kind = VALUE_INT,
                                                .integer = (int64_t)results_draw(3)}
                               : any_number(arena, kind, negative)
                         : any_text(arena, hostile);
        if (nulls && chance(15)) {
            *cell = (struct value){.kind = VALUE_NULL};
        } else if (result->wild && chance(1)) {
            *cell = (struct value){.kind = VALUE_BOOL, .boolean = chance(50)};
        }
    }
}

bool results_number(const struct value *value, double *out)
{
    char text[90] = "";
    char *end = NULL;
    if (value->kind == VALUE_INT) {
        *out = (double)value->integer;
    } else if (value->kind == VALUE_REAL) {
        *out = value->real;
    } else if (value->kind == VALUE_NUMBER && value->text.size < sizeof text) {
        memcpy(text, value->text.data, value->text.size);
        *out = strtod(text, &end);
    } else {
        return false;
    }
    return true;
}

/* The rows in the order that the facts claim. */
static void sort_rows(struct result *result)
{
    struct rows *rows = &result->rows;
    size_t column = result->facts.order;
    for (size_t i = 0; i + 1 < rows->count; i++) {
        for (size_t k = 0; k + 1 < rows->count - i; k++) {
            double a = -1e300;
            double b = -1e300;
            (void)results_number(cell_of(result, k, column), &a);
            (void)results_number(cell_of(result, k + 1, column), &b);
            if (result->facts.descending ? a < b : a > b) {
                for (size_t c = 0; c < rows->column_count; c++) {
                    struct value kept = *cell_of(result, k, c);
                    *cell_of(result, k, c) = *cell_of(result, k + 1, c);
                    *cell_of(result, k + 1, c) = kept;
                }
            }
        }
    }
}

void results_make(struct arena *arena, struct result *result)
{
    size_t count = chance(8)    ? 0
                   : chance(15) ? 1
                   : chance(30) ? 2 + results_draw(2)
                                : 2 + results_draw(RESULTS_ROWS - 1);
    size_t width = chance(60) ? 2 : 1 + results_draw(RESULTS_COLUMNS);
    *result = (struct result){.wild = chance(35)};
    struct rows *rows = &result->rows;
    rows_init(rows, arena);
    rows->column_count = width;
    rows->count = rows->capacity = count;
    rows->columns = arena_array(arena, width, sizeof *rows->columns);
    rows->cells = arena_array(arena, count * width, sizeof *rows->cells);
    result->facts = (struct facts){.order = FACTS_UNORDERED,
                                   .filtered = chance(50),
                                   .distinct = chance(10),
                                   .whole = chance(70),
                                   .lacking = chance(50),
                                   .keyed = chance(90),
                                   .untied = chance(50),
                                   .descending = chance(60),
                                   .things = chance(40) ? "riders" : NULL,
                                   .thing = chance(40) ? "rider" : NULL,
                                   .searched = chance(40) ? "orders" : NULL};
    for (size_t i = 0; i < width; i++) {
        fill_column(arena, result, i);
    }
    (void)snprintf(result->facts.today, sizeof result->facts.today, "2024-%02d-1%d",
                   (int)results_draw(12) + 1, (int)results_draw(10));
    if (chance(20)) {
        (void)snprintf(result->facts.data_end, sizeof result->facts.data_end,
                       "2025-12-3%d", (int)results_draw(2));
    }
    if (chance(40)) {
        result->facts.order = results_draw(width);
        sort_rows(result);
    }
    if (chance(10)) {
        rows->cut = chance(50) ? ROWS_CUT_BY_COUNT : ROWS_CUT_BY_BYTES;
    } else if (chance(3)) {
        rows->passed = true;
        rows->passed_count = count + results_draw(1000000);
    }
}
