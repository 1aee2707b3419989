/* Weekdays, months and groups without a partner, by their names. */
#include "agent/wording.h"

#include <ctype.h>
#include <string.h>

#include "agent/counting/counting.h"
#include "agent/run.h"
#include "agent/run_statement.h"
#include "base/arena.h"
#include "base/str.h"
#include "model/schema.h"
#include "sql/resolve/resolve.h"

/* The heading is the parser's own (src/parser/to_sql/rebuild_window.c): no other column has it by chance. */
static const char numbered[] = "weekday (0 = Sunday)";

static const char *const days[] = {"Sunday",   "Monday", "Tuesday", "Wednesday",
                                   "Thursday", "Friday", "Saturday"};
static const char *const months[] = {"January",   "February", "March",    "April",
                                     "May",       "June",     "July",     "August",
                                     "September", "October",  "November", "December"};
enum { DAYS = sizeof days / sizeof *days, MONTHS = sizeof months / sizeof *months };

/* ------------------------------------------------------------------ from the SQL */

/* strftime('%m', x), strftime(x, '%m'), DATE_FORMAT(x, '%m'), to_char(x, 'MM') */
static enum wording wording_of_format(const struct sql_node *call)
{
    static const char *const names[] = {"strftime", "date_format", "format_date",
                                        "format_timestamp", "to_char"};
    const struct sql_node *arguments = call->children[CALL_ARGUMENTS];
    bool known = false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        known |= str_equal_nocase(call->text, names[i]);
    }
    for (size_t i = 0; known && i < arguments->count; i++) {
        const struct sql_node *format = arguments->children[i];
        if (!sql_is(format, SQL_STRING)) {
            continue;
        }
        if (str_equal(format->text, "%m") || str_equal(format->text, "MM")) {
            return WORDING_MONTH;
        }
        if (str_equal(format->text, "%w") && str_equal_nocase(call->text, "strftime")) {
            return WORDING_WEEKDAY;
        }
    }
    return WORDING_NONE;
}

static enum wording wording_of_value(const struct sql_node *value)
{
    while (sql_is(value, SQL_CAST)) {
        value = value->children[PAIR_LEFT];
    }
    if (sql_is(value, SQL_EXTRACT)) {
        return str_equal_nocase(value->text, "month") ? WORDING_MONTH
               : str_equal_nocase(value->text, "dow") ? WORDING_WEEKDAY
                                                      : WORDING_NONE;
    }
    if (!sql_is(value, SQL_CALL)) {
        return WORDING_NONE;
    }
    if (str_equal_nocase(value->text, "month") ||
        str_equal_nocase(value->text, "tomonth")) {
        return WORDING_MONTH;
    }
    return wording_of_format(value);
}

/* The lookup has a value in each of its rows: NULL can only mean that there is no row. */
static bool always_has(const struct column *column)
{
    return column && column->is_text &&
           (!column->nullable || column->primary || column->null_share == 0);
}

/* "(no store)" */
static const char *absent_of(struct run *run, const struct sql_scope *scope,
                             const struct sql_relation *relation)
{
    size_t same = 0;
    for (size_t i = 0; i < scope->relations.count; i++) {
        same += scope->relations.items[i]->table == relation->table;
    }
    /* the second use of a table is known by its alias: "manager" */
    bool alias = same > 1 && relation->aliased && strlen(relation->name) > 3;
    const char *name = alias ? relation->name : relation->table->bare_name;
    const char *one = counting_one_of(run, name);
    char *text = arena_format(run->arena, "(no %s)", one ? one : name);
    for (char *at = text; *at; at++) {
        *at = *at == '_' ? ' ' : *at;
    }
    if (!strpbrk(name, "abcdefghijklmnopqrstuvwxyz")) {
        for (char *at = text; *at; at++) {
            *at = (char)tolower((unsigned char)*at);
        }
    }
    return text;
}

static struct wording_column wording_of_output(struct run *run,
                                               const struct sql_scope *scope,
                                               const struct sql_output *output)
{
    const struct sql_relation *relation = output->relation;
    if (relation && relation->kind == RELATION_TABLE) {
        bool absent = relation->optional && relation->table && relation->name &&
                      scope->node->children[SELECT_GROUP] && always_has(output->column);
        return (struct wording_column){.wording = absent ? WORDING_ABSENT : WORDING_NONE,
                                       .absent = absent ? absent_of(run, scope, relation)
                                                        : NULL};
    }
    while (output && output->inner) { /* handed on by a subquery */
        output = output->inner;
    }
    return (struct wording_column){.wording = output && output->value
                                                  ? wording_of_value(output->value)
                                                  : WORDING_NONE};
}

static const struct sql_scope *scope_of(const struct sql_statement *statement,
                                        const struct sql_resolved *resolved)
{
    const struct sql_node *root = statement->root;
    return resolved && sql_is(root, SQL_QUERY) &&
                   sql_is(root->children[QUERY_BODY], SQL_SELECT)
               ? sql_scope_of(resolved, root->children[QUERY_BODY])
               : NULL;
}

const char *wording_absent(struct run *run, const struct sql_statement *statement,
                           const struct sql_resolved *resolved)
{
    const struct sql_scope *scope = scope_of(statement, resolved);
    for (size_t i = 0; scope && i < scope->outputs.count; i++) {
        struct wording_column column =
            wording_of_output(run, scope, scope->outputs.items[i]);
        if (column.absent) {
            return column.absent;
        }
    }
    return NULL;
}

