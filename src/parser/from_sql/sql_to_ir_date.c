/* Dates of SQL: parts of them, dates counted from now, and tests against a period. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"
#include "parser/ir/ir_schema.h"
#include "parser/from_sql/sql_to_ir_state.h"
#include "parser/words/calendar.h"

bool sql_is_time(const struct sql_reading *reading, const struct ir_node *node)
{
    return ir_node_is_column(node) &&
           reading->schema->columns[node->token.index].type == IR_TYPE_TIME;
}

struct ir_node *sql_day_of_seconds(struct sql_reading *reading, const struct ir_node *of,
                                   struct ir_node *number)
{
    const struct ir_column *column =
        sql_is_time(reading, of) ? &reading->schema->columns[of->token.index] : NULL;
    int64_t of_day = !column                                     ? 0
                     : column->storage == IR_STORED_SECONDS      ? 86400
                     : column->storage == IR_STORED_MILLISECONDS ? 86400000
                                                                 : 0;
    int64_t value = 0;
    if (!of_day || number->kind != IR_NODE_TEXT || number->is_text ||
        !str_to_int(number->text, &value) || value < of_day || value % of_day != 0) {
        return number;
    }
    struct calendar_day day = calendar_of_number(value / of_day);
    return ir_node_text(
        reading->arena,
        arena_format(reading->arena, "%04d-%02d-%02d", day.year, day.month, day.day),
        true);
}

static const struct unit {
    const char *name;
    enum ir_keyword unit;
    enum ir_keyword part; /* of a date: what is cut to this unit */
} units[] = {
    {"day", IR_UNIT_DAY, IR_DAY},       {"week", IR_UNIT_WEEK, IR_WEEK},
    {"month", IR_UNIT_MONTH, IR_MONTH}, {"quarter", IR_UNIT_QUARTER, IR_QUARTER},
    {"year", IR_UNIT_YEAR, IR_YEAR},
};

enum { UNIT_COUNT = sizeof units / sizeof *units };

static const struct unit *unit_find(const char *name)
{
    for (size_t i = 0; i < UNIT_COUNT; i++) {
        size_t size = strlen(units[i].name);
        if (str_starts_nocase(name, units[i].name) &&
            (name[size] == '\0' || str_equal_nocase(name + size, "s"))) {
            return &units[i];
        }
    }
    return NULL;
}

static const struct unit *unit_of_part(enum ir_keyword part)
{
    for (size_t i = 0; i < UNIT_COUNT; i++) {
        if (units[i].part == part) {
            return &units[i];
        }
    }
    return NULL;
}

static struct ir_node *unit_node(struct sql_reading *reading, const struct unit *unit)
{
    return sql_call(reading, unit->unit, NULL, NULL);
}

struct ir_node *sql_read_period(struct sql_reading *reading, const char *text)
{
    struct texts words = {0};
    str_split(reading->arena, text, ' ', &words);
    const struct unit *last =
        words.count > 1 ? unit_find(words.items[words.count - 1]) : NULL;
    static const struct {
        const char *word;
        enum ir_keyword keyword;
    } rows[] = {{"this", IR_THIS}, {"last", IR_LAST}, {"next", IR_NEXT}};
    for (size_t i = 0; last && i < sizeof rows / sizeof *rows; i++) {
        if (str_equal_nocase(words.items[0], rows[i].word)) {
            struct ir_node *count =
                words.count == 3 ? sql_number(reading, words.items[1]) : NULL;
            return sql_call(reading, rows[i].keyword, count, unit_node(reading, last));
        }
    }
    if (words.count == 3 && str_equal_nocase(words.items[2], "ago") &&
        unit_find(words.items[1])) {
        return sql_call(reading, IR_AGO, sql_number(reading, words.items[0]),
                        unit_node(reading, unit_find(words.items[1])));
    }
    bool number = strspn(text, "0123456789") == strlen(text);
    return ir_node_text(reading->arena, text, !number);
}

/* What the modifiers of date('now', …) say together. */
struct shift {
    const struct unit *start; /* start of this unit */
    const struct unit *step;
    const char *count; /* of steps, without sign; NULL: none */
    bool forward;
};

static bool shift_add(struct sql_reading *reading, struct shift *shift, const char *text)
{
    if (str_starts_nocase(text, "start of ")) {
        shift->start = unit_find(text + 9);
        return shift->start != NULL;
    }
    if (str_equal_nocase(text, "localtime") || str_equal_nocase(text, "utc")) {
        return true;
    }
    if ((text[0] != '-' && text[0] != '+') || shift->count) {
        return false;
    }
    size_t digits = strspn(text + 1, "0123456789");
    shift->forward = text[0] == '+';
    shift->count = arena_copy(reading->arena, text + 1, digits);
    shift->step = unit_find(text + 1 + digits + strspn(text + 1 + digits, " "));
    return shift->step && digits > 0;
}

