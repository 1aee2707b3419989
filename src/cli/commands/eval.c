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
    FLAG_VALUE("width", "N", "Queries that the parser's search keeps (at most 32)"),
    FLAG_VALUE("out", "FILE", "Write the SQL, one line per question"),
    FLAG_JSON("Also list every question with its score, right or wrong"),
    FLAG_SWITCH("csv", 0, "Print only that list, as CSV"),
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

/* A number that may be left out; false where it is none or too large. */
static bool read_number(const struct cli *cli, const char *flag, int64_t most, int *out)
{
    const char *text = arguments_value(&cli->arguments, flag);
    int64_t number = 0;
    bool good = !text || (str_to_int(text, &number) && number >= 0 && number <= most);
    *out = (int)number;
    return good;
}

static int eval_run(struct cli *cli)
{
    const struct arguments *arguments = &cli->arguments;
    struct err err;
    struct eval_progress progress = {cli, clock_ms(), clock_ms()};
    struct dgm_eval_request request = {
        .questions = arguments_value(arguments, "questions"),
        .databases = arguments_value(arguments, "databases"),
        .weights = arguments_value(arguments, "weights"),
        .brain = arguments_value(arguments, "brain"),
        .out = arguments_value(arguments, "out"),
        .candidates = arguments_value(arguments, "candidates"),
        .rows = cli->json,
        .rows_csv = arguments_has(arguments, "csv"),
        .progress = eval_progress,
        .context = &progress,
    };
    bool counted = read_number(cli, "limit", 100000000, &request.limit);
    bool wide = read_number(cli, "width", 32, &request.width);
    if (!request.questions || !request.databases || !counted || !wide) {
        (void)err_set(&err, ERR_USAGE,
                      "eval needs --questions FILE and --databases DIR%s%s.",
                      counted ? "" : ", and --limit a number",
                      wide ? "" : ", and --width a number up to 32");
        return report_err(cli, &err);
    }
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
        "the same. Prints accuracy by difficulty and by confidence, how far the "
        "scores\ndiffer from the share of right answers (ECE), for first and follow-up "
        "questions, times "
        "and\n"
        "memory, as JSON. --brain llm and auto use all stages, like 'dragoman ask'.",
    .examples = "dragoman eval --questions dev.json --databases database",
    .flags = flags,
    .flag_count = FLAG_COUNT(flags),
    .needs = NEEDS_CONFIG,
    .run = eval_run,
};
