/*
 * One SQL statement as a tree. Every node has the same shape: a kind, a text, flags and
 * children. nodes.def lists the kinds; the enums below name the children ("slots") of
 * each. So walks, copies and comparisons are written once, and a reader that needs to
 * know one kind only looks at that one.
 *
 * A tree lives in an arena, with the text it was read from. Parentheses that only group
 * are not kept: sql_print() writes those that are needed.
 */
#ifndef DGM_SQL_TREE_TREE_H
#define DGM_SQL_TREE_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sql/dialect.h"

struct arena;

enum sql_kind {
#define NODE(kind, name, slots) SQL_##kind,
#include "sql/tree/nodes.def"
#undef NODE
    SQL_KIND_COUNT
};

enum { SQL_LIST_OF = -1 };

/* clang-format off */
enum { SINGLE_VALUE, SINGLE_SLOTS };
enum { PAIR_LEFT, PAIR_RIGHT, PAIR_SLOTS };
enum { TRIPLE_FIRST, TRIPLE_SECOND, TRIPLE_THIRD, TRIPLE_SLOTS };
enum { QUERY_WITH, QUERY_BODY, QUERY_ORDER, QUERY_LIMIT_BY, QUERY_LIMIT, QUERY_OFFSET,
       QUERY_SLOTS };
enum { SELECT_DISTINCT_ON, SELECT_TOP, SELECT_ITEMS, SELECT_FROM, SELECT_PREWHERE,
       SELECT_WHERE, SELECT_GROUP, SELECT_HAVING, SELECT_WINDOWS, SELECT_QUALIFY,
       SELECT_SAMPLE, SELECT_SLOTS };
enum { INSERT_TABLE, INSERT_COLUMNS, INSERT_SOURCE, INSERT_SLOTS };
enum { UPDATE_TABLE, UPDATE_ASSIGNMENTS, UPDATE_WHERE, UPDATE_SLOTS };
enum { DELETE_TABLE, DELETE_WHERE, DELETE_SLOTS };
enum { CTE_COLUMNS, CTE_BODY, CTE_SLOTS };
enum { STAR_OF, STAR_OPTIONS, STAR_SLOTS };
enum { ORDER_VALUE, ORDER_FILL, ORDER_SLOTS };
enum { FILL_FROM, FILL_TO, FILL_STEP, FILL_SLOTS };
enum { LIMIT_BY_COUNT, LIMIT_BY_OFFSET, LIMIT_BY_VALUES, LIMIT_BY_SLOTS };
enum { WINDOW_BASE, WINDOW_PARTITION, WINDOW_ORDER, WINDOW_FRAME, WINDOW_SLOTS };
enum { FRAME_START, FRAME_END, FRAME_SLOTS };
enum { TABLE_PATH, TABLE_ALIAS, TABLE_SAMPLE, TABLE_PARTITIONS, TABLE_HINTS, TABLE_OFFSET,
       TABLE_SLOTS };
enum { DERIVED_SOURCE, DERIVED_ALIAS, DERIVED_SAMPLE, DERIVED_OFFSET, DERIVED_SLOTS };
enum { JOIN_LEFT, JOIN_RIGHT, JOIN_ON, JOIN_USING, JOIN_SLOTS };
enum { PIVOT_SOURCE, PIVOT_VALUES, PIVOT_FORS, PIVOT_ALIAS, PIVOT_SLOTS };
enum { CASE_VALUE, CASE_WHENS, CASE_ELSE, CASE_SLOTS };
enum { SLICE_VALUE, SLICE_FROM, SLICE_TO, SLICE_STEP, SLICE_SLOTS };
enum { CALL_PARAMETERS, CALL_ARGUMENTS, CALL_ORDER, CALL_SEPARATOR, CALL_LIMIT,
       CALL_HAVING, CALL_RETURNING, CALL_WITHIN, CALL_FILTER, CALL_OVER, CALL_SLOTS };
enum { ARRAY_TYPE, ARRAY_VALUES, ARRAY_SLOTS };
enum { COMPREHENSION_VALUE, COMPREHENSION_NAME, COMPREHENSION_LIST, COMPREHENSION_IF,
       COMPREHENSION_SLOTS };
enum { STRUCT_TYPE, STRUCT_ENTRIES, STRUCT_SLOTS };
enum { TYPE_ARGUMENTS, TYPE_DIMENSIONS, TYPE_SLOTS };

