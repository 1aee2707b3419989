/*
 * SQL with places to fill in, `:name` (in BigQuery `@name`). A value never becomes SQL:
 * it is read as what its type says, written anew as a literal of the dialect, and that
 * literal is read back to see that it is one token and no more.
 */
#ifndef DGM_SQL_PARAMETERS_H
#define DGM_SQL_PARAMETERS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/vec.h"
#include "sql/dialect.h"

struct err;

enum parameter_type {
    PARAMETER_TEXT,
    PARAMETER_INTEGER,
    PARAMETER_NUMBER,
    PARAMETER_DATE, /* 2024-01-31 */
    PARAMETER_BOOLEAN,
    PARAMETER_TYPES
};

enum { PARAMETERS_MOST = 64, PARAMETER_NAME_MOST = 64, PARAMETER_VALUE_MOST = 4096 };

struct parameter {
    const char *name;
    enum parameter_type type;
    const char *value; /* NULL: SQL's NULL */
};

const char *parameter_type_name(enum parameter_type type);
bool parameter_type_find(const char *name, enum parameter_type *type);
/* Letters, digits and _, a letter first. */
bool parameter_name_good(const char *name);

/* The names that the SQL has places for, each once. */
void parameters_find(struct arena *arena, enum dialect dialect, const char *sql,
                     struct texts *out);
/* The SQL with every place of these names filled in; NULL and USAGE when a value is not
 * what its type says. A place without a parameter is left for the guard to refuse. */
const char *parameters_bind(struct arena *arena, enum dialect dialect, const char *sql,
                            const struct parameter *parameters, size_t count,
                            struct err *err);

#endif
