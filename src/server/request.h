/* Reads what a client sent, strictly. */
#ifndef DGM_SERVER_REQUEST_H
#define DGM_SERVER_REQUEST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/json.h"
#include "server/exchange.h"

/* The value of the route's {…} parameter number `index`. */
const char *request_parameter(const struct exchange *exchange, size_t index);
/* Is each query parameter given once, and are they few? */
bool request_arguments_clear(const struct exchange *exchange, struct err *err);
/* ?name=…; NULL when absent. */
const char *request_argument(const struct exchange *exchange, const char *name);
/* The same as a number; *value is unchanged if it is absent. False: the error was
 * sent. */
bool request_number(struct exchange *exchange, const char *name, int64_t least,
                    int64_t most, int64_t *value);
/* The same for a choice "a|b|c"; the first is the default. NULL: the error was sent. */
const char *request_choice(struct exchange *exchange, const char *name,
                           const char *choices);
/* The body, validated against the route's schema (schemas.def): no unknown field, no
 * wrong type, nothing missing. NULL: the error was sent. */
const json_t *request_json(struct exchange *exchange);

#endif
