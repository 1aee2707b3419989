/* The shop of attacks/README.md as a schema. */
#ifndef DGM_TESTS_ATTACK_SHOP_H
#define DGM_TESTS_ATTACK_SHOP_H

#include "model/schema.h"

static inline struct schema *attack_shop(void)
{
    static const struct {
        const char *name;
        const char *columns[8];
    } tables[] = {
        {"customers", {"id", "name", "city", "email"}},
        {"orders", {"id", "customer_id", "status", "total", "ordered_on"}},
        {"vault", {"id", "secret"}},
        {"vault_keys", {"id", "secret"}},
    };
    struct schema *schema = schema_new();
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        struct table *table = schema_add_table(schema, tables[i].name);
        for (size_t k = 0; tables[i].columns[k]; k++) {
            (void)table_add_column(schema, table, tables[i].columns[k], "TEXT");
        }
    }
    schema_normalize(schema);
    return schema;
}

#endif
