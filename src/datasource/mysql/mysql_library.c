/* Finds libmariadb and its functions, once for the process, at first use. */
#include "datasource/mysql/mysql_library.h"

#include <dlfcn.h>
#include <pthread.h>

#include "base/err.h"
#include "base/symbol.h"

struct maria_library maria;
static bool library_loaded;
static pthread_once_t library_once = PTHREAD_ONCE_INIT;

static bool library_fill(void *handle)
{
    bool whole = true;
#define F(name)                                                                          \
    if (!symbol_find(handle, "mysql_" #name, &maria.name)) {                             \
        whole = false;                                                                   \
    }
    MARIA_FUNCTIONS(F)
#undef F
    (void)symbol_find(handle, "mariadb_field_attr", &maria.field_attr);
    (void)symbol_find(handle, "ERR_peek_error", &maria.tls_error);
    (void)symbol_find(handle, "ERR_clear_error", &maria.tls_errors_clear);
    return symbol_find(handle, "mysql_errno", &maria.error_number) && whole;
}

static void library_open(void)
{
    static const char *const names[] = {"libmariadb.so.3", "libmariadb.so",
                                        "libmariadb.3.dylib"};
    for (size_t i = 0; i < sizeof names / sizeof *names && !library_loaded; i++) {
        void *handle = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
        library_loaded =
            handle && library_fill(handle) && maria.server_init(0, NULL, NULL) == 0;
    }
}

bool maria_library_load(struct err *err)
{
    (void)pthread_once(&library_once, library_open);
    if (library_loaded) {
        return true;
    }
    (void)err_set(err, ERR_DATASOURCE_KIND,
                  "MySQL needs the library libmariadb, version 3, which was not found.");
    return err_hint(err, "Install libmariadb3 (on other systems: mariadb-connector-c).");
}
