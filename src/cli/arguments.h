/* The command line, read against the table of commands. */
#ifndef DGM_CLI_ARGUMENTS_H
#define DGM_CLI_ARGUMENTS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/vec.h"
#include "cli/command.h"

struct arena;
struct err;

struct given_flag {
    const struct flag *flag;
    const char *value; /* NULL for a switch */
};

struct given_flags {
    struct given_flag *items;
    size_t count;
    size_t capacity;
};

struct arguments {
    const struct command *command; /* NULL when none was named */
    struct given_flags flags;
    struct texts words;
};

/* False and ERR_USAGE when it does not fit the table; what was read so far stays. */
bool arguments_parse(struct arguments *arguments, struct arena *arena, int argc,
                     char *const *argv, struct err *err);
bool arguments_has(const struct arguments *arguments, const char *flag);
/* The last value given, or NULL. */
const char *arguments_value(const struct arguments *arguments, const char *flag);
/* The values of a repeatable flag, in order: NULL after the last. */
const char *arguments_each(const struct arguments *arguments, const char *flag,
                           size_t index);

#endif
