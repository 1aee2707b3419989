/*
 * One run of the program: parse, open what the command needs, run it, close, exit status.
 */
#include "cli/cli.h"

#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/str.h"
#include "cli/help.h"
#include "cli/instance.h"
#include "cli/report.h"

static bool has_json(int argc, char *const *argv)
{
    for (int i = 1; i < argc && !str_equal(argv[i], "--"); i++) {
        if (str_equal(argv[i], "--json")) {
            return true;
        }
    }
    return false;
}

static void cli_prepare(struct cli *cli, int argc, char *const *argv)
{
    /* Only the character set: a comma as decimal point would end up in JSON and SQL. */
    (void)setlocale(LC_CTYPE, "");
    bool utf8 = str_equal_nocase(nl_langinfo(CODESET), "UTF-8");
    (void)signal(SIGPIPE, SIG_IGN); /* a closed pipe is a write error, handled by out.c */
    cli->arena = arena_new();
    out_init(&cli->out, STDOUT_FILENO, utf8);
    out_init(&cli->err, STDERR_FILENO, utf8);
    cli->stdin_terminal = isatty(STDIN_FILENO) == 1;
    cli->json = has_json(argc, argv);
}

static void set_output(struct cli *cli)
{
    const char *color = arguments_value(&cli->arguments, "color");
    out_set_color(&cli->out, color ? color : "auto");
    out_set_color(&cli->err, color ? color : "auto");
    cli->quiet = arguments_has(&cli->arguments, "quiet");
}

bool cli_interactive(const struct cli *cli)
{
    return cli->stdin_terminal && cli->err.terminal && !cli->json;
}

static int cli_run(struct cli *cli, int argc, char *const *argv)
{
    struct err err;
    err_clear(&err);
    bool parsed = arguments_parse(&cli->arguments, cli->arena, argc, argv, &err);
    const struct command *command = cli->arguments.command;
    set_output(cli);
    if (arguments_has(&cli->arguments, "help")) {
        cli->json = false;
        return command ? help_command(cli, command) : help_all(cli);
    }
    if (parsed && arguments_has(&cli->arguments, "version")) {
        return command_find("version")->run(cli);
    }
    if (!parsed) {
        return report_err(cli, &err);
    }
    if (!command) {
        return help_short(cli);
    }
    struct dgm_error error = {.position = -1};
    if (!cli_open(cli, command->needs, &error)) {
        return report_error(cli, &error);
    }
    return command->run(cli);
}

static int cli_finish(struct cli *cli, int status)
{
    out_flush(&cli->out);
    int number = cli->out.error;
    if (number && number != EPIPE) {
        struct err err;
        char reason[128];
        bool full = number == ENOSPC || number == EDQUOT;
        (void)err_set(&err, full ? ERR_DISK_FULL : ERR_STORE,
                      "The result could not be written: %s.",
                      strerror_r(number, reason, sizeof reason));
        if (full) {
            (void)err_hint(&err, "Free some space where the output goes.");
        }
        cli->json = false; /* standard output is the thing that does not work */
        status = report_err(cli, &err);
    }
    out_flush(&cli->err);
    return status;
}

int cli_main(int argc, char *const *argv)
{
    static struct cli whole; /* large buffers: not on the stack */
    struct cli *cli = &whole;
    cli_prepare(cli, argc, argv);
    int status = cli_finish(cli, cli_run(cli, argc, argv));
    instance_close(cli);
    arena_free(cli->arena);
    cli->arena = NULL;
    return status;
}
