/* Which column a follow-up means: the one it names, best among those the query is about.
 */
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "model/schema.h"
#include "parser/followup/followup_state.h"
#include "parser/link/linker.h"

enum {
    STEP = 10,      /* one join */
    FAR = 4 * STEP, /* from there on a table has nothing to do with the query */
};

static enum link_code link_at(const struct followup *followup, size_t token, size_t item)
{
    size_t stride =
        (size_t)followup->schema->table_count + (size_t)followup->schema->column_count;
    return token < followup->features.tokens.count
               ? (enum link_code)followup->links[token * stride + item]
               : LINK_NONE;
}

/* Words from this token on that are linked with the item as the first one is. */
static size_t run_of(const struct followup *followup, size_t at, size_t item)
{
    enum link_code code = link_at(followup, at, item);
    size_t end = at;
    while (code != LINK_NONE && link_at(followup, end, item) == code &&
           (end == at || code == LINK_EXACT)) {
        end++;
    }
    return end - at;
}

struct used {
    const struct ir_schema *schema;
    int table;
    int column;
    bool found;
};

static void find_used(void *context, struct ir_node *node)
{
    struct used *used = context;
    if (ir_node_is_column(node)) {
        used->found = used->found || node->token.index == used->column ||
                      used->schema->columns[node->token.index].table == used->table;
    }
}

bool followup_uses_table(const struct followup *followup, int table)
{
    struct used used = {followup->schema, table, -1, false};
    for (size_t i = 0; i < followup->query->sources.count; i++) {
        used.found = used.found || followup->query->sources.items[i].table == table;
    }
    ir_query_walk(followup->query, find_used, &used);
    return used.found;
}

bool followup_uses_column(const struct followup *followup, int column)
{
    struct used used = {followup->schema, -1, column, false};
    ir_query_walk(followup->query, find_used, &used);
    return used.found;
}

/* What one join costs: less along a key that every row has, more to a table that has
 * several rows for one. */
static int step_cost(const struct ir_schema *schema, const struct ir_edge *edge,
                     bool forward)
{
    const struct column *key = schema->columns[edge->from].source;
    return STEP + (key && key->nullable ? 2 : 0) + (forward ? 0 : 3);
}

static void measure(const struct followup *followup, int *far)
{
    const struct ir_schema *schema = followup->schema;
    for (int i = 0; i < schema->table_count; i++) {
        far[i] = followup_uses_table(followup, i) ? 0 : FAR;
    }
    for (int round = 0; round < FAR / STEP; round++) {
        for (int i = 0; i < schema->edge_count; i++) {
            const struct ir_edge *edge = &schema->edges[i];
            int there = far[edge->from_table] + step_cost(schema, edge, true);
            int back = far[edge->to_table] + step_cost(schema, edge, false);
            int *to = &far[edge->to_table];
            int *from = &far[edge->from_table];
            *to = there < *to ? there : *to;
            *from = back < *from ? back : *from;
        }
    }
}

/* How far a table is from those of the query, in joins times STEP; FAR when there is no
 * short way. */
static int distance(const struct followup *followup, int table)
{
    struct followup_map *map = followup->map;
    if (!map->made || map->edits != followup->edits) {
        measure(followup, map->far);
        map->made = true;
        map->edits = followup->edits;
    }
    return map->far[table];
}

static bool is_key(const struct ir_schema *schema, int column)
{
    for (int i = 0; i < schema->key_count; i++) {
        if (schema->keys[i].from == column) {
            return true;
        }
    }
    return schema->columns[column].primary;
}

static bool is_wanted(enum wanted wanted, const struct ir_column *column)
{
    return wanted == WANT_ANY ||
           (wanted == WANT_NUMBER && column->type == IR_TYPE_NUMBER) ||
           (wanted == WANT_TIME && column->type == IR_TYPE_TIME) ||
           (wanted == WANT_TEXT && column->type == IR_TYPE_TEXT);
}

/* A word that is a cell, or the name of a table, is hardly a part of a column's name. */
static bool is_something_else(const struct followup *followup, size_t at)
{
    const struct candidates *values = &followup->features.values;
    size_t end = 0;
    for (size_t i = 0; i < values->count; i++) {
        if (values->items[i].first <= at && at < values->items[i].end &&
            values->items[i].kind == CANDIDATE_CELL) {
            return true;
        }
    }
    return followup_table(followup, at, &end) >= 0;
}

