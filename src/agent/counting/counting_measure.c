/* Small queries for the figures in a warning. */
#include <math.h>
#include <string.h>

#include "agent/counting/counting_state.h"
#include "agent/sources/policing.h"
#include "base/buf.h"
#include "base/str.h"

enum {
    MEASURE_MS = 500,
    MEASURE_ROWS = 2000000, /* of all tables of the query together */
    NUMBER_MOST = 64
};

/* Engines that ask money for what a query reads. */
static bool is_metered(const struct datasource *source)
{
    return str_equal(source->driver->name, "bigquery");
}

bool counting_may_measure(struct run *run)
{
    struct datasource *source = run_datasource(run);
    int64_t rows = 0;
    if (is_metered(source) || policing_wants_approval(run) || run->question.dry_run ||
        run_stopped(run)) {
        return false;
    }
    for (size_t i = 0; i < run->answer.tables.count; i++) {
        const struct table *table =
            schema_table(run_schema(run), run->answer.tables.items[i]);
        if (!table || table->row_count < 0) {
            return false;
        }
        rows += table->row_count;
    }
    return rows <= MEASURE_ROWS;
}

bool counting_read(struct run *run, const char *sql, size_t most, struct rows *rows)
{
    if (!counting_may_measure(run)) {
        return false;
    }
    int64_t steps;
    struct datasource_limits limits =
        run_probe_limits(run, MEASURE_MS, (int64_t)most, &steps);
    struct err trouble;
    err_clear(&trouble);
    rows_init(rows, run->scratch);
    return datasource_execute(run_datasource(run), sql, run_schema(run), &limits, rows,
                              &trouble);
}

bool counting_measure(struct run *run, const char *sql, size_t columns, struct rows *rows)
{
    return counting_read(run, sql, 1, rows) && rows->count == 1 &&
           rows->column_count == columns;
}

/* With commas for thousands. */
const char *counting_number(struct run *run, const struct value *value)
{
    struct buf out;
    struct value shown = *value;
    buf_init(&out, NUMBER_MOST);
    if (shown.kind == VALUE_REAL && fabs(shown.real) >= 1 && fabs(shown.real) < 1e12) {
        shown.real = round(shown.real * 1e4) / 1e4; /* more says nothing in a sentence */
    } else if (shown.kind == VALUE_REAL && fabs(shown.real) > 1e-6 &&
               fabs(shown.real) < 1) {
        double digits = pow(10, 3 - floor(log10(fabs(shown.real))));
        shown.real = round(shown.real * digits) / digits;
    }
    value_show(&out, &shown);
    char *text = buf_clone(&out, run->scratch);
    buf_release(&out);
    size_t first = text[0] == '-';
    size_t digits = strspn(text + first, "0123456789");
    if (value->kind == VALUE_NULL) {
        return "empty";
    }
    if (digits <= 3 || strpbrk(text, "eE")) {
        return text;
    }
    struct buf parts;
    buf_init(&parts, 2 * NUMBER_MOST);
    for (size_t i = 0; text[i]; i++) {
        size_t at = i - first;
        bool comma = i > first && at < digits && (digits - at) % 3 == 0;
        (void)buf_format(&parts, "%s%c", comma ? "," : "", text[i]);
    }
    const char *number = buf_clone(&parts, run->scratch);
    buf_release(&parts);
    return number;
}
