/*
 * Parts and differences of dates, as each dialect writes them: one table of templates.
 * $a and $b are the dates; a date kept as text or seconds is first made a date.
 */
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "parser/to_sql/rebuild_state.h"

struct date_row {
    enum ir_keyword keyword;
    const char *templates[DIALECT_COUNT];
};

/* One literal each: in a table of texts two of them side by side look like a slip. */
#define SQLITE_QUARTER                                                                   \
    "strftime('%Y', $a) || '-Q' || ((CAST(strftime('%m', $a) AS INTEGER) + 2) / 3)"
#define SQLITE_QUARTER_OF "(CAST(strftime('%m', $a) AS INTEGER) + 2) / 3"
#define POSTGRES_MONTHS                                                                  \
    "CAST(12 * EXTRACT(YEAR FROM age($a, $b)) + EXTRACT(MONTH FROM age($a, $b)) AS INT)"

static const struct date_row rows[] = {
    {IR_YEAR,
     {"CAST(strftime('%Y', $a) AS INTEGER)", "year($a)",
      "CAST(EXTRACT(YEAR FROM $a) AS INTEGER)", "YEAR($a)", "toYear($a)",
      "EXTRACT(YEAR FROM $a)", "EXTRACT(YEAR FROM $a)"}},
    {IR_QUARTER,
     {SQLITE_QUARTER, "year($a) || '-Q' || quarter($a)", "to_char($a, 'YYYY-\"Q\"Q')",
      "CONCAT(YEAR($a), '-Q', QUARTER($a))",
      "concat(toString(toYear($a)), '-Q', toString(toQuarter($a)))",
      "FORMAT_DATE('%Y-Q%Q', DATE($a))", NULL}},
    {IR_MONTH,
     {"strftime('%Y-%m', $a)", "strftime($a, '%Y-%m')", "to_char($a, 'YYYY-MM')",
      "DATE_FORMAT($a, '%Y-%m')", "formatDateTime($a, '%Y-%m')",
      "FORMAT_DATE('%Y-%m', DATE($a))", NULL}},
    {IR_WEEK,
     {"date($a, 'weekday 0', '-6 days')", "CAST(date_trunc('week', $a) AS DATE)",
      "CAST(date_trunc('week', $a) AS DATE)",
      "DATE(DATE_SUB($a, INTERVAL WEEKDAY($a) DAY))", "toMonday($a)",
      "DATE_TRUNC(DATE($a), WEEK(MONDAY))", NULL}},
    {IR_DAY,
     {"date($a)", "CAST($a AS DATE)", "CAST($a AS DATE)", "DATE($a)", "toDate32($a)",
      "DATE($a)", "CAST($a AS DATE)"}},
    {IR_QUARTER_OF,
     {SQLITE_QUARTER_OF, "quarter($a)", "CAST(EXTRACT(QUARTER FROM $a) AS INTEGER)",
      "QUARTER($a)", "toQuarter($a)", "EXTRACT(QUARTER FROM $a)", NULL}},
    {IR_MONTH_OF,
     {"CAST(strftime('%m', $a) AS INTEGER)", "month($a)",
      "CAST(EXTRACT(MONTH FROM $a) AS INTEGER)", "MONTH($a)", "toMonth($a)",
      "EXTRACT(MONTH FROM $a)", "EXTRACT(MONTH FROM $a)"}},
    {IR_DAY_OF,
     {"CAST(strftime('%d', $a) AS INTEGER)", "day($a)",
      "CAST(EXTRACT(DAY FROM $a) AS INTEGER)", "DAY($a)", "toDayOfMonth($a)",
      "EXTRACT(DAY FROM $a)", "EXTRACT(DAY FROM $a)"}},
    {IR_WEEKDAY_OF,
     {"CAST(strftime('%w', $a) AS INTEGER)", "dayofweek($a)",
      "CAST(EXTRACT(DOW FROM $a) AS INTEGER)", "DAYOFWEEK($a) - 1", "toDayOfWeek($a) % 7",
      "EXTRACT(DAYOFWEEK FROM $a) - 1", NULL}},
    {IR_HOUR_OF,
     {"CAST(strftime('%H', $a) AS INTEGER)", "hour($a)",
      "CAST(EXTRACT(HOUR FROM $a) AS INTEGER)", "HOUR($a)", "toHour($a)",
      "EXTRACT(HOUR FROM $a)", "EXTRACT(HOUR FROM $a)"}},
    {IR_YEARS,
     {"CAST((julianday($a) - julianday($b)) / 365.25 AS INTEGER)",
      "date_sub('year', CAST($b AS DATE), CAST($a AS DATE))",
      "CAST(EXTRACT(YEAR FROM age($a, $b)) AS INTEGER)", "TIMESTAMPDIFF(YEAR, $b, $a)",
      "age('year', toDate32($b), toDate32($a))", "DATE_DIFF(DATE($a), DATE($b), YEAR)",
      NULL}},
    {IR_MONTHS,
     {"CAST((julianday($a) - julianday($b)) / 30.4375 AS INTEGER)",
      "date_sub('month', CAST($b AS DATE), CAST($a AS DATE))", POSTGRES_MONTHS,
      "TIMESTAMPDIFF(MONTH, $b, $a)", "age('month', toDate32($b), toDate32($a))",
      "DATE_DIFF(DATE($a), DATE($b), MONTH)", NULL}},
    {IR_DAYS,
     {"julianday($a) - julianday($b)",
      "date_diff('day', CAST($b AS DATE), CAST($a AS DATE))",
      "CAST($a AS DATE) - CAST($b AS DATE)", "DATEDIFF($a, $b)",
      "dateDiff('day', toDate32($b), toDate32($a))", "DATE_DIFF(DATE($a), DATE($b), DAY)",
      NULL}},
    {IR_HOURS,
     {"(julianday($a) - julianday($b)) * 24",
      "date_diff('second', CAST($b AS TIMESTAMP), CAST($a AS TIMESTAMP)) / 3600.0",
      "EXTRACT(EPOCH FROM CAST($a AS TIMESTAMP) - CAST($b AS TIMESTAMP)) / 3600",
      "TIMESTAMPDIFF(SECOND, $b, $a) / 3600",
      "dateDiff('second', toDateTime($b), toDateTime($a)) / 3600",
      "TIMESTAMP_DIFF(TIMESTAMP($a), TIMESTAMP($b), SECOND) / 3600", NULL}},
};

