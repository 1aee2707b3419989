/* dragoman lessons: what was taught or learned about a database. */
#include <string.h>

#include "base/err.h"
#include "base/file.h"
#include "base/json.h"
#include "base/str.h"
#include "cli/cli.h"
#include "cli/grid.h"
#include "cli/objects.h"
#include "cli/report.h"
#include "cli/show.h"

enum { FILE_CEILING = 1024 * 1024 };

static const struct flag flags[] = {
    FLAG_DB,
    FLAG_VALUE("rule", "RULE", "With add: add_prefix:X, add_suffix:X, remove_prefix:X …"),
    FLAG_VALUE("confidence", "N", "With add: from 0 to 1 (default 1)"),
    FLAG_FORMAT,
    FLAG_JSON("Print them as JSON"),
    FLAG_ROWS,
};

static const char *lessons_word(const struct cli *cli, size_t index)
{
    const struct texts *words = &cli->arguments.words;
    return index < words->count ? words->items[index] : NULL;
}

static int print_grid(struct cli *cli, json_t *list, struct show *show)
{
    static const char *const columns[] = {"id",          "datasource",  "kind",
                                          "schema_name", "actual_name", "confidence",
                                          "usage_count", "success_rate"};
    json_t *names = json_keep(cli->arena, json_array());
    json_t *answer = json_keep(cli->arena, json_object());
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        (void)json_array_append_new(names, json_string(columns[i]));
    }
    (void)json_object_set(answer, "columns", names);
    (void)json_object_set(answer, "rows", list);
    struct grid grid;
    if (grid_from_json(&grid, cli->arena, answer)) {
        show_grid(cli, &grid, show);
    }
    return 0;
}

static int run_list(struct cli *cli, struct dgm_error *error)
{
    struct show show;
    struct err err;
    if (!show_init(&show, cli)) {
        return err_exit_status(ERR_USAGE);
    }
    char *text = dgm_lesson_list(cli->dgm, NULL, cli->datasource, error);
    if (!text) {
        return report_error(cli, error);
    }
    if (cli->json) {
        json_print(&cli->out, text);
        dgm_free(text);
        return 0;
    }
    json_t *list = json_parse(cli->arena, text, strlen(text), &err);
    dgm_free(text);
    if (!list) {
        return report_err(cli, &err);
    }
    if (json_array_size(list) == 0) {
        report_note(cli, "There are no lessons yet. 'dragoman lessons add' teaches one.");
        return 0;
    }
    return print_grid(cli, list, &show);
}

/* What the lesson's rule says about other tables. */
static void print_offers(struct cli *cli, const json_t *lesson)
{
    size_t index = 0;
    const json_t *offer = NULL;
    json_array_foreach(json_object_get(lesson, "offers"), index, offer)
    {
        out_text(&cli->out, index ? "" : "offers:\n");
        out_text(&cli->out, "  ");
        out_foreign(&cli->out, json_text_at(offer, "schema_name"));
        out_text(&cli->out, " means ");
        out_foreign(&cli->out, json_text_at(offer, "actual_name"));
        out_text(&cli->out, "\n");
    }
}

static int run_show(struct cli *cli, struct dgm_error *error)
{
    struct err err;
    char *text = dgm_lesson_get(cli->dgm, NULL, lessons_word(cli, 1), error);
    if (!text) {
        return report_error(cli, error);
    }
    if (cli->json) {
        json_print(&cli->out, text);
        dgm_free(text);
        return 0;
    }
    json_t *lesson = json_parse(cli->arena, text, strlen(text), &err);
    dgm_free(text);
    const char *key = NULL;
    json_t *value = NULL;
    json_object_foreach(lesson, key, value)
    {
        if (json_is_string(value)) {
            out_format(&cli->out, "%s: ", key);
            out_foreign(&cli->out, json_string_value(value));
            out_text(&cli->out, "\n");
        } else if (json_is_number(value)) {
            out_format(&cli->out, "%s: %.4g\n", key, json_number_value(value));
        }
    }
    print_offers(cli, lesson);
    return 0;
}

static int run_add(struct cli *cli, struct dgm_error *error)
{
    const char *confidence = arguments_value(&cli->arguments, "confidence");
    struct dgm_lesson lesson = {.kind = lessons_word(cli, 1),
                                .schema_name = lessons_word(cli, 2),
                                .actual_name = lessons_word(cli, 3),
                                .transformation_rule =
                                    arguments_value(&cli->arguments, "rule")};
    if (confidence && !(str_to_real(confidence, &lesson.confidence) &&
                        lesson.confidence > 0 && lesson.confidence <= 1)) {
        struct err err;
        (void)err_set(&err, ERR_USAGE, "--confidence needs a number above 0, up to 1.");
        return report_err(cli, &err);
    }
    char *id = dgm_lesson_add(cli->dgm, NULL, cli->datasource, &lesson, error);
    if (!id) {
        return report_error(cli, error);
    }
    out_format(&cli->out, "%s\n", id);
    dgm_free(id);
    return 0;
}

static int change(struct cli *cli, const struct dgm_lesson_change *change,
                  struct dgm_error *error)
{
    return dgm_lesson_change(cli->dgm, NULL, lessons_word(cli, 1), change, error)
               ? 0
               : report_error(cli, error);
}

static int run_enable(struct cli *cli, struct dgm_error *error)
{
    const struct dgm_lesson_change on = {.confidence = -1, .enabled = 1};
    return change(cli, &on, error);
}

static int run_disable(struct cli *cli, struct dgm_error *error)
{
    const struct dgm_lesson_change off = {.confidence = -1, .enabled = 0};
    return change(cli, &off, error);
}

