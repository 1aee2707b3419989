/* The files and folders that the settings name, for the sandbox. */
#ifndef DGM_SERVICE_PATHS_H
#define DGM_SERVICE_PATHS_H

#include "base/vec.h"
#include "model/options/options.h"

struct named_path {
    const char *path;
    const char *of; /* the setting or the datasource that names it */
    bool write;
};

struct named_paths {
    struct named_path *items;
    size_t count, capacity;
};

/* What is being collected; `home` is the user's home folder or "". */
struct paths {
    struct arena *arena;
    const char *home;
    struct named_paths list;
};

/* The path as it is. "" adds nothing. */
void paths_add(struct paths *paths, const char *path, const char *of, bool write);
/* A file that may be replaced by another of its name: the folder that it lies in, unless
 * that is the home folder or above it, where only the file itself is added. */
void paths_add_file(struct paths *paths, const char *path, const char *of, bool write);
/* What a datasource reads: its files, and files that its URL names. */
void paths_add_source(struct paths *paths, const struct datasource_setting *setting);
/* What the client libraries of a server's URL read by themselves. */
void paths_add_clients(struct paths *paths, const char *url, const char *of);

#endif
