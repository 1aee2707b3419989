/* Looks the texts of a query that found nothing up among the cells. */
#include "agent/value_hint.h"

#include <string.h>

#include "agent/run_statement.h"
#include "agent/understand/solving.h"
#include "base/str.h"
#include "knowledge/value_index/value_index.h"

enum {
    MOST_HINTS = 3,
    MOST_NEAR = 8, /* looked at: the nearest may stand in another column */
    MOST_LITERAL = 100,
};

struct hinting {
    struct run *run;
    const struct value_index *cells;
    const char *column; /* as the query has it */
    const char *text;   /* what it is compared with */
};

/* No row, or one that counts or sums up none. */
static bool found_nothing(const struct answer *answer)
{
    const struct rows *rows = &answer->rows;
    if (!answer->has_rows || rows->count > 1) {
        return false;
    }
    for (size_t i = 0; rows->count && i < rows->column_count; i++) {
        const struct value *cell = rows_cell(rows, 0, i);
        bool zero = cell->kind == VALUE_NULL ||
                    (cell->kind == VALUE_INT && cell->integer == 0) ||
                    (cell->kind == VALUE_REAL && cell->real == 0.0);
        if (!zero) {
            return false;
        }
    }
    return true;
}

/* Does the value stand in a column of this name, in one of the tables of the query? */
static bool stands_here(const struct hinting *hinting, const struct value_match *match)
{
    const struct schema *schema = run_schema(hinting->run);
    const struct texts *tables = &hinting->run->answer.tables;
    for (size_t i = 0; i < match->place_count; i++) {
        const struct value_place *place = &match->places[i];
        const struct table *table = place->table < schema->tables.count
                                        ? &schema->tables.items[place->table]
                                        : NULL;
        if (!table || place->column >= table->columns.count ||
            !str_equal_nocase(table->columns.items[place->column].name,
                              hinting->column)) {
            continue;
        }
        for (size_t t = 0; t < tables->count; t++) {
            if (schema_table(schema, tables->items[t]) == table) {
                return true;
            }
        }
    }
    return false;
}

/* The cell that was meant; NULL when the text is a cell itself, or like none. *same: it
 * differs in case or signs only, which a column may be told to ignore. */
static const char *meant(const struct hinting *hinting, bool *same)
{
    struct arena *scratch = hinting->run->scratch;
    struct value_matches matches;
    size_t size = strlen(hinting->text);
    const char *best = NULL;
    *same = false;
    value_index_find(hinting->cells, scratch, hinting->text, size, &matches);
    for (size_t i = 0; i < matches.count; i++) {
        if (!stands_here(hinting, &matches.items[i])) {
            continue;
        }
        if (str_equal(matches.items[i].text, hinting->text)) {
            return NULL;
        }
        best = best ? best : matches.items[i].text;
    }
    *same = best != NULL;
    value_index_near(hinting->cells, scratch, hinting->text, size, MOST_NEAR, &matches);
    for (size_t i = 0; !best && i < matches.count; i++) {
        best = stands_here(hinting, &matches.items[i]) ? matches.items[i].text : NULL;
    }
    return best;
}

/* column = 'text', or 'text' = column. */
static bool compares(const struct sql_node *node, struct hinting *hinting)
{
    if (!str_equal(node->text, "=")) {
        return false;
    }
    for (size_t side = 0; side < PAIR_SLOTS; side++) {
        const struct sql_node *text = node->children[side];
        const struct sql_node *column = node->children[!side];
        if (text->kind == SQL_STRING && strlen(text->text) <= MOST_LITERAL &&
            column->kind == SQL_COLUMN) {
            hinting->text = text->text;
            hinting->column = column->children[column->count - 1]->text;
            return true;
        }
    }
    return false;
}

void value_hint(struct run *run)
{
    if (run->query.is_write || !run->answer.sql || !found_nothing(&run->answer)) {
        return;
    }
    /* A person's own SQL is run, not read: it waits for no index. */
    bool read = !run->request.given_sql && run_datasource(run)->driver->local;
    struct value_index *cells = NULL;
    size_t hints = 0;
    struct sql_nodes pairs = {0};
    sql_collect(run->scratch, run_statement(run, run->answer.sql)->root, SQL_BINARY,
                &pairs);
    for (size_t i = 0; i < pairs.count && hints < MOST_HINTS; i++) {
        struct hinting hinting = {.run = run};
        if (!compares(pairs.items[i], &hinting)) {
            continue;
        }
        cells = cells ? cells : solving_cells(run, read);
        hinting.cells = cells;
        bool unsure = false;
        const char *best = meant(&hinting, &unsure);
        if (best && (unsure || value_index_partial(cells))) {
            run_warn(run, "Is '%s' the right %s? There is '%s'.", hinting.text,
                     hinting.column, best);
        } else if (best) {
            run_warn(run, "No %s is '%s'; did you mean '%s'?", hinting.column,
                     hinting.text, best);
        }
        hints += best != NULL;
    }
    value_index_unref(cells);
}