static int run_edit(struct cli *cli, struct dgm_error *error)
{
    const struct dgm_lesson_change edit = {
        .actual_name = lessons_word(cli, 2), .confidence = -1, .enabled = -1};
    return change(cli, &edit, error);
}

static int run_remove(struct cli *cli, struct dgm_error *error)
{
    return dgm_lesson_remove(cli->dgm, NULL, lessons_word(cli, 1), error)
               ? 0
               : report_error(cli, error);
}

/* What was learned last is forgotten, and shown. */
static int run_undo(struct cli *cli, struct dgm_error *error)
{
    return objects_undo_lessons(cli, cli->datasource, error) ? 0
                                                             : report_error(cli, error);
}

static int run_export(struct cli *cli, struct dgm_error *error)
{
    char *text = dgm_lesson_export(cli->dgm, NULL, cli->datasource,
                                   cli->json ? "json" : "yaml", error);
    if (!text) {
        return report_error(cli, error);
    }
    if (cli->json) {
        json_print(&cli->out, text);
    } else {
        out_foreign(&cli->out, text);
    }
    dgm_free(text);
    return 0;
}

static int run_import(struct cli *cli, struct dgm_error *error)
{
    struct err err;
    size_t size = 0;
    const char *path = lessons_word(cli, 1);
    const char *text = str_equal(path, "-")
                           ? file_read_stdin(cli->arena, FILE_CEILING, &size, &err)
                           : file_read(cli->arena, path, FILE_CEILING, &size, &err);
    if (!text) {
        return report_err(cli, &err);
    }
    int64_t count = dgm_lesson_import(cli->dgm, NULL, cli->datasource, text, size, error);
    if (count < 0) {
        return report_error(cli, error);
    }
    report_note(cli, arena_format(cli->arena, "%lld lesson%s kept.", (long long)count,
                                  count == 1 ? "" : "s"));
    return 0;
}

static const struct action {
    const char *name;
    const char *words; /* after the name */
    size_t least;
    size_t most;
    bool datasource; /* it needs one */
    int (*run)(struct cli *cli, struct dgm_error *error);
} actions[] = {
    {"list", "", 0, 0, false, run_list},
    {"show", " ID", 1, 1, false, run_show},
    {"add", " KIND NAME [ACTUAL]", 2, 3, true, run_add},
    {"edit", " ID ACTUAL", 2, 2, true, run_edit},
    {"enable", " ID", 1, 1, false, run_enable},
    {"disable", " ID", 1, 1, false, run_disable},
    {"remove", " ID", 1, 1, false, run_remove},
    {"undo", "", 0, 0, false, run_undo},
    {"export", "", 0, 0, true, run_export},
    {"import", " FILE", 1, 1, true, run_import},
};

enum { ACTION_COUNT = sizeof actions / sizeof *actions };

static const struct action *action_find(const char *name, struct err *err)
{
    const char *names[ACTION_COUNT];
    for (size_t i = 0; i < ACTION_COUNT; i++) {
        names[i] = actions[i].name;
        if (str_equal(name, names[i])) {
            return &actions[i];
        }
    }
    const char *nearest = str_nearest(name, names, ACTION_COUNT);
    (void)err_set(err, ERR_USAGE, "'%.60s' is not a command for lessons.", name);
    (void)(nearest ? err_hint(err, "Did you mean '%s'?", nearest)
                   : err_hint(err, "Use list, show, add, edit, enable, disable, "
                                   "remove, export or import."));
    return NULL;
}

static int lessons_run(struct cli *cli)
{
    struct err err;
    struct dgm_error error = {.position = -1};
    const struct action *action =
        action_find(lessons_word(cli, 0) ? lessons_word(cli, 0) : "list", &err);
    if (!action) {
        return report_err(cli, &err);
    }
    size_t count = cli->arguments.words.count ? cli->arguments.words.count - 1 : 0;
    if (count < action->least || count > action->most) {
        (void)err_set(&err, ERR_USAGE, "Usage: dragoman lessons %s%s", action->name,
                      action->words);
        return report_err(cli, &err);
    }
    if ((action->datasource || arguments_has(&cli->arguments, "db")) &&
        !cli_open(cli, NEEDS_DATASOURCE, &error)) {
        return report_error(cli, &error);
    }
    return action->run(cli, &error);
}

const struct command command_lessons = {
    .name = "lessons",
    .group = GROUP_KEEP,
    .words = "[list|show ID|add KIND NAME ACTUAL|edit ID ACTUAL|enable ID|disable ID|"
             "remove ID|undo|export|import FILE]",
    .summary = "Manage lessons about a database: list, add, remove, export, import",
    .about =
        "Kinds: table_mapping (a word for a table, its real name),\n"
        "column_mapping (a word, the column that it means), error_pattern (a part of an\n"
        "error message, its solution), query_pattern (a question, its SQL).\n"
        "Lessons belong to one account and one database.\n"
        "undo deletes the lesson that was learned last, for example from a correction.",
    .examples = "dragoman lessons add --db shop.db table_mapping Customers "
                "PROD_Customers\n"
                "dragoman lessons list --db shop.db\n"
                "dragoman lessons export --db shop.db > lessons.yaml\n"
                "dragoman lessons import --db shop.db lessons.yaml",
    .flags = flags,
    .flag_count = FLAG_COUNT(flags),
    .most_words = 4,
    .word_choices = "list|show|add|edit|enable|disable|remove|undo|export|import",
    .needs = NEEDS_INSTANCE,
    .run = lessons_run,
};
