/* Schemas for the unit tests, written in a line. */
#ifndef DGM_TESTS_UNIT_AGENT_SMALL_SCHEMA_H
#define DGM_TESTS_UNIT_AGENT_SMALL_SCHEMA_H

#include "model/schema.h"

/* One table per text: "orders(id INTEGER, customer_id INTEGER -> customers.id)". A "*"
 * after a name makes it the primary key. Unref it when done. */
struct schema *small_schema(const char *const *tables, size_t count);

#endif
