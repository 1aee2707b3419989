/* dragoman eval: measures the accuracy on questions whose SQL is known. */
#include "base/clock.h"
#include "base/err.h"
#include "base/str.h"
#include "cli/cli.h"
#include "dragoman_lab.h"
#include "cli/report.h"

static const struct flag flags[] = {
    FLAG_VALUE("questions", "FILE", "JSON list of {db_id, question, query}"),
    FLAG_VALUE("databases", "DIR", "Folder with <db_id>/<db_id>.sqlite files"),
    FLAG_VALUE("weights", "FILE", "Weights file to use instead of the built-in weights"),
    FLAG_VALUE("brain", "parser|llm|auto", "What writes the SQL (default parser)"),
    FLAG_VALUE("limit", "N", "Only the first N questions"),
    FLAG_VALUE("out", "FILE", "Write the SQL, one line per question"),
    FLAG_VALUE("candidates", "FILE",
               "Write all candidate queries, one JSON line per question"),
};

enum { BAR = 30, TICK_MS = 100, REPORT_MS = 1000 };

struct eval_progress {
    struct cli *cli;
    int64_t start_ms;
    int64_t shown_ms;
};

static void draw_bar(struct out *err, size_t done, size_t total, int64_t elapsed_ms)
{
    size_t filled = total ? BAR * done / total : BAR;
    int64_t left_s = (int64_t)(total - done) * elapsed_ms / (int64_t)(done * 1000);
    out_text(err, "\r\033[K[");
    out_repeat(err, err->utf8 ? "█" : "#", filled);
    out_repeat(err, err->utf8 ? "·" : "-", BAR - filled);
    out_format(err, "] %zu of %zu", done, total);
    if (done < total) {
        out_format(err, ", %d:%02d left", (int)(left_s / 60), (int)(left_s % 60));
    } else {
        out_text(err, "\n");
    }
}

/* A bar on a terminal, now and then a line elsewhere. */
static void eval_progress(void *context, size_t done, size_t total)
{
    struct eval_progress *progress = context;
    struct out *err = &progress->cli->err;
    int64_t now = clock_ms();
    int64_t pause = err->terminal ? TICK_MS : REPORT_MS;
    if (progress->cli->quiet || (done < total && now - progress->shown_ms < pause)) {
        return;
    }
    progress->shown_ms = now;
    if (err->terminal) {
        draw_bar(err, done, total, now - progress->start_ms);
    } else {
        out_format(err, "%zu of %zu questions\n", done, total);
    }
    out_flush(err);
}

static int eval_run(struct cli *cli)
{
    const struct arguments *arguments = &cli->arguments;
    const char *limit = arguments_value(arguments, "limit");
    int64_t most = 0;
    struct err err;
    struct eval_progress progress = {cli, clock_ms(), clock_ms()};
    struct dgm_eval_request request = {
        .questions = arguments_value(arguments, "questions"),
        .databases = arguments_value(arguments, "databases"),
        .weights = arguments_value(arguments, "weights"),
        .brain = arguments_value(arguments, "brain"),
        .out = arguments_value(arguments, "out"),
        .candidates = arguments_value(arguments, "candidates"),
        .progress = eval_progress,
        .context = &progress,
    };
    if (!request.questions || !request.databases ||
        (limit && (!str_to_int(limit, &most) || most < 0 || most > 100000000))) {
        (void)err_set(&err, ERR_USAGE,
                      "eval needs --questions FILE and --databases DIR%s.",
                      limit ? ", and --limit a number" : "");
        return report_err(cli, &err);
    }
    request.limit = (int)most;
    struct dgm_error error = {.position = -1};
    char *figures = dgm_eval(cli->config, &request, &error);
    if (!figures) {
        return report_error(cli, &error);
    }
    out_text(&cli->out, figures);
    dgm_free(figures);
    return 0;
}

const struct command command_eval = {
    .name = "eval",
    .group = GROUP_SETUP,
    .words = "",
    .summary = "Measure accuracy on questions with known SQL",
    .about =
        "Runs the known and the generated SQL; an answer is right if the results are\n"
        "the same. Prints accuracy by difficulty and by confidence, times and memory, "
        "as\n"
        "JSON. --brain llm and auto use all stages, like 'dragoman ask'.",
    .examples = "dragoman eval --questions dev.json --databases database",
    .flags = flags,
    .flag_count = FLAG_COUNT(flags),
    .needs = NEEDS_CONFIG,
    .run = eval_run,
};
