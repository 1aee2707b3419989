/* dragoman dataset: imports files as datasets. */
#include <string.h>

#include "base/err.h"
#include "base/json.h"
#include "base/str.h"
#include "cli/cli.h"
#include "cli/grid.h"
#include "cli/report.h"
#include "cli/show.h"
#include "cli/stop.h"

enum { PREVIEW_ROWS = 10 };

static const struct flag flags[] = {
    FLAG_VALUE("name", "NAME",
               "With add: name of the dataset (default: name of the file)"),
    FLAG_SWITCH("replace", 0, "With add: replace the dataset of that name"),
    FLAG_VALUE("table", "TABLE",
               "With preview: table to show, if the dataset has several"),
    FLAG_FORMAT,
    FLAG_JSON("Print as JSON"),
    FLAG_ROWS,
};

static const char *dataset_word(const struct cli *cli, size_t index)
{
    const struct texts *words = &cli->arguments.words;
    return index < words->count ? words->items[index] : NULL;
}

static int print_columns(struct cli *cli, json_t *rows, const char *const *columns,
                         size_t count)
{
    struct show show;
    struct grid grid;
    json_t *names = json_keep(cli->arena, json_array());
    json_t *answer = json_keep(cli->arena, json_object());
    if (!show_init(&show, cli)) {
        return err_exit_status(ERR_USAGE);
    }
    for (size_t i = 0; i < count; i++) {
        (void)json_array_append_new(names, json_string(columns[i]));
    }
    (void)json_object_set(answer, "columns", names);
    (void)json_object_set(answer, "rows", rows);
    if (grid_from_json(&grid, cli->arena, answer)) {
        show_grid(cli, &grid, &show);
    }
    return 0;
}

/* The text parsed; printed as it is when JSON is wanted (then NULL). */
static json_t *taken(struct cli *cli, char *text)
{
    struct err err;
    if (cli->json) {
        json_print(&cli->out, text);
        dgm_free(text);
        return NULL;
    }
    json_t *json = json_parse(cli->arena, text, strlen(text), &err);
    dgm_free(text);
    return json;
}

static int run_list(struct cli *cli, struct dgm_error *error)
{
    static const char *const columns[] = {"name",       "file",     "bytes",
                                          "created_at", "rejected", "id"};
    char *text = dgm_dataset_list(cli->dgm, NULL, error);
    if (!text) {
        return report_error(cli, error);
    }
    json_t *list = taken(cli, text);
    if (!list) {
        return 0;
    }
    if (json_array_size(list) == 0) {
        report_note(cli, "There are no datasets yet. 'dragoman dataset add FILE' makes "
                         "one.");
        return 0;
    }
    return print_columns(cli, list, columns, sizeof columns / sizeof *columns);
}

static void print_table(struct cli *cli, const json_t *table)
{
    size_t index = 0;
    const json_t *column = NULL;
    out_foreign(&cli->out, json_text_at(table, "table_name"));
    out_format(&cli->out, " (%lld rows)\n",
               (long long)json_integer_value(json_object_get(table, "row_count")));
    json_array_foreach(json_object_get(table, "columns"), index, column)
    {
        out_text(&cli->out, "  ");
        out_foreign(&cli->out, json_text_at(column, "name"));
        out_text(&cli->out, " ");
        out_foreign(&cli->out, json_text_at(column, "type"));
        out_text(&cli->out, "\n");
    }
}

static void print_warnings(struct cli *cli, const json_t *dataset)
{
    size_t index = 0;
    const json_t *warning = NULL;
    json_array_foreach(json_object_get(dataset, "warnings"), index, warning)
    {
        report_warning(cli, json_string_value(warning));
    }
}

static int print_dataset(struct cli *cli, char *text)
{
    size_t index = 0;
    const json_t *table = NULL;
    const json_t *dataset = taken(cli, text);
    if (!dataset) {
        return 0;
    }
    out_text(&cli->out, "dataset ");
    out_foreign(&cli->out, json_text_at(dataset, "name"));
    out_text(&cli->out, " from ");
    out_foreign(&cli->out, json_text_at(dataset, "file"));
    out_text(&cli->out, "\n");
    json_array_foreach(json_object_get(json_object_get(dataset, "schema"), "tables"),
                       index, table)
    {
        print_table(cli, table);
    }
    print_warnings(cli, dataset);
    return 0;
}

static int run_show(struct cli *cli, struct dgm_error *error)
{
    char *text = dgm_dataset_get(cli->dgm, NULL, dataset_word(cli, 1), error);
    return text ? print_dataset(cli, text) : report_error(cli, error);
}

static void stop_import(void *context)
{
    struct cli *cli = context;
    (void)dgm_dataset_stop(cli->dgm, NULL, NULL);
}

/* Ctrl-C stops it, and nothing of it is left. */
static char *dataset_add(struct cli *cli, const char *name, const char *path,
                         bool replace, struct dgm_error *error)
{
    stop_watch_call(stop_import, cli);
    char *text = dgm_dataset_add(cli->dgm, NULL, name, path, replace, error);
    (void)stop_unwatch();
    return text;
}

static int run_add(struct cli *cli, struct dgm_error *error)
{
    char *text =
        dataset_add(cli, arguments_value(&cli->arguments, "name"), dataset_word(cli, 1),
                    arguments_has(&cli->arguments, "replace"), error);
    return text ? print_dataset(cli, text) : report_error(cli, error);
}

