/* Corrects texts that occur in no cell, or warns about them. */
#include "agent/literals/literals.h"

#include <string.h>

#include "agent/cell_look.h"
#include "agent/literals/literals_state.h"
#include "agent/run_statement.h"
#include "agent/understand/brain.h"
#include "agent/understand/solving.h"
#include "base/str.h"
#include "knowledge/value_index/value_index.h"

enum {
    LITERALS_MOST = 6, /* of a statement; each may need a look at the database */
    VALUES_TOLD = 6,   /* of a column, in a sentence */
    HINTS_MOST = 3,
};

static bool is_ours(const struct run *run)
{
    return !run->request.given_sql && !run->query.hit;
}

struct value_index *literals_cells(struct run *run)
{
    /* A user's own SQL runs without waiting for the value index. */
    bool read = !run->request.given_sql && run_datasource(run)->driver->local;
    return solving_cells(run, read);
}

/* The cell was added after the index was read; the index is read again when next
 * needed. */
static void note_newer(struct run *run, struct value_index *cells,
                       const struct literal *literal)
{
    struct value_matches matches;
    value_index_find(cells, run->scratch, literal->text, strlen(literal->text), &matches);
    if (cells && !value_index_partial(cells) && !matches.count) {
        value_index_cache_drop(brain_values(run->agent->brain), run_datasource(run)->id);
    }
}

/* Numbers are recognized by the type of the column; only SQLite stores texts in numeric
 * columns. */
static bool is_made_up(struct run *run, struct value_index *cells,
                       const struct literal *literal)
{
    if (literal_is_known(run, cells, literal)) {
        return false;
    }
    if (literal_is_bit(literal->column) &&
        !str_equal(run_datasource(run)->driver->name, "sqlite")) {
        return true;
    }
    enum cell_look found = cell_look(run, literal->table, literal->column, literal->text);
    if (found == CELL_PRESENT) {
        note_newer(run, cells, literal);
    }
    return found == CELL_ABSENT;
}

/* "it is 'yes' or 'no'"; NULL: there are too many values, or not all are known. */
static const char *values_of(struct run *run, const struct column *column)
{
    const struct texts *samples = &column->samples;
    struct texts quoted = {0};
    if (!column->samples_all || !samples->count || samples->count > VALUES_TOLD) {
        return NULL;
    }
    for (size_t i = 0; i < samples->count; i++) {
        VEC_PUSH(run->scratch, &quoted,
                 arena_format(run->scratch, "'%s'", samples->items[i]));
    }
    const char *last = quoted.items[--quoted.count];
    return quoted.count ? arena_format(run->scratch, "it is %s or %s",
                                       str_join(run->scratch, &quoted, ", "), last)
                        : arena_format(run->scratch, "it is always %s", last);
}

static void tell(struct run *run, const struct literal *literal,
                 const struct literal_meant *meant, bool corrected)
{
    const char *values = values_of(run, literal->column);
    const char *begin = arena_format(run->scratch, "%s is never '%s'",
                                     literal->column->name, literal->text);
    VEC_PUSH(run->arena, &run->query.made_up, arena_text(run->arena, literal->text));
    if (values) {
        begin = arena_format(run->scratch, "%s: %s", begin, values);
    }
    if (corrected) {
        run->query.misspelt |= meant->misspelt;
        run_warn(run, "%s. The query was corrected to '%s'.", begin, meant->cell);
        return;
    }
    run->query.invented |= !str_contains_nocase(run_question_text(run), literal->text) &&
                           !str_contains_nocase(run->question.text, literal->text);
    if (meant->several) {
        run_warn(run, "%s; did you mean one of %s?", begin, meant->several);
    } else if (meant->cell) {
        run_warn(run, "%s; did you mean '%s'?", begin, meant->cell);
    } else {
        run_warn(run, "%s.", begin);
    }
}

struct mending {
    struct run *run;
    const char *cells[LITERALS_MOST]; /* by the number of the literal; NULL: it stays */
    bool any;
};

static const char *mended(struct run *run, const struct mending *mending)
{
    struct literals literals;
    struct sql_statement statement =
        sql_statement_copy(run->scratch, run_statement(run, run->answer.sql));
    literals_find(run->scratch, statement.root,
                  sql_resolve(run->scratch, &statement, run_schema(run)), LITERALS_MOST,
                  &literals);
    for (size_t i = 0; i < literals.count; i++) {
        const struct literal *literal = &literals.items[i];
        if (mending->cells[i]) {
            literal->node->kind = literal->column->is_text ? SQL_STRING : SQL_NUMBER;
            literal->node->count = 0;
            literal->node->text = arena_text(run->scratch, mending->cells[i]);
        }
    }
    return arena_text(
        run->arena, sql_statement_print(run->scratch, statement.dialect, statement.root));
}

static void find(struct run *run, struct literals *out)
{
    const struct sql_statement *statement = run_statement(run, run->answer.sql);
    *out = (struct literals){0};
    if (run_schema(run) && statement->root) {
        literals_find(run->scratch, statement->root, run_resolved(run, run->answer.sql),
                      LITERALS_MOST, out);
    }
}

void literals_check(struct run *run)
{
    struct mending mending = {.run = run};
    struct literals literals;
    run->query.made_up = (struct texts){0};
    run->query.invented = run->query.misspelt = run->query.spelled_twice = false;
    if (run->request.delivery || run->query.is_write) {
        return;
    }
    find(run, &literals);
    struct value_index *cells = literals.count ? literals_cells(run) : NULL;
    for (size_t i = 0; i < literals.count; i++) {
        const struct literal *literal = &literals.items[i];
        if (!is_made_up(run, cells, literal)) {
            literals_tell_spelling(run, cells, &literals, i);
            continue;
        }
        struct literal_meant meant = literal_meant(run, cells, literal);
        bool corrected = meant.only && is_ours(run);
        mending.cells[i] = corrected ? meant.cell : NULL;
        mending.any |= corrected;
        tell(run, literal, &meant, corrected);
    }
    const char *sql = mending.any ? mended(run, &mending) : NULL;
    if (sql) {
        run->answer.sql = sql;
        run_tell(run, OBSERVE_SQL, sql);
    }
    value_index_unref(cells);
}

bool literals_found_nothing(const struct answer *answer)
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

static bool is_told(const struct run *run, const char *text)
{
    for (size_t i = 0; i < run->query.made_up.count; i++) {
        if (str_equal(run->query.made_up.items[i], text)) {
            return true;
        }
    }
    return false;
}

void literals_hint(struct run *run)
{
    struct literals literals;
    if (run->query.is_write || !run->answer.sql ||
        !literals_found_nothing(&run->answer)) {
        return;
    }
    find(run, &literals);
    struct value_index *cells = literals.count ? literals_cells(run) : NULL;
    for (size_t i = 0, hints = 0; i < literals.count && hints < HINTS_MOST; i++) {
        const struct literal *literal = &literals.items[i];
        if (is_told(run, literal->text) || literal_is_known(run, cells, literal)) {
            continue;
        }
        const char *cell = literal_meant(run, cells, literal).cell;
        if (cell && !str_equal(cell, literal->text)) {
            run_warn(run, "Is '%s' the right %s? There is '%s'.", literal->text,
                     literal->column->name, cell);
            hints++;
        }
    }
    value_index_unref(cells);
}
