/* The dictionary that people write while dragoman runs: a file of ours per datasource. */
#include "base/arena.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/str.h"
#include "datasource/datasource.h"
#include "datasource/dictionary/dictionary.h"
#include "model/options/options.h"

char *dictionary_own_path(struct arena *arena, const struct options *options,
                          const char *id)
{
    char name[33];
    struct hash *hash = hash_new();
    hash_text(hash, str_lower(arena, id)); /* an id may hold what no file name may */
    hash_hex(hash, name);
    hash_free(hash);
    const char *folder =
        str_empty(options->store_folder) ? folder_data(arena) : options->store_folder;
    return arena_format(arena, "%s/dictionaries/%s.yaml", folder, name);
}

static const char *path_for(struct arena *arena, const struct datasource *source)
{
    return source->described ? source->described
                             : dictionary_own_path(arena, source->options, source->id);
}

void dictionary_own_hash(const struct datasource *source, struct hash *hash)
{
    struct arena *arena = arena_new();
    const char *path = path_for(arena, source);
    if (file_exists(path)) {
        dictionary_hash(path, hash);
    }
    arena_free(arena);
}

void dictionary_own_describe(const struct datasource *source, struct schema *schema)
{
    struct arena *arena = arena_new();
    const char *path = path_for(arena, source);
    if (file_exists(path)) {
        dictionary_describe(path, schema);
    }
    arena_free(arena);
}
