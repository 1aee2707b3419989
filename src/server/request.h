/* What a client sent, read strictly. */
#ifndef DGM_SERVER_REQUEST_H
#define DGM_SERVER_REQUEST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/json.h"
#include "server/exchange.h"

/* The part of the path that {…} number `index` stands for. */
const char *request_parameter(const struct exchange *exchange, size_t index);
/* ?name=…; NULL when absent. */
const char *request_argument(const struct exchange *exchange, const char *name);
/* The same as a number; *value stays when it is absent. False: the reply was given. */
bool request_number(struct exchange *exchange, const char *name, int64_t least,
                    int64_t most, int64_t *value);
/* The same for one of "a|b|c"; the first is the default. NULL: the reply was given. */
const char *request_choice(struct exchange *exchange, const char *name,
                           const char *choices);
/* The body as an object that keeps to the route's schema (schemas.def): no unknown field,
 * no wrong type, nothing missing. NULL: the reply was given. */
const json_t *request_json(struct exchange *exchange);

#endif
