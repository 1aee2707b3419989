/*
 * Medians, percentiles, standard deviations. Where a database has no median, the rows are
 * numbered within their group first, in a query of their own, and the ones in the middle
 * are taken. Such nodes have a text: "place_in_group" and "rows_in_group" in the query of
 * numbered rows, and "of" over it, with the value, its place and the number of rows as
 * arguments.
 */
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"
#include "parser/to_sql/rebuild_state.h"

#define SUM_OF_SQUARES "(SUM($x * $x) - SUM($x) * SUM($x) * 1.0 / COUNT($x))"

/* $x is what it is of, $v the number of a percentile, $f the fraction. Where there is
 * none, rows are numbered. */
static const struct statistic {
    enum ir_keyword keyword;
    const char *templates[DIALECT_COUNT];
} statistics[] = {
    {IR_MEDIAN,
     {NULL, "median($x)", "PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY $x)", NULL,
      "median($x)", "APPROX_QUANTILES($x, 2)[OFFSET(1)]", NULL}},
    {IR_PERCENTILE,
     {NULL, "quantile_disc($x, $f)", "PERCENTILE_DISC($f) WITHIN GROUP (ORDER BY $x)",
      NULL, "quantileExact($f)($x)", "APPROX_QUANTILES($x, 100)[OFFSET($v)]", NULL}},
    {IR_DEVIATION,
     {"SQRT(" SUM_OF_SQUARES " / NULLIF(COUNT($x) - 1, 0))", "stddev_samp($x)",
      "STDDEV_SAMP($x)", "STDDEV_SAMP($x)", "stddevSamp($x)", "STDDEV_SAMP($x)",
      "SQRT(" SUM_OF_SQUARES " / NULLIF(COUNT($x) - 1, 0))"}},
    {IR_VARIANCE,
     {SUM_OF_SQUARES " / NULLIF(COUNT($x) - 1, 0)", "var_samp($x)", "VAR_SAMP($x)",
      "VAR_SAMP($x)", "varSamp($x)", "VAR_SAMP($x)",
      SUM_OF_SQUARES " / NULLIF(COUNT($x) - 1, 0)"}},
};

enum { STATISTIC_COUNT = sizeof statistics / sizeof *statistics };

bool rebuild_is_statistic(enum ir_keyword keyword)
{
    return keyword >= IR_MEDIAN && keyword <= IR_VARIANCE;
}

static const char *template_of(const struct rebuilding *rebuilding,
                               enum ir_keyword keyword)
{
    for (size_t i = 0; i < STATISTIC_COUNT; i++) {
        if (statistics[i].keyword == keyword) {
            return statistics[i].templates[rebuilding->dialect];
        }
    }
    return NULL;
}

static void fill(struct rebuilding *rebuilding, const struct ir_node *node, char hole)
{
    long long number;
    if (hole == 'x') {
        rebuild_operand(rebuilding, node->args.items[0], REBUILD_BINDS_ALL);
    } else if (rebuild_count(rebuilding, node->args.items[1], &number)) {
        if (hole == 'f') {
            buf_format(&rebuilding->out, "%g", (double)number / 100);
        } else {
            buf_format(&rebuilding->out, "%lld", number);
        }
    }
}

/* PARTITION BY the groups, which follow the value among the arguments. */
static void write_partition(struct rebuilding *rebuilding, const struct ir_node *node)
{
    for (size_t i = 1; i < node->args.count; i++) {
        buf_text(&rebuilding->out, i > 1 ? ", " : "PARTITION BY ");
        rebuild_expression(rebuilding, node->args.items[i]);
    }
}

