/* dragoman sample: creates the sample shop database. */
#include <stdio.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "base/str.h"
#include "cli/cli.h"
#include "cli/report.h"

static const struct flag flags[] = {
    FLAG_SWITCH("force", 'f', "Replace the file if it exists"),
};

static int sample_run(struct cli *cli)
{
    const struct texts *words = &cli->arguments.words;
    const char *path = words->count ? words->items[0] : "shop.db";
    bool exists = access(path, F_OK) == 0;
    struct err err;
    err_clear(&err);
    if (exists && !arguments_has(&cli->arguments, "force")) {
        (void)err_set(&err, ERR_USAGE, "'%s' exists already.", path);
        (void)err_hint(&err, "Name another file, or replace it with --force.");
        return report_err(cli, &err);
    }
    if (exists && file_exists(path)) {
        (void)unlink(path);
    }
    struct dgm_error error = {.position = -1};
    if (!dgm_sample(path, &error)) {
        return report_error(cli, &error);
    }
    out_format(&cli->out, "Created %s.\n", path);
    report_note(cli, arena_format(cli->arena,
                                  "Try: dragoman ask --db %s \"how many customers are "
                                  "there?\"",
                                  path));
    return 0;
}

const struct command command_sample = {
    .name = "sample",
    .group = GROUP_SETUP,
    .words = "[PATH]",
    .summary = "Create a sample shop database (default shop.db)",
    .about = "A SQLite file with customers, products, orders and more; always the same.",
    .examples = "dragoman sample\ndragoman chat --db shop.db",
    .flags = flags,
    .flag_count = FLAG_COUNT(flags),
    .most_words = 1,
    .word_choices = "@file",
    .needs = NEEDS_NOTHING,
    .run = sample_run,
};
