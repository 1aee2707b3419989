/* dragoman sql: runs SQL that the user wrote, with the same guard and limits. */
#include <stdint.h>

#include "base/err.h"
#include "cli/cli.h"
#include "cli/export.h"
#include "cli/input.h"
#include "cli/progress.h"
#include "cli/report.h"
#include "cli/show.h"

static const struct flag flags[] = {
    FLAG_DB,     FLAG_DATASET,
    FLAG_FORMAT, FLAG_JSON("Print the whole answer as one JSON object"),
    FLAG_ROWS,   FLAG_EXPORT,
};

static int sql_run(struct cli *cli)
{
    struct show show;
    struct err err;
    err_clear(&err);
    if (!show_init(&show, cli)) {
        return err_exit_status(ERR_USAGE);
    }
    const char *sql = input_text(cli, "SQL", &err);
    if (!sql) {
        return report_err(cli, &err);
    }
    struct dgm_error error = {.position = -1};
    if (!cli_open(cli, NEEDS_DATASOURCE, &error)) {
        return report_error(cli, &error);
    }
    struct dgm_request request = {.datasource = cli->datasource};
    progress_attach(cli, &request);
    show_attach(&show, cli, &request);
    struct dgm_question *question = dgm_run_sql(cli->dgm, sql, &request, &error);
    if (!question) {
        int status = report_error(cli, &error);
        if (!cli->json) {
            report_caret(&cli->err, sql, error.position);
        }
        return status;
    }
    const struct dgm_answer *answer = progress_wait(cli, question);
    int status = show_answer(cli, answer, &show);
    status = export_after(cli, answer, status);
    dgm_question_free(question);
    return status;
}

const struct command command_sql = {
    .name = "sql",
    .group = GROUP_ASK,
    .words = "[SQL]",
    .summary = "Run your own SQL, read-only",
    .about =
        "The statement passes the same guard and limits as generated SQL: one statement\n"
        "that only reads. Without SQL (or with -) it is read from standard input.",
    .examples = "dragoman sql --db shop.db \"select count(*) from orders\"\n"
                "dragoman sql --db shop.db --format markdown < report.sql",
    .flags = flags,
    .flag_count = FLAG_COUNT(flags),
    .most_words = SIZE_MAX,
    .needs = NEEDS_NOTHING,
    .run = sql_run,
};
