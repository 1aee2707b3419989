/* Finds the ODBC driver manager and its functions, once for the process, at first use. */
#include "datasource/odbc/odbc_library.h"

#include <dlfcn.h>
#include <pthread.h>

#include "base/err.h"
#include "base/symbol.h"

struct odbc_library odbc;
static bool library_loaded;
static pthread_once_t library_once = PTHREAD_ONCE_INIT;

static bool library_fill(void *handle)
{
    bool whole = true;
#define F(name)                                                                          \
    if (!symbol_find(handle, "SQL" #name, &odbc.name)) {                                 \
        whole = false;                                                                   \
    }
    ODBC_FUNCTIONS(F)
#undef F
    return whole;
}

static bool library_begin(void)
{
    SQLPOINTER version = (SQLPOINTER)SQL_OV_ODBC3; /* NOLINT: as the standard has it */
    return SQL_SUCCEEDED(
               odbc.AllocHandle(SQL_HANDLE_ENV, SQL_NULL_HANDLE, &odbc.environment)) &&
           SQL_SUCCEEDED(
               odbc.SetEnvAttr(odbc.environment, SQL_ATTR_ODBC_VERSION, version, 0));
}

static void library_open(void)
{
    static const char *const names[] = {"libodbc.so.2", "libodbc.so", "libodbc.2.dylib"};
    for (size_t i = 0; i < sizeof names / sizeof *names && !library_loaded; i++) {
        void *handle = dlopen(names[i], RTLD_NOW | RTLD_GLOBAL);
        library_loaded = handle && library_fill(handle) && library_begin();
    }
}

bool odbc_library_load(struct err *err)
{
    (void)pthread_once(&library_once, library_open);
    if (library_loaded) {
        return true;
    }
    (void)err_set(err, ERR_DATASOURCE_KIND,
                  "ODBC needs the library unixODBC, version 2, which was not found.");
    return err_hint(err, "Install libodbc2 (on other systems: unixodbc or unixODBC).");
}
