/* dragoman sessions: lists stored sessions. */
#include <string.h>

#include "base/err.h"
#include "base/json.h"
#include "base/str.h"
#include "cli/cli.h"
#include "cli/grid.h"
#include "cli/report.h"
#include "cli/show.h"

static const struct flag flags[] = {
    FLAG_FORMAT,
    FLAG_JSON("Print them as JSON"),
    FLAG_ROWS,
    FLAG_SWITCH("delete", 0, "Delete session ID"),
};

/* Objects as rows: the plain fields of the first one are the columns. */
static bool objects_to_grid(struct cli *cli, json_t *list, struct grid *grid)
{
    json_t *columns = json_keep(cli->arena, json_array());
    json_t *answer = json_keep(cli->arena, json_object());
    const char *key = NULL;
    json_t *value = NULL;
    json_object_foreach(json_array_get(list, 0), key, value)
    {
        if (!json_is_array(value) && !json_is_object(value)) {
            (void)json_array_append_new(columns, json_string(key));
        }
    }
    (void)json_object_set(answer, "columns", columns);
    (void)json_object_set(answer, "rows", list);
    return grid_from_json(grid, cli->arena, answer);
}

static int list_sessions(struct cli *cli)
{
    struct show show;
    struct dgm_error error = {.position = -1};
    struct err err;
    if (!show_init(&show, cli)) {
        return err_exit_status(ERR_USAGE);
    }
    char *text = dgm_session_list(cli->dgm, NULL, &error);
    if (!text) {
        return report_error(cli, &error);
    }
    if (cli->json) {
        json_print(&cli->out, text);
        dgm_free(text);
        return 0;
    }
    json_t *list = json_parse(cli->arena, text, strlen(text), &err);
    dgm_free(text);
    struct grid grid;
    if (!list) {
        return report_err(cli, &err);
    }
    if (json_array_size(list) == 0) {
        report_note(cli, "There are no sessions yet. 'dragoman chat' starts one.");
    } else if (objects_to_grid(cli, list, &grid)) {
        show_grid(cli, &grid, &show);
    }
    return 0;
}

static void print_messages(struct cli *cli, const json_t *session)
{
    const json_t *messages = json_array_at(session, "messages");
    for (size_t i = 0; i < json_array_size(messages); i++) {
        const json_t *message = json_array_get(messages, i);
        const char *role = json_text_at(message, "role");
        const char *text = json_text_at(message, "text");
        text = text ? text : json_text_at(message, "content");
        out_shade(&cli->out, SHADE_BOLD);
        out_foreign(&cli->out, role ? role : "?");
        out_shade(&cli->out, SHADE_PLAIN);
        out_text(&cli->out, ": ");
        out_foreign(&cli->out, text ? text : "");
        out_text(&cli->out, "\n");
    }
    if (json_array_size(messages) == 0) {
        report_note(cli, "Nothing has been said in it yet.");
    }
}

static int one_session(struct cli *cli, const char *id)
{
    struct dgm_error error = {.position = -1};
    struct err err;
    if (arguments_has(&cli->arguments, "delete")) {
        return dgm_session_delete(cli->dgm, id, &error) ? 0 : report_error(cli, &error);
    }
    char *text = dgm_session_get(cli->dgm, id, &error);
    if (!text) {
        return report_error(cli, &error);
    }
    if (cli->json) {
        json_print(&cli->out, text);
    } else {
        print_messages(cli, json_parse(cli->arena, text, strlen(text), &err));
    }
    dgm_free(text);
    return 0;
}

static int sessions_run(struct cli *cli)
{
    if (cli->arguments.words.count) {
        return one_session(cli, cli->arguments.words.items[0]);
    }
    if (arguments_has(&cli->arguments, "delete")) {
        struct err err;
        (void)err_set(&err, ERR_USAGE, "--delete needs the ID of a session.");
        return report_err(cli, &err);
    }
    return list_sessions(cli);
}

const struct command command_sessions = {
    .name = "sessions",
    .group = GROUP_KEEP,
    .words = "[ID]",
    .summary = "List conversations, show or delete one",
    .about = "With an ID, shows its messages. 'dragoman ask --session ID' and\n"
             "'dragoman chat --session ID' continue it.",
    .examples = "dragoman sessions\ndragoman sessions --delete ID",
    .flags = flags,
    .flag_count = FLAG_COUNT(flags),
    .most_words = 1,
    .needs = NEEDS_INSTANCE,
    .run = sessions_run,
};
