/* Reads environment variables, and finds the model service from them. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "base/str.h"
#include "model/options/options_table.h"

static const char prefix[] = "DRAGOMAN_";

enum { NAMES_MOST = 4 };

/* A provider, where its settings stand in the environment, and its model by default. */
struct provider {
    const char *name;
    const char *key_names[NAMES_MOST];
    const char *url_names[NAMES_MOST];
    const char *model_names[NAMES_MOST];
    const char *model;
};

/* In the order in which they are looked for. */
static const struct provider providers[] = {
    {"openai",
     {"OPENAI_API_KEY"},
     {"OPENAI_BASE_URL", "OPENAI_API_BASE", "OPENAI_API_ENDPOINT"},
     {"OPENAI_MODEL"},
     NULL},
    {"anthropic",
     {"ANTHROPIC_API_KEY"},
     {"ANTHROPIC_BASE_URL"},
     {"ANTHROPIC_MODEL"},
     "claude-sonnet-4-5"},
    {"ollama", {"OLLAMA_API_KEY"}, {"OLLAMA_HOST"}, {"OLLAMA_MODEL"}, "llama3.1"},
    {"scripted", {NULL}, {NULL}, {NULL}, "scripted"},
};

enum { PROVIDER_COUNT = sizeof providers / sizeof *providers };

static const struct provider *provider_find(const char *name, size_t size)
{
    for (size_t i = 0; i < PROVIDER_COUNT; i++) {
        if (strlen(providers[i].name) == size &&
            strncmp(providers[i].name, name, size) == 0) {
            return &providers[i];
        }
    }
    return NULL;
}

/* NULL until the environment is read. */
static const char *first_set(const struct options *options, const char *const *names)
{
    for (size_t i = 0; options->environment_read && i < NAMES_MOST && names[i]; i++) {
        const char *value = getenv(names[i]);
        if (!str_empty(value)) {
            return value;
        }
    }
    return NULL;
}

/*
 * "anthropic/claude-…", "ollama:llama3": the provider named in front of a model. A
 * gateway has models of its own with a slash, so with a url given only the colon counts.
 */
static const struct provider *provider_of_model(const struct options *options)
{
    const char *model = options->given[OPTION_llm_model] ? options->model_asked : "";
    size_t size = strcspn(model, "/:");
    const struct provider *provider = model[size] ? provider_find(model, size) : NULL;
    bool openai = !options->given[OPTION_llm_provider] ||
                  str_equal(options->llm_provider, providers[0].name);
    bool gateway = options->given[OPTION_llm_url] ||
                   (openai && first_set(options, providers[0].url_names));
    if (!provider || (model[size] == '/' && gateway) ||
        (options->given[OPTION_llm_provider] &&
         !str_equal(options->llm_provider, provider->name))) {
        return NULL;
    }
    return provider;
}

static const struct provider *provider_of_settings(const struct options *options)
{
    if (!str_empty(options->llm_script)) {
        return provider_find("scripted", strlen("scripted"));
    }
    if (options->given[OPTION_llm_url] && *options->llm_url) {
        bool anthropic = str_contains_nocase(options->llm_url, "anthropic.com");
        return &providers[anthropic ? 1 : 0];
    }
    if (options->given[OPTION_llm_key] && *options->llm_key) {
        return &providers[str_starts(options->llm_key, "sk-ant-") ? 1 : 0];
    }
    return NULL;
}

static const struct provider *provider_of_environment(const struct options *options)
{
    bool claude = options->given[OPTION_llm_model] &&
                  str_starts_nocase(options->model_asked, "claude");
    if (claude && first_set(options, providers[1].key_names)) {
        return &providers[1];
    }
    for (size_t i = 0; i < PROVIDER_COUNT; i++) {
        bool keyed = !str_equal(providers[i].name, "ollama");
        if ((keyed && first_set(options, providers[i].key_names)) ||
            (!str_equal(providers[i].name, "anthropic") &&
             first_set(options, providers[i].url_names))) {
            return &providers[i];
        }
    }
    return NULL;
}

/* OLLAMA_HOST is "host", "host:port" or a url; 0.0.0.0 is where a server listens. */
static const char *ollama_url(struct arena *arena, const char *host)
{
    if (strstr(host, "://")) {
        return host;
    }
    const char *port = strrchr(host, ':');
    bool everywhere = str_starts(host, "0.0.0.0") || *host == ':';
    size_t name_size = port ? (size_t)(port - host) : strlen(host);
    return arena_format(arena, "http://%.*s%s", everywhere ? 9 : (int)name_size,
                        everywhere ? "127.0.0.1" : host, port ? port : ":11434");
}

static void set_text(struct options *options, const char **out, const char *value)
{
    if (value) {
        *out = arena_text(options->arena, value);
    }
}

