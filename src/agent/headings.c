/*
 * Headings for computed columns without an alias, which engines name after the SQL text
 * or "?column?". The result's columns are renamed; the SQL is not changed. A user's own
 * SQL keeps the engine's headings.
 */
#include "agent/headings.h"

#include "agent/run_statement.h"
#include "sql/describe/describe.h"

static bool is_own(const struct run *run)
{
    const struct run_delivery *delivery = run->request.delivery;
    return run_has_own_sql(run) && !(delivery && delivery->worded);
}

static bool headings_find(struct run *run, size_t count, struct texts *out)
{
    *out = (struct texts){0};
    if (!is_own(run) && run->answer.sql && run_datasource(run)) {
        describe_headings(run->arena, run_statement(run, run->answer.sql),
                          run_resolved(run, run->answer.sql), out);
    }
    return out->count == count;
}

static bool take_columns(void *context, const struct rows_column *columns, size_t count)
{
    struct headings *headings = context;
    struct texts names;
    const struct datasource_sink *next = headings->next;
    if (!headings_find(headings->run, count, &names)) {
        return next->columns(next->context, columns, count);
    }
    struct rows_column *named = arena_array(headings->run->arena, count, sizeof *named);
    for (size_t i = 0; i < count; i++) {
        named[i] = columns[i];
        named[i].name = names.items[i] ? names.items[i] : columns[i].name;
    }
    return next->columns(next->context, named, count);
}

static bool take_row(void *context, const struct value *cells)
{
    const struct datasource_sink *next = ((struct headings *)context)->next;
    return next->row(next->context, cells);
}

static void take_cut(void *context)
{
    const struct datasource_sink *next = ((struct headings *)context)->next;
    next->cut(next->context);
}

const struct datasource_sink *headings_before(struct headings *headings, struct run *run,
                                              const struct datasource_sink *next)
{
    if (is_own(run)) {
        return next;
    }
    *headings = (struct headings){
        .run = run,
        .next = next,
        .sink = {take_columns, take_row, headings, next->cut ? take_cut : NULL}};
    return &headings->sink;
}

void headings_name(struct run *run, struct rows *rows)
{
    struct texts names;
    if (!headings_find(run, rows->column_count, &names)) {
        return;
    }
    for (size_t i = 0; i < names.count; i++) {
        rows->columns[i].name = names.items[i] ? names.items[i] : rows->columns[i].name;
    }
}
