/* The table of commands, in the order in which help shows them, and the global flags. */
#include "cli/command.h"

#include <string.h>

#include "base/str.h"

extern const struct command command_ask, command_chat, command_sql, command_serve,
    command_schema, command_states, command_guard, command_doctor, command_selftest,
    command_sessions, command_lessons, command_history, command_saved, command_dataset,
    command_source, command_keys, command_answer, command_replay, command_backup,
    command_restore, command_sample, command_config, command_features, command_eval,
    command_completion, command_help, command_version, command_mcp;

static const struct command *const table[] = {
    &command_ask,     &command_chat,       &command_sql,      &command_serve,
    &command_mcp,     &command_schema,     &command_guard,    &command_states,
    &command_doctor,  &command_selftest,   &command_sessions, &command_lessons,
    &command_history, &command_saved,      &command_dataset,  &command_source,
    &command_keys,    &command_answer,     &command_replay,   &command_backup,
    &command_restore, &command_sample,     &command_config,   &command_features,
    &command_eval,    &command_completion, &command_help,     &command_version,
};

enum { COMMAND_COUNT = sizeof table / sizeof *table, MOST_FLAGS = 64 };

const char *const command_group_titles[GROUP_COUNT] = {
    [GROUP_ASK] = "Ask",
    [GROUP_LOOK] = "Inspect and test",
    [GROUP_KEEP] = "Stored data",
    [GROUP_SETUP] = "Set up",
};

const struct flag command_global_flags[] = {
    FLAG_VALUE("config", "FILE",
               "Settings file (default: ./dragoman.yaml, then the one in your home)"),
    FLAG_MANY("set", "KEY=VALUE",
              "Set one setting; overrides file and environment (repeatable)"),
    FLAG_VALUE("dictionary", "FILE",
               "File that describes tables and columns (sets schema.dictionary)"),
    FLAG_VALUE("data", "DIR", "Data folder (sets store.folder)"),
    FLAG_SWITCH("quiet", 'q', "No progress, notes or warnings"),
    FLAG_SWITCH("verbose", 'v', "Write a detailed log (sets log.level=debug)"),
    FLAG_CHOICE("color", "WHEN", "auto|always|never", "Colours (default: on a terminal)"),
    FLAG_SWITCH("help", 'h', "Show help and exit"),
    FLAG_SWITCH("version", 'V', "Show the version and exit"),
};
const size_t command_global_flag_count = FLAG_COUNT(command_global_flags);

const struct command *command_at(size_t index)
{
    return index < COMMAND_COUNT ? table[index] : NULL;
}

const struct command *command_find(const char *name)
{
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        if (str_equal(table[i]->name, name)) {
            return table[i];
        }
    }
    return NULL;
}

const char *command_nearest(const char *name)
{
    const char *names[COMMAND_COUNT];
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        names[i] = table[i]->name;
    }
    return str_nearest(name, names, COMMAND_COUNT);
}

const struct flag *command_flag(const struct command *command, const char *name)
{
    for (size_t i = 0; command && i < command->flag_count; i++) {
        if (str_equal(command->flags[i].name, name)) {
            return &command->flags[i];
        }
    }
    for (size_t i = 0; i < command_global_flag_count; i++) {
        if (str_equal(command_global_flags[i].name, name)) {
            return &command_global_flags[i];
        }
    }
    return NULL;
}

const struct flag *command_flag_letter(const struct command *command, char letter)
{
    for (size_t i = 0; command && letter && i < command->flag_count; i++) {
        if (command->flags[i].letter == letter) {
            return &command->flags[i];
        }
    }
    for (size_t i = 0; letter && i < command_global_flag_count; i++) {
        if (command_global_flags[i].letter == letter) {
            return &command_global_flags[i];
        }
    }
    return NULL;
}

const char *command_nearest_flag(const struct command *command, const char *name)
{
    const char *names[MOST_FLAGS];
    size_t count = 0;
    for (size_t i = 0; command && i < command->flag_count && count < MOST_FLAGS; i++) {
        names[count++] = command->flags[i].name;
    }
    for (size_t i = 0; i < command_global_flag_count && count < MOST_FLAGS; i++) {
        names[count++] = command_global_flags[i].name;
    }
    return str_nearest(name, names, count);
}
