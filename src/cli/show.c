/* An answer, shown: rows and text on standard output, everything about them on standard
 * error. */
#include "cli/show.h"

#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "cli/assumed.h"
#include "cli/cli.h"
#include "cli/grid.h"
#include "cli/picture.h"
#include "cli/report.h"

enum { DEFAULT_ROWS = 100 };

bool show_init(struct show *show, struct cli *cli)
{
    const struct arguments *arguments = &cli->arguments;
    const char *format = arguments_value(arguments, "format");
    const char *rows = arguments_value(arguments, "rows");
    *show = (struct show){
        .format = format ? format : "table",
        .most_rows = DEFAULT_ROWS,
        .sql_only = arguments_has(arguments, "sql-only"),
        .explain = arguments_has(arguments, "explain"),
        .chart = arguments_has(arguments, "chart"),
        .dry_run = arguments_has(arguments, "dry-run"),
        .all_hint = "--rows 0 shows all",
    };
    int64_t count = 0;
    if (rows && (!str_to_int(rows, &count) || count < 0)) {
        struct err err;
        (void)err_set(&err, ERR_USAGE, "--rows needs a number, 0 for all rows.");
        (void)report_err(cli, &err);
        return false;
    }
    show->most_rows = rows ? (size_t)count : show->most_rows;
    return true;
}

static bool take_columns(void *context, const char *const *names, size_t count)
{
    struct show *show = context;
    if (!show->lines.begun) {
        lines_init(&show->lines, show->rows_out,
                   str_equal(show->format, "csv") ? LINES_CSV : LINES_JSON);
    }
    lines_columns(&show->lines, names, count);
    return true;
}

static bool take_row(void *context, const struct dgm_cell *cells)
{
    struct show *show = context;
    return lines_row(&show->lines, cells);
}

void show_attach(struct show *show, struct cli *cli, struct dgm_request *request)
{
    bool lines = str_equal(show->format, "csv") || str_equal(show->format, "json");
    if (!lines || cli->json || cli->out.terminal || show->dry_run || show->sql_only) {
        return; /* a table must be measured first, and a terminal shows the progress */
    }
    show->rows_out = &cli->out;
    show->sink = (struct dgm_rows_sink){take_columns, take_row, show};
    request->rows = &show->sink;
}

bool show_is_waiting(const struct dgm_answer *answer)
{
    return !str_empty(dgm_answer_clarification(answer));
}

bool show_wants_approval(const struct dgm_answer *answer)
{
    return show_is_waiting(answer) &&
           str_equal(dgm_answer_clarification_type(answer), "approval");
}

void show_grid(struct cli *cli, const struct grid *grid, const struct show *show)
{
    struct out *out = &cli->out;
    size_t shown = grid->row_count;
    if (str_equal(show->format, "csv")) {
        csv_print(out, grid);
    } else if (str_equal(show->format, "json")) {
        json_rows_print(out, grid);
    } else if (str_equal(show->format, "markdown")) {
        markdown_print(out, grid);
    } else {
        shown = table_print(out, grid, out->terminal ? show->most_rows : 0);
    }
    if (shown < grid->row_count) {
        report_note(cli, arena_format(cli->arena, "%zu more rows are not shown; %s.",
                                      grid->row_count - shown, show->all_hint));
    }
    if (grid->truncated) {
        report_warning(cli,
                       "These rows are a part of the result; the database has more. The "
                       "settings sql.default_rows (for SQL without a LIMIT), "
                       "sql.max_rows and sql.max_bytes say how many are fetched.");
    }
}

/* The SQL above the rows, so that the reader can check it; only where a person reads. */
static void show_sql_note(struct cli *cli, const struct dgm_answer *answer)
{
    if (cli->err.terminal) {
        report_note(cli, dgm_answer_text(answer, "sql"));
    }
}

static void show_list(struct cli *cli, const struct dgm_answer *answer, const char *list,
                      void (*print)(struct cli *, const char *))
{
    const char *item = NULL;
    for (size_t i = 0; (item = dgm_answer_item(answer, list, i)); i++) {
        print(cli, item);
    }
}

/* Where several texts of SQL were tried in vain, each with its error. */
static void show_attempts(struct cli *cli, const struct dgm_answer *answer)
{
    const char *sql = NULL;
    if (!dgm_answer_item(answer, "attempts", 1)) {
        return; /* the error above is about the only one */
    }
    report_note(cli, "None of these attempts worked:");
    for (size_t i = 0; (sql = dgm_answer_item(answer, "attempts", i)); i++) {
        const char *error = dgm_answer_item(answer, "attempt_errors", i);
        report_note(cli, arena_format(cli->arena, "  %zu  %s", i + 1, sql));
        report_note(cli, arena_format(cli->arena, "     %s", error));
    }
}

static int show_failure(struct cli *cli, const struct dgm_answer *answer,
                        const struct dgm_error *error)
{
    const char *sql = dgm_answer_text(answer, "sql");
    if (str_equal(dgm_answer_text(answer, "status"), "stopped") ||
        str_equal(error->code, "STOPPED")) {
        report_note(cli, "Stopped.");
        return dgm_answer_exit_status(answer);
    }
    show_list(cli, answer, "warnings", report_warning);
    if (error->position < 0) {
        show_sql_note(cli, answer);
    }
    report_print(cli, error);
    report_caret(&cli->err, sql, error->position);
    show_attempts(cli, answer);
    out_flush(&cli->err);
    return dgm_answer_exit_status(answer);
}