/* A date that hangs on today. */
static struct ir_node *shift_make(struct sql_reading *reading, const struct shift *shift)
{
    bool once = shift->count && strcmp(shift->count, "1") == 0;
    if (!shift->count) {
        return shift->start
                   ? sql_call(reading, IR_THIS, unit_node(reading, shift->start), NULL)
                   : sql_call(reading, IR_NOW, NULL, NULL);
    }
    if (shift->start && once && shift->start == shift->step) {
        return sql_call(reading, shift->forward ? IR_NEXT : IR_LAST,
                        unit_node(reading, shift->start), NULL);
    }
    if (!shift->start && !shift->forward) {
        return sql_call(reading, IR_AGO, sql_number(reading, shift->count),
                        unit_node(reading, shift->step));
    }
    return sql_fail(reading, "A date counted in an unknown way.");
}

static bool is_now(const struct sql_reading *reading, const struct ir_node *node)
{
    return ir_node_is(node, IR_NOW) || sql_is_text(node, "now") ||
           (reading->request->today && sql_is_text(node, reading->request->today));
}

/* The date below the modifiers: now shifted, or a column cut; strftime wants it bare. */
static struct ir_node *date_below(struct sql_reading *reading, struct ir_nodes *args,
                                  size_t from)
{
    struct shift shift = {0};
    struct ir_node *base = args->items[from];
    bool plain = args->count == from + 1;
    if (plain && !is_now(reading, base)) {
        return base;
    }
    if (plain && !sql_is_text(base, "now") && !ir_node_is(base, IR_NOW)) {
        return base; /* a literal that happens to be today */
    }
    if (args->count == from + 2 && !is_now(reading, base)) {
        struct ir_node *later = sql_make_shift(reading, base, args->items[from + 1]);
        if (later) {
            return later;
        }
    }
    for (size_t i = from + 1; i < args->count; i++) {
        if (args->items[i]->kind != IR_NODE_TEXT ||
            !shift_add(reading, &shift, args->items[i]->text)) {
            return sql_fail(reading, "A date counted in an unknown way.");
        }
    }
    if (is_now(reading, base)) {
        return shift_make(reading, &shift);
    }
    if (shift.start && !shift.count) {
        return sql_call(reading, shift.start->part, base, NULL);
    }
    return sql_fail(reading, "A date counted from another.");
}

static bool is_relative(const struct ir_node *node)
{
    return ir_node_is(node, IR_NOW) || ir_node_is(node, IR_THIS) ||
           ir_node_is(node, IR_LAST) || ir_node_is(node, IR_NEXT) ||
           ir_node_is(node, IR_AGO);
}

struct ir_node *sql_make_date(struct sql_reading *reading, struct ir_nodes *args)
{
    struct ir_node *node = date_below(reading, args, 0);
    if (node->kind == IR_NODE_TEXT || is_relative(node) || args->count > 1 ||
        reading->failed) {
        return node;
    }
    return sql_call(reading, IR_DAY, node, NULL);
}

struct ir_node *sql_make_strftime(struct sql_reading *reading, struct ir_nodes *args)
{
    static const struct {
        const char *format;
        enum ir_keyword keyword;
    } rows[] = {
        {"%Y", IR_YEAR},     {"%Y-%m", IR_MONTH}, {"%Y-%m-%d", IR_DAY},
        {"%m", IR_MONTH_OF}, {"%d", IR_DAY_OF},   {"%w", IR_WEEKDAY_OF},
        {"%H", IR_HOUR_OF},  {"%Y-%W", IR_WEEK},  {"%Y-%m-01", IR_MONTH},
    };
    for (size_t i = 0; args->count > 1 && i < sizeof rows / sizeof *rows; i++) {
        if (args->items[0]->kind == IR_NODE_TEXT &&
            strcmp(args->items[0]->text, rows[i].format) == 0) {
            return sql_call(reading, rows[i].keyword, date_below(reading, args, 1), NULL);
        }
    }
    return sql_fail(reading, "A date written in an unknown way.");
}

/* The test of a date against a period that says what the comparison says. */
static enum ir_keyword period_test(enum ir_keyword keyword)
{
    switch (keyword) {
    case IR_EQUAL:
        return IR_DURING;
    case IR_AT_LEAST:
        return IR_SINCE;
    case IR_GREATER:
        return IR_AFTER;
    case IR_LESS:
        return IR_BEFORE;
    case IR_AT_MOST:
        return IR_UNTIL;
    default:
        return IR_PAD;
    }
}

