/*
 * Dates that other dates lead to: some units later, and of all rows with the same key the
 * first, the last, or the one before this row. The latter look into their own table again.
 */
#include "parser/to_sql/rebuild_state.h"

/* $a is the date, $b the number; $d, $w, $m, $q and $y are the number with its unit as SQLite
 * wants it. */
static const struct shift {
    enum ir_keyword unit;
    const char *templates[DIALECT_COUNT];
} shifts[] = {
    {IR_UNIT_DAY,
     {"date($a, $d)", "$a + to_days(CAST($b AS INTEGER))", "$a + ($b) * INTERVAL '1 day'",
      "DATE_ADD($a, INTERVAL ($b) DAY)", "addDays($a, $b)",
      "DATE_ADD(DATE($a), INTERVAL ($b) DAY)", NULL}},
    {IR_UNIT_WEEK,
     {"date($a, $w)", "$a + to_days(CAST(7 * ($b) AS INTEGER))",
      "$a + ($b) * INTERVAL '7 days'", "DATE_ADD($a, INTERVAL ($b) WEEK)",
      "addWeeks($a, $b)", "DATE_ADD(DATE($a), INTERVAL ($b) WEEK)", NULL}},
    {IR_UNIT_MONTH,
     {"date($a, $m)", "$a + to_months(CAST($b AS INTEGER))",
      "$a + ($b) * INTERVAL '1 month'", "DATE_ADD($a, INTERVAL ($b) MONTH)",
      "addMonths($a, $b)", "DATE_ADD(DATE($a), INTERVAL ($b) MONTH)", NULL}},
    {IR_UNIT_QUARTER,
     {"date($a, $q)", "$a + to_months(CAST(3 * ($b) AS INTEGER))",
      "$a + ($b) * INTERVAL '3 months'", "DATE_ADD($a, INTERVAL ($b) QUARTER)",
      "addQuarters($a, $b)", "DATE_ADD(DATE($a), INTERVAL ($b) QUARTER)", NULL}},
    {IR_UNIT_YEAR,
     {"date($a, $y)", "$a + to_years(CAST($b AS INTEGER))",
      "$a + ($b) * INTERVAL '1 year'", "DATE_ADD($a, INTERVAL ($b) YEAR)",
      "addYears($a, $b)", "DATE_ADD(DATE($a), INTERVAL ($b) YEAR)", NULL}},
};

enum { SHIFT_COUNT = sizeof shifts / sizeof *shifts };

/* '+30 days', or days_to_pay || ' days' */
static void write_modifier(struct rebuilding *rebuilding, const struct ir_node *number,
                           char hole)
{
    static const struct {
        char hole;
        int times;
        const char *unit;
    } rows[] = {{'d', 1, "days"},
                {'w', 7, "days"},
                {'m', 1, "months"},
                {'q', 3, "months"},
                {'y', 1, "years"}};
    size_t i = 0;
    long long count;
    while (rows[i].hole != hole) {
        i++;
    }
    if (ir_node_is_value(number)) {
        if (rebuild_count(rebuilding, number, &count)) {
            buf_format(&rebuilding->out, "'+%lld %s'", count * rows[i].times,
                       rows[i].unit);
        }
        return;
    }
    if (rows[i].times > 1) {
        buf_format(&rebuilding->out, "(%d * ", rows[i].times);
    }
    rebuild_operand(rebuilding, number, REBUILD_BINDS_ALL);
    buf_format(&rebuilding->out, rows[i].times > 1 ? ") || ' %s'" : " || ' %s'",
               rows[i].unit);
}

static void fill_shift(struct rebuilding *rebuilding, const struct ir_node *node,
                       char hole)
{
    if (hole == 'a') {
        rebuild_date(rebuilding, node->args.items[0]);
    } else if (hole != 'b') {
        write_modifier(rebuilding, node->args.items[1], hole);
    } else {
        rebuild_expression(rebuilding, node->args.items[1]);
    }
}

void rebuild_shift(struct rebuilding *rebuilding, const struct ir_node *node)
{
    for (size_t i = 0; i < SHIFT_COUNT; i++) {
        const char *template = shifts[i].templates[rebuilding->dialect];
        if (ir_node_is(node->args.items[2], shifts[i].unit) && template) {
            rebuild_template(rebuilding, template, node, fill_shift);
            return;
        }
    }
    rebuild_fail(rebuilding, "This database has no way to say 'shift'.");
}

bool rebuild_is_event(enum ir_keyword keyword)
{
    return keyword >= IR_EARLIEST && keyword <= IR_PRIOR;
}

static void write_own(struct rebuilding *rebuilding, const struct ir_node *node)
{
    buf_text(&rebuilding->out, "e1.");
    dialect_quote(&rebuilding->out, rebuilding->dialect,
                  rebuilding->schema->columns[node->token.index].name, false);
}

/* A query inside that looks at the row outside is refused there. */
static void write_over(struct rebuilding *rebuilding, const struct ir_node *node)
{
    buf_text(&rebuilding->out, node->keyword == IR_EARLIEST ? "MIN(" : "MAX(");
    rebuild_column(rebuilding, node->args.items[0]);
    buf_text(&rebuilding->out, ") OVER (PARTITION BY ");
    rebuild_column(rebuilding, node->args.items[1]);
    if (node->keyword == IR_PRIOR) {
        buf_text(&rebuilding->out, " ORDER BY ");
        rebuild_column(rebuilding, node->args.items[0]);
        buf_text(&rebuilding->out, " ROWS BETWEEN 1 PRECEDING AND 1 PRECEDING");
    }
    buf_char(&rebuilding->out, ')');
}

/* (SELECT MIN(e1.day) FROM orders AS e1 WHERE e1.customer_id = orders.customer_id) */
void rebuild_event(struct rebuilding *rebuilding, const struct ir_node *node)
{
    const struct ir_node *date = node->args.items[0];
    const struct ir_node *key = node->args.items[1];
    bool fits = ir_node_is_column(date) && ir_node_is_column(key) && !date->second &&
                !key->second &&
                rebuilding->schema->columns[date->token.index].table ==
                    rebuilding->schema->columns[key->token.index].table;
    if (!fits) {
        rebuild_fail(rebuilding, "The date and the key of '%s' are apart.",
                     ir_keyword_text((int)node->keyword));
        return;
    }
    if (rebuilding->dialect == DIALECT_CLICKHOUSE) {
        write_over(rebuilding, node);
        return;
    }
    buf_text(&rebuilding->out,
             node->keyword == IR_EARLIEST ? "(SELECT MIN(" : "(SELECT MAX(");
    write_own(rebuilding, date);
    buf_text(&rebuilding->out, ") FROM ");
    rebuild_name_of_table(rebuilding,
                          rebuilding->schema->columns[date->token.index].table);
    buf_text(&rebuilding->out, " AS e1 WHERE ");
    write_own(rebuilding, key);
    buf_text(&rebuilding->out, " = ");
    rebuild_column(rebuilding, key);
    if (node->keyword == IR_PRIOR) {
        buf_text(&rebuilding->out, " AND ");
        write_own(rebuilding, date);
        buf_text(&rebuilding->out, " < ");
        rebuild_column(rebuilding, date);
    }
    buf_char(&rebuilding->out, ')');
}
