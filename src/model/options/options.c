/* Defaults, setting and reading one value, copying. */
#include "model/options/options.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "base/utf8.h"
#include "model/options/options_table.h"

/* The field of a row. The table knows the type; callers cast accordingly. */
static void *field(struct options *options, const struct option_row *row)
{
    return (char *)options + row->offset;
}

static const void *field_get(const struct options *options, const struct option_row *row)
{
    return (const char *)options + row->offset;
}

void option_restore(struct options *options, enum option_index index)
{
    const struct option_row *row = option_row_at(index);
    void *at = field(options, row);
    switch (row->kind) {
    case OPTION_INT:
        *(int64_t *)at = row->int_default;
        break;
    case OPTION_REAL:
        *(double *)at = row->real_default;
        break;
    case OPTION_BOOL:
        *(bool *)at = row->int_default != 0;
        break;
    case OPTION_TEXT:
        *(const char **)at = row->text_default;
        break;
    }
    options->given[index] = false;
}

struct options *options_new(void)
{
    struct arena *arena = arena_new();
    struct options *options = ARENA_NEW(arena, struct options);
    options->arena = arena;
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        option_restore(options, (enum option_index)i);
    }
    return options;
}

void options_free(struct options *options)
{
    if (options) {
        arena_free(options->arena);
    }
}

static void copy_datasources(struct options *copy, const struct options *options)
{
    copy->datasources = (struct datasource_settings){0};
    for (size_t i = 0; i < options->datasources.count; i++) {
        const struct datasource_setting *from = &options->datasources.items[i];
        struct datasource_setting *to = VEC_ADD(copy->arena, &copy->datasources);
        to->id = arena_text(copy->arena, from->id);
        to->url = arena_text(copy->arena, from->url);
        to->description = arena_text(copy->arena, from->description);
        to->dictionary = arena_text(copy->arena, from->dictionary);
        to->writable = from->writable;
        to->allow_superuser = from->allow_superuser;
        to->allow_own_types = from->allow_own_types;
        to->policy = policy_clone(copy->arena, from->policy);
    }
}

struct options *options_clone(const struct options *options)
{
    struct arena *arena = arena_new();
    struct options *copy = ARENA_NEW(arena, struct options);
    *copy = *options;
    copy->arena = arena;
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        const struct option_row *row = option_row_at(i);
        if (row->kind == OPTION_TEXT) {
            const char **text = field(copy, row);
            *text = arena_text(arena, *text);
        }
    }
    copy->model_asked = arena_text(arena, options->model_asked);
    copy_datasources(copy, options);
    copy->notes = (struct texts){0};
    for (size_t i = 0; i < options->notes.count; i++) {
        VEC_PUSH(arena, &copy->notes, arena_text(arena, options->notes.items[i]));
    }
    return copy;
}

static bool set_int(struct options *options, const struct option_row *row,
                    const char *name, const char *value, struct err *err)
{
    int64_t number = 0;
    if (!str_to_int(value, &number) || (double)number < row->least ||
        (double)number > row->most) {
        return err_set(err, ERR_CONFIG,
                       "'%s' must be a whole number from %.0f to %.0f, but is '%s'.",
                       name, row->least, row->most, value);
    }
    *(int64_t *)field(options, row) = number;
    return true;
}

static bool set_real(struct options *options, const struct option_row *row,
                     const char *name, const char *value, struct err *err)
{
    double number = 0;
    if (!str_to_real(value, &number) || number < row->least || number > row->most) {
        return err_set(err, ERR_CONFIG,
                       "'%s' must be a number from %g to %g, but is '%s'.", name,
                       row->least, row->most, value);
    }
    *(double *)field(options, row) = number;
    return true;
}

static bool set_bool(struct options *options, const struct option_row *row,
                     const char *name, const char *value, struct err *err)
{
    if (!str_to_bool(value, field(options, row))) {
        return err_set(err, ERR_CONFIG, "'%s' must be true or false, but is '%s'.", name,
                       value);
    }
    return true;
}

static bool refuse_choice(const char *const *words, const char *name, const char *value,
                          struct err *err)
{
    char list[200] = "";
    size_t size = 0;
    for (; *words && **words; words++) {
        int wrote =
            snprintf(list + size, sizeof list - size, "%s%s", size ? ", " : "", *words);
        size += wrote > 0 ? (size_t)wrote : 0;
    }
    return err_set(err, ERR_CONFIG, "'%s' must be one of %s, but is '%s'.", name, list,
                   value);
}

