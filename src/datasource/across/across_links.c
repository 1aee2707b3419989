/*
 * Tables that are joined by equal columns: when one has few rows, its keys go to the
 * source of the other as a list, and only rows that can find a partner travel. The query
 * itself stays as it is, so a list may only leave out rows that it would drop.
 */
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/json.h"
#include "base/str.h"
#include "datasource/across/across_state.h"

enum {
    KEYS_MOST = 1000,
    KEY_BYTES_MOST = 32 * 1024,
    ROWS_UNKNOWN = 1000000,
    EQUAL_KEEPS = 10, /* one row in so many, as far as anybody can tell */
    RANGE_KEEPS = 3,
    SMALL_MOST = 100000, /* rows of a table whose keys are worth a look */
    LARGE_LEAST = 200,   /* rows of one that is worth the wait */
    TIMES_LARGER = 2,
};

static void link_add(const struct across_scope *scope,
                     const struct across_relation *relation, const struct column *column,
                     const struct across_relation *other, const struct column *key)
{
    struct across_need *need = across_need_of(scope->needs, relation->table);
    if (need && relation->table != other->table) {
        VEC_PUSH(scope->arena, &need->links,
                 ((struct across_link){column, other->table, key}));
    }
}

/* A row of the query outside: "WHERE o.customer_id = c.id", where c is not known here. */
static const struct across_relation *outer_of(const struct across_scope *scope,
                                              const struct across_relations *all,
                                              const json_t *reference,
                                              const struct column **column)
{
    const json_t *parts = json_array_at(reference, "column_names");
    const char *owner = json_string_value(json_array_get(parts, 0));
    if (json_array_size(parts) != 2 || !owner) {
        return NULL;
    }
    for (size_t i = 0; i < all->count; i++) {
        if (str_equal_nocase(all->items[i].alias, owner)) {
            return NULL;
        }
    }
    return across_relation_of(&scope->outer, reference, column);
}

/* Which rows an equality may leave out: of both sides, or of one table alone. Of a query
 * inside another it is those of the inner one. */
static void equal_read(const struct across_scope *scope,
                       const struct across_relations *all, const json_t *node,
                       const struct across_table *only)
{
    const struct column *left = NULL;
    const struct column *right = NULL;
    const struct across_relation *one =
        across_relation_of(all, json_object_at(node, "left"), &left);
    const struct across_relation *two =
        across_relation_of(all, json_object_at(node, "right"), &right);
    bool left_inside = one != NULL;
    bool right_inside = two != NULL;
    one = one ? one : outer_of(scope, all, json_object_at(node, "left"), &left);
    two = two ? two : outer_of(scope, all, json_object_at(node, "right"), &right);
    if (!one || !two) {
        return;
    }
    if (left_inside && (!only || one->table == only)) {
        link_add(scope, one, left, two, right);
    }
    if (right_inside && (!only || two->table == only)) {
        link_add(scope, two, right, one, left);
    }
}

static void condition_read(const struct across_scope *scope,
                           const struct across_relations *all, const json_t *node,
                           const struct across_table *only)
{
    const char *type = str_or_empty(json_text_at(node, "type"));
    size_t index;
    const json_t *item;
    if (strcmp(type, "CONJUNCTION_AND") == 0) {
        json_array_foreach(json_array_at(node, "children"), index, item)
        {
            condition_read(scope, all, item, only);
        }
    } else if (strcmp(type, "COMPARE_EQUAL") == 0) {
        equal_read(scope, all, node, only);
    }
}

/* An equality of an inner join no row without a partner survives, whatever joins stand
 * around it. One of an outer join says nothing about the side that stays. */
static void joins_read(const struct across_scope *scope,
                       const struct across_relations *all, const json_t *from)
{
    static const struct {
        const char *join;
        const char *side; /* that may be missing */
    } sides[] = {
        {"LEFT", "right"}, {"SEMI", "right"}, {"ANTI", "right"}, {"RIGHT", "left"}};
    if (!str_equal(json_text_at(from, "type"), "JOIN")) {
        return;
    }
    const char *join = str_or_empty(json_text_at(from, "join_type"));
    const json_t *condition = json_object_at(from, "condition");
    joins_read(scope, all, json_object_at(from, "left"));
    joins_read(scope, all, json_object_at(from, "right"));
    if (strcmp(join, "INNER") == 0) {
        condition_read(scope, all, condition, NULL);
    }
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
        struct across_relations inner = {0};
        if (strcmp(join, sides[i].join) == 0) {
            across_relations_read(scope, json_object_at(from, sides[i].side), &inner);
        }
        if (inner.count == 1 && inner.items[0].table) {
            condition_read(scope, all, condition, inner.items[0].table);
        }
    }
}

void across_links_read(const struct across_scope *scope, const json_t *select)
{
    struct across_relations all = {0};
    const json_t *from = json_object_at(select, "from_table");
    across_relations_read(scope, from, &all);
    if (all.strange || json_object_at(select, "sample")) {
        return;
    }
    joins_read(scope, &all, from);
    condition_read(scope, &all, json_object_at(select, "where_clause"), NULL);
}

