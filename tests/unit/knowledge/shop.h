/* A small shop, as a schema built by hand. */
#ifndef DGM_TESTS_KNOWLEDGE_SHOP_H
#define DGM_TESTS_KNOWLEDGE_SHOP_H

#include "model/schema.h"

struct schema *shop_new(void);
struct column *shop_column(struct schema *schema, struct table *table, const char *name,
                           const char *type);
void shop_key(struct schema *schema, struct table *table, const char *column,
              const char *to, const char *reference);

#endif
