/* Files and folders. Sizes are bounded; messages name the file but not its contents. */
#ifndef DGM_BASE_FILE_H
#define DGM_BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct arena;
struct err;

/* Reads a whole file with a NUL into the arena; an error beyond `most` bytes. */
char *file_read(struct arena *arena, const char *path, size_t most, size_t *size,
                struct err *err);
/* Writes a temporary file next to it and renames it, so that readers see the old or the
 * new content. */
bool file_write(const char *path, const void *data, size_t size, struct err *err);
/* To a descriptor: all of it, or false with errno. */
bool file_write_all(int fd, const void *data, size_t size);
/* Reads until `size` or the end of the file; -1 with errno. */
ssize_t file_read_full(int fd, void *data, size_t size);
bool file_exists(const char *path); /* a regular file, or a link to one */
bool folder_exists(const char *path);
bool folder_create(const char *path, struct err *err); /* parents too; mode 0700 */
/* All of standard input, bounded like file_read. */
char *file_read_stdin(struct arena *arena, size_t most, size_t *size, struct err *err);

/* $XDG_DATA_HOME/dragoman or ~/.local/share/dragoman; likewise for configuration. */
char *folder_data(struct arena *arena);
char *folder_config(struct arena *arena);

#endif
