/* A figure or a column of the answer, as JSON and as IR: {figure, column}, {figure: count,
 * table}, {column, by}. */
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "base/writer.h"
#include "parser/parts/parts_state.h"

const struct parts_word parts_figures[] = {
    {"count", IR_COUNT},   {"count_different", IR_COUNT_DISTINCT},
    {"sum", IR_SUM},       {"average", IR_AVG},
    {"lowest", IR_MIN},    {"highest", IR_MAX},
    {"median", IR_MEDIAN}, {NULL, IR_PAD},
};

static const struct parts_word parts_units[] = {
    {"year", IR_YEAR},
    {"quarter", IR_QUARTER},
    {"month", IR_MONTH},
    {"week", IR_WEEK},
    {"day", IR_DAY},
    {"quarter_of_year", IR_QUARTER_OF},
    {"month_of_year", IR_MONTH_OF},
    {"day_of_month", IR_DAY_OF},
    {"weekday", IR_WEEKDAY_OF},
    {"hour", IR_HOUR_OF},
    {NULL, IR_PAD},
};

const struct parts_word *parts_word_find(const struct parts_word *words, const char *word)
{
    for (; words->word; words++) {
        if (str_equal(words->word, word)) {
            return words;
        }
    }
    return NULL;
}

const struct parts_word *parts_word_of(const struct parts_word *words,
                                       enum ir_keyword keyword)
{
    for (; words->word; words++) {
        if (words->keyword == keyword) {
            return words;
        }
    }
    return NULL;
}

bool parts_figure_fits(enum ir_keyword figure, const struct ir_column *column)
{
    bool number = column->type == IR_TYPE_NUMBER;
    bool ordered = number || column->type == IR_TYPE_TIME;
    switch (figure) {
    case IR_SUM:
    case IR_AVG:
    case IR_MEDIAN:
        return number && !column->flag;
    case IR_MIN:
    case IR_MAX:
        return ordered;
    default:
        return column->type != IR_TYPE_OTHER;
    }
}

static bool parts_unit_fits(const struct ir_column *column)
{
    return column->type == IR_TYPE_TIME;
}

int parts_table_counted(const struct parts *parts, const struct ir_node *node)
{
    if (ir_node_is(node, IR_COUNT) && ir_node_is_star(node->args.items[0])) {
        return parts->counted;
    }
    int column =
        ir_node_is(node, IR_COUNT_DISTINCT) ? parts_column_of(node->args.items[0]) : -1;
    return column > 0 && parts->schema->columns[column].unique
               ? parts->schema->columns[column].table
               : -1;
}

static bool write_figure(const struct parts *parts, const struct ir_node *node,
                         bool rounded, struct writer *writer)
{
    const struct parts_word *figure = parts_word_of(parts_figures, node->keyword);
    int table = parts_table_counted(parts, node);
    int column = figure ? parts_column_of(node->args.items[0]) : -1;
    if (!figure || (table < 0 && column < 0)) {
        return false;
    }
    if (column >= 0 && table < 0 &&
        !parts_figure_fits(node->keyword, &parts->schema->columns[column])) {
        return false;
    }
    writer_key_text(writer, "figure", table >= 0 ? "count" : figure->word);
    if (table >= 0) {
        writer_key_text(writer, "table", parts->schema->tables[table].name);
    } else {
        writer_key_text(writer, "column", parts_column_name(parts, column));
    }
    if (rounded) {
        writer_key_bool(writer, "rounded", true);
    }
    return true;
}

bool parts_item_write(const struct parts *parts, const struct ir_node *node,
                      struct writer *writer)
{
    bool rounded = ir_node_is(node, IR_ROUND);
    const struct ir_node *inner = rounded ? node->args.items[0] : node;
    if (inner->kind == IR_NODE_CALL && ir_is_aggregate(inner->keyword)) {
        return write_figure(parts, inner, rounded, writer);
    }
    const struct parts_word *unit =
        inner->kind == IR_NODE_CALL ? parts_word_of(parts_units, inner->keyword) : NULL;
    int column = parts_column_of(unit ? inner->args.items[0] : inner);
    if (rounded || column < 0 ||
        (unit && !parts_unit_fits(&parts->schema->columns[column]))) {
        return false;
    }
    writer_key_text(writer, "column", parts_column_name(parts, column));
    if (unit) {
        writer_key_text(writer, "by", unit->word);
    }
    return true;
}

