/* What is checked before a statement goes to an ODBC driver. */
#ifndef DGM_DATASOURCE_ODBC_GATE_H
#define DGM_DATASOURCE_ODBC_GATE_H

#include "datasource/datasource.h"

/* One query that only reads, and that the database's ODBC driver can run. *unlisted: it
 * was refused for a function that the guard does not know. */
bool odbc_gate(enum dialect dialect, const char *sql,
               const struct datasource_limits *limits, bool *unlisted, struct err *err);

#endif
