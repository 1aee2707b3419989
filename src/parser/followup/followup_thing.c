/* How one thing of a table is shown and told from the others: "by employee". */
#include <string.h>
#include <strings.h>

#include "base/str.h"
#include "base/vec.h"
#include "parser/followup/followup_state.h"

/* Is the one name the other with "last" in the place of "first"? */
static bool are_halves(const char *first, const char *last)
{
    static const char *const halves[][2] = {
        {"first", "last"}, {"fname", "lname"}, {"given", "family"}};
    for (size_t i = 0; i < sizeof halves / sizeof *halves; i++) {
        const char *at = str_find_nocase(first, halves[i][0]);
        size_t before = at ? (size_t)(at - first) : 0;
        if (at && strncasecmp(first, last, before) == 0 &&
            str_starts_nocase(last + before, halves[i][1]) &&
            str_equal_nocase(last + before + strlen(halves[i][1]),
                             at + strlen(halves[i][0]))) {
            return true;
        }
    }
    return false;
}

struct ir_node *followup_thing(struct followup *followup, int table,
                               struct ir_nodes *names)
{
    const struct ir_schema *schema = followup->schema;
    const struct ir_table *info = &schema->tables[table];
    int name = followup_name_column(followup, table);
    int key = -1;
    if (name < 0) {
        return NULL;
    }
    VEC_PUSH(followup->arena, names, ir_node_column(followup->arena, name, false));
    for (int i = info->first_column; i < info->first_column + info->column_count; i++) {
        key = schema->columns[i].unique ? i : key;
        if (are_halves(schema->columns[name].name, schema->columns[i].name)) {
            VEC_PUSH(followup->arena, names, ir_node_column(followup->arena, i, false));
        }
    }
    return ir_node_column(followup->arena, key < 0 ? name : key, false);
}
