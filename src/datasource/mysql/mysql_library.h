/*
 * The functions of libmariadb that are used, without their prefix:
 * maria.real_query_start. The library is loaded when the first such database is opened.
 */
#ifndef DGM_DATASOURCE_MYSQL_LIBRARY_H
#define DGM_DATASOURCE_MYSQL_LIBRARY_H

#include <mysql.h>
#include <stdbool.h>

struct err;

struct mysql_library {
#define FUNCTION(name) __typeof__(&mysql_##name) name; /* NOLINT: a member's name */
#include "datasource/mysql/mysql_library.def"
#undef FUNCTION
    __typeof__(&mysql_errno) error_number; /* errno is a macro; NOLINT: as above */
    /* NULL before version 3.1.8 */
    __typeof__(&mariadb_field_attr) field_attr; /* NOLINT: as above */
    /* OpenSSL's functions, if the library uses OpenSSL; else NULL */
    unsigned long (*tls_error)(void);
    void (*tls_errors_clear)(void);
};

/* Filled by mysql_library_load(); call nothing before that has returned true. */
extern struct mysql_library maria;
bool mysql_library_load(struct err *err);

#endif
