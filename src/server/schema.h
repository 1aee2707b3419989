/* The schemas of requests and replies: schemas.def as a table, for validation and
 * documentation. */
#ifndef DGM_SERVER_SCHEMA_H
#define DGM_SERVER_SCHEMA_H

#include <stdbool.h>
#include <stddef.h>

#include "base/json.h"

struct err;
struct writer;

/* Validates the body against the request schema of this name; err names the wrong
 * field. */
bool schema_check(const char *name, const json_t *body, struct err *err);
/* Writes all of them as OpenAPI components/schemas. */
void schema_write_all(struct writer *writer, bool (*is_request)(const char *name));

#endif
