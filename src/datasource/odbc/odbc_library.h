/*
 * The functions of the ODBC driver manager that are used, without their prefix:
 * odbc.Fetch. The library (unixODBC or iODBC) is loaded when the first such source is
 * opened.
 */
#ifndef DGM_DATASOURCE_ODBC_LIBRARY_H
#define DGM_DATASOURCE_ODBC_LIBRARY_H

#include <locale.h>
#include <stdbool.h>

/* clang-format off */
#include <sql.h>
#include <sqlext.h>
/* clang-format on */

struct err;

struct odbc_library {
#define FUNCTION(name) __typeof__(&SQL##name) name; /* NOLINT: a member's name */
#include "datasource/odbc/odbc_library.def"
#undef FUNCTION
    SQLHENV environment;
    locale_t locale; /* for the threads of calls; 0: no UTF-8 locale was found */
};

/* Filled by odbc_library_load(); call nothing before that has returned true. */
extern struct odbc_library odbc;
bool odbc_library_load(struct err *err);

#endif
