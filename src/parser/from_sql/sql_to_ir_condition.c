/* Conditions brought to one form: ranges as BETWEEN, lists as IN, negations inside. */
#include <string.h>

#include "base/arena.h"
#include "base/vec.h"
#include "parser/from_sql/sql_to_ir_state.h"

struct ir_node *sql_make_test(struct sql_reading *reading, enum ir_keyword keyword,
                              struct ir_node *a, struct ir_node *b)
{
    static const enum ir_keyword flipped[] = {
        [IR_EQUAL] = IR_EQUAL,  [IR_UNEQUAL] = IR_UNEQUAL,  [IR_LESS] = IR_GREATER,
        [IR_GREATER] = IR_LESS, [IR_AT_MOST] = IR_AT_LEAST, [IR_AT_LEAST] = IR_AT_MOST,
    };
    a = sql_drop_real(a);
    b = sql_drop_real(b);
    if (ir_node_is_value(a) && !ir_node_is_value(b)) {
        return sql_make_test(reading, flipped[keyword], b, a);
    }
    b = sql_day_of_seconds(reading, a, b);
    struct ir_node *special = sql_make_date_test(reading, keyword, a, b);
    return special ? special : sql_call(reading, keyword, a, b);
}

/* NOT IN (… WHERE x IS NOT NULL): rebuilding sees to that by itself. */
static void drop_null_test(struct ir_node *node)
{
    struct ir_query *query =
        node->args.count > 1 && node->args.items[1]->kind == IR_NODE_QUERY
            ? node->args.items[1]->query
            : NULL;
    if (!query || !query->where || query->select.count != 1) {
        return;
    }
    struct ir_node *where = query->where;
    const struct ir_node *item = query->select.items[0];
    if (ir_node_is(where, IR_NOT_NULL) && ir_node_same(where->args.items[0], item)) {
        query->where = NULL;
        return;
    }
    for (size_t i = 0; ir_node_is(where, IR_AND) && i < where->args.count; i++) {
        struct ir_node *part = where->args.items[i];
        if (ir_node_is(part, IR_NOT_NULL) && ir_node_same(part->args.items[0], item)) {
            where->args.count--;
            memmove(&where->args.items[i], &where->args.items[i + 1],
                    (where->args.count - i) * sizeof *where->args.items);
            query->where = where->args.count == 1 ? where->args.items[0] : where;
            return;
        }
    }
}

struct ir_node *sql_make_not(struct sql_reading *reading, struct ir_node *node)
{
    static const struct {
        enum ir_keyword from;
        enum ir_keyword to;
    } rows[] = {
        {IR_EQUAL, IR_UNEQUAL},
        {IR_UNEQUAL, IR_EQUAL},
        {IR_LESS, IR_AT_LEAST},
        {IR_AT_LEAST, IR_LESS},
        {IR_GREATER, IR_AT_MOST},
        {IR_AT_MOST, IR_GREATER},
        {IR_IN, IR_NOT_IN},
        {IR_NOT_IN, IR_IN},
        {IR_IS_NULL, IR_NOT_NULL},
        {IR_NOT_NULL, IR_IS_NULL},
        {IR_CONTAINS, IR_NOT_CONTAINS},
        {IR_NOT_CONTAINS, IR_CONTAINS},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (ir_node_is(node, rows[i].from)) {
            struct ir_node *other = ARENA_NEW(reading->arena, struct ir_node);
            *other = *node;
            other->keyword = rows[i].to;
            if (other->keyword == IR_NOT_IN) {
                drop_null_test(other);
            }
            return other;
        }
    }
    if (ir_node_is(node, IR_NOT)) {
        return node->args.items[0];
    }
    return sql_call(reading, IR_NOT, node, NULL);
}

/* Does an escape stand before the last sign, which then means itself? */
static bool last_is_escaped(const char *pattern, size_t size, char escape)
{
    size_t count = 0;
    while (escape && count + 1 < size && pattern[size - 2 - count] == escape) {
        count++;
    }
    return count % 2 == 1;
}

/* Removes the escapes. False: some sign stands for others, or an escape for nothing. */
static bool unescape(char *text, char escape)
{
    char *to = text;
    bool plain = true;
    for (const char *at = text; *at; at++) {
        bool quotes = escape && *at == escape;
        plain = plain && (quotes ? at[1] != '\0' : *at != '%' && *at != '_');
        at += quotes && at[1];
        *to++ = *at;
    }
    *to = '\0';
    return plain;
}

