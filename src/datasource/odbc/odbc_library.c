/* The ODBC driver manager, loaded when the first such source is opened. */
#include "datasource/odbc/odbc_library.h"

#include "base/library.h"

struct odbc_library odbc;

static const char *const files[] = {"libodbc.so.2", "libodbc.so", "libodbc.2.dylib",
                                    NULL};
static const struct library_function list[] = {
#define FUNCTION(name) LIBRARY_FUNCTION(struct odbc_library, name, "SQL" #name),
#include "datasource/odbc/odbc_library.def"
#undef FUNCTION
};

/* PostgreSQL's driver converts text by the locale, and gives up on letters that it cannot
 * hold. The process's own locale is not ours to change; that of a job's thread is. */
static locale_t locale_find(void)
{
    static const char *const names[] = {"C.UTF-8", "C.utf8", "en_US.UTF-8"};
    locale_t locale = (locale_t)0;
    for (size_t i = 0; !locale && i < sizeof names / sizeof *names; i++) {
        locale = newlocale(LC_CTYPE_MASK, names[i], (locale_t)0);
    }
    return locale;
}

static bool odbc_library_begin(void *handle)
{
    SQLPOINTER version = (SQLPOINTER)SQL_OV_ODBC3; /* NOLINT: as the standard has it */
    (void)handle;
    odbc.locale = locale_find();
    return SQL_SUCCEEDED(
               odbc.AllocHandle(SQL_HANDLE_ENV, SQL_NULL_HANDLE, &odbc.environment)) &&
           SQL_SUCCEEDED(
               odbc.SetEnvAttr(odbc.environment, SQL_ATTR_ODBC_VERSION, version, 0));
}

static struct library library = {
    LIBRARY(files, list, &odbc),
    .begin = odbc_library_begin,
    .global = true, /* drivers look for the manager's functions */
    .code = ERR_DATASOURCE_KIND,
    .message = "ODBC needs the library unixODBC, version 2, which was not found.",
    .hint = "Install libodbc2 (on other systems: unixodbc or unixODBC).",
};

bool odbc_library_load(struct err *err)
{
    return library_load(&library, err);
}
