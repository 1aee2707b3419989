/* Spellings that differ by blanks and capitals alone. All values of the column must be known. */
#include "sql/kept/variants.h"

#include <ctype.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "model/schema.h"
#include "sql/counting/build.h"

enum { TEXT_MOST = 200 };

struct taking {
    struct arena *arena;
    struct sql_statement *statement;
    const struct sql_resolved *resolved;
    struct variants_uses *uses;
    bool change;
};

/* ------------------------------------------------------------------ spellings */

/* Without blanks at the ends, and in small letters; "" for what is too long. */
static const char *plain(struct arena *arena, const char *text)
{
    size_t size = strlen(text);
    while (*text == ' ') {
        text++;
        size--;
    }
    while (size > 0 && text[size - 1] == ' ') {
        size--;
    }
    char *copy = arena_copy(arena, text, size > TEXT_MOST ? 0 : size);
    for (char *at = copy; *at; at++) {
        *at = (char)tolower((unsigned char)*at);
    }
    return copy;
}

/* The values of the column that are `text` but for blanks and capitals. */
static void spellings_of(struct arena *arena, const struct column *column,
                         const char *text, struct texts *out)
{
    const char *wanted = plain(arena, text);
    *out = (struct texts){0};
    for (size_t i = 0; column->samples_all && *wanted && i < column->samples.count; i++) {
        if (str_equal(wanted, plain(arena, column->samples.items[i]))) {
            VEC_PUSH(arena, out, column->samples.items[i]);
        }
    }
}

/* The spelling that is shown for all: "North" rather than "NORTH " and "north". */
static const char *best_spelling(struct arena *arena, const struct texts *same)
{
    const char *best = NULL;
    for (size_t i = 0; i < same->count; i++) {
        const char *text = str_trim(arena, same->items[i]);
        bool named = isupper((unsigned char)text[0]) && islower((unsigned char)text[1]);
        bool better = !best || (named && !(isupper((unsigned char)best[0]) &&
                                           islower((unsigned char)best[1])));
        best = better ? text : best;
    }
    return best;
}

static void note(struct taking *taking, const struct column *column,
                 const struct texts *same, bool compared)
{
    struct variants_use use = {.column = column, .compared = compared};
    for (size_t i = 0; i < taking->uses->count; i++) {
        const struct variants_use *known = &taking->uses->items[i];
        if (known->column == column && known->compared == compared) {
            return;
        }
    }
    for (size_t i = 0; i < same->count; i++) {
        VEC_PUSH(taking->arena, &use.same,
                 arena_format(taking->arena, "'%s'", same->items[i]));
    }
    VEC_PUSH(taking->arena, taking->uses, use);
}

static struct sql_node *call_of(struct arena *arena, const char *name,
                                struct sql_node *value)
{
    struct sql_node *call = sql_node(arena, SQL_CALL, name);
    call->children[CALL_ARGUMENTS] = sql_node(arena, SQL_LIST, NULL);
    sql_add(arena, call->children[CALL_ARGUMENTS], value);
    return call;
}

static struct sql_node *plain_call(struct arena *arena, struct sql_node *value)
{
    return call_of(arena, "LOWER", call_of(arena, "TRIM", value));
}

/* ------------------------------------------------------------------ conditions */

static const struct column *text_column(const struct taking *taking,
                                        const struct sql_node *node)
{
    const struct sql_reference *reference =
        sql_is(node, SQL_COLUMN) ? sql_reference_of(taking->resolved, node) : NULL;
    const struct column *column = reference ? reference->column : NULL;
    return column && column->is_text && !reference->fields ? column : NULL;
}

/* region = 'north' becomes LOWER(TRIM(region)) = 'north', and <> likewise */
static bool look_at_condition(void *context, struct sql_node *node)
{
    struct taking *taking = context;
    struct texts same;
    bool equal = node->kind == SQL_BINARY &&
                 (str_equal(node->text, "=") || str_equal(node->text, "<>")) &&
                 sql_is(node->children[PAIR_RIGHT], SQL_STRING);
    const struct column *column =
        equal ? text_column(taking, node->children[PAIR_LEFT]) : NULL;
    if (!column) {
        return true;
    }
    spellings_of(taking->arena, column, node->children[PAIR_RIGHT]->text, &same);
    if (same.count < 2) {
        return true;
    }
    note(taking, column, &same, true);
    if (taking->change) {
        node->children[PAIR_LEFT] = plain_call(taking->arena, node->children[PAIR_LEFT]);
        node->children[PAIR_RIGHT]->text =
            plain(taking->arena, node->children[PAIR_RIGHT]->text);
    }
    return false;
}

/* ------------------------------------------------------------------ groups */

/* Each family of spellings with the one that is shown for it; false: there is none. */
static bool has_families(struct taking *taking, const struct column *column,
                         struct texts *same)
{
    for (size_t i = 0; column->samples_all && i < column->samples.count; i++) {
        spellings_of(taking->arena, column, column->samples.items[i], same);
        if (same->count > 1) {
            return true;
        }
    }
    return false;
}

