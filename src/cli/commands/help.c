/* dragoman help: prints help on commands and topics. */
#include "cli/help.h"

#include <string.h>

#include "base/err.h"
#include "base/json.h"
#include "base/str.h"
#include "cli/cli.h"
#include "cli/report.h"

enum { MOST_STATUS = 255, CODE_COLUMN = 24 };

struct topic {
    const char *name;
    const char *text;
    int (*print)(struct cli *cli); /* or NULL: only the text */
};

static void print_exit_row(struct cli *cli, const json_t *row, int64_t status)
{
    const char *code = json_text_at(row, "code");
    const char *hint = json_text_at(row, "hint");
    out_format(&cli->out, "  %3lld  ", (long long)status);
    out_format(&cli->out, "%-*s", str_empty(hint) ? 0 : CODE_COLUMN, code ? code : "");
    out_format(&cli->out, "%s\n", hint ? hint : "");
}

/* In the order of the statuses, which is not that of the table. */
static int print_exit_table(struct cli *cli)
{
    struct err err;
    char *text = dgm_error_table();
    const json_t *list = text ? json_parse(cli->arena, text, strlen(text), &err) : NULL;
    dgm_free(text);
    for (int64_t status = 0; status <= MOST_STATUS; status++) {
        for (size_t i = 0; i < json_array_size(list); i++) {
            const json_t *row = json_array_get(list, i);
            if (json_int_at(row, "exit_status", -1) == status) {
                print_exit_row(cli, row, status);
            }
        }
    }
    return 0;
}

static const struct topic topics[] = {
    {"exit",
     "Exit statuses. They do not change between versions.\n\n"
     "The most useful ones for scripts: 0 answered, 2 wrong usage, 3 SQL refused by the "
     "guard,\n4 a clarifying question (--json has its options), 27 a change that was not "
     "allowed,\n130 stopped with Ctrl-C.\n\n",
     print_exit_table},
    {"write",
     "dragoman changes data only if all three conditions are met:\n\n"
     "  1. the database is declared writable: 'writable: true' in dragoman.yaml, or "
     "--db\n"
     "     together with --allow-write\n"
     "  2. the question allows it: --allow-write\n"
     "  3. a person approves the statement, after a preview with the number of rows:\n"
     "     on the terminal, or with 'dragoman ask --approve ID'\n\n"
     "Only a plain INSERT, UPDATE or DELETE can be approved; it runs in one "
     "transaction.\n"
     "Everything else that is not a read is refused, whoever asks.\n",
     NULL},
    {"settings",
     "Settings come from these places; later ones override earlier ones:\n\n"
     "  1. built-in defaults            dragoman config reference\n"
     "  2. the settings file            --config FILE, else ./dragoman.yaml, else\n"
     "                                  ~/.config/dragoman/dragoman.yaml\n"
     "  3. the environment              DRAGOMAN_LLM_MODEL for llm.model, ...;\n"
     "                                  OPENAI_API_KEY, OPENAI_BASE_URL,\n"
     "                                  ANTHROPIC_API_KEY, OLLAMA_HOST\n"
     "  4. flags                        --set llm.model=..., --data, --db\n\n"
     "'dragoman config' prints the active settings, 'dragoman doctor' tests them.\n",
     NULL},
};

enum { TOPIC_COUNT = sizeof topics / sizeof *topics };

static int help_run(struct cli *cli)
{
    const struct texts *words = &cli->arguments.words;
    if (!words->count) {
        return help_all(cli);
    }
    const char *name = words->items[0];
    const struct command *command = command_find(name);
    if (command) {
        return help_command(cli, command);
    }
    for (size_t i = 0; i < TOPIC_COUNT; i++) {
        if (str_equal(topics[i].name, name)) {
            out_text(&cli->out, topics[i].text);
            return topics[i].print ? topics[i].print(cli) : 0;
        }
    }
    struct err err;
    const char *nearest = command_nearest(name);
    (void)err_set(&err, ERR_USAGE, "There is no help on '%.200s'.", name);
    (void)(nearest ? err_hint(&err, "Did you mean 'dragoman help %s'?", nearest)
                   : err_hint(&err, "'dragoman help' lists commands and topics."));
    return report_err(cli, &err);
}

const struct command command_help = {
    .name = "help",
    .group = GROUP_SETUP,
    .words = "[COMMAND|exit|write|settings]",
    .summary = "Show help on a command or a topic",
    .about = "Without an argument: all commands, and the options of every command.",
    .examples = "dragoman help ask\ndragoman help exit",
    .most_words = 1,
    .word_choices = "@commands|exit|write|settings",
    .needs = NEEDS_NOTHING,
    .run = help_run,
};
