/* The prompt files, built in or from a folder, compiled once. */
#include "prompt/prompts.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/file.h"
#include "base/json.h"
#include "base/log.h"
#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"
#include "prompt/embedded.h"
#include "prompt/template.h"

enum {
    MOST_FILE = 1024 * 1024,
    MOST_PROMPT = 16 * 1024 * 1024, /* four million tokens, the largest context */
};

struct prompt_file {
    const char *path;
    const char *text;
    size_t size;
    bool built_in;
};

struct prompt_stage {
    const char *name;
    struct template *system;
    struct template *user;
    const char *schema;
};

struct prompt_stages {
    struct prompt_stage *items;
    size_t count;
    size_t capacity;
};

struct prompts {
    struct arena *arena;
    struct map files; /* path -> struct prompt_file */
    struct prompt_stages stages;
};

/* The three files of a stage and what becomes of each. */
static const char *const stage_files[] = {"system.mustache", "user.mustache",
                                          "reply.json"};

static void file_put(struct prompts *prompts, const char *path, const char *text,
                     size_t size, bool built_in)
{
    struct prompt_file *file = ARENA_NEW(prompts->arena, struct prompt_file);
    *file = (struct prompt_file){path, text, size, built_in};
    (void)map_set(&prompts->files, path, file);
}

static bool file_load(struct prompts *prompts, const char *folder, const char *path,
                      struct err *err)
{
    char *full = arena_format(prompts->arena, "%s/%s", folder, path);
    if (!file_exists(full)) {
        return true;
    }
    size_t size = 0;
    char *text = file_read(prompts->arena, full, MOST_FILE, &size, err);
    if (!text) {
        return false;
    }
    struct err broken = {0};
    if (str_ends(path, ".json") && !json_parse(prompts->arena, text, size, &broken)) {
        return err_set(err, ERR_CONFIG, "Prompt %s: %s", path, broken.message);
    }
    if (!str_starts(path, "partials/") && !map_has(&prompts->files, path)) {
        LOG(LOG_BASE, LOG_INFO, "prompt.folder: '%s' replaces no built-in prompt", path);
    }
    file_put(prompts, path, text, size, false);
    return true;
}

static bool ends_as_prompt(const char *name)
{
    return str_ends(name, ".mustache") || str_ends(name, ".json");
}

static bool subfolder_load(struct prompts *prompts, const char *folder, const char *sub,
                           struct err *err)
{
    DIR *directory = opendir(arena_format(prompts->arena, "%s/%s", folder, sub));
    bool ok = true;
    struct dirent *entry = NULL;
    while (ok && directory && (entry = readdir(directory))) {
        if (entry->d_name[0] != '.' && ends_as_prompt(entry->d_name)) {
            char *path = arena_format(prompts->arena, "%s/%s", sub, entry->d_name);
            ok = file_load(prompts, folder, path, err);
        }
    }
    if (directory) {
        (void)closedir(directory);
    }
    return ok;
}

static bool folder_load(struct prompts *prompts, const char *folder, struct err *err)
{
    DIR *directory = opendir(folder);
    if (!directory) {
        return err_set(err, ERR_CONFIG,
                       "The folder '%s' of prompt.folder cannot be read.", folder);
    }
    bool ok = true;
    struct dirent *entry = NULL;
    while (ok && (entry = readdir(directory))) {
        if (entry->d_name[0] != '.') {
            ok = subfolder_load(prompts, folder, entry->d_name, err);
        }
    }
    (void)closedir(directory);
    return ok;
}

static bool partial_find(void *context, const char *name, const char **text, size_t *size)
{
    const struct prompts *prompts = context;
    char path[256];
    if (strlen(name) > 200) {
        return false;
    }
    (void)snprintf(path, sizeof path, "partials/%s.mustache", name);
    *text = prompts_raw(prompts, path, size);
    return *text != NULL;
}

static bool compile_file(struct prompts *prompts, const char *stage, const char *file,
                         struct template **out, struct err *err)
{
    const char *path = arena_format(prompts->arena, "%s/%s", stage, file);
    size_t size = 0;
    const char *text = prompts_raw(prompts, path, &size);
    if (!text) {
        return true;
    }
    struct template_partials partials = {.find = partial_find, .context = prompts};
    *out = template_compile_with(prompts->arena, path, text, size, &partials, err);
    return *out != NULL;
}