static void write_numbered(struct rebuilding *rebuilding, const struct ir_node *node)
{
    const struct ir_node *value = node->args.items[0];
    bool place = str_equal(node->text, "place_in_group");
    buf_text(&rebuilding->out, place ? "ROW_NUMBER(" : "COUNT(");
    if (!place) {
        rebuild_expression(rebuilding, value);
    }
    buf_text(&rebuilding->out, ") OVER (");
    write_partition(rebuilding, node);
    if (place) {
        buf_text(&rebuilding->out,
                 node->args.count > 1 ? " ORDER BY CASE WHEN " : "ORDER BY CASE WHEN ");
        rebuild_expression(rebuilding, value);
        buf_text(&rebuilding->out, " IS NULL THEN 1 ELSE 0 END, ");
        rebuild_expression(rebuilding, value);
    }
    buf_char(&rebuilding->out, ')');
}

/* Writes which rows are the middle: of 5 rows the third, of 4 the second and the third;
 * for a percentile the first row at which that share of all rows is reached. */
static void write_middle(struct rebuilding *rebuilding, const struct ir_node *node)
{
    const struct ir_nodes *args = &node->args;
    long long number = 0;
    bool median = node->keyword == IR_MEDIAN;
    if (!median && !rebuild_count(rebuilding, args->items[3], &number)) {
        return;
    }
    buf_text(&rebuilding->out, median ? "AVG(CASE WHEN 2 * " : "MIN(CASE WHEN 100 * ");
    rebuild_expression(rebuilding, args->items[1]);
    if (median) {
        buf_text(&rebuilding->out, " BETWEEN ");
        rebuild_expression(rebuilding, args->items[2]);
        buf_text(&rebuilding->out, " AND ");
        rebuild_expression(rebuilding, args->items[2]);
        buf_text(&rebuilding->out, " + 2");
    } else {
        buf_format(&rebuilding->out, " >= %lld * ", number);
        rebuild_expression(rebuilding, args->items[2]);
    }
    buf_text(&rebuilding->out, " THEN ");
    rebuild_expression(rebuilding, args->items[0]);
    buf_text(&rebuilding->out, " END)");
}

void rebuild_statistic(struct rebuilding *rebuilding, const struct ir_node *node)
{
    const char *template = template_of(rebuilding, node->keyword);
    if (node->text && str_equal(node->text, "of")) {
        write_middle(rebuilding, node);
    } else if (node->text) {
        write_numbered(rebuilding, node);
    } else if (template) {
        rebuild_template(rebuilding, template, node, fill);
    } else {
        rebuild_fail(rebuilding, "A '%s' here needs rows that are numbered.",
                     ir_keyword_text((int)node->keyword));
    }
}

/* A query being taken apart. */
struct numbering {
    struct rebuilding *rebuilding;
    struct ir_query *query; /* as it was */
    struct ir_query *inner; /* the numbered rows */
    bool found;
};

static void find_missing(void *context, struct ir_node *node)
{
    struct numbering *numbering = context;
    bool statistic = node->kind == IR_NODE_CALL && !node->text &&
                     rebuild_is_statistic(node->keyword) &&
                     !template_of(numbering->rebuilding, node->keyword);
    numbering->found = numbering->found || statistic;
}

/* What the inner query selects, called by its number; added where it is not there yet. */
static struct ir_node *item_of(struct numbering *numbering, struct ir_node *node)
{
    struct arena *arena = numbering->rebuilding->arena;
    struct ir_nodes *select = &numbering->inner->select;
    size_t i = 0;
    while (i < select->count &&
           !(ir_node_same(select->items[i], node) &&
             str_equal(select->items[i]->text ? select->items[i]->text : "",
                       node->text ? node->text : ""))) {
        i++;
    }
    if (i == select->count) {
        VEC_PUSH(arena, select, node);
    }
    return ir_node_item(arena, (int)i + 1);
}

/* The value's place in its group, or the number of values there. */
static struct ir_node *numbered(struct numbering *numbering, const struct ir_node *node,
                                const char *what)
{
    struct arena *arena = numbering->rebuilding->arena;
    struct ir_node *made = ir_node_call(arena, IR_MEDIAN, node->args.items[0], NULL);
    for (size_t i = 0; i < numbering->query->group.count; i++) {
        VEC_PUSH(arena, &made->args, numbering->query->group.items[i]);
    }
    made->text = what;
    return item_of(numbering, made);
}

