/* What the tables of a schema stand for. */
#include "parser/ir/ir_things.h"

#include <ctype.h>
#include <string.h>

#include "base/str.h"
#include "model/schema.h"
#include "parser/ir/ir_schema.h"

enum { KEYS_ON_WAY = 4 }; /* from a line to a country */

bool ir_is_called(const char *table, const char *word)
{
    size_t size = strlen(table);
    size_t own = strlen(word);
    size_t same = 0;
    while (same < size && same < own &&
           tolower((unsigned char)table[same]) == (unsigned char)word[same]) {
        same++;
    }
    const char *left = table + same;
    const char *right = word + same;
    return own > 1 &&
           ((!*left && (!*right || str_equal(right, "s"))) ||
            (!*right && (str_equal_nocase(left, "s") || str_equal_nocase(left, "es"))) ||
            (str_equal_nocase(left, "ies") && str_equal(right, "y")) ||
            (str_equal_nocase(left, "y") && str_equal(right, "ies")));
}

const char *ir_table_name(const struct ir_schema *schema, int table)
{
    const struct table *source = schema->tables[table].source;
    return source ? source->bare_name : schema->tables[table].name;
}

int ir_table_called(const struct ir_schema *schema, const char *word)
{
    for (int t = 0; t < schema->table_count; t++) {
        if (ir_is_called(ir_table_name(schema, t), word)) {
            return t;
        }
    }
    return -1;
}

static bool refers(const struct ir_schema *schema, int column)
{
    for (int i = 0; i < schema->key_count; i++) {
        if (schema->keys[i].from == column) {
            return true;
        }
    }
    return false;
}

/* By its name: "amount_eur", "total"; "cost_center_id" is none. */
static bool is_amount(const struct ir_schema *schema, int index)
{
    static const char *const words[] = {"amount", "total", "value", "price",
                                        "cost",   "fee",   "fare",  "salary"};
    const struct ir_column *column = &schema->columns[index];
    bool fits = false;
    for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
        fits = fits || str_contains_nocase(column->name, words[k]);
    }
    size_t size = strlen(column->name);
    bool number = size > 2 && str_equal_nocase(column->name + size - 2, "id");
    return fits && !number && column->type == IR_TYPE_NUMBER && !column->primary &&
           !refers(schema, index);
}

int ir_amount_of(const struct ir_schema *schema, int table)
{
    const struct ir_table *info = &schema->tables[table];
    int found = 0;
    for (int i = info->first_column; i < info->first_column + info->column_count; i++) {
        if (is_amount(schema, i)) {
            if (found) {
                return 0;
            }
            found = i;
        }
    }
    return found;
}

static bool leads(const struct ir_schema *schema, int from, int to, int steps)
{
    if (from == to) {
        return true;
    }
    for (int i = 0; i < schema->key_count && steps; i++) {
        const struct ir_key *key = &schema->keys[i];
        int next = schema->columns[key->to].table;
        if (schema->columns[key->from].table == from && next != from &&
            leads(schema, next, to, steps - 1)) {
            return true;
        }
    }
    return false;
}

bool ir_leads_to(const struct ir_schema *schema, int from, int to)
{
    return leads(schema, from, to, KEYS_ON_WAY);
}
