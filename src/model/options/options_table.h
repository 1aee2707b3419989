/* options.def as a table. */
#ifndef DGM_MODEL_OPTIONS_TABLE_H
#define DGM_MODEL_OPTIONS_TABLE_H

#include "model/options/options.h"

enum option_kind { OPTION_INT, OPTION_REAL, OPTION_BOOL, OPTION_TEXT };

/* A row of options.def as data: where the value is stored, and what it may be. */
struct option_row {
    const char *section;
    const char *name;
    const char *key; /* "section.name" */
    enum option_kind kind;
    size_t offset; /* of the field in struct options */
    const char *text_default;
    int64_t int_default;
    double real_default;
    double least;
    double most;
    const char *help;
};

struct option_alias {
    const char *from;
    const char *to;
};

struct option_section {
    const char *name;
    const char *help;
};

const struct option_row *option_row_at(size_t index);         /* NULL after the last */
const struct option_alias *option_alias_at(size_t index);     /* NULL after the last */
const struct option_section *option_section_at(size_t index); /* NULL after the last */
/* By key or older name; NULL when unknown. */
const struct option_row *option_row_find(const char *key);
/* The known key or older name nearest to a misspelt one, or NULL. */
const char *option_nearest(const char *key);
/* The words a TEXT option may hold, NULL-ended; or NULL: any. */
const char *const *option_choices(const struct option_row *row);
/* The default as a person would write it. */
char *option_default(struct arena *arena, const struct option_row *row);

/* As options_set, for a row already found; the message starts with the name given. */
bool option_apply(struct options *options, const struct option_row *row, const char *name,
                  const char *value, struct err *err);
/* Restores the default, as if it had never been set. */
void option_restore(struct options *options, enum option_index index);
/* Decides provider, model, url and key from what is given and from the environment. */
void options_decide_llm(struct options *options);

#endif
