/* dragoman completion: prints shell completions. */
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "cli/cli.h"
#include "cli/report.h"

/* "a|b" with another character for the bar; "@commands" stands for all names. */
static void print_choices(struct out *out, const char *choices)
{
    const struct command *command = NULL;
    if (str_starts(choices, "@commands")) {
        for (size_t i = 0; (command = command_at(i)); i++) {
            out_format(out, "%s%s", i ? " " : "", command->name);
        }
        choices += strlen("@commands");
    }
    for (; *choices; choices++) {
        out_add(out, *choices == '|' ? " " : choices, 1);
    }
}

static bool is_file(const struct flag *flag)
{
    return flag->value && (strstr(flag->value, "FILE") || strstr(flag->value, "PATH") ||
                           strstr(flag->value, "DIR"));
}

static void bash_value(struct out *out, const char *command, const struct flag *flag)
{
    if (!flag->value) {
        return;
    }
    out_format(out, "    %s:--%s) ", command, flag->name);
    if (flag->choices) {
        out_text(out, "COMPREPLY=($(compgen -W '");
        print_choices(out, flag->choices);
        out_text(out, "' -- \"$current\")) ;;\n");
    } else if (is_file(flag)) {
        out_text(out, "compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "
                      "\"$current\") ;;\n");
    } else {
        out_text(out, ";;\n");
    }
}

static void bash_flags(struct out *out, const struct flag *flags, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        out_format(out, " --%s", flags[i].name);
    }
}

static void bash_command(struct out *out, const struct command *command)
{
    out_format(out, "    %s) flags='", command->name);
    bash_flags(out, command->flags, command->flag_count);
    bash_flags(out, command_global_flags, command_global_flag_count);
    out_text(out, "'");
    if (command->word_choices && *command->word_choices == '@' &&
        !str_starts(command->word_choices, "@commands")) {
        out_text(out, " files=1");
    } else if (command->word_choices) {
        out_text(out, " words='");
        print_choices(out, command->word_choices);
        out_text(out, "'");
    }
    out_text(out, " ;;\n");
}

static void print_bash(struct out *out)
{
    const struct command *command = NULL;
    out_text(
        out,
        "# bash completion for dragoman, made by: dragoman completion bash\n"
        "_dragoman() {\n"
        "    local current=${COMP_WORDS[COMP_CWORD]} command= flags= words= files= i\n"
        "    local previous=${COMP_WORDS[COMP_CWORD-1]}\n"
        "    local commands='");
    print_choices(out, "@commands");
    out_text(out, "'\n"
                  "    COMPREPLY=()\n"
                  "    for ((i = 1; i < COMP_CWORD; i++)); do\n"
                  "        case \" $commands \" in\n"
                  "        *\" ${COMP_WORDS[i]} \"*) command=${COMP_WORDS[i]}; break ;;\n"
                  "        esac\n"
                  "    done\n"
                  "    case \"$command:$previous\" in\n");
    for (size_t i = 0; i < command_global_flag_count; i++) {
        bash_value(out, "*", &command_global_flags[i]);
    }
    for (size_t i = 0; (command = command_at(i)); i++) {
        for (size_t f = 0; f < command->flag_count; f++) {
            bash_value(out, command->name, &command->flags[f]);
        }
    }
    out_text(out, "    *)\n    case \"$command\" in\n    '') words=$commands flags='");
    bash_flags(out, command_global_flags, command_global_flag_count);
    out_text(out, "' ;;\n");
    for (size_t i = 0; (command = command_at(i)); i++) {
        bash_command(out, command);
    }
    out_text(out, "    esac\n"
                  "    if [[ $current == -* ]]; then\n"
                  "        COMPREPLY=($(compgen -W \"$flags\" -- \"$current\"))\n"
                  "    elif [[ -n $files ]]; then\n"
                  "        compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "
                  "\"$current\")\n"
                  "    else\n"
                  "        COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
                  "    fi ;;\n"
                  "    esac\n"
                  "}\n"
                  "complete -F _dragoman dragoman\n");
}

/* Inside single quotes: zsh ends and reopens them, fish escapes. */
static void quoted(struct out *out, const char *text, const char *quote, const char *more,
                   bool backslash)
{
    for (; *text; text++) {
        if (*text == '\'') {
            out_text(out, quote);
        } else {
            out_text(out, backslash && strchr(more, *text) ? "\\" : "");
            out_add(out, text, 1);
        }
    }
}

static void zsh_flag(struct out *out, const struct flag *flag)
{
    out_format(out, "            '%s--%s[", flag->many ? "*" : "", flag->name);
    quoted(out, flag->help, "'\\''", "[]", true);
    out_text(out, "]");
    if (flag->value) {
        out_format(out, ":%s:", flag->value);
        if (flag->choices) {
            out_text(out, "(");
            print_choices(out, flag->choices);
            out_text(out, ")");
        } else if (is_file(flag)) {
            out_text(out, strstr(flag->value, "DIR") ? "_files -/" : "_files");
        }
    }
    out_text(out, "' \\\n");
}

static void zsh_flags(struct out *out, const struct flag *flags, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        zsh_flag(out, &flags[i]);
    }
}

