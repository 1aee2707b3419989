/* Follow-ups that say in which order, and how many. */
#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"
#include "parser/followup/followup_state.h"

static void set_order(struct followup *followup, struct ir_node *node, bool descending)
{
    followup->query->order.count = 0;
    VEC_PUSH(followup->arena, &followup->query->order,
             ((struct ir_order){node, descending}));
}

static bool gives_one_row(const struct ir_query *query)
{
    bool found = false;
    for (size_t i = 0; i < query->select.count; i++) {
        found = found || ir_node_aggregates(query->select.items[i]);
    }
    return found && query->group.count == 0;
}

/* A figure of the answer by its kind: "sort by count". */
static struct ir_node *figure(const struct followup *followup, enum ir_keyword keyword)
{
    struct ir_node *any = NULL;
    for (size_t i = 0; i < followup->query->select.count; i++) {
        struct ir_node *item = followup->query->select.items[i];
        if (ir_node_is(item, keyword)) {
            return item;
        }
        any = !any && ir_node_aggregates(item) ? item : any;
    }
    return any;
}

/* The date: the one that has the word in its name, if it is at hand, else the usual one.
 */
static int dated(const struct followup *followup)
{
    const struct caught *last = &followup->caught[followup->caught_count - 1];
    last -= last->slot == SLOT_DIRECTION;
    size_t end = 0;
    int column = followup_column(followup, last->first, WANT_TIME, &end);
    bool near = column >= 0 &&
                followup_uses_table(followup, followup->schema->columns[column].table);
    return near ? column : followup_time_column(followup);
}

/* Groups have no other columns to be sorted by. */
static bool is_grouped(const struct ir_query *query, const struct ir_node *node)
{
    bool found = false;
    for (size_t i = 0; i < query->group.count; i++) {
        found = found || ir_node_same(query->group.items[i], node);
    }
    for (size_t i = 0; i < query->select.count; i++) {
        found = found || ir_node_same(query->select.items[i], node);
    }
    return found;
}

/* "sort by name", of whatever the answer shows: its first text. NULL: it shows none, or another
 * word was said. */
static struct ir_node *shown_name(const struct followup *followup, size_t at)
{
    const struct ir_query *query = followup->query;
    const char *word = followup->features.tokens.items[at].text;
    bool plain = str_equal(word, "name") || str_equal(word, "names");
    for (size_t i = 0; plain && i < query->select.count; i++) {
        struct ir_node *item = query->select.items[i];
        if (ir_node_is_column(item) && !ir_node_is_star(item) &&
            followup->schema->columns[item->token.index].type == IR_TYPE_TEXT) {
            return item;
        }
    }
    return NULL;
}

static struct ir_node *order_node(struct followup *followup)
{
    const struct caught *named = followup_caught(followup, SLOT_COLUMN, 0);
    const struct caught *word = followup_caught(followup, SLOT_FIGURE, 0);
    size_t end = 0;
    int column = named ? followup_column(followup, named->first, WANT_ANY, &end) : -1;
    bool grouped = followup->query->group.count > 0;
    struct ir_node *name = column < 0 ? NULL : shown_name(followup, named->first);
    if (name) {
        return name;
    }
    if (grouped && column >= 0) {
        struct ir_node *aggregate = followup_aggregate(followup, column);
        if (aggregate) {
            return aggregate;
        }
    }
    if (grouped && word) {
        return figure(followup, word->keyword);
    }
    if (word) { /* "by total", where that is a column */
        column = followup_column(followup, word->first, WANT_NUMBER, &end);
    }
    if (!named && !word) { /* "by date" */
        for (size_t i = 0; i < followup->query->group.count; i++) {
            struct ir_node *group = followup->query->group.items[i];
            if (group->kind == IR_NODE_CALL) {
                return group;
            }
        }
        column = dated(followup);
    }
    struct ir_node *node =
        column < 0 ? NULL : ir_node_column(followup->arena, column, false);
    return grouped && node && !is_grouped(followup->query, node) ? NULL : node;
}