/* ------------------------------------------------------------------ reading */

static struct ir_node *fail(struct parts_making *making, const char *where,
                            const char *why, const char *what)
{
    (void)err_set(making->err, ERR_INVALID_DATA, "%s: %s%s%.80s%s", where, why,
                  what ? " '" : "", what ? what : "", what ? "'." : "");
    return NULL;
}

static int table_named(const struct parts *parts, const char *name)
{
    for (int i = 0; name && i < parts->schema->table_count; i++) {
        if (str_equal(parts->schema->tables[i].name, name)) {
            return i;
        }
    }
    return -1;
}

static struct ir_node *read_count(struct parts_making *making, const char *name,
                                  const char *where)
{
    struct parts *parts = making->parts;
    int table = table_named(parts, name);
    if (table < 0) {
        return fail(making, where, "there is no table", name);
    }
    struct ir_node *star = ir_node_token(parts->arena, (struct ir_token){IR_COLUMN, 0});
    struct ir_node *node = ir_node_call(parts->arena, IR_COUNT, star, NULL);
    VEC_PUSH(parts->arena, &making->counts, ((struct parts_count){node, table}));
    return node;
}

static struct ir_node *read_figure(struct parts_making *making, const json_t *item,
                                   const char *where)
{
    struct parts *parts = making->parts;
    const char *name = json_text_at(item, "column");
    const char *word = json_text_at(item, "figure");
    const char *table = json_text_at(item, "table");
    const struct parts_word *figure = parts_word_find(parts_figures, word);
    if (!figure) {
        return fail(making, where, "there is no figure", word);
    }
    if (table) {
        return figure->keyword == IR_COUNT && !name
                   ? read_count(making, table, where)
                   : fail(making, where,
                          "a table is only allowed with the figure 'count' and without a "
                          "column.",
                          NULL);
    }
    int column = parts_column_named(parts, name);
    if (column < 0) {
        return fail(making, where, "there is no column", str_or_empty(name));
    }
    if (!parts_figure_fits(figure->keyword, &parts->schema->columns[column])) {
        return fail(making, where, "this figure does not fit the column", name);
    }
    struct ir_node *node = ir_node_call(
        parts->arena, figure->keyword, ir_node_column(parts->arena, column, false), NULL);
    return json_bool_at(item, "rounded", false)
               ? ir_node_call(parts->arena, IR_ROUND, node, NULL)
               : node;
}

static struct ir_node *read_column(struct parts_making *making, const json_t *item,
                                   const char *where)
{
    struct parts *parts = making->parts;
    const char *name = json_text_at(item, "column");
    const char *by = json_text_at(item, "by");
    int column = parts_column_named(parts, name);
    if (column < 0) {
        return fail(making, where, "there is no column", str_or_empty(name));
    }
    struct ir_node *node = ir_node_column(parts->arena, column, false);
    if (!by) {
        return node;
    }
    const struct parts_word *unit = parts_word_find(parts_units, by);
    if (!unit) {
        return fail(making, where, "there is no part of a date called", by);
    }
    return parts_unit_fits(&parts->schema->columns[column])
               ? ir_node_call(parts->arena, unit->keyword, node, NULL)
               : fail(making, where, "this column is not a date:", name);
}

struct ir_node *parts_item_read(struct parts_making *making, const json_t *item,
                                const struct ir_nodes *kept, const char *where)
{
    if (!json_is_object(item)) {
        return fail(making, where, "this must be an object.", NULL);
    }
    if (json_object_get(item, "kept")) {
        int64_t number = json_int_at(item, "kept", -1);
        return kept && number >= 0 && (size_t)number < kept->count
                   ? kept->items[number]
                   : fail(making, where,
                          "'kept' has a number that this answer does not have.", NULL);
    }
    return json_object_get(item, "figure") ? read_figure(making, item, where)
                                           : read_column(making, item, where);
}
