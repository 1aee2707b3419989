/* The part of a large schema that a question may be about. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "knowledge/prefilter/prefilter.h"
#include "parser/link/features/features_state.h"
#include "parser/ir/ir_schema.h"
#include "parser/link/linker.h"

enum {
    LINKED_ITEMS = 20000, /* in larger schemas only words themselves are looked for */
    BY_WORDS = 8,         /* tables that the prefilter chooses alone */
    TABLES_MOST = 15,
    WIDE = 60, /* columns of a table beyond which some may be left out */
    NEIGHBOURS = 6,
};

struct choice {
    int number;
    int score;
};

struct selecting {
    struct arena *arena;
    const struct feature_schema *schema;
    struct features *features;
    int *tables; /* in the order in which they were chosen */
    size_t count;
    bool *chosen; /* by table */
    bool *keys;   /* by column: part of a key */
    int *held;    /* by column: candidates that are cells of it */
};

static void choose(struct selecting *selecting, int table)
{
    if (table >= 0 && !selecting->chosen[table] && selecting->count < TABLES_MOST) {
        selecting->chosen[table] = true;
        selecting->tables[selecting->count++] = table;
    }
}

/* Links of one word to many tables tell little: each counts for less. */
static void score_token(const struct ir_schema *schema, const uint8_t *codes,
                        double *best, double *scores)
{
    static const double weights[LINK_CODES] = {
        [LINK_EXACT] = 4,   [LINK_OWN] = 4,     [LINK_PARTIAL] = 2,
        [LINK_SYNONYM] = 2, [LINK_RELATED] = 1, [LINK_HYPERNYM] = 0.5,
    };
    int tables = schema->table_count;
    double linked = 0;
    for (int i = 0; i < tables; i++) {
        best[i] = 1.5 * weights[codes[i]];
    }
    for (int i = 1; i < schema->column_count; i++) {
        double weight = weights[codes[tables + i]];
        double *table = &best[schema->columns[i].table];
        *table = weight > *table ? weight : *table;
    }
    for (int i = 0; i < tables; i++) {
        linked += best[i] > 0;
    }
    for (int i = 0; i < tables && linked > 0; i++) {
        scores[i] += best[i] / (1 + log(linked));
    }
}

/* The table that the question's words lead to best and that is not chosen yet. */
static void choose_linked(struct selecting *selecting)
{
    const struct ir_schema *schema = selecting->schema->schema;
    const struct selection *whole = &selecting->schema->whole;
    size_t items = whole->table_count + whole->column_count;
    if (items > LINKED_ITEMS) {
        return;
    }
    const struct tokens *tokens = &selecting->features->tokens;
    uint8_t *codes =
        linker_link(selecting->schema->linker, selecting->arena, tokens, whole);
    double *best = arena_array(selecting->arena, whole->table_count, sizeof *best);
    double *scores = arena_array(selecting->arena, whole->table_count, sizeof *scores);
    for (size_t i = 0; i < tokens->count; i++) {
        score_token(schema, codes + i * items, best, scores);
    }
    while (selecting->count < TABLES_MOST - NEIGHBOURS) {
        int next = -1;
        for (int i = 0; i < schema->table_count; i++) {
            if (!selecting->chosen[i] && scores[i] > 0 &&
                (next < 0 || scores[i] > scores[next])) {
                next = i;
            }
        }
        if (next < 0) {
            return;
        }
        choose(selecting, next);
    }
}

/* What the query before used may be used again. */
static void choose_before(struct selecting *selecting)
{
    const struct ir_schema *schema = selecting->schema->schema;
    const struct ir_tokens *before = &selecting->features->before;
    for (size_t i = 0; i < before->count; i++) {
        struct ir_token token = before->items[i];
        if (token.kind == IR_TABLE) {
            choose(selecting, token.index);
        } else if (token.kind == IR_COLUMN && token.index > 0) {
            choose(selecting, schema->columns[token.index].table);
            selecting->held[token.index]++;
        }
    }
}

/* Tables by their words, by the cells they hold, and those that lead from one to another.
 */
static void choose_tables(struct selecting *selecting, const char *question)
{
    const struct ir_schema *schema = selecting->schema->schema;
    struct ranked_tables ranked = {0};
    prefilter_index_rank(selecting->schema->ranking, selecting->arena, question, NULL,
                         TABLES_MOST - NEIGHBOURS, &ranked);
    const struct table *first = schema->source->tables.items;
    choose_before(selecting);
    for (size_t i = 0; i < ranked.count && i < BY_WORDS; i++) {
        choose(selecting, (int)(ranked.items[i].table - first));
    }
    const struct candidates *values = &selecting->features->values;
    for (size_t i = 0; i < values->count; i++) {
        const struct candidate *value = &values->items[i];
        bool known =
            value->column_count >
            3; /* a value in this many columns does not tell which table is meant */
        for (size_t j = 0; j < value->column_count && !known; j++) {
            choose(selecting, schema->columns[value->columns[j]].table);
        }
    }
    choose_linked(selecting);
    for (size_t i = 0; i < ranked.count; i++) {
        choose(selecting, (int)(ranked.items[i].table - first));
    }
    size_t by_words = selecting->count;
    for (int i = 0; i < schema->key_count; i++) {
        int from = schema->columns[schema->keys[i].from].table;
        int to = schema->columns[schema->keys[i].to].table;
        for (size_t j = 0; j < by_words && j < NEIGHBOURS; j++) {
            if (selecting->tables[j] == from || selecting->tables[j] == to) {
                choose(selecting, from);
                choose(selecting, to);
            }
        }
    }
}

