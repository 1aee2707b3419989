/* Is a word a cell that was written after the cells were read? Asked of the database directly. */
#include "agent/cell_look.h"
#include "agent/understand/brain.h"
#include "agent/understand/placing/placing.h"
#include "base/str.h"
#include "knowledge/value_index/value_index.h"
#include "knowledge/words/words.h"

enum {
    TABLES_MOST = 3,
    WORDS_MOST = 8, /* of a question */
};

static bool look(struct run *run, const struct table *table, const struct texts *words)
{
    if (cell_look_words(run, table, words) != CELL_PRESENT) {
        return false;
    }
    value_index_cache_drop(brain_values(run->agent->brain), run_datasource(run)->id);
    return true;
}

bool placing_refresh(struct run *run, const struct texts *tables, const char *word)
{
    struct texts words = {0};
    VEC_PUSH(run->scratch, &words, word);
    for (size_t i = 0; i < tables->count && i < TABLES_MOST; i++) {
        const struct table *table = schema_table(run_schema(run), tables->items[i]);
        if (table && look(run, table, &words)) {
            return true;
        }
    }
    return false;
}

static bool names_schema(const struct table *const *tables, size_t count,
                         const char *folded)
{
    for (size_t i = 0; i < count; i++) {
        bool named = str_contains_nocase(tables[i]->name, folded);
        for (size_t c = 0; !named && c < tables[i]->columns.count; c++) {
            named = str_contains_nocase(tables[i]->columns.items[c].name, folded);
        }
        if (named) {
            return true;
        }
    }
    return false;
}

/* Words of the question that neither a name nor a cell has, and pairs of neighbours of them. */
static void unknown_words(struct run *run, const struct value_index *cells,
                          const struct table *const *tables, size_t count,
                          struct texts *out)
{
    struct words words;
    struct word word;
    struct word before = {0};
    struct value_place place;
    words_init(&words, run_question_text(run));
    while (words_next(&words, &word) && out->count < WORDS_MOST) {
        bool known = word.size < 3 || word_is_common(word.folded) ||
                     names_schema(tables, count, word.folded) ||
                     value_index_inside(cells, word.start, word.size, &place, 1);
        if (known) {
            before.start = NULL;
            continue;
        }
        VEC_PUSH(run->scratch, out, arena_copy(run->scratch, word.start, word.size));
        if (before.start) {
            size_t size = (size_t)(word.start + word.size - before.start);
            VEC_PUSH(run->scratch, out, arena_copy(run->scratch, before.start, size));
        }
        before = word;
    }
}

bool placing_refresh_words(struct run *run, const struct value_index *cells,
                           const struct table *const *tables, size_t count)
{
    struct texts words = {0};
    if (!cells || value_index_partial(cells)) {
        return false;
    }
    unknown_words(run, cells, tables, count, &words);
    for (size_t i = 0; words.count && i < count && i < TABLES_MOST; i++) {
        if (look(run, tables[i], &words)) {
            return true;
        }
    }
    return false;
}
