/* dragoman backup: backup and restore. */
#include "base/err.h"
#include "base/str.h"
#include "cli/cli.h"
#include "cli/input.h"
#include "cli/report.h"

static const struct flag restore_flags[] = {
    FLAG_SWITCH("yes", 'y', "Replace existing data without asking"),
};

static int backup_run(struct cli *cli)
{
    struct dgm_error error = {.position = -1};
    const char *path = cli->arguments.words.items[0];
    if (!dgm_backup(cli->dgm, path, &error)) {
        return report_error(cli, &error);
    }
    report_note(cli, arena_format(cli->arena, "Saved to %s.", path));
    return 0;
}

static int restore_run(struct cli *cli)
{
    struct dgm_error error = {.position = -1};
    const char *path = cli->arguments.words.items[0];
    bool sure = arguments_has(&cli->arguments, "yes");
    if (!sure && !cli_interactive(cli)) {
        struct err err;
        (void)err_set(&err, ERR_USAGE,
                      "A backup replaces everything that dragoman has kept.");
        (void)err_hint(&err, "There is no terminal to confirm it; add --yes.");
        return report_err(cli, &err);
    }
    if (!sure &&
        !input_yes(input_ask(cli, "Replace everything dragoman has kept? [y/N] "))) {
        report_note(cli, "Nothing was changed.");
        return 0;
    }
    if (!dgm_restore(cli->config, path, &error)) {
        return report_error(cli, &error);
    }
    report_note(cli, arena_format(cli->arena, "Restored from %s.", path));
    return 0;
}

const struct command command_backup = {
    .name = "backup",
    .group = GROUP_KEEP,
    .words = "FILE",
    .summary = "Save sessions, answers and lessons to a file",
    .about = "Copies the contents of dragoman's store. Your databases are not changed.",
    .examples = "dragoman backup dragoman.backup",
    .most_words = 1,
    .least_words = 1,
    .word_choices = "@file",
    .needs = NEEDS_INSTANCE,
    .run = backup_run,
};

const struct command command_restore = {
    .name = "restore",
    .group = GROUP_KEEP,
    .words = "FILE",
    .summary = "Restore a backup",
    .about = "Replaces the contents of dragoman's store with the backup. It asks "
             "for\nconfirmation first; without a terminal, it needs --yes.",
    .examples = "dragoman restore dragoman.backup\n"
                "dragoman restore --yes dragoman.backup </dev/null",
    .flags = restore_flags,
    .flag_count = FLAG_COUNT(restore_flags),
    .most_words = 1,
    .least_words = 1,
    .word_choices = "@file",
    .needs = NEEDS_CONFIG,
    .run = restore_run,
};
