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

/* The folder of such a loader, where the archive has its libraries. False: the process runs the
 * loader of the system. */
bool program_libraries(char *out, size_t size);

/* Is `file` such a loader? Then the program that it belongs to goes to `out`. */
bool program_of_loader(const char *file, char *out, size_t size);

#endif