bool followup_sort(struct followup *followup)
{
    struct ir_query *query = followup->query;
    const struct caught *direction = followup_caught(followup, SLOT_DIRECTION, 0);
    struct ir_node *node = order_node(followup);
    if (!node || gives_one_row(query)) {
        return false;
    }
    /* The first few by one thing, sorted by another, are two queries. */
    followup->confidence *= query->limit && query->order.count ? 0.5 : 1.0;
    set_order(followup, node,
              direction ? direction->keyword == IR_DESC : ir_node_aggregates(node));
    return true;
}

/* "newest" is about a date, "highest" about a number. */
static enum ir_type type_meant(const struct followup *followup)
{
    static const char *const times[] = {"newest",   "oldest", "latest",
                                        "earliest", "recent", NULL};
    static const char *const plain[] = {"ascending",  "descending", "asc", "desc",
                                        "increasing", "decreasing", NULL};
    const struct caught *word = followup_caught(followup, SLOT_DIRECTION, 0);
    enum ir_type type = IR_TYPE_NUMBER;
    for (size_t at = word->first; at < word->end; at++) {
        const char *text = followup->features.tokens.items[at].text;
        for (size_t i = 0; times[i]; i++) {
            type = str_equal(text, times[i]) ? IR_TYPE_TIME : type;
        }
        for (size_t i = 0; plain[i]; i++) {
            type = str_equal(text, plain[i]) ? IR_TYPE_OTHER : type;
        }
    }
    return type;
}

/* What the answer is sorted by, when only the direction is said: its figure, the last
 * column of the type that the word speaks of, its first column. */
static struct ir_node *natural(const struct followup *followup)
{
    const struct ir_query *query = followup->query;
    struct ir_node *found = figure(followup, IR_PAD);
    enum ir_type type = type_meant(followup);
    for (size_t i = query->select.count; i-- > 0 && !found;) {
        struct ir_node *item = query->select.items[i];
        bool fits = ir_node_is_column(item) &&
                    (followup->schema->columns[item->token.index].type == type ||
                     (type == IR_TYPE_OTHER && i == 0));
        found = fits ? item : NULL;
    }
    if (found || type == IR_TYPE_OTHER || query->group.count) {
        return found;
    }
    int column = type == IR_TYPE_TIME ? followup_time_column(followup)
                                      : followup_number_column(followup, NULL);
    return column < 0 ? NULL : ir_node_column(followup->arena, column, false);
}

/* Is what it is sorted by already of the kind that the word speaks of? */
static bool sorts_so(const struct followup *followup)
{
    const struct ir_node *node = followup->query->order.items[0].node;
    enum ir_type type = type_meant(followup);
    return type == IR_TYPE_OTHER || !ir_node_is_column(node) ||
           followup->schema->columns[node->token.index].type == type;
}

bool followup_direction(struct followup *followup)
{
    struct ir_query *query = followup->query;
    bool descending = followup_caught(followup, SLOT_DIRECTION, 0)->keyword == IR_DESC;
    if (gives_one_row(query)) {
        return false;
    }
    if (query->order.count && sorts_so(followup)) {
        query->order.items[0].descending = descending;
        return true;
    }
    struct ir_node *node = natural(followup);
    if (!node) {
        return false;
    }
    set_order(followup, node, descending);
    return true;
}

bool followup_reverse(struct followup *followup)
{
    struct ir_query *query = followup->query;
    for (size_t i = 0; i < query->order.count; i++) {
        query->order.items[i].descending = !query->order.items[i].descending;
    }
    return query->order.count > 0;
}

