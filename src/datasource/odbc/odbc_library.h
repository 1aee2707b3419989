/*
 * Every function of the ODBC driver manager that is used, without its prefix:
 * odbc.Fetch. The library (unixODBC, iODBC) is loaded when the first such source is
 * opened, and costs nobody else a start.
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

#define ODBC_FUNCTIONS(F)                                                                \
    F(AllocHandle)                                                                       \
    F(Cancel)                                                                            \
    F(ColAttribute)                                                                      \
    F(Columns)                                                                           \
    F(DescribeCol)                                                                       \
    F(Disconnect)                                                                        \
    F(DriverConnect)                                                                     \
    F(EndTran)                                                                           \
    F(ExecDirect)                                                                        \
    F(Fetch)                                                                             \
    F(ForeignKeys)                                                                       \
    F(FreeHandle)                                                                        \
    F(GetConnectAttr)                                                                    \
    F(GetData)                                                                           \
    F(GetDiagRec)                                                                        \
    F(GetInfo)                                                                           \
    F(NumResultCols)                                                                     \
    F(Prepare)                                                                           \
    F(PrimaryKeys)                                                                       \
    F(SetConnectAttr)                                                                    \
    F(SetEnvAttr)                                                                        \
    F(SetStmtAttr)                                                                       \
    F(Statistics)                                                                        \
    F(Tables)

struct odbc_library {
#define F(name) __typeof__(&SQL##name) name; /* NOLINT: a member's name */
    ODBC_FUNCTIONS(F)
#undef F
    SQLHENV environment;
    locale_t locale; /* for the threads of jobs; 0: there is none with UTF-8 */
};

/* Filled once odbc_library_load() has said yes; nothing else is called before. */
extern struct odbc_library odbc;
bool odbc_library_load(struct err *err);

#endif
