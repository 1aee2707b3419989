/* A schema as text for people, from the library's JSON. */
#include "cli/schema_text.h"

#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/json.h"
#include "base/str.h"
#include "cli/cli.h"
#include "cli/grid.h"
#include "cli/report.h"

static const json_t *load_tables(struct cli *cli, const char *datasource,
                                 struct dgm_error *error)
{
    struct err err;
    char *text = dgm_schema(cli->dgm, datasource, "json", error);
    if (!text) {
        return NULL;
    }
    json_t *schema = json_parse(cli->arena, text, strlen(text), &err);
    dgm_free(text);
    const json_t *tables = json_array_at(schema, "tables");
    if (!tables) {
        (void)err_set(&err, ERR_INTERNAL, "The schema has no list of tables.");
        report_convert(&err, error);
    }
    return tables;
}

static struct dgm_cell text_cell(const char *text)
{
    return (struct dgm_cell){.text = text ? text : "", .size = text ? strlen(text) : 0};
}

/* The last column holds comments: without any it is left out. */
static void print_without_empty(struct cli *cli, struct grid *grid)
{
    size_t columns = grid->column_count;
    bool any = false;
    for (size_t row = 0; row < grid->row_count; row++) {
        any = any || grid_cell(grid, row, columns - 1)->size;
    }
    if (!any) {
        for (size_t i = 0; i < grid->row_count * (columns - 1); i++) {
            grid->cells[i] = grid->cells[i / (columns - 1) * columns + i % (columns - 1)];
        }
        grid->column_count--;
    }
    (void)table_print(&cli->out, grid, 0);
}

bool schema_text_tables(struct cli *cli, const char *datasource, struct dgm_error *error)
{
    const json_t *tables = load_tables(cli, datasource, error);
    if (!tables) {
        return false;
    }
    static const char *heads[] = {"table", "rows", "columns", "about"};
    size_t count = json_array_size(tables);
    struct grid grid = {.columns = heads, .column_count = 4, .row_count = count};
    grid.cells = arena_array(cli->arena, count * grid.column_count, sizeof *grid.cells);
    for (size_t i = 0; i < count; i++) {
        const json_t *table = json_array_get(tables, i);
        struct dgm_cell *cells = &grid.cells[i * grid.column_count];
        int64_t rows = json_int_at(table, "row_count", -1);
        size_t columns = json_array_size(json_array_at(table, "columns"));
        cells[0] = text_cell(json_text_at(table, "name"));
        cells[1] =
            text_cell(rows < 0 ? "" : arena_format(cli->arena, "%lld", (long long)rows));
        cells[2] = text_cell(arena_format(cli->arena, "%zu", columns));
        cells[1].number = cells[2].number = true;
        cells[3] = text_cell(json_text_at(table, "comment"));
    }
    print_without_empty(cli, &grid);
    return true;
}

static const char *names_of(struct cli *cli, const json_t *list)
{
    struct texts names = {0};
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *name = json_string_value(json_array_get(list, i));
        VEC_PUSH(cli->arena, &names, name ? name : "?");
    }
    return str_join(cli->arena, &names, ", ");
}

/* The comment, then what people call it and what its values mean. */
static const char *about_of(struct cli *cli, const json_t *column)
{
    const char *comment = json_text_at(column, "comment");
    const json_t *synonyms = json_array_at(column, "synonyms");
    const json_t *values = json_array_at(column, "values");
    struct texts parts = {0};
    if (comment) {
        VEC_PUSH(cli->arena, &parts, comment);
    }
    if (synonyms) {
        VEC_PUSH(cli->arena, &parts,
                 arena_format(cli->arena, "also called %s", names_of(cli, synonyms)));
    }
    for (size_t i = 0; i < json_array_size(values); i++) {
        const json_t *value = json_array_get(values, i);
        const char *meaning = json_text_at(value, "meaning");
        VEC_PUSH(cli->arena, &parts,
                 arena_format(cli->arena, "%s = %s", json_text_at(value, "value"),
                              meaning ? meaning : ""));
    }
    return str_join(cli->arena, &parts, "; ");
}

static void print_table(struct cli *cli, const json_t *table)
{
    static const char *heads[] = {"column", "type", "key", "null", "about"};
    const json_t *columns = json_array_at(table, "columns");
    size_t count = json_array_size(columns);
    struct grid grid = {.columns = heads, .column_count = 5, .row_count = count};
    grid.cells = arena_array(cli->arena, count * grid.column_count, sizeof *grid.cells);
    for (size_t i = 0; i < count; i++) {
        const json_t *column = json_array_get(columns, i);
        struct dgm_cell *cells = &grid.cells[i * grid.column_count];
        cells[0] = text_cell(json_text_at(column, "name"));
        cells[1] = text_cell(json_text_at(column, "type"));
        cells[2] = text_cell(json_bool_at(column, "primary", false) ? "primary" : "");
        cells[3] = text_cell(json_bool_at(column, "nullable", true) ? "" : "not null");
        cells[4] = text_cell(about_of(cli, column));
    }
    print_without_empty(cli, &grid);
    const json_t *keys = json_array_at(table, "foreign_keys");
    for (size_t i = 0; i < json_array_size(keys); i++) {
        const json_t *key = json_array_get(keys, i);
        const char *line = arena_format(
            cli->arena, "%s %s %s (%s)%s\n", names_of(cli, json_array_at(key, "columns")),
            cli->out.utf8 ? "→" : "->", json_text_at(key, "table"),
            names_of(cli, json_array_at(key, "references")),
            json_real_at(key, "confidence", 1) < 1 ? ", not declared: by names and values"
                                                   : "");
        out_foreign(&cli->out, line);
    }
    const json_t *metrics = json_array_at(table, "metrics");
    for (size_t i = 0; i < json_array_size(metrics); i++) {
        const json_t *metric = json_array_get(metrics, i);
        out_foreign(&cli->out, arena_format(cli->arena, "metric %s = %s\n",
                                            json_text_at(metric, "name"),
                                            json_text_at(metric, "expression")));
    }
}

bool schema_text_print(struct cli *cli, const char *datasource, const char *table,
                       struct dgm_error *error)
{
    if (!table) {
        char *text = dgm_schema(cli->dgm, datasource, "text", error);
        out_foreign(&cli->out, text);
        out_text(&cli->out, !text || str_ends(text, "\n") ? "" : "\n");
        bool ok = text != NULL;
        dgm_free(text);
        return ok;
    }
    const json_t *tables = load_tables(cli, datasource, error);
    if (!tables) {
        return false;
    }
    struct texts names = {0};
    for (size_t i = 0; i < json_array_size(tables); i++) {
        const json_t *item = json_array_get(tables, i);
        const char *name = json_text_at(item, "name");
        if (name && str_equal_nocase(name, table)) {
            print_table(cli, item);
            return true;
        }
        VEC_PUSH(cli->arena, &names, name ? name : "");
    }
    struct err err;
    const char *nearest = str_nearest(table, names.items, names.count);
    (void)err_set(&err, ERR_USAGE, "There is no table '%.200s'.", table);
    (void)(nearest ? err_hint(&err, "Did you mean %s?", nearest)
                   : err_hint(&err, "'dragoman schema' and \\tables list them."));
    report_convert(&err, error);
    return false;
}
