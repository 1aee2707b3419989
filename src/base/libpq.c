/* libpq, loaded when the first PostgreSQL database is opened. */
#include "base/libpq.h"

#include "base/library.h"

struct libpq libpq;

static void *opened;

static const char *const files[] = {"libpq.so.5", "libpq.so", "libpq.5.dylib", NULL};
/* PQ… are macros here, but an operand of # or ## is not expanded. */
static const struct library_function list[] = {
#define FUNCTION(name) LIBRARY_FUNCTION(struct libpq, name##_, #name),
#include "base/libpq.def"
#undef FUNCTION
};

static bool libpq_begin(void *handle)
{
    opened = handle;
    return true;
}

static struct library library = {
    LIBRARY(files, list, &libpq),
    .begin = libpq_begin,
    .code = ERR_DATASOURCE_KIND,
    .message = "PostgreSQL needs the library libpq, version 14 or newer, which was not "
               "found.",
    .hint = "Install libpq5 (on other systems: libpq or postgresql-libs).",
};

bool libpq_load(enum err_code code, struct err *err)
{
    if (library_load(&library, err)) {
        return true;
    }
    err->code = code;
    return false;
}

void *libpq_handle(void)
{
    return opened;
}
