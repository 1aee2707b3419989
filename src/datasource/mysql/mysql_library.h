/*
 * Every function of libmariadb that is used, without its prefix: maria.real_query_start.
 * The library is loaded when the first such database is opened, and costs nobody else a
 * start.
 */
#ifndef DGM_DATASOURCE_MYSQL_LIBRARY_H
#define DGM_DATASOURCE_MYSQL_LIBRARY_H

#include <mysql.h>
#include <stdbool.h>

struct err;

#define MARIA_FUNCTIONS(F)                                                               \
    F(affected_rows)                                                                     \
    F(close)                                                                             \
    F(error)                                                                             \
    F(fetch_fields)                                                                      \
    F(fetch_lengths)                                                                     \
    F(fetch_row_cont)                                                                    \
    F(fetch_row_start)                                                                   \
    F(field_count)                                                                       \
    F(free_result)                                                                       \
    F(get_server_info)                                                                   \
    F(get_server_version)                                                                \
    F(get_socket)                                                                        \
    F(get_ssl_cipher)                                                                    \
    F(get_timeout_value_ms)                                                              \
    F(init)                                                                              \
    F(num_fields)                                                                        \
    F(optionsv)                                                                          \
    F(ping_cont)                                                                         \
    F(ping_start)                                                                        \
    F(real_connect_cont)                                                                 \
    F(real_connect_start)                                                                \
    F(real_query_cont)                                                                   \
    F(real_query_start)                                                                  \
    F(reset_connection_cont)                                                             \
    F(reset_connection_start)                                                            \
    F(server_init)                                                                       \
    F(stmt_close)                                                                        \
    F(stmt_errno)                                                                        \
    F(stmt_error)                                                                        \
    F(stmt_field_count)                                                                  \
    F(stmt_init)                                                                         \
    F(stmt_prepare_cont)                                                                 \
    F(stmt_prepare_start)                                                                \
    F(thread_id)                                                                         \
    F(use_result)

struct mysql_library {
#define F(name) __typeof__(&mysql_##name) name; /* NOLINT: a member's name */
    MARIA_FUNCTIONS(F)
#undef F
    __typeof__(&mysql_errno) error_number; /* errno is a macro; NOLINT: as above */
    /* NULL before version 3.1.8 */
    __typeof__(&mariadb_field_attr) field_attr; /* NOLINT: as above */
    /* OpenSSL's, which the library uses; NULL where it uses another */
    unsigned long (*tls_error)(void);
    void (*tls_errors_clear)(void);
};

/* Filled once mysql_library_load() has said yes; nothing else is called before. */
extern struct mysql_library maria;
bool mysql_library_load(struct err *err);

#endif
