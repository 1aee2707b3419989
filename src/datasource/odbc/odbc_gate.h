/* Checks a statement before it goes to an ODBC driver. */
#ifndef DGM_DATASOURCE_ODBC_GATE_H
#define DGM_DATASOURCE_ODBC_GATE_H

#include "datasource/datasource.h"

/* A single read-only query that the product can run. *unlisted: it was refused because of
 * a function that the guard does not know. */
bool odbc_gate(enum dialect dialect, const char *sql,
               const struct datasource_limits *limits, bool *unlisted, struct err *err);

#endif
