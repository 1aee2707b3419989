/*
 * bin/dragoman of the relocatable archive: starts lib/dragoman/dragoman with the archive's
 * own loader and libraries. Linked statically, so it needs nothing from the system.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef __aarch64__
#define LOADER "ld-linux-aarch64.so.1"
#else
#define LOADER "ld-linux-x86-64.so.2"
#endif

enum {
    OPTIONS = 7 /* words before the program's own arguments, and NULL */
};

int main(int argc, char **argv)
{
    char folder[PATH_MAX];
    char loader[PATH_MAX + 64];
    char libraries[PATH_MAX + 64];
    char program[PATH_MAX + 64];
    ssize_t size = readlink("/proc/self/exe", folder, sizeof folder - 1);
    folder[size > 0 ? size : 0] = '\0';
    /* FOLDER/bin/dragoman */
    for (int i = 0; i < 2; i++) {
        char *slash = strrchr(folder, '/');
        if (!slash) {
            fputs("dragoman: /proc is needed to find the program's folder\n", stderr);
            return 1;
        }
        *slash = '\0';
    }
    (void)snprintf(libraries, sizeof libraries, "%s/lib", folder);
    (void)snprintf(loader, sizeof loader, "%s/lib/" LOADER, folder);
    (void)snprintf(program, sizeof program, "%s/lib/dragoman/dragoman", folder);
    char **words = calloc((size_t)argc + OPTIONS, sizeof *words);
    if (!words) {
        fputs("dragoman: out of memory\n", stderr);
        return 1;
    }
    /* libraries of the system would need the system's C library */
    char *before[] = {loader,    "--inhibit-cache",           "--library-path", libraries,
                      "--argv0", argc ? argv[0] : "dragoman", program};
    memcpy(words, before, sizeof before);
    for (int i = 1; i < argc; i++) {
        words[OPTIONS + i - 1] = argv[i];
    }
    execv(loader, words);
    perror("dragoman: the archive's loader cannot be started");
    return 1;
}
