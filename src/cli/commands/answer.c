/* dragoman answer: shows a stored answer. */
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/json.h"
#include "base/str.h"
#include "cli/cli.h"
#include "cli/export.h"
#include "cli/grid.h"
#include "cli/picture.h"
#include "cli/report.h"
#include "cli/show.h"

enum { SPEC_MOST = 1 << 30 };

static const struct flag flags[] = {
    FLAG_DB,
    FLAG_FORMAT,
    FLAG_JSON("Print the whole answer as one JSON object"),
    FLAG_SWITCH("sql-only", 0, "Print only its SQL"),
    FLAG_ROWS,
    FLAG_EXPORT,
    FLAG_CHOICE("chart", "KIND",
                "auto|figure|line|area|stacked|share|arc|bar|scatter|multiples",
                "Print a chart of it"),
    FLAG_CHOICE("draw", "FORMAT", "vega|svg|text",
                "Format of the chart: Vega-Lite (default), SVG, or text for a terminal"),
};

static void print_error(struct cli *cli, const json_t *stored)
{
    struct dgm_error error = {.position = -1};
    const char *const texts[] = {json_text_at(stored, "message"),
                                 json_text_at(stored, "detail"),
                                 json_text_at(stored, "hint")};
    (void)snprintf(error.message, sizeof error.message, "%s", texts[0] ? texts[0] : "");
    (void)snprintf(error.detail, sizeof error.detail, "%s", texts[1] ? texts[1] : "");
    (void)snprintf(error.hint, sizeof error.hint, "%s", texts[2] ? texts[2] : "");
    report_print(cli, &error);
}

static void print_answer(struct cli *cli, const json_t *answer, const struct show *show)
{
    struct grid grid;
    const char *sql = json_text_at(answer, "sql");
    const char *text = json_text_at(answer, "explanation");
    const json_t *question = json_object_at(answer, "clarification");
    if (show->sql_only) {
        out_foreign(&cli->out, sql);
        out_text(&cli->out, sql ? "\n" : "");
        return;
    }
    report_note(cli, json_text_at(answer, "question"));
    report_note(cli, sql);
    if (json_object_at(answer, "error")) {
        print_error(cli, json_object_at(answer, "error"));
    } else if (question) {
        out_foreign(&cli->out, json_text_at(question, "message"));
        out_text(&cli->out, "\n");
    } else if (grid_from_json(&grid, cli->arena, answer)) {
        show_sentence(cli, show, json_text_at(answer, "text"));
        show_grid(cli, &grid, show);
    } else {
        out_foreign(&cli->out, text ? text : json_text_at(answer, "status"));
        out_text(&cli->out, "\n");
    }
}

/* The query id that was typed; for "last" that of the last question. NULL: an error was printed. */
static const char *wanted_id(struct cli *cli, int *status)
{
    struct err err;
    struct dgm_error error = {.position = -1};
    const char *id = cli->arguments.words.items[0];
    if (!str_equal(id, "last")) {
        return id;
    }
    char *text = dgm_answer_load(cli->dgm, NULL, &error);
    const json_t *answer = text ? json_parse(cli->arena, text, strlen(text), &err) : NULL;
    dgm_free(text);
    id = json_text_at(answer, "query_id");
    *status = id ? 0 : text ? report_err(cli, &err) : report_error(cli, &error);
    return id;
}

/* The specification alone: what a Vega-Lite viewer reads. */
static int print_chart(struct cli *cli, const char *id, const char *kind)
{
    struct err err;
    struct dgm_error error = {.position = -1};
    char *text =
        dgm_chart(cli->dgm, NULL, id, str_equal(kind, "auto") ? NULL : kind, &error);
    if (!text) {
        return report_error(cli, &error);
    }
    const json_t *drawn = json_parse(cli->arena, text, strlen(text), &err);
    dgm_free(text);
    struct buf spec;
    buf_init(&spec, SPEC_MOST);
    (void)json_write(json_object_get(json_object_at(drawn, "chart"), "spec"), &spec);
    json_print(&cli->out, buf_get(&spec));
    buf_release(&spec);
    return 0;
}

/* As an image, or in the terminal. */
static int print_drawing(struct cli *cli, const char *id, const char *kind,
                         const char *format)
{
    struct dgm_error error = {.position = -1};
    struct dgm_drawing drawing = {.format = format};
    if (str_equal(format, "text")) {
        picture_fit(cli, &drawing);
    }
    drawing.kind = str_equal(kind, "auto") ? NULL : kind;
    char *text = dgm_draw(cli->dgm, NULL, id, &drawing, &error);
    if (!text) {
        return report_error(cli, &error);
    }
    out_text(&cli->out, text);
    dgm_free(text);
    return 0;
}

/* --draw without --chart draws what suits the rows. */
static int answer_chart(struct cli *cli, const char *id, const char *kind,
                        const char *format)
{
    kind = kind ? kind : "auto";
    return !format || str_equal(format, "vega") ? print_chart(cli, id, kind)
                                                : print_drawing(cli, id, kind, format);
}

static int answer_run(struct cli *cli)
{
    struct show show;
    struct err err;
    struct dgm_error error = {.position = -1};
    int status = 0;
    const char *id = wanted_id(cli, &status);
    const char *chart = arguments_value(&cli->arguments, "chart");
    const char *draw = arguments_value(&cli->arguments, "draw");
    if (!id || chart || draw) {
        return id ? answer_chart(cli, id, chart, draw) : status;
    }
    const char *path = arguments_value(&cli->arguments, "export");
    if (path && arguments_has(&cli->arguments, "db") &&
        !cli_open(cli, NEEDS_DATASOURCE, &error)) {
        return report_error(cli, &error);
    }
    if (path) {
        return export_stored(cli, id, path);
    }
    if (!show_init(&show, cli)) {
        return err_exit_status(ERR_USAGE);
    }
    show.says = true;
    char *text = dgm_answer_load(cli->dgm, id, &error);
    if (!text) {
        return report_error(cli, &error);
    }
    if (cli->json) {
        json_print(&cli->out, text);
        dgm_free(text);
        return 0;
    }
    const json_t *answer = json_parse(cli->arena, text, strlen(text), &err);
    dgm_free(text);
    if (!answer) {
        return report_err(cli, &err);
    }
    print_answer(cli, answer, &show);
    return 0;
}

const struct command command_answer = {
    .name = "answer",
    .group = GROUP_KEEP,
    .words = "ID",
    .summary = "Show an earlier answer by its query id, or the last one",
    .about = "ID is a query id, or 'last' for the last question. Answers are kept for "
             "ask.ttl_s seconds.\nThe exit status is 0 if the answer is found, even if "
             "the question had failed.",
    .examples = "dragoman answer last\ndragoman answer --json ID\n"
                "dragoman answer --draw svg last > chart.svg\n"
                "dragoman answer --chart line --draw text last\n"
                "dragoman answer --chart auto ID > chart.vl.json",
    .flags = flags,
    .flag_count = FLAG_COUNT(flags),
    .most_words = 1,
    .least_words = 1,
    .needs = NEEDS_INSTANCE,
    .run = answer_run,
};
