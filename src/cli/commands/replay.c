/* dragoman replay: shows how a question went through the states. */
#include <string.h>

#include "base/err.h"
#include "base/file.h"
#include "base/str.h"
#include "cli/cli.h"
#include "cli/report.h"

enum { TRACE_CEILING = 64 << 20 };

static int replay_run(struct cli *cli)
{
    struct err err;
    err_clear(&err);
    const char *path = cli->arguments.words.items[0];
    size_t size = 0;
    const char *json = str_equal(path, "-")
                           ? file_read_stdin(cli->arena, TRACE_CEILING, &size, &err)
                           : file_read(cli->arena, path, TRACE_CEILING, &size, &err);
    if (!json) {
        return report_err(cli, &err);
    }
    struct dgm_error error = {.position = -1};
    char *text = dgm_replay(json, size, &error);
    if (!text) {
        return report_error(cli, &error);
    }
    out_foreign(&cli->out, text);
    out_text(&cli->out, str_ends(text, "\n") ? "" : "\n");
    dgm_free(text);
    return 0;
}

const struct command command_replay = {
    .name = "replay",
    .group = GROUP_KEEP,
    .words = "TRACE",
    .summary = "Check a trace against the table of states, step by step",
    .about =
        "TRACE is a file from 'dragoman ask --trace' or an answer from --json; - reads\n"
        "standard input. Fails if the table has no such transition.",
    .examples = "dragoman ask --db shop.db --trace trace.json \"how many orders?\"\n"
                "dragoman replay trace.json",
    .most_words = 1,
    .least_words = 1,
    .word_choices = "@file",
    .needs = NEEDS_NOTHING,
    .run = replay_run,
};
