/* What the files of the parts share: the query that is read, and how its nodes look as
 * JSON. */
#ifndef DGM_PARSER_PARTS_STATE_H
#define DGM_PARSER_PARTS_STATE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "parser/ir/ir_schema.h"
#include "parser/ir/ir_tree.h"
#include "parser/parts/parts.h"

enum {
    PARTS_MEASURES = 8,
    PARTS_COLUMNS = 12,
    PARTS_FILTERS = 16,
    PARTS_VALUES = 50,
    PARTS_ORDERS = 4,
    PARTS_LIMIT = 1000000,
    PARTS_TEXT = 400, /* bytes of one value */
};

/* A query that was read. `conditions` are those of WHERE, then of HAVING, then of left
 * joins; the nodes belong to the query and are never changed. */
struct parts {
    struct arena *arena;
    const struct parts_request *request;
    const struct ir_schema *schema;
    struct ir_values values;
    struct ir_query *query; /* NULL: of a schema alone */
    struct ir_nodes measures;
    struct ir_nodes columns;
    struct ir_nodes conditions;
    size_t where_count;
    size_t having_count;
    int counted; /* the table whose rows COUNT(*) counts; -1: not known */
};

/* A word of the API and the keyword that it stands for. */
struct parts_word {
    const char *word;
    enum ir_keyword keyword;
};

extern const struct parts_word parts_figures[];
const struct parts_word *parts_word_find(const struct parts_word *words,
                                         const char *word);
const struct parts_word *parts_word_of(const struct parts_word *words,
                                       enum ir_keyword keyword);

/* A COUNT of a table's rows in a new query: how it is written depends on the joins. */
struct parts_count {
    struct ir_node *node;
    int table;
};

/* A query while it is made of a changed object. */
struct parts_making {
    struct parts *parts;
    struct ir_query *query;
    struct ir_nodes measures;
    struct ir_nodes columns;
    struct ir_nodes where;
    struct ir_nodes having;
    struct {
        struct parts_count *items;
        size_t count;
        size_t capacity;
    } counts;
    struct err *err;
};

/* ------------------------------------------------------------ parts.c */
bool parts_is_measure(const struct ir_node *node);
/* The column, if the node is one of the first copy of its table; -1: it is not. */
int parts_column_of(const struct ir_node *node);
/* "orders.total"; -1: there is none. */
int parts_column_named(const struct parts *parts, const char *name);
const char *parts_column_name(const struct parts *parts, int column);
bool parts_is_key(const struct ir_schema *schema, int column);
/* Every row of the table has at most one row of each marked table: follows keys. */
void parts_mark_referred(const struct ir_schema *schema, bool *marked);
struct ir_node *parts_value(struct parts *parts, const char *text, bool is_text);
const char *parts_text_of(const struct parts *parts, const struct ir_node *node);
const char *parts_words(const struct parts *parts, const struct ir_node *node);
const char *parts_count_words(const struct parts *parts, int table);

/* ------------------------------------------------------------ parts_item.c */
/* Writes the fields of a figure or a column; false, with nothing written: it has none of
 * that form. */
bool parts_item_write(const struct parts *parts, const struct ir_node *node,
                      struct writer *writer);
/* The table whose rows a figure counts; -1: it counts something else. */
int parts_table_counted(const struct parts *parts, const struct ir_node *node);
/* NULL and err. `kept`: what a number stands for. */
struct ir_node *parts_item_read(struct parts_making *making, const json_t *item,
                                const struct ir_nodes *kept, const char *where);
/* The types for which a figure makes sense. */
bool parts_figure_fits(enum ir_keyword figure, const struct ir_column *column);

/* ------------------------------------------------------------ parts_filter.c */
bool parts_filter_write(const struct parts *parts, const struct ir_node *node,
                        struct writer *writer);
struct ir_node *parts_filter_read(struct parts_making *making, const json_t *item,
                                  const char *where);
void parts_filter_tests(const struct ir_column *column, struct texts *out,
                        struct arena *arena);

/* ------------------------------------------------------------ parts_period.c */
/* NULL: it has no such form. */
const char *parts_period_text(const struct parts *parts, const struct ir_node *node);
struct ir_node *parts_period_read(struct parts *parts, const char *text);

/* ------------------------------------------------------------ parts_compose.c */
bool parts_compose(struct parts_making *making, const json_t *changed);

/* ------------------------------------------------------------ parts_sources.c */
bool parts_sources(struct parts_making *making);

/* ------------------------------------------------------------ parts_whole.c */
/* Joins of figures of several tables, so that each is over all of its rows; false and err:
 * they cannot be. */
bool parts_keep_whole(struct parts_making *making);

/* ------------------------------------------------------------ parts_said.c */
const char *parts_said(const struct parts_making *making);

#endif