/* CASE LOWER(TRIM(region)) WHEN 'north' THEN 'North' ELSE region END */
static struct sql_node *united(struct taking *taking, const struct column *column,
                               struct sql_node *node)
{
    struct arena *arena = taking->arena;
    struct sql_node *all = sql_node(arena, SQL_CASE, NULL);
    struct texts done = {0};
    all->children[CASE_VALUE] = plain_call(arena, sql_clone(arena, node));
    all->children[CASE_WHENS] = sql_node(arena, SQL_LIST, NULL);
    all->children[CASE_ELSE] = node;
    for (size_t i = 0; i < column->samples.count; i++) {
        const char *text = plain(arena, column->samples.items[i]);
        struct texts same;
        bool known = false;
        for (size_t k = 0; k < done.count; k++) {
            known = known || str_equal(done.items[k], text);
        }
        spellings_of(arena, column, column->samples.items[i], &same);
        if (known || same.count < 2) {
            continue;
        }
        struct sql_node *when = sql_node(arena, SQL_WHEN, NULL);
        when->children[PAIR_LEFT] = sql_node(arena, SQL_STRING, text);
        when->children[PAIR_RIGHT] =
            sql_node(arena, SQL_STRING, best_spelling(arena, &same));
        sql_add(arena, all->children[CASE_WHENS], when);
        VEC_PUSH(arena, &done, text);
    }
    return all;
}

/* The columns of one SELECT of which each value would be a group. */
struct grouped {
    const struct sql_reference **items;
    size_t count;
    size_t capacity;
};

static bool is_grouped(const struct grouped *grouped,
                       const struct sql_reference *reference)
{
    for (size_t i = 0; i < grouped->count; i++) {
        if (grouped->items[i]->relation == reference->relation &&
            grouped->items[i]->output == reference->output) {
            return true;
        }
    }
    return false;
}

static void add_grouped(struct taking *taking, const struct sql_node *node,
                        struct grouped *out)
{
    struct texts same;
    const struct column *column = text_column(taking, node);
    const struct sql_reference *reference =
        column ? sql_reference_of(taking->resolved, node) : NULL;
    if (reference && reference->state == REFERENCE_COLUMN && !reference->second &&
        has_families(taking, column, &same)) {
        note(taking, column, &same, false);
        VEC_PUSH(taking->arena, out, reference);
    }
}

/* Is the column, alone, a declared key of its table? What the rows show at the moment is no key. */
static bool is_key(const struct taking *taking, const struct sql_node *node)
{
    const struct sql_reference *reference =
        sql_is(node, SQL_COLUMN) ? sql_reference_of(taking->resolved, node) : NULL;
    const struct table *table = reference ? sql_reference_table(reference, NULL) : NULL;
    size_t primaries = 0;
    for (size_t i = 0; table && i < table->columns.count; i++) {
        primaries += table->columns.items[i].primary;
    }
    if (!table || !reference->column || (reference->column->primary && primaries == 1)) {
        return table && reference->column;
    }
    for (size_t i = 0; i < table->indexes.count; i++) {
        const struct index *index = &table->indexes.items[i];
        if (index->unique && index->columns.count == 1 &&
            str_equal_nocase(index->columns.items[0], reference->column->name)) {
            return true;
        }
    }
    return false;
}

/* What GROUP BY region, GROUP BY 1 and GROUP BY a name of the SELECT are about. */
static const struct sql_node *group_value(const struct taking *taking,
                                          const struct sql_node *items,
                                          const struct sql_node *node)
{
    const struct sql_reference *reference =
        sql_is(node, SQL_COLUMN) ? sql_reference_of(taking->resolved, node) : NULL;
    int64_t place = 0;
    if (sql_is(node, SQL_NUMBER) && str_to_int(node->text, &place) && place >= 1 &&
        (size_t)place <= items->count) {
        return items->children[place - 1]->children[SINGLE_VALUE];
    }
    return reference && reference->state == REFERENCE_OUTPUT && reference->output &&
                   reference->output->item
               ? reference->output->item->children[SINGLE_VALUE]
               : node;
}

struct values {
    const struct sql_node **items;
    size_t count;
    size_t capacity;
};

/* Also SELECT DISTINCT region. Where a key is among them each group is a row of its own, and two clerks
 * called Ann and ANN are two. */
static void find_grouped(struct taking *taking, const struct sql_node *select,
                         struct grouped *out)
{
    const struct sql_node *items = select->children[SELECT_ITEMS];
    const struct sql_node *group = select->children[SELECT_GROUP];
    struct values values = {0};
    for (size_t i = 0; group && i < group->count; i++) {
        VEC_PUSH(taking->arena, &values, group_value(taking, items, group->children[i]));
    }
    for (size_t i = 0; sql_has(select, FLAG_DISTINCT) && i < items->count; i++) {
        VEC_PUSH(taking->arena, &values, items->children[i]->children[SINGLE_VALUE]);
    }
    for (size_t i = 0; i < values.count; i++) {
        if (is_key(taking, values.items[i])) {
            return;
        }
    }
    for (size_t i = 0; i < values.count; i++) {
        add_grouped(taking, values.items[i], out);
    }
}

