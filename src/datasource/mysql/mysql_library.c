/* libmariadb, loaded when the first such database is opened. */
#include "datasource/mysql/mysql_library.h"

#include "base/library.h"

struct mysql_library maria;

static const char *const files[] = {"libmariadb.so.3", "libmariadb.so",
                                    "libmariadb.3.dylib", NULL};
static const struct library_function list[] = {
#define FUNCTION(name) LIBRARY_FUNCTION(struct mysql_library, name, "mysql_" #name),
#include "datasource/mysql/mysql_library.def"
#undef FUNCTION
    LIBRARY_FUNCTION(struct mysql_library, error_number, "mysql_errno"),
    LIBRARY_OPTIONAL(struct mysql_library, field_attr, "mariadb_field_attr"),
    LIBRARY_OPTIONAL(struct mysql_library, tls_error, "ERR_peek_error"),
    LIBRARY_OPTIONAL(struct mysql_library, tls_errors_clear, "ERR_clear_error"),
};

static bool mysql_library_begin(void *handle)
{
    (void)handle;
    return maria.server_init(0, NULL, NULL) == 0;
}

static struct library library = {
    LIBRARY(files, list, &maria),
    .begin = mysql_library_begin,
    .code = ERR_DATASOURCE_KIND,
    .message = "MySQL needs the library libmariadb, version 3, which was not found.",
    .hint = "Install libmariadb3 (on other systems: mariadb-connector-c).",
};

bool mysql_library_load(struct err *err)
{
    return library_load(&library, err);
}
