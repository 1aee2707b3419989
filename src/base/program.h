/* Which file this program was started from. */
#ifndef DGM_BASE_PROGRAM_H
#define DGM_BASE_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>

/*
 * The file that starts this program again. In a relocatable archive the process runs the
 * archive's own loader (lib/ld-linux-….so); then it is bin/dragoman beside that folder.
 * False: the system does not say.
 */
bool program_path(char *out, size_t size);

/* Does this process run the loader of a relocatable archive? */
bool program_has_loader(void);

/* The folder of that loader, where the archive has its libraries; false: there is none. */
bool program_libraries(char *out, size_t size);

/* Is `file` such a loader? Then the program that it belongs to goes to `out`. */
bool program_of_loader(const char *file, char *out, size_t size);

#endif
