/*
 * dragoman features: questions with their SQL as what the parser's network learns from.
 */
#include <stdlib.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/str.h"
#include "cli/cli.h"
#include "dragoman_lab.h"
#include "cli/report.h"

enum { THREADS_MOST = 256, REPORT_MS = 1000 };

static const struct flag flags[] = {
    FLAG_VALUE("questions", "FILE", "JSON array or JSON lines: db_id, question, query"),
    FLAG_VALUE("databases", "DIR", "Folder with <db_id>/<db_id>.sqlite files"),
    FLAG_VALUE("out", "FILE", "Where the features are written"),
    FLAG_VALUE("threads", "N", "Number of threads (default: one per core)"),
};

struct features_progress {
    struct cli *cli;
    int64_t shown_ms;
    struct dgm_feature_figures last;
};

static void show_progress(void *context, const struct dgm_feature_figures *figures)
{
    struct features_progress *progress = context;
    int64_t now = clock_ms();
    progress->last = *figures;
    if (progress->cli->quiet || now - progress->shown_ms < REPORT_MS) {
        return;
    }
    progress->shown_ms = now;
    out_format(&progress->cli->err, "%zu questions, %zu databases\n", figures->questions,
               figures->databases);
    out_flush(&progress->cli->err);
}

static double share(size_t part, size_t whole)
{
    return whole ? 100.0 * (double)part / (double)whole : 0;
}

static void print_figures(struct out *out, const struct dgm_feature_figures *figures)
{
    static const char *const names[] = {"exactly",           "by its own words",
                                        "in part",           "by a synonym",
                                        "by a related word", "by a more general word"};
    size_t with_target = figures->examples - figures->no_target;
    size_t linked = 0;
    out_format(out, "questions          %zu\n", figures->questions);
    out_format(out, "written            %zu\n", figures->examples);
    out_format(out, "databases          %zu (%zu questions left out)\n",
               figures->databases, figures->no_database);
    out_format(out, "words              %zu\n", figures->words);
    out_format(out, "without a target   %zu (%.2f %%)\n", figures->no_target,
               share(figures->no_target, figures->examples));
    out_format(out, "a value is missing %zu (%.2f %%)\n", figures->values_missing,
               share(figures->values_missing, with_target));
    out_format(out, "columns in targets %zu, named\n", figures->columns);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        linked += figures->linked[i];
        out_format(out, "  %-24s %5.1f %%\n", names[i],
                   share(figures->linked[i], figures->columns));
    }
    out_format(out, "  %-24s %5.1f %%\n", "not at all",
               share(figures->columns - linked, figures->columns));
}

static int features_run(struct cli *cli)
{
    struct err err;
    err_clear(&err);
    const char *questions = arguments_value(&cli->arguments, "questions");
    const char *databases = arguments_value(&cli->arguments, "databases");
    const char *out = arguments_value(&cli->arguments, "out");
    const char *threads_text = arguments_value(&cli->arguments, "threads");
    int64_t threads = 0;
    if (!questions || !databases || !out) {
        (void)err_set(&err, ERR_USAGE, "Give --questions, --databases and --out.");
        return report_err(cli, &err);
    }
    if (threads_text &&
        (!str_to_int(threads_text, &threads) || threads < 1 || threads > THREADS_MOST)) {
        (void)err_set(&err, ERR_USAGE, "--threads takes a number from 1 to %d.",
                      THREADS_MOST);
        return report_err(cli, &err);
    }
    struct features_progress progress = {.cli = cli, .shown_ms = clock_ms()};
    struct dgm_error error = {.position = -1};
    if (!dgm_features(questions, databases, out, (int)threads, show_progress, &progress,
                      &error)) {
        return report_error(cli, &error);
    }
    print_figures(&cli->out, &progress.last);
    return 0;
}

const struct command command_features = {
    .name = "features",
    .group = GROUP_SETUP,
    .words = "",
    .summary = "Turn questions with SQL into training data for the parser",
    .about = "Reads questions with their SQL, finds their words in their SQLite "
             "databases, and\n"
             "writes the input of the built-in parser and the query it should write. "
             "Training\n"
             "reads only this file, so that training and answering use the same\n"
             "input. Prints statistics.",
    .examples =
        "dragoman features --questions train.json --databases database --out train.dgmf",
    .flags = flags,
    .flag_count = FLAG_COUNT(flags),
    .most_words = 0,
    .needs = NEEDS_NOTHING,
    .run = features_run,
};