enum sql_flag {
    FLAG_NOT          = 1 << 0,  /* NOT IN, IS NOT, NOT EXISTS, NOT MATERIALIZED … */
    FLAG_DISTINCT     = 1 << 1,  /* SELECT, UNION, count(DISTINCT x), IS DISTINCT FROM */
    FLAG_ALL          = 1 << 2,  /* UNION ALL; GROUP BY ALL; ORDER BY ALL; FRAME: … */
    FLAG_DESC         = 1 << 3,
    FLAG_NULLS_FIRST  = 1 << 4,
    FLAG_NULLS_LAST   = 1 << 5,
    FLAG_RECURSIVE    = 1 << 6,
    FLAG_MATERIALIZED = 1 << 7,
    FLAG_LATERAL      = 1 << 8,
    FLAG_ONLY         = 1 << 9,
    FLAG_FINAL        = 1 << 10,
    FLAG_ORDINALITY   = 1 << 11,
    FLAG_QUOTED       = 1 << 12, /* a name that was written in quotes */
    FLAG_BY_NAME      = 1 << 13, /* UNION BY NAME */
    FLAG_SYMMETRIC    = 1 << 14,
    FLAG_GLOBAL       = 1 << 15, /* GLOBAL IN, GLOBAL JOIN */
    FLAG_WITH_TIES    = 1 << 16,
    FLAG_IGNORE_NULLS = 1 << 17,
    FLAG_RESPECT_NULLS= 1 << 18,
    FLAG_NATURAL      = 1 << 19,
    FLAG_SAFE         = 1 << 20, /* TRY_CAST, SAFE_CAST, SAFE.function */
    FLAG_RAW          = 1 << 21, /* a text whose escapes are kept as they were written */
    FLAG_PERCENT      = 1 << 23, /* LIMIT 10%, TABLESAMPLE 10 PERCENT */
    FLAG_FETCH        = 1 << 24, /* FETCH FIRST n ROWS ONLY, where that is the dialect's way */
    FLAG_KEYWORD      = 1 << 25, /* an argument behind FROM, FOR, PLACING, IN; a lambda with its word */
    FLAG_AS_STRUCT    = 1 << 26,
    FLAG_AS_VALUE     = 1 << 27,
    FLAG_GROUP_ALL    = 1 << 28,
};
/* clang-format on */

enum sql_join {
    JOIN_INNER,
    JOIN_LEFT_OUTER,
    JOIN_RIGHT_OUTER,
    JOIN_FULL_OUTER,
    JOIN_CROSS
};

/*
 * A node of the tree. It and its children are in the arena of the statement; The kind
 * says how many children there are and what each one is (nodes.def); an optional child
 * that is missing is NULL.
 */
struct sql_node {
    enum sql_kind kind;
    unsigned flags;
    int variant;    /* JOIN: enum sql_join; else 0 */
    uint32_t start; /* bytes in the text it was read from; 0, 0 when we made it */
    uint32_t end;
    const char *text; /* name, operator, literal, unit; NULL when the kind has none */
    size_t count;
    size_t capacity;
    struct sql_node **children;
};

const char *sql_kind_name(enum sql_kind kind);
/* A new node with its slots empty. */
struct sql_node *sql_node(struct arena *arena, enum sql_kind kind, const char *text);
/* Adds to a kind with any number of children; NULL is not added. */
void sql_add(struct arena *arena, struct sql_node *list, struct sql_node *child);
/* NULL is no node of any kind. */
static inline bool sql_is(const struct sql_node *node, enum sql_kind wanted)
{
    return node && node->kind == wanted;
}
static inline bool sql_has(const struct sql_node *node, unsigned flags)
{
    return (node->flags & flags) != 0;
}
static inline struct sql_node *sql_child(const struct sql_node *node, size_t slot)
{
    return slot < node->count ? node->children[slot] : NULL;
}

/* Calls visit for the node and everything below it, parents first. When visit returns
 * false the children of that node are left out. */
void sql_walk(struct sql_node *node, bool (*visit)(void *context, struct sql_node *node),
              void *context);

/* All nodes of a kind, in the order of the walk. */
struct sql_nodes {
    struct sql_node **items;
    size_t count;
    size_t capacity;
};
void sql_collect(struct arena *arena, struct sql_node *root, enum sql_kind kind,
                 struct sql_nodes *out);
struct sql_node *sql_clone(struct arena *arena, const struct sql_node *node);
/* The same statement? Places in the text do not count. */
bool sql_equal(const struct sql_node *a, const struct sql_node *b);

#endif
