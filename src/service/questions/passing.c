/* Passes rows to the caller while the database delivers them. */
#include "base/buf.h"
#include "base/memory.h"
#include "service/questions/question.h"

enum { CELLS_MOST = 1 << 30 };

struct passing {
    struct dgm_rows_sink asker;
    struct datasource_sink sink;
    struct dgm_cell *cells;
    size_t *starts; /* offsets in `text` of cells that had to be converted */
    size_t count;
    struct buf text; /* text of the current row */
};

static void columns_drop(struct passing *passing)
{
    memory_free(passing->cells);
    memory_free(passing->starts);
    passing->cells = NULL;
    passing->starts = NULL;
}

static bool take_columns(void *context, const struct rows_column *columns, size_t count)
{
    struct passing *passing = context;
    columns_drop(passing);
    passing->cells = memory_array(count + 1, sizeof *passing->cells);
    passing->starts = memory_array(count + 1, sizeof *passing->starts);
    passing->count = count;
    const char **names = memory_array(count + 1, sizeof *names);
    for (size_t i = 0; i < count; i++) {
        names[i] = columns[i].name ? columns[i].name : "";
    }
    bool more = passing->asker.columns(passing->asker.context, names, count);
    memory_free(names);
    return more;
}

/* Is the value already text that can be passed without a copy? */
static bool lies_ready(enum value_kind kind)
{
    return kind == VALUE_TEXT || kind == VALUE_NUMBER || kind == VALUE_JSON;
}

static bool take_row(void *context, const struct value *values)
{
    struct passing *passing = context;
    buf_clear(&passing->text);
    for (size_t i = 0; i < passing->count; i++) {
        const struct value *value = &values[i];
        struct dgm_cell *cell = &passing->cells[i];
        cell->number = value->kind == VALUE_INT || value->kind == VALUE_REAL ||
                       value->kind == VALUE_NUMBER;
        passing->starts[i] = passing->text.size;
        if (lies_ready(value->kind)) {
            cell->text = value->text.data;
            cell->size = value->text.size;
        } else {
            value_show(&passing->text, value);
            cell->size = passing->text.size - passing->starts[i];
        }
    }
    /* only now does the text stay where it is */
    for (size_t i = 0; i < passing->count; i++) {
        if (values[i].kind == VALUE_NULL) {
            passing->cells[i].text = NULL;
        } else if (!lies_ready(values[i].kind)) {
            passing->cells[i].text = buf_get(&passing->text) + passing->starts[i];
        }
    }
    return passing->asker.row(passing->asker.context, passing->cells);
}

struct passing *passing_new(const struct dgm_rows_sink *sink)
{
    struct passing *passing = memory_alloc(sizeof *passing);
    passing->asker = *sink;
    passing->sink = (struct datasource_sink){
        .columns = take_columns, .row = take_row, .context = passing};
    buf_init(&passing->text, CELLS_MOST);
    return passing;
}

void passing_free(struct passing *passing)
{
    if (passing) {
        columns_drop(passing);
        buf_release(&passing->text);
        memory_free(passing);
    }
}

const struct datasource_sink *passing_sink(const struct passing *passing)
{
    return &passing->sink;
}
