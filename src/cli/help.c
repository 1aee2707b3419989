/* Help, made from the table of commands. */
#include "cli/help.h"

#include <string.h>

#include "base/str.h"
#include "base/utf8.h"
#include "cli/cli.h"

enum { NAME_COLUMN = 14, FLAG_COLUMN = 26 };

static void title(struct out *out, const char *text)
{
    out_shade(out, SHADE_BOLD);
    out_text(out, text);
    out_shade(out, SHADE_PLAIN);
    out_text(out, "\n");
}

static void synopsis(struct out *out)
{
    out_shade(out, SHADE_BOLD);
    out_text(out, "dragoman");
    out_shade(out, SHADE_PLAIN);
    out_text(out, ": ask your databases in plain language, get a checked answer.\n\n"
                  "Usage: dragoman COMMAND [OPTIONS] ...\n\n");
}

static void print_commands(struct out *out)
{
    for (int group = 0; group < GROUP_COUNT; group++) {
        title(out, command_group_titles[group]);
        const struct command *command = NULL;
        for (size_t i = 0; (command = command_at(i)); i++) {
            if ((int)command->group == group) {
                out_text(out, "  ");
                out_shade(out, SHADE_CYAN);
                out_text(out, command->name);
                out_shade(out, SHADE_PLAIN);
                out_repeat(out, " ", NAME_COLUMN - strlen(command->name));
                out_format(out, "%s\n", command->summary);
            }
        }
        out_text(out, "\n");
    }
}

static void print_flag(struct out *out, const struct flag *flag)
{
    size_t used = 0;
    const char *value =
        flag->choices && strlen(flag->choices) <= 28 ? flag->choices : flag->value;
    char letter[] = {'-', flag->letter, ',', ' ', '\0'};
    out_text(out, "  ");
    out_shade(out, SHADE_CYAN);
    out_text(out, flag->letter ? letter : "    ");
    out_format(out, "--%s", flag->name);
    out_shade(out, SHADE_PLAIN);
    used = 2 + 4 + 2 + strlen(flag->name);
    if (value) {
        out_format(out, " %s", value);
        used += 1 + strlen(value);
    }
    if (used >= FLAG_COLUMN) {
        out_text(out, "\n");
        used = 0;
    }
    out_repeat(out, " ", FLAG_COLUMN - used + 2);
    out_format(out, "%s\n", flag->help);
    if (flag->choices && value != flag->choices) {
        out_repeat(out, " ", FLAG_COLUMN + 2);
        out_format(out, "(%s)\n", flag->choices);
    }
}

static void print_examples(struct out *out, const char *examples)
{
    while (examples && *examples) {
        size_t size = strcspn(examples, "\n");
        bool remark = *examples == '#';
        out_text(out, "  ");
        out_shade(out, remark ? SHADE_DIM : SHADE_PLAIN);
        out_add(out, examples, size);
        out_shade(out, SHADE_PLAIN);
        out_text(out, "\n");
        examples += size + (examples[size] == '\n');
    }
}

int help_short(struct cli *cli)
{
    struct out *out = &cli->out;
    synopsis(out);
    print_commands(out);
    title(out, "Try it");
    print_examples(out, "dragoman sample shop.db\n"
                        "dragoman ask --db shop.db \"how many customers are there?\"");
    out_text(out,
             "\n"
             "Run 'dragoman help' for more, or 'dragoman help COMMAND' for a command.\n");
    return 0;
}

int help_all(struct cli *cli)
{
    struct out *out = &cli->out;
    synopsis(out);
    print_commands(out);
    title(out, "Options for every command");
    for (size_t i = 0; i < command_global_flag_count; i++) {
        print_flag(out, &command_global_flags[i]);
    }
    out_text(out, "\n");
    title(out, "Examples");
    print_examples(out,
                   "# create a sample database\n"
                   "dragoman sample shop.db\n"
                   "# ask one question\n"
                   "dragoman ask --db shop.db \"how many orders per month in 2024?\"\n"
                   "# a conversation\n"
                   "dragoman chat --db shop.db\n"
                   "# use another database, and print rows for another program\n"
                   "dragoman ask --db postgres://reader@host/sales --format csv "
                   "\"top ten products\"");
    out_text(out, "\n");
    title(out, "Read more");
    out_text(out, "  dragoman help COMMAND   a command and its options\n"
                  "  dragoman help exit      what each exit status means\n"
                  "  dragoman help write     how to allow changes to a database\n"
                  "  dragoman help settings  files, environment, --set\n"
                  "  man dragoman            the whole manual\n");
    return 0;
}

int help_command(struct cli *cli, const struct command *command)
{
    struct out *out = &cli->out;
    out_shade(out, SHADE_BOLD);
    out_format(out, "dragoman %s", command->name);
    out_shade(out, SHADE_PLAIN);
    out_format(out, ": %s.\n\n", command->summary);
    out_format(out, "Usage: dragoman %s%s%s%s\n\n", command->name,
               command->flag_count ? " [OPTIONS]" : "", *command->words ? " " : "",
               command->words);
    out_format(out, "%s\n\n", command->about);
    if (command->flag_count) {
        title(out, "Options");
        for (size_t i = 0; i < command->flag_count; i++) {
            print_flag(out, &command->flags[i]);
        }
        out_text(out, "\n");
    }
    title(out, "Examples");
    print_examples(out, command->examples);
    out_text(out, "\nOptions for every command (--config, --set, --data, --quiet, ...): "
                  "dragoman help\n");
    return 0;
}
