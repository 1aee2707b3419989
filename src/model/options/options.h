/*
 * All settings in one struct. Sources, later ones win: built-in defaults, dragoman.yaml,
 * the environment, flags. Immutable once in use: a reload creates another one.
 */
#ifndef DGM_MODEL_OPTIONS_H
#define DGM_MODEL_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"
#include "model/policy.h"

struct buf;
struct err;

#define OPTION_C_INT  int64_t
#define OPTION_C_REAL double
#define OPTION_C_BOOL bool
#define OPTION_C_TEXT const char *

/* One `datasources:` entry of the file, or one --db flag. */
struct datasource_setting {
    const char *id;
    const char *url;         /* may hold a password: never printed */
    const char *description; /* or NULL */
    const char *dictionary;  /* path of a file that describes its tables; or NULL */
    bool writable;
    bool allow_superuser; /* accept a login with administrator rights */
    bool allow_own_types; /* accept types that call functions of the database */
    bool added; /* added at run time: restricted by sources.* whenever it is opened */
    const char *owner; /* of a dataset: the only account that may see it; else NULL */
    const char *name;  /* of a dataset: its name for the owner; else NULL */
    const struct policy *policy; /* restricts what accounts may see; NULL: everything */
};

struct datasource_settings {
    struct datasource_setting *items;
    size_t count;
    size_t capacity;
};

/* One number per setting: OPTION_llm_model, … */
enum option_index {
#define SECTION(section, help)
#define OPTION(section, name, type, fallback, least, most, help)                         \
    OPTION_##section##_##name,
#define ALIAS(from, to)
#include "model/options/options.def"
#undef SECTION
#undef OPTION
#undef ALIAS
    OPTION_COUNT
};

struct options {
    struct arena *arena; /* holds every text */
#define SECTION(section, help)
#define OPTION(section, name, type, fallback, least, most, help)                         \
    OPTION_C_##type section##_##name;
#define ALIAS(from, to)
#include "model/options/options.def"
#undef SECTION
#undef OPTION
#undef ALIAS
    struct datasource_settings datasources;
    struct texts notes;       /* notes about accepted but unused or renamed keys */
    bool given[OPTION_COUNT]; /* set explicitly, not the default */
    const char *model_asked;  /* llm.model as configured, with its prefix */
    bool environment_read;    /* llm.* also uses the environment from then on */
    /* the datasource "default" is dropped if there is another one */
    bool default_from_environment;
};

struct options *options_new(void); /* the defaults */
struct options *options_clone(const struct options *options);
void options_free(struct options *options);

/* Sets one by key or by an older name. An unknown key names the nearest known one. */
bool options_set(struct options *options, const char *key, const char *value,
                 struct err *err);
/* A whole file: unknown key or wrong type is an error with file, line and column.
 * ${VAR} and ${VAR:default} are replaced in values. */
bool options_load(struct options *options, const char *path, struct err *err);
bool options_parse(struct options *options, const char *name, const char *yaml,
                   size_t size, struct err *err);
/*
 * DRAGOMAN_*; OPENAI_API_KEY, OPENAI_BASE_URL, ANTHROPIC_API_KEY, OLLAMA_HOST and the
 * like. llm.provider is known after each llm.* setting ("" when there is no model) and
 * after this, and llm.url and llm.key are those of the provider.
 */
bool options_environment(struct options *options, struct err *err);
/* id NULL or "": derived from the url. A datasource with the same id is replaced. */
bool options_add_datasource(struct options *options, const char *id, const char *url,
                            struct err *err);

struct datasource_setting *options_find_datasource(const struct options *options,
                                                   const char *id); /* or NULL */

/* Does the setting with this index (see options_key) differ? */
bool options_differ(const struct options *left, const struct options *right,
                    size_t index);
void options_take(struct options *to, const struct options *from, size_t index);
/* Equal except for where they were configured? */
bool datasource_settings_equal(const struct datasource_setting *left,
                               const struct datasource_setting *right);

/* Value as text; secrets as "***". NULL for an unknown key. */
char *options_get(const struct options *options, struct arena *arena, const char *key);
/* docs/configuration.md */
void options_markdown(struct buf *out);
/* Walks the keys: NULL after the last. */
const char *options_key(size_t index);
const char *options_help(size_t index);

#endif