static void zsh_command(struct out *out, const struct command *command)
{
    out_format(out, "        %s)\n        _arguments \\\n", command->name);
    zsh_flags(out, command->flags, command->flag_count);
    zsh_flags(out, command_global_flags, command_global_flag_count);
    const char *choices = command->word_choices;
    if (str_equal(choices, "@file")) {
        out_text(out, "            '*:file:_files' ;;\n");
    } else if (choices) {
        out_text(out, "            '*:word:(");
        print_choices(out, choices);
        out_text(out, ")' ;;\n");
    } else {
        out_text(out, "            '*:text: ' ;;\n");
    }
}

static void print_zsh(struct out *out)
{
    const struct command *command = NULL;
    out_text(out, "#compdef dragoman\n"
                  "# zsh completion for dragoman, made by: dragoman completion zsh\n"
                  "_dragoman() {\n"
                  "    local context state state_descr line\n"
                  "    typeset -A opt_args\n"
                  "    local -a commands\n"
                  "    commands=(\n");
    for (size_t i = 0; (command = command_at(i)); i++) {
        out_format(out, "        '%s:", command->name);
        quoted(out, command->summary, "'\\''", "", false);
        out_text(out, "'\n");
    }
    out_text(out, "    )\n    _arguments -C \\\n");
    zsh_flags(out, command_global_flags, command_global_flag_count);
    out_text(out, "            '1:command:->command' \\\n"
                  "            '*::word:->word'\n"
                  "    case $state in\n"
                  "    command) _describe command commands ;;\n"
                  "    word)\n"
                  "        case $words[1] in\n");
    for (size_t i = 0; (command = command_at(i)); i++) {
        zsh_command(out, command);
    }
    out_text(out, "        esac ;;\n"
                  "    esac\n"
                  "}\n"
                  "if [ \"$funcstack[1]\" = _dragoman ]; then\n"
                  "    _dragoman \"$@\"\n"
                  "else\n"
                  "    compdef _dragoman dragoman\n"
                  "fi\n");
}

static void fish_flag(struct out *out, const char *condition, const struct flag *flag)
{
    out_format(out, "complete -c dragoman%s -l %s", condition, flag->name);
    if (flag->letter) {
        out_format(out, " -s %c", flag->letter);
    }
    if (flag->choices) {
        out_text(out, " -x -a '");
        print_choices(out, flag->choices);
        out_text(out, "'");
    } else if (flag->value) {
        out_text(out, is_file(flag) ? " -r -F" : " -x");
    }
    out_text(out, " -d '");
    quoted(out, flag->help, "\\'", "\\", true);
    out_text(out, "'\n");
}

static void print_fish(struct out *out)
{
    const struct command *command = NULL;
    out_text(out, "# fish completion for dragoman, made by: dragoman completion fish\n"
                  "complete -c dragoman -f\n");
    for (size_t i = 0; i < command_global_flag_count; i++) {
        fish_flag(out, "", &command_global_flags[i]);
    }
    for (size_t i = 0; (command = command_at(i)); i++) {
        char condition[128];
        (void)snprintf(condition, sizeof condition,
                       " -n '__fish_seen_subcommand_from %s'", command->name);
        out_format(out, "complete -c dragoman -n __fish_use_subcommand -a %s -d '",
                   command->name);
        quoted(out, command->summary, "\\'", "\\", true);
        out_text(out, "'\n");
        for (size_t f = 0; f < command->flag_count; f++) {
            fish_flag(out, condition, &command->flags[f]);
        }
        if (str_equal(command->word_choices, "@file")) {
            out_format(out, "complete -c dragoman%s -F\n", condition);
        } else if (command->word_choices) {
            out_format(out, "complete -c dragoman%s -a '", condition);
            print_choices(out, command->word_choices);
            out_text(out, "'\n");
        }
    }
}

struct shell {
    const char *name;
    void (*print)(struct out *out);
};

static int completion_run(struct cli *cli)
{
    static const struct shell shells[] = {
        {"bash", print_bash},
        {"zsh", print_zsh},
        {"fish", print_fish},
    };
    const char *name = cli->arguments.words.items[0];
    for (size_t i = 0; i < sizeof shells / sizeof *shells; i++) {
        if (str_equal(shells[i].name, name)) {
            shells[i].print(&cli->out);
            return 0;
        }
    }
    struct err err;
    (void)err_set(&err, ERR_USAGE, "There is no completion for '%.200s'.", name);
    (void)err_hint(&err, "There is one for bash, zsh and fish.");
    return report_err(cli, &err);
}

const struct command command_completion = {
    .name = "completion",
    .group = GROUP_SETUP,
    .words = "bash|zsh|fish",
    .summary = "Print a completion script for your shell",
    .about = "The script completes all commands, options and values of this version.",
    .examples = "source <(dragoman completion bash)\n"
                "dragoman completion zsh > ~/.zfunc/_dragoman\n"
                "dragoman completion fish > ~/.config/fish/completions/dragoman.fish",
    .most_words = 1,
    .least_words = 1,
    .word_choices = "bash|zsh|fish",
    .needs = NEEDS_NOTHING,
    .run = completion_run,
};