/* Is the text a period as long as the unit: 2024, 2024-Q1, 2024-03, 2024-03-15? */
static bool has_shape(const char *text, enum ir_keyword part)
{
    const char *shape = part == IR_YEAR      ? "dddd"
                        : part == IR_QUARTER ? "dddd-Qd"
                        : part == IR_MONTH   ? "dddd-dd"
                        : part == IR_DAY     ? "dddd-dd-dd"
                                             : NULL;
    if (!shape || strlen(shape) != strlen(text)) {
        return false;
    }
    for (size_t i = 0; shape[i]; i++) {
        if (shape[i] == 'd' ? !isdigit((unsigned char)text[i]) : shape[i] != text[i]) {
            return false;
        }
    }
    return true;
}

/* The period that a part of a date counted from now is: month(now) is this month. */
static struct ir_node *relative_period(struct sql_reading *reading,
                                       const struct ir_node *node,
                                       const struct unit *unit)
{
    if (ir_node_is(node, IR_MINUS) && sql_is_number(node->args.items[1], 1)) {
        const struct ir_node *year = node->args.items[0];
        return unit->unit == IR_UNIT_YEAR && ir_node_is(year, IR_YEAR) &&
                       ir_node_is(year->args.items[0], IR_NOW)
                   ? sql_call(reading, IR_LAST, unit_node(reading, unit), NULL)
                   : NULL;
    }
    if (node->kind == IR_NODE_CALL && node->keyword == unit->part) {
        node = node->args.items[0];
    }
    if (ir_node_is(node, IR_NOW)) {
        return sql_call(reading, IR_THIS, unit_node(reading, unit), NULL);
    }
    if (ir_node_is(node, IR_AGO) && sql_is_number(node->args.items[0], 1) &&
        ir_node_is(node->args.items[1], unit->unit)) {
        return sql_call(reading, IR_LAST, unit_node(reading, unit), NULL);
    }
    if ((ir_node_is(node, IR_LAST) || ir_node_is(node, IR_THIS)) &&
        node->args.count == 1 && ir_node_is(node->args.items[0], unit->unit)) {
        return sql_call(reading, node->keyword, unit_node(reading, unit), NULL);
    }
    return NULL;
}

static struct ir_node *part_test(struct sql_reading *reading, enum ir_keyword keyword,
                                 const struct ir_node *a, struct ir_node *b)
{
    const struct unit *unit = unit_of_part(a->keyword);
    enum ir_keyword test = period_test(keyword);
    struct ir_node *period = NULL;
    if (!unit || test == IR_PAD || is_relative(a->args.items[0])) {
        return NULL;
    }
    if (b->kind == IR_NODE_TEXT) {
        period = has_shape(b->text, unit->part)
                     ? ir_node_text(reading->arena, b->text, unit->part != IR_YEAR)
                     : NULL;
    } else {
        period = relative_period(reading, b, unit);
    }
    return period ? sql_call(reading, test, a->args.items[0], period) : NULL;
}

/* A date column against a date counted from now. */
static struct ir_node *relative_test(struct sql_reading *reading, enum ir_keyword keyword,
                                     struct ir_node *a, struct ir_node *b)
{
    bool from = keyword == IR_AT_LEAST || keyword == IR_GREATER;
    bool to = keyword == IR_AT_MOST || keyword == IR_LESS;
    if (ir_node_is(b, IR_NOW)) {
        struct ir_node *today =
            sql_call(reading, IR_THIS, sql_call(reading, IR_UNIT_DAY, NULL, NULL), NULL);
        enum ir_keyword test = period_test(keyword);
        return test == IR_PAD ? NULL : sql_call(reading, test, a, today);
    }
    if (from && ir_node_is(b, IR_AGO)) {
        return sql_call(reading, IR_DURING, a,
                        sql_call(reading, IR_LAST, b->args.items[0], b->args.items[1]));
    }
    if (from && ir_node_is(b, IR_THIS)) {
        return sql_call(reading, IR_DURING, a, b);
    }
    return from || to ? sql_call(reading, from ? IR_SINCE : IR_BEFORE, a, b) : NULL;
}

struct ir_node *sql_make_date_test(struct sql_reading *reading, enum ir_keyword keyword,
                                   struct ir_node *a, struct ir_node *b)
{
    if (is_relative(b) && ir_node_is(a, IR_DAY) && keyword != IR_EQUAL) {
        a = a->args.items[0];
    }
    if (is_relative(b) && !(ir_node_is(a, IR_DAY) && keyword == IR_EQUAL)) {
        return relative_test(reading, keyword, a, b);
    }
    return a->kind == IR_NODE_CALL && a->args.count == 1
               ? part_test(reading, keyword, a, b)
               : NULL;
}