void show_sentence(struct cli *cli, const struct show *show, const char *text)
{
    if (show->says && !cli->quiet && !str_empty(text) &&
        str_equal(show->format, "table")) {
        out_foreign(&cli->out, text);
        out_text(&cli->out, "\n\n");
    }
}

/* With --chart, or because the question says so: "… as bars". */
static void show_picture(struct cli *cli, const struct dgm_answer *answer,
                         const struct show *show)
{
    const char *wish = dgm_answer_text(answer, "chart_wish");
    bool wished = wish && !str_equal(wish, "table");
    if (!str_equal(show->format, "table") || (!show->chart && !wished)) {
        return;
    }
    char *note = dgm_answer_chart_note(answer);
    if (note) {
        report_note(cli, note);
    }
    if (!note || show->chart || dgm_answer_rows(answer) > 1) {
        (void)picture_show(cli, answer, NULL, note != NULL);
    }
    dgm_free(note);
}

static void show_rows(struct cli *cli, const struct dgm_answer *answer, struct show *show)
{
    show_sql_note(cli, answer);
    if (show->lines.begun) { /* they are written already */
        lines_end(&show->lines);
        return;
    }
    show_sentence(cli, show, dgm_answer_text(answer, "text"));
    show_picture(cli, answer, show);
    struct arena *arena = arena_new();
    struct grid grid;
    grid_from_answer(&grid, arena, answer);
    show_grid(cli, &grid, show);
    arena_free(arena);
}

static void show_content(struct cli *cli, const struct dgm_answer *answer,
                         struct show *show)
{
    struct out *out = &cli->out;
    const char *sql = dgm_answer_text(answer, "sql");
    int64_t touched = dgm_answer_rows_touched(answer);
    if (show->dry_run && sql) {
        out_foreign(out, sql);
        out_text(out, "\n");
        report_note(cli, "Checked, not run.");
    } else if (dgm_answer_has_rows(answer)) {
        show_rows(cli, answer, show);
    } else if (touched >= 0) {
        show_sql_note(cli, answer);
        out_format(out, "%lld %s changed.\n", (long long)touched,
                   touched == 1 ? "row was" : "rows were");
    } else {
        const char *text = dgm_answer_text(answer, "explanation");
        text = text ? text : dgm_answer_text(answer, "summary");
        out_foreign(out, text ? text : sql);
        out_text(out, "\n");
    }
}

static void show_follow_ups(struct cli *cli, const struct dgm_answer *answer)
{
    const char *item = NULL;
    for (size_t i = 0; (item = dgm_answer_item(answer, "follow_ups", i)); i++) {
        report_note(
            cli, arena_format(cli->arena, "%s%s", i ? "          " : "Ask next: ", item));
    }
}

static void show_only_sql(struct cli *cli, const char *sql)
{
    if (sql && cli->out.terminal) {
        out_foreign(&cli->out, sql);
    } else {
        out_text(&cli->out, sql); /* exact: it may be fed to another program */
    }
    out_text(&cli->out, sql ? "\n" : "");
}

/* Both texts: the one that ran stands above the rows, or in the explanation. */
static void show_correction(struct cli *cli, const struct dgm_answer *answer,
                            const struct show *show)
{
    const char *first = dgm_answer_text(answer, "corrected_from");
    const char *message = dgm_answer_text(answer, "message");
    if (str_empty(first)) {
        return;
    }
    report_note(cli, message ? message : "The first SQL did not work and was corrected.");
    if (!show->explain) {
        report_note(cli, arena_format(cli->arena, "It was first: %s", first));
        if (!cli->err.terminal && !show->dry_run) {
            report_note(cli, arena_format(cli->arena, "and is now:   %s",
                                          dgm_answer_text(answer, "sql")));
        }
    }
}

static int show_whole(struct cli *cli, const struct dgm_answer *answer, struct show *show)
{
    struct dgm_error error = {.position = -1};
    if (cli->json) {
        json_print(&cli->out, dgm_answer_json(answer));
        return dgm_answer_exit_status(answer);
    }
    if (show_is_waiting(answer)) {
        show_list(cli, answer, "warnings", report_warning);
        show_clarification(cli, answer);
        if (show->explain) {
            show_confidence(&cli->err, answer);
            out_flush(&cli->err);
        }
        return dgm_answer_exit_status(answer);
    }
    if (dgm_answer_error(answer, &error) ||
        str_equal(dgm_answer_text(answer, "status"), "stopped")) {
        return show_failure(cli, answer, &error);
    }
    if (show->sql_only && dgm_answer_text(answer, "sql")) {
        show_only_sql(cli, dgm_answer_text(answer, "sql"));
        show_list(cli, answer, "warnings", report_warning);
        return dgm_answer_exit_status(answer);
    }
    show_content(cli, answer, show);
    if (show->explain) {
        show_explanation(cli, answer);
    }
    show_correction(cli, answer, show);
    assumed_show(cli, answer);
    show_list(cli, answer, "warnings", report_warning);
    show_readings(cli, answer);
    show_footer(cli, answer);
    if (show->follow_ups && cli->err.terminal) {
        show_follow_ups(cli, answer);
    }
    return dgm_answer_exit_status(answer);
}

int show_answer(struct cli *cli, const struct dgm_answer *answer, struct show *show)
{
    int status = show_whole(cli, answer, show);
    if (show->lines.begun) {
        lines_abandon(&show->lines); /* incomplete: readers must be able to tell */
    }
    return status;
}