static bool set_text(struct options *options, const struct option_row *row,
                     const char *name, const char *value, struct err *err)
{
    if ((double)strlen(value) > row->most) { /* not shown: it may be a secret */
        return err_set(err, ERR_CONFIG, "'%s' must be at most %.0f bytes long.", name,
                       row->most);
    }
    if (!utf8_valid(value, strlen(value), NULL)) {
        return err_set(err, ERR_CONFIG, "'%s' must be valid UTF-8 text.", name);
    }
    const char *const *words = option_choices(row);
    bool known = !words;
    for (size_t i = 0; words && words[i]; i++) {
        known = known || str_equal(words[i], value);
    }
    if (!known) {
        return refuse_choice(words, name, value, err);
    }
    *(const char **)field(options, row) = arena_text(options->arena, value);
    return true;
}

static void add_notes(struct options *options, enum option_index index, const char *name)
{
    struct arena *arena = options->arena;
    if (index == OPTION_agent_table_ambiguity_threshold) {
        VEC_PUSH(arena, &options->notes,
                 arena_format(arena, "'%s' is accepted, but not used.", name));
    } else if (str_ends(name, "max_retries") && index == OPTION_agent_max_sql_attempts) {
        VEC_PUSH(
            arena, &options->notes,
            arena_format(arena,
                         "'%s' is read as agent.max_sql_attempts: SQL texts tried in "
                         "all, the first one included.",
                         name));
    }
}

bool option_apply(struct options *options, const struct option_row *row, const char *name,
                  const char *value, struct err *err)
{
    static bool (*const setters[])(struct options * options, const struct option_row *row,
                                   const char *name, const char *value,
                                   struct err *err) = {
        [OPTION_INT] = set_int,
        [OPTION_REAL] = set_real,
        [OPTION_BOOL] = set_bool,
        [OPTION_TEXT] = set_text,
    };
    if (!setters[row->kind](options, row, name, value, err)) {
        return false;
    }
    enum option_index index = (enum option_index)(row - option_row_at(0));
    options->given[index] = true;
    if (index == OPTION_llm_model) {
        options->model_asked = options->llm_model;
    }
    add_notes(options, index, name);
    if (str_equal(row->section, "llm")) {
        options_decide_llm(options);
    }
    return true;
}

bool options_set(struct options *options, const char *key, const char *value,
                 struct err *err)
{
    const struct option_row *row = option_row_find(key);
    if (row) {
        return option_apply(options, row, key, value, err);
    }
    const char *nearest = option_nearest(key);
    return nearest ? err_set(err, ERR_CONFIG, "Unknown key '%s'. Did you mean '%s'?", key,
                             nearest)
                   : err_set(err, ERR_CONFIG, "Unknown key '%s'.", key);
}

/* Stars in the place of user and password. */
static char *without_credentials(struct arena *arena, const char *text)
{
    const char *start = strstr(text, "://");
    const char *authority = start ? start + 3 : text;
    size_t length = strcspn(authority, "/?#");
    const char *at = start ? memrchr(authority, '@', length) : NULL;
    if (!at) {
        return arena_text(arena, text);
    }
    return arena_format(arena, "%.*s***%s", (int)(authority - text), text, at);
}

static char *print_text(struct arena *arena, const struct option_row *row,
                        const char *text)
{
    if (row == option_row_at(OPTION_llm_key) ||
        row == option_row_at(OPTION_oidc_client_secret) ||
        row == option_row_at(OPTION_policy_hash_key)) {
        return arena_text(arena, *text ? "***" : "");
    }
    return without_credentials(arena, text);
}

char *options_get(const struct options *options, struct arena *arena, const char *key)
{
    const struct option_row *row = option_row_find(key);
    if (!row) {
        return NULL;
    }
    const void *at = field_get(options, row);
    switch (row->kind) {
    case OPTION_INT:
        return arena_format(arena, "%" PRId64, *(const int64_t *)at);
    case OPTION_REAL:
        return arena_format(arena, "%.15g", *(const double *)at);
    case OPTION_BOOL:
        return arena_text(arena, *(const bool *)at ? "true" : "false");
    case OPTION_TEXT:
        return print_text(arena, row, *(const char *const *)at);
    }
    return NULL;
}

const char *options_key(size_t index)
{
    const struct option_row *row = option_row_at(index);
    return row ? row->key : NULL;
}

const char *options_help(size_t index)
{
    const struct option_row *row = option_row_at(index);
    return row ? row->help : NULL;
}
