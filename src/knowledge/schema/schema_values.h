/*
 * How a prompt shows the values of a column:
 *
 *    {open|paid}              all values
 *    ["Berlin","Oslo",…]      some values
 *    2023-01-04..2025-12-30   minimum and maximum, which also show the format
 */
#ifndef DGM_KNOWLEDGE_SCHEMA_VALUES_H
#define DGM_KNOWLEDGE_SCHEMA_VALUES_H

#include "knowledge/schema/schema_text.h"

/* With a leading blank; nothing if nothing is known or it is not worth the tokens. */
void schema_values_put(struct buf *out, const struct schema_text_settings *settings,
                       const struct table *table, const struct column *column);
/* Are texts put there? They say that it is a column of texts. */
bool schema_values_shown(const struct schema_text_settings *settings,
                         const struct table *table, const struct column *column);
/* Does the query of a view stand in their place? */
bool schema_values_by_view(const struct schema_text_settings *settings,
                           const struct table *table);
/* Is it part of the primary key or of a foreign key? */
bool schema_values_key(const struct table *table, const struct column *column);

#endif