/* Every place of these columns in a part of the SELECT; a query inside has groups of its own. */
static struct sql_node *unite_in(struct taking *taking, const struct grouped *grouped,
                                 struct sql_node *node)
{
    if (!node || node->kind == SQL_QUERY || node->kind == SQL_SELECT) {
        return node;
    }
    if (node->kind == SQL_COLUMN) {
        const struct sql_reference *reference = sql_reference_of(taking->resolved, node);
        return reference && reference->state == REFERENCE_COLUMN &&
                       is_grouped(grouped, reference)
                   ? united(taking, reference->column, node)
                   : node;
    }
    for (size_t i = 0; i < node->count; i++) {
        node->children[i] = unite_in(taking, grouped, node->children[i]);
    }
    return node;
}

/* The column keeps its name. */
static void name_items(struct taking *taking, const struct grouped *grouped,
                       struct sql_node *select)
{
    struct sql_node *items = select->children[SELECT_ITEMS];
    for (size_t i = 0; i < items->count; i++) {
        struct sql_node *item = items->children[i];
        const struct sql_node *value = item->children[SINGLE_VALUE];
        const struct sql_reference *reference =
            sql_is(value, SQL_COLUMN) ? sql_reference_of(taking->resolved, value) : NULL;
        if (!item->text && reference && is_grouped(grouped, reference)) {
            const struct sql_node *name = value->children[value->count - 1];
            item->text = name->text;
            item->flags |= name->flags & FLAG_QUOTED;
        }
    }
}

static void unite_groups(struct taking *taking, const struct grouped *grouped,
                         struct sql_node *select)
{
    static const size_t parts[] = {SELECT_ITEMS, SELECT_GROUP, SELECT_HAVING};
    struct sql_node *query = build_query_of(taking->statement->root, select);
    name_items(taking, grouped, select);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        select->children[parts[i]] =
            unite_in(taking, grouped, select->children[parts[i]]);
    }
    if (query) {
        query->children[QUERY_ORDER] =
            unite_in(taking, grouped, query->children[QUERY_ORDER]);
    }
}

/* COUNT(DISTINCT region) */
static bool look_at_count(void *context, struct sql_node *node)
{
    struct taking *taking = context;
    struct texts same;
    const struct sql_node *arguments =
        node->kind == SQL_CALL ? node->children[CALL_ARGUMENTS] : NULL;
    bool counts = arguments && str_equal_nocase(node->text, "count") &&
                  sql_has(node, FLAG_DISTINCT) && arguments->count == 1;
    const struct column *column =
        counts ? text_column(taking, arguments->children[0]) : NULL;
    if (column && has_families(taking, column, &same)) {
        note(taking, column, &same, false);
        if (taking->change) {
            node->children[CALL_ARGUMENTS]->children[0] =
                plain_call(taking->arena, node->children[CALL_ARGUMENTS]->children[0]);
        }
        return false;
    }
    return true;
}

/* What is grouped is found first: the conditions are changed before the groups, as HAVING has both. */
static void variants_take(struct taking *taking)
{
    struct sql_node *root = taking->statement->root;
    const struct sql_scopes *scopes = &taking->resolved->scopes;
    struct grouped *grouped =
        arena_array(taking->arena, scopes->count + 1, sizeof *grouped);
    for (size_t i = 0; i < scopes->count; i++) {
        if (sql_is(scopes->items[i]->node, SQL_SELECT)) {
            find_grouped(taking, scopes->items[i]->node, &grouped[i]);
        }
    }
    sql_walk(root, look_at_condition, taking);
    sql_walk(root, look_at_count, taking);
    for (size_t i = 0; taking->change && i < scopes->count; i++) {
        struct sql_node *select =
            grouped[i].count ? build_find(root, scopes->items[i]->node) : NULL;
        if (select) {
            unite_groups(taking, &grouped[i], select);
        }
    }
}

void variants_find(struct arena *arena, const struct sql_statement *statement,
                   const struct sql_resolved *resolved, struct variants_uses *out)
{
    struct sql_statement read = *statement;
    struct taking taking = {
        .arena = arena, .statement = &read, .resolved = resolved, .uses = out};
    *out = (struct variants_uses){0};
    variants_take(&taking);
}

const char *variants_sql(struct arena *arena, struct sql_statement *statement,
                         const struct sql_resolved *resolved, struct variants_uses *out)
{
    struct taking taking = {.arena = arena,
                            .statement = statement,
                            .resolved = resolved,
                            .uses = out,
                            .change = true};
    *out = (struct variants_uses){0};
    variants_take(&taking);
    return out->count ? sql_statement_print(arena, statement->dialect, statement->root)
                      : NULL;
}