/* A date out of ISO text, and out of seconds since 1970; $a is the column. */
static const char *const from_text[DIALECT_COUNT] = {
    [DIALECT_SQLITE] = "$a",
    [DIALECT_DUCKDB] = "CAST($a AS TIMESTAMP)",
    [DIALECT_POSTGRES] = "CAST($a AS TIMESTAMP)",
    [DIALECT_MYSQL] = "$a",
    [DIALECT_CLICKHOUSE] = "parseDateTimeBestEffort($a)",
    [DIALECT_BIGQUERY] = "CAST($a AS TIMESTAMP)",
    [DIALECT_ODBC] = "CAST($a AS TIMESTAMP)",
};

static const char *const from_seconds[DIALECT_COUNT] = {
    [DIALECT_SQLITE] = "datetime($a, 'unixepoch')",
    [DIALECT_DUCKDB] = "to_timestamp($a)",
    [DIALECT_POSTGRES] = "to_timestamp($a)",
    [DIALECT_MYSQL] = "FROM_UNIXTIME($a)",
    [DIALECT_CLICKHOUSE] = "toDateTime($a)",
    [DIALECT_BIGQUERY] = "TIMESTAMP_SECONDS($a)",
    [DIALECT_ODBC] = "$a",
};

static const char *const from_milliseconds[DIALECT_COUNT] = {
    [DIALECT_SQLITE] = "datetime($a / 1000, 'unixepoch')",
    [DIALECT_DUCKDB] = "to_timestamp($a / 1000.0)",
    [DIALECT_POSTGRES] = "to_timestamp($a / 1000.0)",
    [DIALECT_MYSQL] = "FROM_UNIXTIME($a / 1000)",
    [DIALECT_CLICKHOUSE] = "toDateTime(intDiv($a, 1000))",
    [DIALECT_BIGQUERY] = "TIMESTAMP_MILLIS($a)",
    [DIALECT_ODBC] = "$a",
};

static const char *const from_day[DIALECT_COUNT] = {
    [DIALECT_SQLITE] = "$a",
    [DIALECT_DUCKDB] = "DATE $a",
    [DIALECT_POSTGRES] = "DATE $a",
    [DIALECT_MYSQL] = "DATE $a",
    [DIALECT_CLICKHOUSE] = "toDate($a)",
    [DIALECT_BIGQUERY] = "DATE $a",
    [DIALECT_ODBC] = "DATE $a",
};

