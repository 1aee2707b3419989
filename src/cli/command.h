/*
 * What a command is: one row of data from which parsing, --help, the completions and the
 * manual page's test are made. A new command is one file under commands/ and one row in
 * commands.c.
 */
#ifndef DGM_CLI_COMMAND_H
#define DGM_CLI_COMMAND_H

#include <stdbool.h>
#include <stddef.h>

struct cli;

struct flag {
    const char *name;    /* without the dashes */
    char letter;         /* one-letter form, or 0 */
    const char *value;   /* placeholder of its value; NULL: a plain switch */
    const char *choices; /* "a|b|c": the only values; or NULL */
    const char *help;
    bool many; /* may be given more than once */
};

enum command_needs {
    NEEDS_NOTHING,    /* quick: no file is read */
    NEEDS_CONFIG,     /* the settings */
    NEEDS_INSTANCE,   /* the library opened */
    NEEDS_DATASOURCE, /* and at least one datasource known */
};

enum command_group { GROUP_ASK, GROUP_LOOK, GROUP_KEEP, GROUP_SETUP, GROUP_COUNT };

struct command {
    const char *name;
    enum command_group group;
    const char *words;    /* what follows the flags in the usage line */
    const char *summary;  /* one line */
    const char *about;    /* paragraphs */
    const char *examples; /* lines, each a command; a line that starts with # explains */
    const struct flag *flags;
    size_t flag_count;
    size_t most_words;
    size_t least_words;
    const char *word_choices; /* for completion: "bash|zsh|fish", "@file", or NULL */
    enum command_needs needs;
    int (*run)(struct cli *cli); /* returns the exit status */
};

#define FLAG_COUNT(flags) (sizeof(flags) / sizeof *(flags))

#define FLAG_SWITCH(flag, short_form, text)                                              \
    {                                                                                    \
        .name = (flag), .letter = (short_form), .help = (text)                           \
    }
#define FLAG_VALUE(flag, placeholder, text)                                              \
    {                                                                                    \
        .name = (flag), .value = (placeholder), .help = (text)                           \
    }
#define FLAG_MANY(flag, placeholder, text)                                               \
    {                                                                                    \
        .name = (flag), .value = (placeholder), .help = (text), .many = true             \
    }
#define FLAG_CHOICE(flag, placeholder, all, text)                                        \
    {                                                                                    \
        .name = (flag), .value = (placeholder), .choices = (all), .help = (text)         \
    }

/* Flags that several commands share, so that they read the same everywhere. */
#define FLAG_DB                                                                          \
    FLAG_MANY("db", "URL|PATH",                                                          \
              "Database: a configured id, a URL or a path (./folder; repeatable)")
#define FLAG_DATASET                                                                     \
    FLAG_MANY("dataset", "NAME", "Imported file, by its name (repeatable)")
#define FLAG_FORMAT                                                                      \
    FLAG_CHOICE("format", "FORMAT", "table|csv|json|markdown", "How rows are printed")
#define FLAG_ROWS                                                                        \
    FLAG_VALUE("rows", "N", "Rows of a table shown on a terminal (default 100, 0: all)")
#define FLAG_JSON(text) FLAG_SWITCH("json", 0, text)

extern const char *const command_group_titles[GROUP_COUNT];
extern const struct flag command_global_flags[];
extern const size_t command_global_flag_count;

const struct command *command_at(size_t index);       /* NULL after the last */
const struct command *command_find(const char *name); /* NULL when unknown */
const char *command_nearest(const char *name);        /* or NULL */
/* Looks in the command's flags (command may be NULL) and then in the global ones. */
const struct flag *command_flag(const struct command *command, const char *name);
const struct flag *command_flag_letter(const struct command *command, char letter);
const char *command_nearest_flag(const struct command *command, const char *name);

#endif