static int choice_order(const void *a, const void *b)
{
    const struct choice *left = a;
    const struct choice *right = b;
    if (left->score != right->score) {
        return left->score > right->score ? -1 : 1;
    }
    return (left->number > right->number) - (left->number < right->number);
}

static int number_order(const void *a, const void *b)
{
    return (*(const int *)a > *(const int *)b) - (*(const int *)a < *(const int *)b);
}

/* The columns of a table that are worth their room, at most `room`. */
static size_t choose_columns(struct selecting *selecting, int table, size_t room,
                             int *out)
{
    const struct ir_schema *schema = selecting->schema->schema;
    const struct ir_table *from = &schema->tables[table];
    size_t count = (size_t)from->column_count;
    struct choice *choices = arena_array(selecting->arena, count, sizeof *choices);
    for (size_t i = 0; i < count; i++) {
        int column = from->first_column + (int)i;
        size_t item = (size_t)schema->table_count + (size_t)column;
        choices[i].number = column;
        choices[i].score = 4 * linker_overlap(selecting->schema->linker,
                                              &selecting->features->tokens, item) +
                           5 * selecting->held[column] + 3 * selecting->keys[column] +
                           3 * schema->columns[column].primary;
    }
    if (count) {
        qsort(choices, count, sizeof *choices, choice_order);
    }
    count = count < room ? count : room;
    for (size_t i = 0; i < count; i++) {
        out[i] = choices[i].number;
    }
    return count;
}

static void note_columns(struct selecting *selecting)
{
    const struct ir_schema *schema = selecting->schema->schema;
    const struct candidates *values = &selecting->features->values;
    for (int i = 0; i < schema->key_count; i++) {
        selecting->keys[schema->keys[i].from] = true;
        selecting->keys[schema->keys[i].to] = true;
    }
    for (size_t i = 0; i < values->count; i++) {
        for (size_t j = 0; j < values->items[i].column_count; j++) {
            selecting->held[values->items[i].columns[j]]++;
        }
    }
}

void features_select(struct arena *arena, const struct feature_schema *schema,
                     const char *question, struct features *features)
{
    size_t tables = (size_t)schema->schema->table_count;
    size_t columns = (size_t)schema->schema->column_count;
    struct selecting selecting = {arena, schema, features, NULL, 0, NULL, NULL, NULL};
    selecting.tables = arena_array(arena, TABLES_MOST, sizeof(int));
    selecting.chosen = arena_array(arena, tables, sizeof(bool));
    selecting.keys = arena_array(arena, columns, sizeof(bool));
    selecting.held = arena_array(arena, columns, sizeof(int));
    note_columns(&selecting);
    choose_tables(&selecting, question);
    int *chosen = arena_array(arena, FEATURE_SCHEMA_MAX + 1, sizeof *chosen);
    size_t count = 1; /* the `*` */
    size_t kept = 0;
    for (; kept < selecting.count; kept++) {
        size_t used = count + kept + 1;
        if (used + 4 > FEATURE_SCHEMA_MAX) {
            break;
        }
        size_t left = FEATURE_SCHEMA_MAX - used;
        size_t later = selecting.count - kept - 1;
        size_t room = later && left > WIDE ? left - left / 3 : left;
        count += choose_columns(&selecting, selecting.tables[kept], room, chosen + count);
    }
    qsort(selecting.tables, kept, sizeof *selecting.tables, number_order);
    qsort(chosen, count, sizeof *chosen, number_order);
    features->selection = (struct selection){selecting.tables, kept, chosen, count};
    features->reduced = true;
}

static bool is_named(const struct feature_schema *schema, const struct tokens *tokens,
                     int table)
{
    const struct texts *words = linker_item_words(schema->linker, (size_t)table);
    return (size_t)linker_overlap(schema->linker, tokens, (size_t)table) >= words->count;
}

static bool was_used(const struct features *features, const struct ir_schema *schema,
                     int table)
{
    for (size_t i = 0; i < features->before.count; i++) {
        struct ir_token token = features->before.items[i];
        if (token.kind == IR_TABLE ? token.index == table
                                   : token.kind == IR_COLUMN && token.index > 0 &&
                                         schema->columns[token.index].table == table) {
            return true;
        }
    }
    return false;
}

void features_leave_views(struct arena *arena, const struct feature_schema *schema,
                          struct features *features)
{
    const struct ir_schema *flat = schema->schema;
    const struct selection *all = &features->selection;
    bool *gone = arena_array(arena, (size_t)flat->table_count, sizeof *gone);
    int *tables = arena_array(arena, all->table_count + 1, sizeof *tables);
    int *columns = arena_array(arena, all->column_count + 1, sizeof *columns);
    size_t table_count = 0;
    size_t column_count = 1; /* the star */
    for (size_t i = 0; i < all->table_count; i++) {
        int table = all->tables[i];
        gone[table] = flat->tables[table].source->is_view &&
                      !is_named(schema, &features->tokens, table) &&
                      !was_used(features, flat, table);
        if (!gone[table]) {
            tables[table_count++] = table;
        }
    }
    if (table_count == 0 || table_count == all->table_count) {
        return;
    }
    for (size_t i = 1; i < all->column_count; i++) {
        if (!gone[flat->columns[all->columns[i]].table]) {
            columns[column_count++] = all->columns[i];
        }
    }
    features->selection = (struct selection){tables, table_count, columns, column_count};
    features->reduced = true;
}