/* ------------------------------------------------------------------ who waits for whom
 */

static int64_t rows_expected(const struct across *across, const struct across_need *need)
{
    enum dialect dialect = datasource_dialect(across->parts[need->table->part].source);
    int64_t rows = need->table->table->row_count;
    rows = rows < 0 ? ROWS_UNKNOWN : rows;
    for (size_t i = 0; need->uses == 1 && i < need->filters.count; i++) {
        const struct across_filter *filter = &need->filters.items[i];
        bool equal = filter->test == ACROSS_EQUAL || filter->test == ACROSS_IN ||
                     filter->test == ACROSS_IS_NULL;
        bool narrows =
            filter->test != ACROSS_NOT_EQUAL && filter->test != ACROSS_NOT_NULL;
        if (narrows && across_can_push(dialect, filter)) {
            rows /= equal ? EQUAL_KEEPS : RANGE_KEEPS;
        }
    }
    return rows;
}

void across_links_choose(const struct across *across, struct across_needs *needs)
{
    for (size_t i = 0; i < needs->count; i++) {
        struct across_need *need = &needs->items[i];
        enum dialect dialect =
            datasource_dialect(across->parts[need->table->part].source);
        int64_t least = rows_expected(across, need) / TIMES_LARGER;
        bool worth = need->uses == 1 && least * TIMES_LARGER >= LARGE_LEAST;
        for (size_t l = 0; worth && l < need->links.count; l++) {
            const struct across_link *link = &need->links.items[l];
            struct across_need *other = across_need_of(needs, link->other);
            int64_t rows = other ? rows_expected(across, other) : INT64_MAX;
            const struct value text = {.kind = VALUE_TEXT, .text = {"", 0}};
            const struct value number = {.kind = VALUE_INT};
            if (rows <= least && rows <= SMALL_MOST &&
                (across_can_push_key(dialect, link->column, &text) ||
                 across_can_push_key(dialect, link->column, &number))) {
                need->link = link;
                least = rows - 1; /* the fewest rows of all, the first among equals */
            }
        }
    }
}

bool across_link_ready(const struct across_needs *needs, const struct across_need *need)
{
    for (size_t i = 0; need->link && i < needs->count; i++) {
        if (needs->items[i].table == need->link->other) {
            return needs->items[i].staged;
        }
    }
    return true;
}

/* ------------------------------------------------------------------ the keys */

struct collecting {
    struct arena *arena;
    enum dialect dialect;
    const struct column *column;
    struct value *values;
    size_t count;
    size_t bytes;
    bool unfit; /* too many, or one that the source may read in another way */
};

static bool take_columns(void *context, const struct rows_column *columns, size_t count)
{
    (void)context;
    (void)columns;
    return count == 1;
}

static bool take_key(void *context, const struct value *cells)
{
    struct collecting *collecting = context;
    collecting->bytes += value_bytes(&cells[0]);
    collecting->unfit =
        collecting->count == KEYS_MOST || collecting->bytes > KEY_BYTES_MOST ||
        !across_can_push_key(collecting->dialect, collecting->column, &cells[0]);
    if (!collecting->unfit) {
        collecting->values[collecting->count++] =
            value_clone(collecting->arena, &cells[0]);
    }
    return !collecting->unfit;
}

bool across_keys_read(const struct across *across, struct arena *arena,
                      struct staging *staging, struct across_need *need,
                      const struct datasource_limits *limits, struct err *err)
{
    const struct across_link *link = need->link;
    struct collecting collecting = {
        .arena = arena,
        .dialect = datasource_dialect(across->parts[need->table->part].source),
        .column = link->column,
        .values = arena_array(arena, KEYS_MOST, sizeof *collecting.values)};
    const struct datasource_sink sink = {
        .columns = take_columns, .row = take_key, .context = &collecting};
    struct buf sql;
    buf_init(&sql, KEY_BYTES_MOST);
    (void)buf_text(&sql, "SELECT DISTINCT ");
    dialect_quote(&sql, DIALECT_DUCKDB, link->key->name, false);
    (void)buf_text(&sql, " FROM ");
    dialect_quote(&sql, DIALECT_DUCKDB, across->parts[link->other->part].alias, false);
    (void)buf_char(&sql, '.');
    dialect_quote(&sql, DIALECT_DUCKDB, link->other->bare, false);
    (void)buf_text(&sql, " WHERE ");
    dialect_quote(&sql, DIALECT_DUCKDB, link->key->name, false);
    (void)buf_format(&sql, " IS NOT NULL ORDER BY 1 LIMIT %d", KEYS_MOST + 1);
    bool ok = staging_run(staging, buf_get(&sql), limits, &sink, err);
    buf_release(&sql);
    need->keys = (struct across_keys){.known = ok && !collecting.unfit,
                                      .values = collecting.values,
                                      .count = collecting.count};
    return ok;
}