struct ir_node *sql_make_like(struct sql_reading *reading, struct ir_node *a,
                              const char *pattern, char escape)
{
    size_t size = strlen(pattern);
    bool starts_free = size > 1 && pattern[0] == '%';
    bool ends_free =
        size > 1 && pattern[size - 1] == '%' && !last_is_escaped(pattern, size, escape);
    size_t from = starts_free ? 1 : 0;
    size_t to = ends_free ? size - 1 : size;
    char *core = arena_copy(reading->arena, pattern + from, to - from);
    bool plain = unescape(core, escape);
    enum ir_keyword keyword = starts_free && ends_free ? IR_CONTAINS
                              : starts_free            ? IR_ENDS
                              : ends_free              ? IR_STARTS
                                                       : IR_MATCHES;
    if (core[0] == '\0' || !plain || keyword == IR_MATCHES) {
        keyword = IR_MATCHES;
        core = arena_text(reading->arena, pattern);
    }
    struct ir_node *value = ir_node_text(reading->arena, core, true);
    struct ir_node *node = NULL;
    if (keyword == IR_STARTS && sql_is_time(reading, a)) {
        node = sql_make_date_test(
            reading, IR_EQUAL,
            sql_call(reading, strlen(core) == 4 ? IR_YEAR : IR_MONTH, a, NULL), value);
    }
    return node ? node : sql_call(reading, keyword, a, value);
}

static void flatten(struct sql_reading *reading, enum ir_keyword keyword,
                    const struct ir_nodes *parts, struct ir_nodes *out)
{
    for (size_t i = 0; i < parts->count; i++) {
        if (ir_node_is(parts->items[i], keyword)) {
            flatten(reading, keyword, &parts->items[i]->args, out);
        } else {
            VEC_PUSH(reading->arena, out, parts->items[i]);
        }
    }
}

/* x >= a and x <= b, in either order. */
static struct ir_node *make_between(struct sql_reading *reading, struct ir_node *a,
                                    struct ir_node *b)
{
    if (ir_node_is(b, IR_AT_LEAST) && ir_node_is(a, IR_AT_MOST)) {
        return make_between(reading, b, a);
    }
    if (!ir_node_is(a, IR_AT_LEAST) || !ir_node_is(b, IR_AT_MOST) ||
        !ir_node_same(a->args.items[0], b->args.items[0])) {
        return NULL;
    }
    struct ir_node *node =
        sql_call(reading, IR_BETWEEN, a->args.items[0], a->args.items[1]);
    VEC_PUSH(reading->arena, &node->args, b->args.items[1]);
    return node;
}

static bool is_list(const struct ir_node *node, enum ir_keyword one, enum ir_keyword many)
{
    return (ir_node_is(node, one) || ir_node_is(node, many)) && node->args.count > 1 &&
           ir_node_is_value(node->args.items[1]);
}

/* x = 'a' or x = 'b': IN; x != 'a' and x != 'b': NOT IN. */
static struct ir_node *make_list(struct sql_reading *reading, enum ir_keyword keyword,
                                 struct ir_node *a, struct ir_node *b)
{
    enum ir_keyword one = keyword == IR_OR ? IR_EQUAL : IR_UNEQUAL;
    enum ir_keyword many = keyword == IR_OR ? IR_IN : IR_NOT_IN;
    if (!is_list(a, one, many) || !is_list(b, one, many) ||
        !ir_node_same(a->args.items[0], b->args.items[0])) {
        return NULL;
    }
    struct ir_node *node = sql_call(reading, many, a->args.items[0], NULL);
    for (size_t i = 1; i < a->args.count; i++) {
        VEC_PUSH(reading->arena, &node->args, a->args.items[i]);
    }
    for (size_t i = 1; i < b->args.count; i++) {
        VEC_PUSH(reading->arena, &node->args, b->args.items[i]);
    }
    return node;
}

static struct ir_node *make_pair(struct sql_reading *reading, enum ir_keyword keyword,
                                 struct ir_node *a, struct ir_node *b)
{
    struct ir_node *node = make_list(reading, keyword, a, b);
    if (!node && keyword == IR_AND) {
        node = sql_make_during(reading, a, b);
        node = node ? node : sql_make_during(reading, b, a);
        node = node ? node : make_between(reading, a, b);
    }
    return node;
}

struct ir_node *sql_make_chain(struct sql_reading *reading, enum ir_keyword keyword,
                               struct ir_nodes *parts)
{
    struct ir_nodes flat = {0};
    flatten(reading, keyword, parts, &flat);
    for (size_t i = 0; i < flat.count; i++) {
        for (size_t j = i + 1; j < flat.count;) {
            struct ir_node *both =
                make_pair(reading, keyword, flat.items[i], flat.items[j]);
            if (!both) {
                j++;
                continue;
            }
            flat.items[i] = both;
            flat.count--;
            memmove(&flat.items[j], &flat.items[j + 1],
                    (flat.count - j) * sizeof *flat.items);
        }
    }
    if (flat.count == 1) {
        return flat.items[0];
    }
    struct ir_node *node = sql_call(reading, keyword, NULL, NULL);
    node->args = flat;
    return node;
}
