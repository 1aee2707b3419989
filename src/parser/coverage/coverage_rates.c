/* "Which station has the most docks per ride", where nothing is divided. "Which employee has the
 * highest salary per department" asks for one of each department. */
#include "parser/coverage/coverage_covering.h"
#include "parser/ir/ir_schema.h"
#include "parser/ir/ir_things.h"
#include "parser/words/most_per.h"

/* The table of what is asked for, or that of the column; -1: not known. */
static int table_of_thing(const struct covering *covering, size_t at)
{
    const struct selection *used = &covering->used;
    const uint8_t *codes = linking_row(covering->linking, at);
    for (size_t i = 0; i < used->table_count; i++) {
        if (codes[i] != LINK_NONE && codes[i] <= LINK_RELATED) {
            return used->tables[i];
        }
    }
    for (size_t i = 1; i < used->column_count; i++) {
        enum link_code code = codes[used->table_count + i];
        if (code != LINK_NONE && code <= LINK_RELATED &&
            covering->use.named[used->columns[i]]) {
            return covering->schema->columns[used->columns[i]].table;
        }
    }
    return -1;
}

bool coverage_misses_rate(const struct covering *covering, size_t at)
{
    struct most_per asked;
    if ((covering->use.operations & (DOES_RECKON | DOES_AVERAGE)) ||
        !most_per_read(&covering->words, &asked) || asked.unit != at) {
        return false;
    }
    const struct ir_schema *schema = covering->schema;
    int unit = ir_table_called(schema, covering->words.items[at].text);
    int thing = unit >= 0 ? table_of_thing(covering, asked.thing) : -1;
    return thing >= 0 && (thing == unit || !ir_leads_to(schema, thing, unit));
}