bool followup_alphabetical(struct followup *followup)
{
    const struct ir_query *query = followup->query;
    struct ir_node *node = NULL;
    for (size_t i = 0; i < query->select.count && !node; i++) {
        struct ir_node *item = query->select.items[i];
        bool text = ir_node_is_column(item) &&
                    followup->schema->columns[item->token.index].type == IR_TYPE_TEXT;
        node = text ? item : NULL;
    }
    if (!node && query->sources.count && query->group.count == 0) {
        int column = followup_name_column(followup, query->sources.items[0].table);
        node = column < 0 ? NULL : ir_node_column(followup->arena, column, false);
    }
    if (!node || gives_one_row(query)) {
        return false;
    }
    set_order(followup, node, false);
    return true;
}

/* "in 2024 only", "show 2023" speak of a year, whatever rule they fit; "limit 2000" does
 * not. */
static bool speaks_of_year(const struct followup *followup, const struct caught *number)
{
    const char *text = followup->features.values.items[number->value].value.text;
    return followup_is_year(text) &&
           !followup_sense(followup, SENSE_LIMIT, followup->caught[0].first);
}

bool followup_limit(struct followup *followup)
{
    const struct caught *number = followup_caught(followup, SLOT_NUMBER, 0);
    struct ir_token one = {IR_FIXED, IR_FIXED_ONE};
    if (gives_one_row(followup->query) || (number && speaks_of_year(followup, number))) {
        return false;
    }
    followup->query->limit = number ? followup_value(followup, number->value)
                                    : ir_node_token(followup->arena, one);
    return true;
}

/* After the rows that were shown the next ones. */
bool followup_next(struct followup *followup)
{
    struct ir_query *query = followup->query;
    const struct caught *number = followup_caught(followup, SLOT_NUMBER, 0);
    int64_t limit = 0;
    int64_t offset = 0;
    if (!query->limit || !number ||
        !str_to_int(followup_text_of(followup, query->limit), &limit) ||
        (query->offset &&
         !str_to_int(followup_text_of(followup, query->offset), &offset))) {
        return false;
    }
    struct ir_value value = {.text = arena_format(followup->arena, "%lld",
                                                  (long long)limit + (long long)offset)};
    VEC_PUSH(followup->arena, &followup->values, value);
    struct ir_token token = {IR_VALUE, (int)followup->values.count - 1};
    query->offset = ir_node_token(followup->arena, token);
    query->limit = followup_value(followup, number->value);
    return true;
}

/* Rows in the order of their names: "the first 5" keeps it, "the top 5" is about the figure. */
static bool wants_figure(const struct followup *followup)
{
    const struct ir_query *query = followup->query;
    const struct ir_node *node = query->order.items[0].node;
    bool named = ir_node_is_column(node) &&
                 followup->schema->columns[node->token.index].type == IR_TYPE_TEXT;
    for (size_t i = 0; i < followup->caught_count; i++) {
        const struct caught *caught = &followup->caught[i];
        for (size_t at = caught->first; at < caught->end; at++) {
            named =
                named && !str_equal(followup->features.tokens.items[at].text, "first");
        }
    }
    return named && query->group.count > 0 && figure(followup, IR_PAD) != NULL;
}

/* The first few by the named column, by the order there is, or by the figure. */
static bool first_few(struct followup *followup, bool descending)
{
    struct ir_query *query = followup->query;
    struct ir_node *node = NULL;
    if (followup_caught(followup, SLOT_COLUMN, 0) ||
        followup_caught(followup, SLOT_FIGURE, 0)) {
        node = order_node(followup);
        if (!node) {
            return false;
        }
    } else if (query->order.count == 0 || wants_figure(followup)) {
        node = figure(followup, IR_PAD);
        followup->confidence *= node ? 1.0 : 0.85;
    } else if (!descending) {
        query->order.items[0].descending = !query->order.items[0].descending;
    }
    if (node) {
        set_order(followup, node, descending);
    }
    return followup_limit(followup);
}

bool followup_top(struct followup *followup)
{
    return first_few(followup, true);
}

bool followup_bottom(struct followup *followup)
{
    return first_few(followup, false);
}

bool followup_no_limit(struct followup *followup)
{
    bool had = followup->query->limit != NULL;
    followup->query->limit = NULL;
    followup->query->offset = NULL;
    return had;
}
