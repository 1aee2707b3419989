/*
 * Tables that are joined by equal columns: when one has few rows, its keys go to the
 * source of the other as a list, and only rows that can find a partner travel. The query
 * itself stays as it is, so a list may only leave out rows that it would drop.
 */
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "datasource/across/across_state.h"

enum {
    KEYS_MOST = 1000,
    KEY_BYTES_MOST = 32 * 1024,
    ROWS_UNKNOWN = 1000000,
    EQUAL_KEEPS = 10, /* assumed selectivity of an equality: one row in this many */
    RANGE_KEEPS = 3,
    SMALL_MOST = 100000, /* rows of a table whose keys are worth a look */
    LARGE_LEAST = 200,   /* rows of one that is worth the wait */
    TIMES_LARGER = 2,
};

struct linking {
    const struct across_scope *scope;
    const struct sql_scope *select;
};

static void link_add(const struct linking *linking, const struct across_side *from,
                     const struct across_side *to, const struct sql_relation *only)
{
    if (from->relation->scope == linking->select && from->need != to->need &&
        (!only || from->relation == only)) {
        VEC_PUSH(linking->scope->arena, &from->need->links,
                 ((struct across_link){from->column, to->need->table, to->column}));
    }
}

/* A row of the query outside has to be named with its table ("WHERE o.customer_id =
 * c.id"): a bare name may be a column of a relation inside that nobody knows. */
static bool side_read(const struct linking *linking, const struct sql_node *reference,
                      struct across_side *out)
{
    return across_side_of(linking->scope, reference, out) &&
           (out->relation->scope == linking->select || reference->count == 2);
}

/* An equality leaves out rows of both sides, or of one table alone. Of a query inside
 * another it is those of the inner one. No row without a partner survives one of an inner
 * join, whatever joins stand around it. */
static void equal_read(void *context, const struct sql_node *node,
                       const struct sql_relation *only)
{
    const struct linking *linking = context;
    struct across_side left;
    struct across_side right;
    if (node->kind == SQL_BINARY && str_equal(node->text, "=") &&
        side_read(linking, node->children[PAIR_LEFT], &left) &&
        side_read(linking, node->children[PAIR_RIGHT], &right)) {
        link_add(linking, &left, &right, only);
        link_add(linking, &right, &left, only);
    }
}

void across_links_read(const struct across_scope *scope, const struct sql_node *select)
{
    struct linking linking = {.scope = scope,
                              .select = sql_scope_of(scope->resolved, select)};
    across_conditions(scope, select, equal_read, &linking);
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
