/* A JSON list of objects as a table. */
#include "cli/objects.h"

#include <string.h>

#include "base/err.h"
#include "cli/cli.h"
#include "cli/grid.h"
#include "cli/report.h"
#include "cli/show.h"

static json_t *parsed(struct cli *cli, char *text, struct err *err)
{
    json_t *json = json_parse(cli->arena, text, strlen(text), err);
    dgm_free(text);
    return json;
}

int objects_print(struct cli *cli, char *text, const char *list,
                  const char *const *columns, const char *empty)
{
    struct show show;
    struct grid grid;
    struct err err;
    if (cli->json) {
        json_print(&cli->out, text);
        dgm_free(text);
        return 0;
    }
    json_t *json = parsed(cli, text, &err);
    if (!json) {
        return report_err(cli, &err);
    }
    if (!show_init(&show, cli)) {
        return err_exit_status(ERR_USAGE);
    }
    json_t *rows = list ? json_object_get(json, list) : json;
    json_t *names = json_keep(cli->arena, json_array());
    json_t *answer = json_keep(cli->arena, json_object());
    for (; *columns; columns++) {
        (void)json_array_append_new(names, json_string(*columns));
    }
    (void)json_object_set(answer, "columns", names);
    (void)json_object_set(answer, "rows", rows);
    if (json_array_size(rows) == 0) {
        report_note(cli, empty);
    } else if (grid_from_json(&grid, cli->arena, answer)) {
        show_grid(cli, &grid, &show);
    }
    return 0;
}

int object_print(struct cli *cli, char *text)
{
    struct err err;
    if (cli->json) {
        json_print(&cli->out, text);
        dgm_free(text);
        return 0;
    }
    json_t *json = parsed(cli, text, &err);
    const char *key = NULL;
    json_t *value = NULL;
    json_object_foreach(json, key, value)
    {
        if (json_is_string(value)) {
            out_format(&cli->out, "%s: ", key);
            out_foreign(&cli->out, json_string_value(value));
            out_text(&cli->out, "\n");
        }
    }
    size_t index = 0;
    json_t *parameter = NULL;
    json_array_foreach(json_array_at(json, "parameters"), index, parameter)
    {
        const char *fallback = json_text_at(parameter, "default");
        out_format(&cli->out, "parameter: %s (%s%s", json_text_at(parameter, "name"),
                   json_text_at(parameter, "type"), fallback ? ", default " : "");
        out_foreign(&cli->out, fallback ? fallback : "");
        out_text(&cli->out, ")\n");
    }
    return 0;
}

bool objects_undo_lessons(struct cli *cli, const char *datasource,
                          struct dgm_error *error)
{
    struct err err;
    char *text = dgm_lesson_undo(cli->dgm, NULL, datasource, error);
    if (!text) {
        return false;
    }
    json_t *list = json_parse(cli->arena, text, strlen(text), &err);
    if (cli->json) {
        json_print(&cli->out, text);
    }
    dgm_free(text);
    size_t index = 0;
    const json_t *lesson = NULL;
    json_array_foreach(list, index, lesson)
    {
        report_note(cli, arena_format(cli->arena, "Forgotten: %s means %s",
                                      json_text_at(lesson, "schema_name"),
                                      json_text_at(lesson, "actual_name")));
    }
    if (json_array_size(list) == 0) {
        report_note(cli, "Nothing has been learned yet.");
    }
    return true;
}