static void take_from_environment(struct options *options,
                                  const struct provider *provider)
{
    if (!options->given[OPTION_llm_url]) {
        const char *url = first_set(options, provider->url_names);
        bool host = url && str_equal(provider->name, "ollama");
        set_text(options, &options->llm_url,
                 host ? ollama_url(options->arena, url) : url);
    }
    if (!options->given[OPTION_llm_key]) {
        set_text(options, &options->llm_key, first_set(options, provider->key_names));
    }
    if (!options->given[OPTION_llm_model]) {
        const char *model = first_set(options, provider->model_names);
        set_text(options, &options->llm_model, model ? model : provider->model);
    }
}

void options_decide_llm(struct options *options)
{
    static const enum option_index decided[] = {OPTION_llm_provider, OPTION_llm_url,
                                                OPTION_llm_key, OPTION_llm_model};
    for (size_t i = 0; i < sizeof decided / sizeof *decided; i++) {
        if (!options->given[decided[i]]) {
            option_restore(options, decided[i]);
        }
    }
    if (options->given[OPTION_llm_model]) {
        options->llm_model = options->model_asked;
    }
    const struct provider *named = provider_of_model(options);
    if (named) { /* what follows the prefix is the model's own name */
        options->llm_model = options->model_asked + strlen(named->name) + 1;
    }
    const struct provider *provider = named;
    if (!provider && options->given[OPTION_llm_provider]) {
        provider = provider_find(options->llm_provider, strlen(options->llm_provider));
    } else if (!provider) {
        provider = provider_of_settings(options);
        provider = provider ? provider : provider_of_environment(options);
    }
    if (provider) {
        options->llm_provider = provider->name;
        take_from_environment(options, provider);
    }
}

static char *variable_name(struct arena *arena, const struct option_row *row)
{
    char *name = arena_format(arena, "%s%s_%s", prefix, row->section, row->name);
    for (char *c = name; *c; c++) {
        *c = (char)toupper((unsigned char)*c);
    }
    return name;
}

/* A misspelt variable is silent otherwise; only names that start like a section's count,
 * as other programs may have a DRAGOMAN_ of their own. */
static void note_unknown(struct options *options, const char *const *names)
{
    for (char **entry = environ; entry && *entry; entry++) {
        size_t size = strcspn(*entry, "=");
        char *name = arena_copy(options->arena, *entry, size);
        bool ours = false;
        for (size_t i = 0; str_starts(name, prefix) && option_section_at(i); i++) {
            const char *section = option_section_at(i)->name;
            const char *rest = name + strlen(prefix);
            ours = ours ||
                   (str_starts_nocase(rest, section) && rest[strlen(section)] == '_');
        }
        for (size_t i = 0; ours && i < OPTION_COUNT; i++) {
            ours = !str_equal(names[i], name) &&
                   !(str_starts(name, names[i]) &&
                     str_equal(name + strlen(names[i]), "_FILE"));
        }
        if (ours) {
            const char *nearest = str_nearest(name, names, OPTION_COUNT);
            VEC_PUSH(options->arena, &options->notes,
                     arena_format(options->arena, "%s is not a setting.%s%s%s", name,
                                  nearest ? " Did you mean " : "", nearest ? nearest : "",
                                  nearest ? "?" : ""));
        }
    }
}

static bool take_database(struct options *options, struct err *err)
{
    static const char *const names[NAMES_MOST] = {"DATABASE_URL", "DSN"};
    const char *url = first_set(options, names);
    if (!url || options->datasources.count) {
        return true;
    }
    if (!options_add_datasource(options, "default", url, err)) {
        return false;
    }
    options->default_from_environment = true;
    return true;
}

/* DRAGOMAN_LLM_KEY_FILE=/run/secrets/key: the first line of that file, as containers have
 * it. */
static const char *value_from_file(struct options *options, const char *name,
                                   struct err *err)
{
    enum { SECRET_MOST = 65536 };
    const char *path = getenv(arena_format(options->arena, "%s_FILE", name));
    if (str_empty(path)) {
        return NULL;
    }
    size_t size = 0;
    char *text = file_read(options->arena, path, SECRET_MOST, &size, err);
    if (!text) {
        (void)err_set(err, ERR_CONFIG, "The file that %s_FILE names cannot be read.",
                      name);
        return NULL;
    }
    text[strcspn(text, "\r\n")] = '\0';
    return text;
}

bool options_environment(struct options *options, struct err *err)
{
    err_clear(err);
    const char *names[OPTION_COUNT];
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        const struct option_row *row = option_row_at(i);
        names[i] = variable_name(options->arena, row);
        const char *value = getenv(names[i]);
        value = value ? value : value_from_file(options, names[i], err);
        if (err->code != ERR_OK) {
            return false;
        }
        bool there = value && (*value || row->kind == OPTION_TEXT);
        if (there && !option_apply(options, row, names[i], value, err)) {
            return false;
        }
    }
    note_unknown(options, names);
    options->environment_read = true;
    options_decide_llm(options);
    return take_database(options, err);
}
