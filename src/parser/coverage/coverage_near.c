/* The values, tables and columns nearest to a word without a place. */
#include "parser/coverage/coverage_near.h"

#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "knowledge/value_index/value_index.h"
#include "model/schema.h"
#include "parser/ir/ir_schema.h"
#include "parser/link/features/features.h"
#include "parser/words/lexicon.h"

enum {
    NEAREST_MOST = 6,
    KINDS_MOST = 12,    /* a column with more values than this is no list of kinds */
    GENERAL_MOST = 200, /* more general words looked at */
    CELLS_MOST = 8,     /* cells looked at for one word */
    STATUS_POINTS = 2,  /* a name that says so is worth as much as two related values */
};

/* Columns whose values say of what kind or in what state a row is. */
static const char *const kind_names[] = {"status", "state", "type",  "kind",  "category",
                                         "role",   "level", "tier",  "plan",  "stage",
                                         "class",  "phase", "group", "genre", "species"};

static bool tells_kind(const struct column *column)
{
    for (size_t i = 0; i < sizeof kind_names / sizeof *kind_names; i++) {
        if (str_contains_nocase(column->name, kind_names[i])) {
            return true;
        }
    }
    return false;
}

/* How many of the column's values have to do with the word. */
static int related_values(const struct lexicon *lexicon, const char *word,
                          const struct column *column)
{
    struct lexicon_senses senses;
    lexicon_senses(lexicon, word, &senses);
    int related = 0;
    for (size_t i = 0; i < column->samples.count; i++) {
        struct lexicon_senses other;
        char text[LEXICON_WORD];
        str_put(text, sizeof text, column->samples.items[i]);
        for (char *c = text; *c; c++) {
            *c = (char)(*c >= 'A' && *c <= 'Z' ? *c - 'A' + 'a' : *c);
        }
        lexicon_senses(lexicon, text, &other);
        related += lexicon_between(lexicon, &senses, &other) < LEXICON_FORM;
    }
    return related;
}

static bool lists_kinds(const struct column *column)
{
    bool few = column->distinct < 0
                   ? column->samples.count > 1
                   : column->distinct > 1 && column->distinct <= KINDS_MOST;
    return column->is_text && !column->primary && few && column->samples.count > 0;
}

/* The column of the tables in use that the word may be a value of. */
static const struct column *nearest_column(const struct coverage_request *request,
                                           const struct coverage_use *use,
                                           const char *word, const struct table **where)
{
    const struct ir_schema *schema = feature_schema_get(request->schema);
    const struct lexicon *lexicon = feature_schema_lexicon(request->schema);
    const struct column *best = NULL;
    int best_points = -1;
    for (int t = 0; t < schema->table_count; t++) {
        const struct table *table = schema->tables[t].source;
        for (size_t c = 0; use->tables[t] && c < table->columns.count; c++) {
            const struct column *column = &table->columns.items[c];
            /* no word that says which ones means "yes" or "N" */
            if (!lists_kinds(column) ||
                schema->columns[schema->tables[t].first_column + (int)c].flag) {
                continue;
            }
            int points = related_values(lexicon, word, column) +
                         (tells_kind(column) ? STATUS_POINTS : 0);
            bool repeats = column->distinct > 0 && table->row_count > 0 &&
                           column->distinct * 3 <= table->row_count * 2;
            if (points > best_points && (points > 0 || repeats)) {
                best_points = points;
                best = column;
                *where = table;
            }
        }
    }
    return best;
}

/* Cells that are the word, in a column that the query does not compare. */
static bool near_cells(struct arena *arena, const struct coverage_request *request,
                       struct coverage_word *word)
{
    struct value_matches matches = {0};
    size_t size = strlen(word->text);
    const struct ir_schema *schema = feature_schema_get(request->schema);
    value_index_find(request->index, arena, word->text, size, &matches);
    if (!matches.count) {
        value_index_near(request->index, arena, word->text, size, CELLS_MOST, &matches);
    }
    for (size_t i = 0; i < matches.count && word->nearest.count < NEAREST_MOST; i++) {
        const struct value_match *match = &matches.items[i];
        const struct value_place *place = match->place_count ? &match->places[0] : NULL;
        if (!place || place->table >= (size_t)schema->table_count) {
            continue;
        }
        const struct table *table = schema->tables[place->table].source;
        if (place->column >= table->columns.count) {
            continue;
        }
        word->table = table->name;
        word->column = table->columns.items[place->column].name;
        VEC_PUSH(arena, &word->nearest, arena_text(arena, match->text));
    }
    return word->nearest.count > 0;
}

/* Is one of these a more general word for the other: dog, canine, mammal, animal? */
static bool is_kind_of(const struct lexicon *lexicon, const char *word,
                       const struct lexicon_senses *general)
{
    struct lexicon_senses senses;
    int seen[GENERAL_MOST];
    size_t count = 0;
    lexicon_senses(lexicon, word, &senses);
    for (size_t i = 0; i < senses.count; i++) {
        seen[count++] = senses.words[i];
    }
    for (size_t at = 0; at < count; at++) {
        for (size_t i = 0; i < general->count; i++) {
            if (at >= senses.count && seen[at] == general->words[i]) {
                return true;
            }
        }
        count += lexicon_list(lexicon, seen[at], LEXICON_HYPERNYM, seen + count,
                              GENERAL_MOST - count);
    }
    return false;
}

/* "dogs" are a kind of animals: then it is a value that lacks, not a table. */
static bool is_kind_of_used(const struct coverage_request *request,
                            const struct coverage_use *use, const char *word)
{
    const struct ir_schema *schema = feature_schema_get(request->schema);
    const struct lexicon *lexicon = feature_schema_lexicon(request->schema);
    for (int t = 0; t < schema->table_count; t++) {
        struct lexicon_senses senses;
        lexicon_senses(lexicon, schema->tables[t].source->bare_name, &senses);
        if (use->tables[t] && is_kind_of(lexicon, word, &senses)) {
            return true;
        }
    }
    return false;
}

static void near_tables(struct arena *arena, const struct coverage_request *request,
                        struct coverage_word *word)
{
    const struct ir_schema *schema = feature_schema_get(request->schema);
    for (int t = 0; t < schema->table_count && word->nearest.count < NEAREST_MOST; t++) {
        VEC_PUSH(arena, &word->nearest, schema->tables[t].name);
    }
}

void coverage_near(struct arena *arena, const struct coverage_request *request,
                   const struct coverage_use *use, struct coverage_word *word)
{
    if (word->role > COVERAGE_NAME || near_cells(arena, request, word)) {
        return;
    }
    if (word->role == COVERAGE_SUBJECT && !is_kind_of_used(request, use, word->text)) {
        near_tables(arena, request, word);
        return;
    }
    const struct table *table = NULL;
    const struct column *column = nearest_column(request, use, word->text, &table);
    if (!column) {
        return;
    }
    word->table = table->name;
    word->column = column->name;
    for (size_t i = 0; i < column->samples.count && i < NEAREST_MOST; i++) {
        VEC_PUSH(arena, &word->nearest, column->samples.items[i]);
    }
}
