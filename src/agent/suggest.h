/* Questions and choices that a schema suggests by itself, without a model. */
#ifndef DGM_AGENT_SUGGEST_H
#define DGM_AGENT_SUGGEST_H

#include "model/clarification.h"
#include "model/schema.h"

/* A few questions worth asking of this schema (S2's sample questions). */
void suggest_questions(struct arena *arena, const struct schema *schema, size_t most,
                       struct texts *out);
/* "show me users": which ones? "All users" first, then what the columns offer. */
void suggest_details(struct arena *arena, const struct table *table,
                     struct clarification *out);
/* "recent orders": since when? With the range the data have. */
void suggest_periods(struct arena *arena, const struct table *table,
                     struct clarification *out);
/* Nothing to hold on to: offers questions. */
void suggest_start(struct arena *arena, const struct schema *schema,
                   struct clarification *out);

#endif
