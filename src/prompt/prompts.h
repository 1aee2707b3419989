/*
 * The prompt files: prompts/<stage>/{system,user}.mustache and reply.json (the JSON
 * schema of the reply), embedded in the program and overridable by a folder at run time.
 * {{>name}} is prompts/partials/<name>.mustache.
 */
#ifndef DGM_PROMPT_PROMPTS_H
#define DGM_PROMPT_PROMPTS_H

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct err;
struct prompts;
struct slot;

struct prompt_text {
    const char *system; /* "" when the stage has none */
    const char *user;
    const char *schema; /* or NULL */
};

/* Compiles every prompt; a folder's files replace the built-in ones, and a stage that
 * only the folder has is there too. folder NULL or "": the built-in ones. Thread-safe
 * after. */
struct prompts *prompts_open(const char *folder, struct err *err);
void prompts_close(struct prompts *prompts);
/* Renders both texts of a stage into the arena. */
bool prompts_render(const struct prompts *prompts, struct arena *arena, const char *stage,
                    const struct slot *values, struct prompt_text *out, struct err *err);
/* Names of all stages, sorted; NULL after the last. */
const char *prompts_stage(const struct prompts *prompts, size_t index);
/* The text of one file as it is used ("generate_sql/user.mustache"), or NULL. size may be
 * NULL. Borrowed from the prompts. */
const char *prompts_raw(const struct prompts *prompts, const char *path, size_t *size);

#endif
