/* CASE: a condition, a chain of them, or the ranges of a number. */
#include <stdlib.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"
#include "parser/from_sql/sql_to_ir_state.h"

struct cuts {
    double *items;
    size_t count;
    size_t capacity;
    const struct ir_node *of; /* the number that is cut */
};

static int cut_order(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

static bool cut_add(struct sql_reading *reading, struct cuts *cuts,
                    const struct ir_node *test, const struct ir_node *bound)
{
    double number;
    if (bound->kind != IR_NODE_TEXT || !str_to_real(bound->text, &number) ||
        (cuts->of && !ir_node_same(cuts->of, test->args.items[0]))) {
        return false;
    }
    cuts->of = test->args.items[0];
    for (size_t i = 0; i < cuts->count; i++) {
        if (cuts->items[i] >= number && cuts->items[i] <= number) {
            return true;
        }
    }
    VEC_PUSH(reading->arena, cuts, number);
    return true;
}

/* Adds where a condition cuts the number. The upper end of a range that has a lower one
 * says nothing new: the next range starts there. */
static bool cuts_of(struct sql_reading *reading, struct cuts *cuts,
                    const struct ir_node *test)
{
    if (ir_node_is(test, IR_AND)) {
        return cuts_of(reading, cuts, test->args.items[0]) && test->args.count == 2;
    }
    bool simple = ir_node_is(test, IR_LESS) || ir_node_is(test, IR_AT_MOST) ||
                  ir_node_is(test, IR_GREATER) || ir_node_is(test, IR_AT_LEAST) ||
                  ir_node_is(test, IR_BETWEEN);
    return simple && cut_add(reading, cuts, test, test->args.items[1]);
}

static bool is_label(const struct ir_node *node)
{
    return node && node->kind == IR_NODE_TEXT && node->is_text;
}

static bool label_known(const struct sql_reading *reading, const struct ir_node *node)
{
    struct ir_token token =
        reading->request->find_value(reading->request->context, node->text, true);
    return token.kind != IR_FIXED || token.index != IR_FIXED_UNKNOWN;
}

/* Ranges with names of their own become buckets: the names are not in the question, so
 * nobody could point at them. NULL when it is something else. */
static struct ir_node *make_bucket(struct sql_reading *reading, struct ir_node *node)
{
    struct cuts cuts = {0};
    bool all_known = true;
    struct ir_node *part = node;
    while (part && ir_node_is(part, IR_IF)) {
        if (!is_label(part->args.items[1]) ||
            !cuts_of(reading, &cuts, part->args.items[0])) {
            return NULL;
        }
        all_known = all_known && label_known(reading, part->args.items[1]);
        part = part->args.count > 2 ? part->args.items[2] : NULL;
    }
    if ((part && !is_label(part)) || !cuts.of || (all_known && !part)) {
        return NULL;
    }
    if (all_known && label_known(reading, part)) {
        return NULL;
    }
    qsort(cuts.items, cuts.count, sizeof *cuts.items, cut_order);
    struct ir_node *bucket =
        sql_call(reading, IR_BUCKET, node->args.items[0]->args.items[0], NULL);
    if (ir_node_is(node->args.items[0], IR_AND)) {
        bucket->args.items[0] = node->args.items[0]->args.items[0]->args.items[0];
    }
    size_t first =
        cuts.count > 1 && cuts.items[0] <= 0 ? 1 : 0; /* "from 0" cuts nothing */
    for (size_t i = first; i < cuts.count; i++) {
        VEC_PUSH(
            reading->arena, &bucket->args,
            sql_number(reading, arena_format(reading->arena, "%.10g", cuts.items[i])));
    }
    return bucket;
}

struct ir_node *sql_read_case(struct sql_reading *reading, const struct sql_node *node)
{
    const struct sql_node *whens = node->children[CASE_WHENS];
    const struct sql_node *otherwise = node->children[CASE_ELSE];
    struct ir_node *operand = node->children[CASE_VALUE]
                                  ? sql_read_value(reading, node->children[CASE_VALUE])
                                  : NULL;
    struct ir_node *first = NULL;
    struct ir_node *last = NULL;
    for (size_t i = 0; i < whens->count; i++) {
        const struct sql_node *when = whens->children[i];
        struct ir_node *test = sql_read_value(reading, when->children[PAIR_LEFT]);
        test = operand ? sql_make_test(reading, IR_EQUAL, operand, test) : test;
        struct ir_node *then = sql_read_value(reading, when->children[PAIR_RIGHT]);
        struct ir_node *part = sql_call(reading, IR_IF, test, then);
        if (last) {
            VEC_PUSH(reading->arena, &last->args, part);
        }
        first = first ? first : part;
        last = part;
    }
    bool null = sql_is(otherwise, SQL_CONSTANT) && str_equal(otherwise->text, "NULL");
    if (otherwise && !null) {
        VEC_PUSH(reading->arena, &last->args, sql_read_value(reading, otherwise));
    }
    struct ir_node *bucket = reading->failed ? NULL : make_bucket(reading, first);
    return bucket ? bucket : first;
}
