/* Words of the question that are cells, found by the index or by the parser. */
#include "agent/understand/cells.h"

#include <stdlib.h>
#include <string.h>

#include "agent/sources/policing.h"
#include "agent/run.h"
#include "agent/understand/placing/placing.h"
#include "agent/understand/solving.h"
#include "agent/understand/understanding.h"
#include "base/buf.h"
#include "base/str.h"
#include "base/vec.h"
#include "base/writer.h"
#include "datasource/datasource.h"
#include "datasource/driver.h"
#include "knowledge/prefilter/prefilter_cells.h"
#include "knowledge/value_index/value_index.h"

enum {
    CELLS_MOST = 8,
    PLACES_MOST = 3,
    CELL_BYTES = 4096,
    MATCHES_MOST = 32, /* looked at before the best are taken */
    FOUND_MOST = 256,
};

void cells_add(struct run *run, const char *table, const char *column, const char *text)
{
    struct buf line;
    buf_init(&line, CELL_BYTES);
    (void)buf_format(&line, "%s.%s = ", table, column);
    writer_quote(&line, text, strlen(text));
    VEC_PUSH(run->arena, &run->understanding.cells, buf_clone(&line, run->arena));
    buf_release(&line);
}

/* A cell that may be meant, and how much its table has to do with the question. */
struct found {
    const struct table *table;
    const struct column *column;
    const char *text;
    size_t rank;
    size_t order; /* in which it was found */
};

struct founds {
    struct found *items;
    size_t count;
    size_t capacity;
};

static int by_rank(const void *a, const void *b)
{
    const struct found *left = a;
    const struct found *right = b;
    if (left->rank != right->rank) {
        return left->rank < right->rank ? -1 : 1;
    }
    return left->order < right->order ? -1 : left->order > right->order;
}

static size_t rank_of(const struct table *const *ranked, size_t count,
                      const struct table *table)
{
    size_t at = 0;
    while (at < count && ranked[at] != table) {
        at++;
    }
    return at;
}

static void find_places(struct run *run, const struct value_matches *matches,
                        struct founds *out)
{
    const struct schema *schema = run_schema(run);
    size_t count = 0;
    const struct table **ranked = understanding_candidates(run, &count);
    for (size_t i = 0; i < matches->count; i++) {
        const struct value_match *match = &matches->items[i];
        for (size_t k = 0; k < match->place_count && out->count < FOUND_MOST; k++) {
            const struct value_place *place = &match->places[k];
            if (place->table < schema->tables.count &&
                place->column < schema->tables.items[place->table].columns.count) {
                const struct table *table = &schema->tables.items[place->table];
                VEC_PUSH(run->scratch, out,
                         ((struct found){table, &table->columns.items[place->column],
                                         match->text, rank_of(ranked, count, table),
                                         out->count}));
            }
        }
    }
    if (out->count) {
        qsort(out->items, out->count, sizeof *out->items, by_rank);
    }
}

/* The same cell is told once, and a text that stands everywhere in its best places. */
static bool is_told(const struct founds *founds, size_t index)
{
    const struct found *found = &founds->items[index];
    size_t places = 0;
    for (size_t i = 0; i < index; i++) {
        const struct found *other = &founds->items[i];
        if (str_equal(other->text, found->text)) {
            places++;
            if (other->column == found->column) {
                return true;
            }
        }
    }
    return places >= PLACES_MOST;
}

/* The cells, with those that were written a moment ago. */
static struct value_index *fresh_cells(struct run *run, bool local)
{
    struct value_index *index = solving_cells(run, local);
    size_t count = 0;
    bool whole = index && !value_index_partial(index); /* else many cells are not in it */
    const struct table **ranked =
        local && whole ? understanding_candidates(run, &count) : NULL;
    if (count && placing_refresh_words(run, index, ranked, count)) {
        value_index_unref(index);
        index = solving_cells(run, local);
    }
    return index;
}

void cells_find(struct run *run)
{
    const struct datasource *source = run_datasource(run);
    if (run->understanding.cells_known || !source || !run_schema(run) ||
        !policing_sends_rows(run)) {
        return;
    }
    run->understanding.cells_known = true;
    struct value_matches matches;
    struct founds founds = {0};
    struct value_index *index = fresh_cells(run, source->driver->local);
    prefilter_cells_named(index, run->scratch, run_question_text(run), MATCHES_MOST,
                          &matches);
    if (matches.count) {
        find_places(run, &matches, &founds);
    }
    for (size_t i = 0; i < founds.count && run->understanding.cells.count < CELLS_MOST;
         i++) {
        if (!is_told(&founds, i)) {
            cells_add(run, founds.items[i].table->name, founds.items[i].column->name,
                      founds.items[i].text);
        }
    }
    value_index_unref(index);
}
