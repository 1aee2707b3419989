/* Which file this program was started from. */
#include "base/program.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/str.h"

bool program_of_loader(const char *file, char *out, size_t size)
{
    const char *slash = strrchr(file, '/');
    if (!slash || strncmp(slash + 1, "ld-linux", 8) != 0 || !strstr(slash, ".so.")) {
        return false;
    }
    int written = snprintf(out, size, "%.*s/../bin/dragoman", (int)(slash - file), file);
    return written > 0 && (size_t)written < size;
}

/* False: the system does not say. */
static bool executed(char *out, size_t size)
{
    ssize_t length = readlink("/proc/self/exe", out, size - 1);
    out[length > 0 ? length : 0] = '\0';
    return length > 0;
}

bool program_path(char *out, size_t size)
{
    char self[4096];
    if (!executed(self, sizeof self)) {
        return false;
    }
    if (program_of_loader(self, out, size)) {
        return true;
    }
    str_put(out, size, self);
    return strlen(self) < size;
}

bool program_libraries(char *out, size_t size)
{
    char program[4096];
    bool found = executed(out, size) && program_of_loader(out, program, sizeof program);
    if (found) {
        *strrchr(out, '/') = '\0';
    }
    return found;
}
