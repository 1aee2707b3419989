/* Reads settings from the file, the environment and the caller. */
#include <string.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/str.h"
#include "service/instance.h"

struct dgm_config *dgm_config_new(void)
{
    struct dgm_config *config = memory_alloc(sizeof *config);
    config->options = options_new();
    return config;
}

void dgm_config_free(struct dgm_config *config)
{
    if (config) {
        options_free(config->options);
        memory_free(config->path);
        memory_free(config);
    }
}

bool dgm_config_load(struct dgm_config *config, const char *path, struct dgm_error *error)
{
    struct err err;
    err_clear(&err);
    instance_no_error(error);
    struct arena *arena = arena_new();
    if (str_empty(path)) {
        path = "dragoman.yaml";
        if (!file_exists(path)) {
            path = arena_format(arena, "%s/dragoman.yaml", folder_config(arena));
        }
        if (!file_exists(path)) {
            arena_free(arena);
            return true;
        }
    }
    bool ok = options_load(config->options, path, &err);
    if (ok) {
        memory_free(config->path);
        config->path = memory_text(path);
        config->own_from = config->options->datasources.count;
    } else {
        (void)instance_fail(error, &err);
    }
    arena_free(arena);
    return ok;
}

const char *dgm_config_path(const struct dgm_config *config)
{
    return config->path;
}

bool dgm_config_environment(struct dgm_config *config, struct dgm_error *error)
{
    struct err err;
    err_clear(&err);
    instance_no_error(error);
    bool ok = options_environment(config->options, &err) || instance_fail(error, &err);
    config->own_from = config->options->datasources.count;
    return ok;
}

bool dgm_config_set(struct dgm_config *config, const char *key, const char *value,
                    struct dgm_error *error)
{
    struct err err;
    err_clear(&err);
    instance_no_error(error);
    return options_set(config->options, key, value, &err) || instance_fail(error, &err);
}

char *dgm_config_get(const struct dgm_config *config, const char *key)
{
    struct arena *arena = arena_new();
    char *text = memory_text(options_get(config->options, arena, key));
    arena_free(arena);
    return text;
}

const char *dgm_config_key(size_t index)
{
    return options_key(index);
}

void dgm_config_clear_datasources(struct dgm_config *config)
{
    config->options->datasources.count = 0;
    config->alone = true;
    config->own_from = 0;
}

bool dgm_config_has_datasource(const struct dgm_config *config, const char *id)
{
    return options_find_datasource(config->options, id) != NULL;
}

bool dgm_config_add_datasource(struct dgm_config *config, const char *id, const char *url,
                               struct dgm_error *error)
{
    struct err err;
    err_clear(&err);
    instance_no_error(error);
    return options_add_datasource(config->options, id, url, &err) ||
           instance_fail(error, &err);
}

void dgm_config_allow_writes(struct dgm_config *config)
{
    for (size_t i = config->own_from; i < config->options->datasources.count; i++) {
        config->options->datasources.items[i].writable = true;
    }
}

char *dgm_config_reference(void)
{
    struct buf buf;
    buf_init(&buf, 1 << 20);
    options_markdown(&buf);
    return buf_take(&buf);
}
