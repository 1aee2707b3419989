/* The values, tables and columns nearest to a word without a place. */
#include "parser/coverage/coverage_near.h"

#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "knowledge/value_index/value_index.h"
#include "model/kept.h"
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
    PLACE_POINTS = 3,   /* likewise, of a word with a capital */
};

/* Columns whose values say of what kind or in what state a row is. */
static const char *const kind_names[] = {"status", "state", "type",  "kind",  "category",
                                         "role",   "level", "tier",  "plan",  "stage",
                                         "class",  "phase", "group", "genre", "species"};

/* Columns whose values say where: what a name after "from" or "in" may be. */
static const char *const place_names[] = {
    "city",     "country",  "region", "town",   "nation", "continent", "province",
    "location", "district", "county", "market", "office", "branch",    "airport"};

/* No word that says which ones means one of these places: "refunded shipments" and their warehouse. */
static const char *const site_names[] = {"warehouse", "site",  "venue",
                                         "village",   "store", "zone"};

/* Columns whose values are of one row each, however often they come. */
static const char *const single_names[] = {"name",  "mail",  "phone",   "street",
                                           "title", "zip",   "postal",  "url",
                                           "month", "_date", "created", "comment"};

static bool is_called(const struct column *column, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (str_contains_nocase(column->name, names[i])) {
            return true;
        }
    }
    return false;
}

#define IS_CALLED(column, names)                                                         \
    is_called((column), (names), sizeof(names) / sizeof *(names))

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
    struct kept kept;
    kept_of(column, &kept);
    bool letters = true; /* "F", "M" */
    for (size_t i = 0; i < column->samples.count; i++) {
        letters = letters && strlen(column->samples.items[i]) < 2;
    }
    return column->is_text && !letters && !column->primary && few &&
           column->samples.count > 0 && kept.form == KEPT_AS_IS && !kept.unclear &&
           !IS_CALLED(column, single_names);
}

/* The column of the tables in use that the word may be a value of. */
static const struct column *nearest_column(const struct coverage_request *request,
                                           const struct coverage_use *use,
                                           const struct coverage_word *word,
                                           const struct table **where)
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
            int points = related_values(lexicon, word->text, column) +
                         (IS_CALLED(column, kind_names) ? STATUS_POINTS : 0) +
                         (word->role == COVERAGE_NAME && IS_CALLED(column, place_names)
                              ? PLACE_POINTS
                              : 0);
            bool place = word->role != COVERAGE_NAME && (IS_CALLED(column, place_names) ||
                                                         IS_CALLED(column, site_names));
            bool repeats = !place && column->distinct > 0 && table->row_count > 0 &&
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

/* "average weight": something to be measured, right behind the word that asks for it. */
static bool is_measured(const struct coverage_request *request,
                        const struct coverage_word *word)
{
    static const char *const openings[] = {
        "average ", "avg ",    "mean ",    "median ",  "total ",   "sum of ",
        "highest ", "lowest ", "maximum ", "minimum ", "largest ", "smallest "};
    for (size_t i = 0; i < sizeof openings / sizeof *openings; i++) {
        size_t size = strlen(openings[i]);
        if (word->position >= size &&
            str_starts_nocase(request->question + word->position - size, openings[i])) {
            return true;
        }
    }
    return false;
}

static bool is_key(const struct ir_schema *schema, int column)
{
    bool key = schema->columns[column].primary;
    for (int i = 0; i < schema->key_count && !key; i++) {
        key = schema->keys[i].from == column;
    }
    return key;
}

/* The columns of the tables in use that hold amounts. */
static bool near_amounts(struct arena *arena, const struct coverage_request *request,
                         const struct coverage_use *use, struct coverage_word *word)
{
    const struct ir_schema *schema = feature_schema_get(request->schema);
    for (int t = 0; t < schema->table_count; t++) {
        const struct table *table = schema->tables[t].source;
        for (size_t c = 0; use->tables[t] && c < table->columns.count; c++) {
            int column = schema->tables[t].first_column + (int)c;
            struct kept kept;
            kept_of(&table->columns.items[c], &kept);
            bool amount = schema->columns[column].type == IR_TYPE_NUMBER ||
                          kept.form == KEPT_AMOUNT;
            if (amount && !is_key(schema, column) && !schema->columns[column].flag &&
                word->nearest.count < NEAREST_MOST) {
                VEC_PUSH(arena, &word->nearest, table->columns.items[c].name);
            }
        }
    }
    return word->nearest.count > 0;
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
    if (is_measured(request, word) && near_amounts(arena, request, use, word)) {
        return;
    }
    const struct table *table = NULL;
    const struct column *column =
        word->is_verb ? NULL : nearest_column(request, use, word, &table);
    if (!column) {
        return;
    }
    word->table = table->name;
    word->column = column->name;
    for (size_t i = 0; i < column->samples.count && i < NEAREST_MOST; i++) {
        VEC_PUSH(arena, &word->nearest, column->samples.items[i]);
    }
}
