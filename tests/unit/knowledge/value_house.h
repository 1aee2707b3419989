/* A small database and some cells, for the tests of the value index. */
#ifndef DGM_TESTS_KNOWLEDGE_VALUE_HOUSE_H
#define DGM_TESTS_KNOWLEDGE_VALUE_HOUSE_H

#include "datasource/datasource.h"
#include "knowledge/value_index/value_index.h"

struct value_house {
    struct options *options;
    struct datasource *source;
    struct schema *schema;
    char path[64];
};

extern const char value_shop_sql[];

void value_house_open(struct value_house *house, const char *sql);
void value_house_close(struct value_house *house);

struct value_index *value_cells(void); /* an index made by hand */
const char *value_texts(struct arena *arena, const struct value_matches *matches);

#endif