static struct ir_node *lift(struct numbering *numbering, struct ir_node *node);

static struct ir_node *lift_statistic(struct numbering *numbering,
                                      const struct ir_node *node)
{
    struct arena *arena = numbering->rebuilding->arena;
    struct ir_node *made =
        ir_node_call(arena, node->keyword, item_of(numbering, node->args.items[0]),
                     numbered(numbering, node, "place_in_group"));
    VEC_PUSH(arena, &made->args, numbered(numbering, node, "rows_in_group"));
    if (node->args.count > 1) {
        VEC_PUSH(arena, &made->args, node->args.items[1]);
    }
    made->text = "of";
    return made;
}

static struct ir_node *lift_call(struct numbering *numbering, const struct ir_node *node)
{
    struct arena *arena = numbering->rebuilding->arena;
    struct ir_node *made = ARENA_NEW(arena, struct ir_node);
    bool aggregate = ir_is_aggregate(node->keyword);
    *made = *node;
    made->args = (struct ir_nodes){0};
    for (size_t i = 0; i < node->args.count; i++) {
        struct ir_node *arg = node->args.items[i];
        bool whole = aggregate && i == 0 && !ir_node_is_star(arg);
        VEC_PUSH(arena, &made->args,
                 whole ? item_of(numbering, arg) : lift(numbering, arg));
    }
    return made;
}

/* The same over the numbered rows. */
static struct ir_node *lift(struct numbering *numbering, struct ir_node *node)
{
    for (size_t i = 0; node && i < numbering->query->group.count; i++) {
        if (ir_node_same(numbering->query->group.items[i], node)) {
            return item_of(numbering, node);
        }
    }
    if (!node || ir_node_is_value(node) || ir_node_is_star(node) ||
        node->kind == IR_NODE_QUERY) {
        return node;
    }
    if (node->kind != IR_NODE_CALL) {
        return item_of(numbering, node);
    }
    bool numbers = rebuild_is_statistic(node->keyword) &&
                   !template_of(numbering->rebuilding, node->keyword);
    return numbers ? lift_statistic(numbering, node) : lift_call(numbering, node);
}

static void lift_all(struct numbering *numbering, const struct ir_nodes *from,
                     struct ir_nodes *to)
{
    for (size_t i = 0; i < from->count; i++) {
        VEC_PUSH(numbering->rebuilding->arena, to, lift(numbering, from->items[i]));
    }
}

struct ir_query *rebuild_number_rows(struct rebuilding *rebuilding,
                                     struct ir_query *query)
{
    struct numbering numbering = {rebuilding, query, NULL, false};
    ir_query_walk(query, find_missing, &numbering);
    if (!numbering.found) {
        return query;
    }
    struct ir_query *outer = ARENA_NEW(rebuilding->arena, struct ir_query);
    numbering.inner = ARENA_NEW(rebuilding->arena, struct ir_query);
    *numbering.inner = *query;
    numbering.inner->select = numbering.inner->group = (struct ir_nodes){0};
    numbering.inner->per = (struct ir_nodes){0};
    numbering.inner->distinct = false;
    numbering.inner->having = numbering.inner->limit = numbering.inner->offset = NULL;
    numbering.inner->order.count = 0;
    numbering.inner->set_query = NULL;
    *outer = (struct ir_query){.distinct = query->distinct,
                               .from = numbering.inner,
                               .limit = query->limit,
                               .offset = query->offset,
                               .set = query->set,
                               .set_query = query->set_query};
    lift_all(&numbering, &query->select, &outer->select);
    lift_all(&numbering, &query->group, &outer->group);
    lift_all(&numbering, &query->per, &outer->per);
    outer->having = lift(&numbering, query->having);
    for (size_t i = 0; i < query->order.count; i++) {
        struct ir_order order = {lift(&numbering, query->order.items[i].node),
                                 query->order.items[i].descending};
        VEC_PUSH(rebuilding->arena, &outer->order, order);
    }
    return outer;
}