/* "supplier name": the column of the table that stands before it; -1: none. */
static int owned_column(const struct followup *followup, size_t at, enum wanted wanted,
                        size_t *end)
{
    const struct ir_schema *schema = followup->schema;
    size_t next = 0;
    int table = followup_table(followup, at, &next);
    int best = -1;
    enum link_code best_code = LINK_SYNONYM;
    for (int i = 1; table >= 0 && i < schema->column_count; i++) {
        size_t item = (size_t)schema->table_count + (size_t)i;
        enum link_code code = link_at(followup, next, item);
        if (schema->columns[i].table == table && code != LINK_NONE && code < best_code &&
            is_wanted(wanted, &schema->columns[i]) && !is_key(schema, i)) {
            best = i;
            best_code = code;
            *end = next + 1;
        }
    }
    return best;
}

/* "what do they earn": the verb may be only related to the column, as with salary. */
static bool asks_what_they(const struct followup *followup, size_t at)
{
    for (size_t i = 0; i < at; i++) {
        if (followup_sense(followup, SENSE_WHAT_THEY, i) == at) {
            return true;
        }
    }
    return false;
}

int followup_column(const struct followup *followup, size_t at, enum wanted wanted,
                    size_t *end)
{
    if (at >= followup->features.tokens.count) {
        return -1;
    }
    int owned = owned_column(followup, at, wanted, end);
    if (owned >= 0) {
        return owned;
    }
    static const int worth[LINK_CODES] = {
        [LINK_EXACT] = 100, [LINK_PARTIAL] = 60, [LINK_SYNONYM] = 50};
    const struct ir_schema *schema = followup->schema;
    int best = -1;
    int best_score = 0;
    bool what_they = asks_what_they(followup, at);
    wanted = what_they && wanted == WANT_ANY ? WANT_NUMBER : wanted;
    bool exact_only = is_something_else(followup, at) ||
                      str_starts(followup->features.tokens.items[at].text, "number");
    for (int i = 1; i < schema->column_count; i++) {
        size_t item = (size_t)schema->table_count + (size_t)i;
        enum link_code link = link_at(followup, at, item);
        int score = what_they && link == LINK_RELATED ? worth[LINK_SYNONYM] : worth[link];
        bool exact = link_at(followup, at, item) == LINK_EXACT;
        if (score == 0 || !is_wanted(wanted, &schema->columns[i]) ||
            (!exact && is_key(schema, i)) ||
            (exact_only &&
             !(exact && followup_uses_table(followup, schema->columns[i].table)))) {
            continue;
        }
        size_t run = run_of(followup, at, item);
        score += 20 * (int)run -
                 45 * distance(followup, schema->columns[i].table) / STEP -
                 30 * is_key(schema, i) + 6 * followup_uses_column(followup, i);
        if (score > best_score) {
            best_score = score;
            best = i;
            *end = at + run;
        }
    }
    return best;
}

int followup_table(const struct followup *followup, size_t at, size_t *end)
{
    int best = -1;
    int best_score = 0;
    for (int i = 0; i < followup->schema->table_count; i++) {
        if (link_at(followup, at, (size_t)i) != LINK_EXACT) {
            continue;
        }
        size_t run = run_of(followup, at, (size_t)i);
        int score = 20 * (int)run + 10 - 5 * distance(followup, i) / STEP;
        if (score > best_score) {
            best_score = score;
            best = i;
            *end = at + run;
        }
    }
    return best;
}

bool followup_is_near(const struct followup *followup, int table)
{
    return distance(followup, table) < 2 * STEP;
}

bool followup_is_measure(const struct followup *followup, int column)
{
    enum { FEW = 12 };
    const struct ir_column *info = &followup->schema->columns[column];
    bool listed =
        info->source && info->source->samples_all && info->source->samples.count <= FEW;
    return info->type == IR_TYPE_NUMBER && !is_key(followup->schema, column) &&
           !info->flag && !listed && !str_contains_nocase(info->name, "year") &&
           !str_contains_nocase(info->name, "month");
}

/* The tables of a fact refer to others; what happened has the date that is meant. */
static int references_of(const struct ir_schema *schema, int table)
{
    int count = 0;
    for (int i = 0; i < schema->key_count; i++) {
        count += schema->columns[schema->keys[i].from].table == table;
    }
    return count;
}