static bool stage_compile(struct prompts *prompts, struct prompt_stage *stage,
                          struct err *err)
{
    const char *schema = arena_format(prompts->arena, "%s/reply.json", stage->name);
    stage->schema = prompts_raw(prompts, schema, NULL);
    return compile_file(prompts, stage->name, "system.mustache", &stage->system, err) &&
           compile_file(prompts, stage->name, "user.mustache", &stage->user, err);
}

static int stage_order(const void *a, const void *b)
{
    const struct prompt_stage *left = a;
    const struct prompt_stage *right = b;
    return strcmp(left->name, right->name);
}

static struct prompt_stage *stage_find(const struct prompts *prompts, const char *name)
{
    struct prompt_stage key = {.name = name};
    return prompts->stages.count ? bsearch(&key, prompts->stages.items,
                                           prompts->stages.count, sizeof key, stage_order)
                                 : NULL;
}

/* A file "<stage>/<one of stage_files>" makes a stage; partials and others do not. */
static void stage_note(struct prompts *prompts, struct map *seen, const char *path)
{
    const char *slash = strchr(path, '/');
    bool known = false;
    for (size_t i = 0; slash && i < sizeof stage_files / sizeof stage_files[0]; i++) {
        known = known || str_equal(slash + 1, stage_files[i]);
    }
    if (!known) {
        return;
    }
    char *name = arena_copy(prompts->arena, path, (size_t)(slash - path));
    if (!map_set(seen, name, prompts)) {
        VEC_ADD(prompts->arena, &prompts->stages)->name = name;
    }
}

static bool stages_compile(struct prompts *prompts, struct err *err)
{
    struct map seen;
    map_init(&seen, false);
    struct map_entry *entry = NULL;
    for (size_t at = 0; (entry = map_next(&prompts->files, &at));) {
        stage_note(prompts, &seen, entry->key);
    }
    map_release(&seen);
    if (prompts->stages.count) {
        qsort(prompts->stages.items, prompts->stages.count, sizeof(struct prompt_stage),
              stage_order);
    }
    for (size_t i = 0; i < prompts->stages.count; i++) {
        if (!stage_compile(prompts, &prompts->stages.items[i], err)) {
            return false;
        }
    }
    return true;
}

struct prompts *prompts_open(const char *folder, struct err *err)
{
    struct arena *arena = arena_new();
    struct prompts *prompts = ARENA_NEW(arena, struct prompts);
    prompts->arena = arena;
    map_init(&prompts->files, false);
    for (const struct embedded_file *file = embedded_prompts; file->path; file++) {
        file_put(prompts, file->path, file->data, (size_t)(file->end - file->data), true);
    }
    bool ok = str_empty(folder) || folder_load(prompts, folder, err);
    if (!ok || !stages_compile(prompts, err)) {
        prompts_close(prompts);
        return NULL;
    }
    return prompts;
}

void prompts_close(struct prompts *prompts)
{
    if (prompts) {
        map_release(&prompts->files);
        arena_free(prompts->arena);
    }
}

static bool render(const struct template *template, struct arena *arena,
                   const struct slot *values, struct buf *buf, const char **out,
                   struct err *err)
{
    buf_clear(buf);
    *out = "";
    if (!template) {
        return true;
    }
    if (!template_render(template, values, buf, err)) {
        return false;
    }
    *out = buf_clone(buf, arena);
    return true;
}

bool prompts_render(const struct prompts *prompts, struct arena *arena, const char *stage,
                    const struct slot *values, struct prompt_text *out, struct err *err)
{
    const struct prompt_stage *found = stage_find(prompts, stage);
    if (!found) {
        return err_set(err, ERR_INTERNAL, "There is no prompt for the stage '%s'.",
                       stage);
    }
    struct buf buf;
    buf_init(&buf, MOST_PROMPT);
    bool ok = render(found->system, arena, values, &buf, &out->system, err) &&
              render(found->user, arena, values, &buf, &out->user, err);
    buf_release(&buf);
    out->schema = found->schema;
    return ok;
}

const char *prompts_stage(const struct prompts *prompts, size_t index)
{
    return index < prompts->stages.count ? prompts->stages.items[index].name : NULL;
}

const char *prompts_raw(const struct prompts *prompts, const char *path, size_t *size)
{
    const struct prompt_file *file = map_get(&prompts->files, path);
    if (file && size) {
        *size = file->size;
    }
    return file ? file->text : NULL;
}