/* A person's own SQL gives what it says. */
static bool is_ours(const struct run *run)
{
    return run->request.delivery ? run->request.delivery->worded : !run_has_own_sql(run);
}

static bool asks_for_numbers(struct run *run)
{
    const char *text = run_question_text(run);
    return text && (str_contains_nocase(text, "month number") ||
                    str_contains_nocase(text, "number of the month") ||
                    str_contains_nocase(text, "weekday number"));
}

/* NULL: all cells stay as they are. */
static struct wording_column *
read_columns(struct run *run, const struct rows_column *columns, size_t count)
{
    const struct sql_scope *scope = NULL;
    if (is_ours(run) && run_schema(run) && !asks_for_numbers(run)) {
        const char *sql = run->answer.sql;
        scope = scope_of(run_statement(run, sql), run_resolved(run, sql));
    }
    struct wording_column *out = arena_array(run->arena, count, sizeof *out);
    bool any = false;
    for (size_t i = 0; i < count; i++) {
        out[i] = (struct wording_column){0};
        if (str_equal(columns[i].name, numbered)) {
            out[i].wording = WORDING_WEEKDAY;
        } else if (scope && scope->outputs.count == count && !scope->outputs.open) {
            out[i] = wording_of_output(run, scope, scope->outputs.items[i]);
        }
        any |= out[i].wording != WORDING_NONE;
    }
    return any ? out : NULL;
}

/* ------------------------------------------------------------------ cells */

static int64_t number_of(const struct value *value)
{
    if (value->kind == VALUE_INT) {
        return value->integer;
    }
    if (value->kind == VALUE_REAL) {
        return value->real == (double)(int)value->real ? (int)value->real : -1;
    }
    bool text = value->kind == VALUE_TEXT || value->kind == VALUE_NUMBER;
    const char *data = text ? value->text.data : "";
    size_t size = text ? value->text.size : 0;
    if (size == 1 && isdigit((unsigned char)data[0])) {
        return data[0] - '0';
    }
    return size == 2 && isdigit((unsigned char)data[0]) && isdigit((unsigned char)data[1])
               ? (data[0] - '0') * 10 + data[1] - '0'
               : -1;
}

/* Anything else than a weekday or a month stays as it is. */
static void word_cell(const struct wording_column *column, struct value *value)
{
    const char *name = NULL;
    int64_t number = number_of(value);
    if (column->wording == WORDING_ABSENT) {
        name = value->kind == VALUE_NULL ? column->absent : NULL;
    } else if (column->wording == WORDING_WEEKDAY) {
        name = number >= 0 && number < DAYS ? days[number] : NULL;
    } else if (column->wording == WORDING_MONTH) {
        name = number >= 1 && number <= MONTHS ? months[number - 1] : NULL;
    }
    if (name) {
        *value = (struct value){.kind = VALUE_TEXT, .text = {name, strlen(name)}};
    }
}

static struct rows_column word_column(const struct wording_column *column,
                                      const struct rows_column *written)
{
    bool number = column->wording == WORDING_WEEKDAY || column->wording == WORDING_MONTH;
    return (struct rows_column){
        .name = str_equal(written->name, numbered) ? "weekday" : written->name,
        .type = number ? "TEXT" : written->type};
}

void wording_answer(struct run *run)
{
    struct rows *rows = &run->answer.rows;
    struct wording_column *columns =
        run->answer.has_rows ? read_columns(run, rows->columns, rows->column_count)
                             : NULL;
    for (size_t c = 0; columns && c < rows->column_count; c++) {
        rows->columns[c] = word_column(&columns[c], &rows->columns[c]);
        for (size_t i = 0; i < rows->count; i++) {
            word_cell(&columns[c], &rows->cells[i * rows->column_count + c]);
        }
    }
}

/* ------------------------------------------------------------------ on their way */

static bool pass_columns(void *context, const struct rows_column *columns, size_t count)
{
    struct wording_sink *state = context;
    state->columns = read_columns(state->run, columns, count);
    state->count = count;
    if (!state->columns) {
        return state->next->columns(state->next->context, columns, count);
    }
    struct rows_column *worded = arena_array(state->run->arena, count, sizeof *worded);
    state->cells = arena_array(state->run->arena, count, sizeof *state->cells);
    for (size_t i = 0; i < count; i++) {
        worded[i] = word_column(&state->columns[i], &columns[i]);
    }
    return state->next->columns(state->next->context, worded, count);
}

static bool pass_row(void *context, const struct value *cells)
{
    struct wording_sink *state = context;
    if (!state->columns) {
        return state->next->row(state->next->context, cells);
    }
    for (size_t i = 0; i < state->count; i++) {
        state->cells[i] = cells[i];
        word_cell(&state->columns[i], &state->cells[i]);
    }
    return state->next->row(state->next->context, state->cells);
}

static void pass_cut(void *context)
{
    struct wording_sink *state = context;
    if (state->next->cut) {
        state->next->cut(state->next->context);
    }
}

struct datasource_sink wording_sink(struct run *run, const struct datasource_sink *next,
                                    struct wording_sink *state)
{
    *state = (struct wording_sink){.run = run, .next = next};
    return (struct datasource_sink){.columns = pass_columns,
                                    .row = pass_row,
                                    .context = state,
                                    .cut = next->cut ? pass_cut : NULL};
}
