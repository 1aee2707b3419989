/* Files that are part of the program; the table is written by cmake/Embed.cmake. */
#ifndef DGM_PROMPT_EMBEDDED_H
#define DGM_PROMPT_EMBEDDED_H

#include <stddef.h>

struct embedded_file {
    const char
        *path; /* below prompts/: "generate_sql/user.mustache"; NULL after the last */
    const char *data; /* NUL-ended */
    const char *end;  /* at the NUL */
};

extern const struct embedded_file embedded_prompts[];

#endif
