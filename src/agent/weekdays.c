/*
 * Weekdays of an answer by their names. The SQL keeps the numbers, so that days stay in their order and follow-ups can
 * go on from it.
 */
#include "agent/weekdays.h"

#include <string.h>

#include "agent/run.h"
#include "base/str.h"

/* The heading is the parser's own (src/parser/to_sql/rebuild_window.c): no other column has it by chance. */
static const char numbered[] = "weekday (0 = Sunday)";

static const char *const days[] = {"Sunday",   "Monday", "Tuesday", "Wednesday",
                                   "Thursday", "Friday", "Saturday"};
enum { DAYS = sizeof days / sizeof *days };

static int64_t number_of(const struct value *value)
{
    if (value->kind == VALUE_INT) {
        return value->integer;
    }
    return value->kind == VALUE_TEXT && value->text.size == 1 ? value->text.data[0] - '0'
                                                              : -1;
}

/* Something else than a weekday in the column: then it stays as it is. */
static bool are_days(const struct rows *rows, size_t column)
{
    for (size_t i = 0; i < rows->count; i++) {
        const struct value *value = rows_cell(rows, i, column);
        int64_t day = number_of(value);
        if (value->kind != VALUE_NULL && (day < 0 || day >= DAYS)) {
            return false;
        }
    }
    return true;
}

static void name_column(struct rows *rows, size_t column)
{
    rows->columns[column].name = "weekday";
    rows->columns[column].type = "TEXT";
    for (size_t i = 0; i < rows->count; i++) {
        struct value *value = &rows->cells[i * rows->column_count + column];
        int64_t number = number_of(value);
        if (number >= 0 && number < DAYS) {
            const char *day = days[number];
            *value = (struct value){.kind = VALUE_TEXT, .text = {day, strlen(day)}};
        }
    }
}

void weekdays_name(struct run *run)
{
    struct rows *rows = &run->answer.rows;
    if (!run->answer.has_rows || rows->passed) {
        return; /* rows that were handed on as they came are out already */
    }
    for (size_t c = 0; c < rows->column_count; c++) {
        if (str_equal(rows->columns[c].name, numbered) && are_days(rows, c)) {
            name_column(rows, c);
        }
    }
}
