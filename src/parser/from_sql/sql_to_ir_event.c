/* Dates that other dates lead to, read back: some units later, and the first, the last or the
 * one before of the same key. */
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"
#include "parser/from_sql/sql_to_ir_state.h"

/* Is it `a = outer a`, or `a < outer a`? */
static bool is_same_outside(const struct ir_node *node, enum ir_keyword keyword,
                            const struct ir_node **column)
{
    if (!ir_node_is(node, keyword)) {
        return false;
    }
    const struct ir_node *a = node->args.items[0];
    const struct ir_node *b = node->args.items[1];
    if (keyword == IR_EQUAL && ir_node_is_column(a) && a->outer) {
        const struct ir_node *swap = a;
        a = b;
        b = swap;
    }
    *column = a;
    return ir_node_is_column(a) && ir_node_is_column(b) && !a->outer && b->outer &&
           !b->second && a->token.index == b->token.index;
}

struct ir_node *sql_make_event(struct sql_reading *reading, const struct ir_query *query)
{
    const struct ir_node *where = query->where;
    bool prior = ir_node_is(where, IR_AND) && where->args.count == 2;
    const struct ir_node *item = query->select.count == 1 ? query->select.items[0] : NULL;
    const struct ir_node *key = NULL;
    const struct ir_node *date = NULL;
    bool plain = query->sources.count == 1 && !query->from && !query->distinct &&
                 !query->group.count && !query->limit && !query->set_query;
    bool first = ir_node_is(item, IR_MIN);
    if (!plain || (!first && !ir_node_is(item, IR_MAX)) || (prior && first) ||
        !ir_node_is_column(item->args.items[0]) ||
        !is_same_outside(prior ? where->args.items[0] : where, IR_EQUAL, &key) ||
        (prior && (!is_same_outside(where->args.items[1], IR_LESS, &date) ||
                   date->token.index != item->args.items[0]->token.index))) {
        return NULL;
    }
    enum ir_keyword keyword = prior ? IR_PRIOR : first ? IR_EARLIEST : IR_LATEST;
    int column = item->args.items[0]->token.index;
    return sql_call(reading, keyword, ir_node_column(reading->arena, column, false),
                    ir_node_column(reading->arena, key->token.index, false));
}

/* "days", "+30 days": the unit, and where the text has a number, that. */
static struct ir_node *unit_of(struct sql_reading *reading, const char *text,
                               const char **count)
{
    static const struct {
        const char *word;
        enum ir_keyword unit;
    } rows[] = {{"day", IR_UNIT_DAY}, {"month", IR_UNIT_MONTH}, {"year", IR_UNIT_YEAR}};
    text += strspn(text, " +");
    size_t digits = strspn(text, "0123456789");
    *count = arena_copy(reading->arena, text, digits);
    text += digits + strspn(text + digits, " ");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        size_t size = strlen(rows[i].word);
        if (strncmp(text, rows[i].word, size) == 0 && strlen(text + size) < 2) {
            return sql_call(reading, rows[i].unit, NULL, NULL);
        }
    }
    return NULL;
}

struct ir_node *sql_make_modifier(struct sql_reading *reading, struct ir_nodes *parts)
{
    const char *count = NULL;
    size_t at = parts->count == 3 && sql_is_text(parts->items[0], "+") ? 1 : 0;
    const struct ir_node *last = parts->count ? parts->items[parts->count - 1] : NULL;
    if (parts->count != at + 2 || last->kind != IR_NODE_TEXT || !last->is_text ||
        parts->items[at]->kind == IR_NODE_TEXT) {
        return NULL;
    }
    struct ir_node *unit = unit_of(reading, last->text, &count);
    if (!unit || *count) {
        return NULL;
    }
    struct ir_node *node = sql_call(reading, IR_SHIFT, parts->items[at], unit);
    node->text = "modifier";
    return node;
}

struct ir_node *sql_make_shift(struct sql_reading *reading, struct ir_node *date,
                               const struct ir_node *modifier)
{
    const char *count = "";
    struct ir_node *number = NULL;
    struct ir_node *unit = NULL;
    if (ir_node_is(modifier, IR_SHIFT) && modifier->text) {
        number = modifier->args.items[0];
        unit = modifier->args.items[1];
    } else if (modifier->kind == IR_NODE_TEXT && *modifier->text == '+') {
        unit = unit_of(reading, modifier->text, &count);
        number = unit && *count ? sql_number(reading, count) : NULL;
    }
    if (!number) {
        return NULL;
    }
    struct ir_node *node = sql_call(reading, IR_SHIFT, date, number);
    VEC_PUSH(reading->arena, &node->args, unit);
    return node;
}
