/* The files and folders that the settings name, for the sandbox. */
#ifndef DGM_SERVICE_PATHS_H
#define DGM_SERVICE_PATHS_H

#include "base/vec.h"
#include "model/options/options.h"

struct named_path {
    const char *path;
    const char *of; /* the setting or the datasource that has it */
    bool write;
};

struct named_paths {
    struct named_path *items;
    size_t count, capacity;
};

/* The paths collected so far; `home` is the user's home folder or "". */
struct paths {
    struct arena *arena;
    const char *home;
    struct named_paths list;
};

/* Adds the path itself; "" is ignored. */
void paths_add(struct paths *paths, const char *path, const char *of, bool write);
/* Adds a file that may be replaced by renaming: therefore its folder, unless that is the
 * home folder or one above it, where only the file itself is added. */
void paths_add_file(struct paths *paths, const char *path, const char *of, bool write);
/* Adds the files that a datasource reads, including those that its URL names. */
void paths_add_source(struct paths *paths, const struct datasource_setting *setting);
/* Adds the files that client libraries read for a server's URL. */
void paths_add_clients(struct paths *paths, const char *url, const char *of);

#endif
