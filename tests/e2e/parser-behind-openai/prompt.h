/*
 * What a prompt tells a model, read back out of its text: the schema, the question, the
 * conversation, the day. Whatever is not in the text is not known here.
 */
#ifndef DGM_TESTS_PROMPT_H
#define DGM_TESTS_PROMPT_H

#include <stdbool.h>

#include "sql/dialect.h"

struct arena;
struct schema;
struct value_index;

struct prompt {
    struct schema *schema;     /* yours to unref */
    struct value_index *index; /* sample values and cells; yours to unref */
    enum dialect dialect;
    const char *question;
    const char *today;
    const char *previous_question; /* or NULL */
    const char *previous_sql;
};

/* False when there is no schema or no question in it. Texts are in the arena. */
bool prompt_read(struct arena *arena, const char *user, struct prompt *out);
void prompt_release(struct prompt *prompt);

#endif
