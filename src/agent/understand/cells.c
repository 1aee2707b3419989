/* Words of the question that are cells, found by the index or by the parser. */
#include "agent/understand/cells.h"

#include <string.h>

#include "agent/sources/policing.h"
#include "agent/run.h"
#include "agent/understand/solving.h"
#include "base/buf.h"
#include "base/vec.h"
#include "base/writer.h"
#include "datasource/datasource.h"
#include "datasource/driver.h"
#include "knowledge/prefilter_cells.h"
#include "knowledge/value_index.h"

enum { CELLS_MOST = 8, PLACES_MOST = 3, CELL_BYTES = 4096 };

void cells_add(struct run *run, const char *table, const char *column, const char *text)
{
    struct buf line;
    buf_init(&line, CELL_BYTES);
    (void)buf_format(&line, "%s.%s = ", table, column);
    writer_quote(&line, text, strlen(text));
    VEC_PUSH(run->arena, &run->understanding.cells, buf_clone(&line, run->arena));
    buf_release(&line);
}

static void add_match(struct run *run, const struct value_match *match)
{
    const struct schema *schema = run_schema(run);
    for (size_t i = 0; i < match->place_count && i < PLACES_MOST; i++) {
        const struct value_place *place = &match->places[i];
        if (place->table < schema->tables.count &&
            place->column < schema->tables.items[place->table].columns.count &&
            run->understanding.cells.count < CELLS_MOST) {
            const struct table *table = &schema->tables.items[place->table];
            cells_add(run, table->name, table->columns.items[place->column].name,
                      match->text);
        }
    }
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
    struct value_index *index = solving_cells(run, source->driver->local);
    prefilter_cells_named(index, run->scratch, run_question_text(run), CELLS_MOST,
                          &matches);
    for (size_t i = 0; i < matches.count; i++) {
        add_match(run, &matches.items[i]);
    }
    value_index_unref(index);
}