static int run_replace(struct cli *cli, struct dgm_error *error)
{
    /* it must be there: a slip of the pen should not make a second one */
    char *old = dgm_dataset_get(cli->dgm, NULL, dataset_word(cli, 1), error);
    if (!old) {
        return report_error(cli, error);
    }
    dgm_free(old);
    char *text =
        dataset_add(cli, dataset_word(cli, 1), dataset_word(cli, 2), true, error);
    return text ? print_dataset(cli, text) : report_error(cli, error);
}

static int run_preview(struct cli *cli, struct dgm_error *error)
{
    struct show show;
    struct grid grid;
    int64_t rows = PREVIEW_ROWS;
    const char *given = arguments_value(&cli->arguments, "rows");
    if (!show_init(&show, cli)) {
        return err_exit_status(ERR_USAGE);
    }
    if (given) {
        (void)str_to_int(given, &rows);
    }
    char *text =
        dgm_dataset_preview(cli->dgm, NULL, dataset_word(cli, 1),
                            arguments_value(&cli->arguments, "table"), rows, error);
    if (!text) {
        return report_error(cli, error);
    }
    const json_t *found = taken(cli, text);
    if (found && grid_from_json(&grid, cli->arena, found)) {
        show_grid(cli, &grid, &show);
    }
    return 0;
}

static int run_rejects(struct cli *cli, struct dgm_error *error)
{
    static const char *const columns[] = {"table", "line", "column", "reason", "text"};
    char *text = dgm_dataset_get(cli->dgm, NULL, dataset_word(cli, 1), error);
    if (!text) {
        return report_error(cli, error);
    }
    const json_t *dataset = taken(cli, text);
    json_t *rejects = dataset ? json_object_get(dataset, "rejects") : NULL;
    if (dataset && json_array_size(rejects) == 0) {
        report_note(cli, "All of its rows and cells could be read.");
    }
    return rejects && json_array_size(rejects)
               ? print_columns(cli, rejects, columns, sizeof columns / sizeof *columns)
               : 0;
}

static int run_delete(struct cli *cli, struct dgm_error *error)
{
    return dgm_dataset_remove(cli->dgm, NULL, dataset_word(cli, 1), error)
               ? 0
               : report_error(cli, error);
}

static const struct action {
    const char *name;
    const char *words; /* after the name */
    size_t count;
    int (*run)(struct cli *cli, struct dgm_error *error);
} actions[] = {
    {"list", "", 0, run_list},
    {"add", " FILE [--name NAME]", 1, run_add},
    {"show", " NAME", 1, run_show},
    {"preview", " NAME", 1, run_preview},
    {"rejects", " NAME", 1, run_rejects},
    {"replace", " NAME FILE", 2, run_replace},
    {"delete", " NAME", 1, run_delete},
};

enum { ACTION_COUNT = sizeof actions / sizeof *actions };

static int dataset_run(struct cli *cli)
{
    struct err err;
    struct dgm_error error = {.position = -1};
    const char *names[ACTION_COUNT];
    const char *wanted = dataset_word(cli, 0) ? dataset_word(cli, 0) : "list";
    size_t count = cli->arguments.words.count ? cli->arguments.words.count - 1 : 0;
    for (size_t i = 0; i < ACTION_COUNT; i++) {
        names[i] = actions[i].name;
        if (!str_equal(wanted, names[i])) {
            continue;
        }
        if (count != actions[i].count) {
            (void)err_set(&err, ERR_USAGE, "Usage: dragoman dataset %s%s", names[i],
                          actions[i].words);
            return report_err(cli, &err);
        }
        return actions[i].run(cli, &error);
    }
    const char *nearest = str_nearest(wanted, names, ACTION_COUNT);
    (void)err_set(&err, ERR_USAGE, "'%.60s' is not a command for datasets.", wanted);
    (void)(nearest ? err_hint(&err, "Did you mean '%s'?", nearest)
                   : err_hint(&err, "Use list, add, show, preview, rejects, replace or "
                                    "delete."));
    return report_err(cli, &err);
}

const struct command command_dataset = {
    .name = "dataset",
    .group = GROUP_KEEP,
    .words = "[list|add FILE|show NAME|preview NAME|rejects NAME|replace NAME "
             "FILE|delete NAME]",
    .summary = "Import files: add, list, preview, replace, delete",
    .about =
        "A dataset is a copy of a file (CSV, TSV, JSON, NDJSON, Parquet, XLSX) or of\n"
        "several, in a format that is fast to query. Invalid rows and cells are "
        "reported\n"
        "and can be listed. While a dataset is replaced, the old rows stay in use\n"
        "until the new ones are complete.",
    .examples = "dragoman dataset add sales.csv --name sales\n"
                "dragoman ask --dataset sales \"What is the total amount by city?\"\n"
                "dragoman dataset rejects sales\n"
                "dragoman dataset replace sales new-sales.csv",
    .flags = flags,
    .flag_count = FLAG_COUNT(flags),
    .most_words = 3,
    .word_choices = "list|add|show|preview|rejects|replace|delete",
    .needs = NEEDS_INSTANCE,
    .run = dataset_run,
};
