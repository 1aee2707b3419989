/* The command line, read against the table of commands. */
#include "cli/arguments.h"

#include <string.h>

#include "base/err.h"
#include "base/str.h"

struct reader {
    struct arguments *out;
    struct arena *arena;
    int argc;
    char *const *argv;
    int at;
    bool only_words; /* after "--" */
};

static bool is_choice(const char *choices, const char *value)
{
    size_t size = strlen(value);
    for (const char *at = choices; at; at = strchr(at, '|')) {
        at += *at == '|';
        if (size && strncmp(at, value, size) == 0 && (at[size] == '|' || !at[size])) {
            return true;
        }
    }
    return false;
}

static bool unknown_flag(struct reader *reader, const char *given, struct err *err)
{
    const struct command *command = reader->out->command;
    const char *bare = given + strspn(given, "-");
    const char *nearest = *bare ? command_nearest_flag(command, bare) : NULL;
    (void)err_set(err, ERR_USAGE, "Unknown option '%s'.", given);
    if (nearest) {
        return err_hint(err, "Did you mean --%s?", nearest);
    }
    return err_hint(err, "See 'dragoman %s%s--help'.", command ? command->name : "",
                    command ? " " : "");
}

static bool take_flag(struct reader *reader, const struct flag *flag, const char *given,
                      const char *value, struct err *err)
{
    if (flag->value && !value) {
        if (reader->at >= reader->argc) {
            (void)err_set(err, ERR_USAGE, "The option '%s' needs a value: --%s %s.",
                          given, flag->name, flag->choices ? flag->choices : flag->value);
            return false;
        }
        value = reader->argv[reader->at++];
    }
    if (!flag->value && value) {
        return err_set(err, ERR_USAGE, "The option '%s' takes no value.", given);
    }
    if (flag->choices && !is_choice(flag->choices, value)) {
        struct texts choices = {0};
        str_split(reader->arena, flag->choices, '|', &choices);
        (void)err_set(err, ERR_USAGE, "'%s' is not a valid value for --%s.", value,
                      flag->name);
        const char *nearest = str_nearest(value, choices.items, choices.count);
        const char *all = str_join(reader->arena, &choices, ", ");
        return nearest ? err_hint(err, "Did you mean %s? It can be %s.", nearest, all)
                       : err_hint(err, "It can be %s.", all);
    }
    struct given_flag item = {.flag = flag, .value = value};
    VEC_PUSH(reader->arena, &reader->out->flags, item);
    return true;
}

static bool read_flag(struct reader *reader, const char *given, struct err *err)
{
    const struct command *command = reader->out->command;
    if (given[1] != '-') {
        const struct flag *flag =
            given[2] ? NULL : command_flag_letter(command, given[1]);
        return flag ? take_flag(reader, flag, given, NULL, err)
                    : unknown_flag(reader, given, err);
    }
    const char *equals = strchr(given, '=');
    char *name = equals ? arena_copy(reader->arena, given, (size_t)(equals - given))
                        : arena_text(reader->arena, given);
    const struct flag *flag = command_flag(command, name + 2);
    return flag ? take_flag(reader, flag, name, equals ? equals + 1 : NULL, err)
                : unknown_flag(reader, name, err);
}

static bool unknown_command(const char *word, struct err *err)
{
    if (strpbrk(word, " ?")) {
        (void)err_set(err, ERR_USAGE, "The command is missing.");
        return err_hint(err, "Did you mean: dragoman ask \"%.200s\"?", word);
    }
    const char *nearest = command_nearest(word);
    (void)err_set(err, ERR_USAGE, "Unknown command '%.200s'.", word);
    return nearest ? err_hint(err, "Did you mean 'dragoman %s'?", nearest)
                   : err_hint(err, "'dragoman help' lists the commands.");
}

static bool read_word(struct reader *reader, const char *word, struct err *err)
{
    struct arguments *out = reader->out;
    if (!out->command) {
        out->command = command_find(word);
        return out->command || unknown_command(word, err);
    }
    if (out->words.count >= out->command->most_words) {
        (void)err_set(err, ERR_USAGE,
                      "'%.200s' is an unexpected argument of 'dragoman %s'.", word,
                      out->command->name);
        return err_hint(err, "See 'dragoman %s --help'.", out->command->name);
    }
    VEC_PUSH(reader->arena, &out->words, word);
    return true;
}

bool arguments_parse(struct arguments *arguments, struct arena *arena, int argc,
                     char *const *argv, struct err *err)
{
    struct reader reader = {arguments, arena, argc, argv, 1, false};
    while (reader.at < argc) {
        const char *given = argv[reader.at++];
        bool is_flag = !reader.only_words && given[0] == '-' && given[1];
        if (is_flag && str_equal(given, "--")) {
            reader.only_words = true;
            continue;
        }
        if (!(is_flag ? read_flag(&reader, given, err)
                      : read_word(&reader, given, err))) {
            return false;
        }
    }
    const struct command *command = arguments->command;
    bool only_help =
        arguments_has(arguments, "help") || arguments_has(arguments, "version");
    if (command && !only_help && arguments->words.count < command->least_words) {
        (void)err_set(err, ERR_USAGE, "'dragoman %s' needs %s.", command->name,
                      command->words);
        return err_hint(err, "See 'dragoman %s --help'.", command->name);
    }
    return true;
}

const char *arguments_each(const struct arguments *arguments, const char *flag,
                           size_t index)
{
    for (size_t i = 0; i < arguments->flags.count; i++) {
        const struct given_flag *given = &arguments->flags.items[i];
        if (str_equal(given->flag->name, flag) && index-- == 0) {
            return given->value ? given->value : "";
        }
    }
    return NULL;
}

bool arguments_has(const struct arguments *arguments, const char *flag)
{
    return arguments_each(arguments, flag, 0) != NULL;
}

const char *arguments_value(const struct arguments *arguments, const char *flag)
{
    const char *value = NULL;
    for (size_t i = 0; arguments_each(arguments, flag, i); i++) {
        value = arguments_each(arguments, flag, i);
    }
    return value;
}