static void find_measured(void *context, struct ir_node *node)
{
    int *column = context;
    if (*column < 0 && ir_node_is_column(node) && !ir_node_is_star(node)) {
        *column = node->token.index;
    }
}

/* The table of what is summed up or counted; -1: nothing is, or only rows. */
static int measured_table(const struct followup *followup)
{
    const struct ir_nodes *select = &followup->query->select;
    int column = -1;
    for (size_t i = 0; i < select->count && column < 0; i++) {
        if (ir_node_aggregates(select->items[i])) {
            ir_node_walk(select->items[i], find_measured, &column);
        }
    }
    return column < 0 ? -1 : followup->schema->columns[column].table;
}

int followup_time_column(const struct followup *followup)
{
    const struct ir_schema *schema = followup->schema;
    int measured = measured_table(followup);
    int best = -1;
    int best_score = 0;
    for (int i = 1; i < schema->column_count; i++) {
        const struct ir_column *column = &schema->columns[i];
        int far = distance(followup, column->table);
        if (column->type != IR_TYPE_TIME || far >= 2 * STEP) {
            continue;
        }
        int references = references_of(schema, column->table);
        int score = 100 - 40 * far / STEP + (references > 4 ? 4 : references) * 3 +
                    50 * followup_uses_column(followup, i) +
                    30 * (column->table == measured) -
                    2 * (column->source && column->source->nullable) +
                    (column->storage == IR_STORED_TIME);
        if (score > best_score) {
            best_score = score;
            best = i;
        }
    }
    return best;
}

static bool is_measure(const char *name)
{
    static const char *const words[] = {"amount", "total", "price",  "revenue", "cost",
                                        "salary", "value", "rating", NULL};
    for (size_t i = 0; words[i]; i++) {
        if (str_contains_nocase(name, words[i])) {
            return true;
        }
    }
    return false;
}

int followup_number_column(const struct followup *followup, bool *only)
{
    const struct ir_schema *schema = followup->schema;
    int best = -1;
    int best_score = 0;
    int found = 0;
    for (int i = 1; i < schema->column_count; i++) {
        const struct ir_column *column = &schema->columns[i];
        if (column->type != IR_TYPE_NUMBER || is_key(schema, i) ||
            !followup_uses_table(followup, column->table)) {
            continue;
        }
        found++;
        int score = 10 + 20 * followup_uses_column(followup, i) +
                    5 * is_measure(column->name) +
                    (references_of(schema, column->table) > 0);
        if (score > best_score) {
            best_score = score;
            best = i;
        }
    }
    if (only) {
        *only = found == 1;
    }
    return best;
}

int followup_name_column(const struct followup *followup, int table)
{
    const struct ir_table *info = &followup->schema->tables[table];
    int text = -1;
    for (int i = info->first_column; i < info->first_column + info->column_count; i++) {
        const struct ir_column *column = &followup->schema->columns[i];
        if (column->type != IR_TYPE_TEXT || is_key(followup->schema, i)) {
            continue;
        }
        if (str_equal_nocase(column->name, "name") ||
            str_equal_nocase(column->name, "title")) {
            return i;
        }
        text = text < 0 || (str_contains_nocase(column->name, "name") &&
                            !str_contains_nocase(followup->schema->columns[text].name,
                                                 "name"))
                   ? i
                   : text;
    }
    return text;
}

static bool is_named(const struct followup *followup, int table)
{
    size_t end = 0;
    for (size_t at = 0; at < followup->features.tokens.count; at++) {
        if (followup_table(followup, at, &end) == table) {
            return true;
        }
    }
    return false;
}

int followup_value_column(const struct followup *followup, const struct candidate *value)
{
    const struct ir_schema *schema = followup->schema;
    int best = -1;
    int best_score = -1000;
    for (size_t i = 0; i < value->column_count; i++) {
        int column = value->columns[i];
        int far = distance(followup, schema->columns[column].table);
        int score = 40 * followup_uses_column(followup, column) - 20 * far / STEP +
                    30 * is_named(followup, schema->columns[column].table);
        for (size_t token = 0; token < followup->features.tokens.count; token++) {
            enum link_code code =
                link_at(followup, token, (size_t)schema->table_count + (size_t)column);
            score += code == LINK_EXACT ? 30 : code == LINK_PARTIAL ? 10 : 0;
        }
        if (far < FAR && score > best_score) {
            best_score = score;
            best = column;
        }
    }
    return best;
}