enum { ROW_COUNT = sizeof rows / sizeof *rows };

bool rebuild_date_template(size_t index, enum dialect dialect, enum ir_keyword *keyword,
                           const char **template)
{
    if (index >= ROW_COUNT) {
        return false;
    }
    *keyword = rows[index].keyword;
    *template = rows[index].templates[dialect];
    return true;
}

bool rebuild_is_date_call(enum ir_keyword keyword)
{
    for (size_t i = 0; i < ROW_COUNT; i++) {
        if (rows[i].keyword == keyword) {
            return true;
        }
    }
    return keyword == IR_NOW;
}

static void write_day(struct rebuilding *rebuilding, const struct calendar_day *day)
{
    buf_format(&rebuilding->out, "'%04d-%02d-%02d'", day->year, day->month, day->day);
}

void rebuild_day(struct rebuilding *rebuilding, const struct calendar_day *day,
                 const struct ir_column *column)
{
    bool seconds = column && column->storage == IR_STORED_SECONDS;
    bool milliseconds = column && column->storage == IR_STORED_MILLISECONDS;
    if ((seconds || milliseconds) && column->type == IR_TYPE_TIME) {
        long long of_day = milliseconds ? 86400000LL : 86400LL;
        buf_format(&rebuilding->out, "%lld", calendar_number(day) * of_day);
        return;
    }
    write_day(rebuilding, day);
}

static void write_now(struct rebuilding *rebuilding)
{
    struct calendar_day today;
    const char *template = from_day[rebuilding->dialect];
    if (!rebuild_today(rebuilding, &today)) {
        rebuild_fail(rebuilding, "The date of today is not known.");
        return;
    }
    size_t before = strcspn(template, "$");
    buf_add(&rebuilding->out, template, before);
    write_day(rebuilding, &today);
    buf_text(&rebuilding->out, template + before + 2);
}

void rebuild_date(struct rebuilding *rebuilding, const struct ir_node *node)
{
    const struct ir_column *column = rebuild_column_of(rebuilding, node);
    const char *template = "$a";
    if (column && column->type == IR_TYPE_TIME && column->storage == IR_STORED_SECONDS) {
        template = from_seconds[rebuilding->dialect];
    } else if (column && column->type == IR_TYPE_TIME &&
               column->storage == IR_STORED_MILLISECONDS) {
        template = from_milliseconds[rebuilding->dialect];
    } else if (column &&
               (column->type == IR_TYPE_TEXT ||
                (column->type == IR_TYPE_TIME && column->storage == IR_STORED_TEXT))) {
        template = from_text[rebuilding->dialect];
    } else if (ir_node_is_value(node)) {
        template = from_day[rebuilding->dialect];
    }
    size_t before = strcspn(template, "$");
    buf_add(&rebuilding->out, template, before);
    if (ir_node_is_value(node)) {
        rebuild_value(rebuilding, node, IR_TYPE_TEXT);
    } else {
        rebuild_expression(rebuilding, node);
    }
    buf_text(&rebuilding->out, template + before + 2);
}

void rebuild_template(struct rebuilding *rebuilding, const char *template,
                      const struct ir_node *node,
                      void (*fill)(struct rebuilding *rebuilding,
                                   const struct ir_node *node, char hole))
{
    while (*template && !rebuilding->failed) {
        size_t before = strcspn(template, "$");
        buf_add(&rebuilding->out, template, before);
        template += before;
        if (*template) {
            fill(rebuilding, node, template[1]);
            template += 2;
        }
    }
}

static void fill_date(struct rebuilding *rebuilding, const struct ir_node *node,
                      char hole)
{
    rebuild_date(rebuilding, node->args.items[hole == 'a' ? 0 : 1]);
}

void rebuild_date_call(struct rebuilding *rebuilding, const struct ir_node *node)
{
    const char *template = NULL;
    if (node->keyword == IR_NOW) {
        write_now(rebuilding);
        return;
    }
    for (size_t i = 0; i < ROW_COUNT; i++) {
        if (rows[i].keyword == node->keyword) {
            template = rows[i].templates[rebuilding->dialect];
        }
    }
    if (!template) {
        rebuild_fail(rebuilding, "This database has no way to say '%s'.",
                     ir_keyword_text((int)node->keyword));
        return;
    }
    rebuild_template(rebuilding, template, node, fill_date);
}
