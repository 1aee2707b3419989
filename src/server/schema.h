/* The shapes of requests and replies: schemas.def as a table, checked and documented. */
#ifndef DGM_SERVER_SCHEMA_H
#define DGM_SERVER_SCHEMA_H

#include <stdbool.h>
#include <stddef.h>

#include "base/json.h"

struct err;
struct writer;

/* Does the body keep to the request schema of this name? Says which field does not. */
bool schema_check(const char *name, const json_t *body, struct err *err);
/* All of them as OpenAPI's components/schemas. */
void schema_write_all(struct writer *writer, bool (*is_request)(const char *name));

#endif
