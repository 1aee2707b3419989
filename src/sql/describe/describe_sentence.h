/* Inside of describe: one SELECT on its way into words. */
#ifndef DGM_SQL_DESCRIBE_SENTENCE_H
#define DGM_SQL_DESCRIBE_SENTENCE_H

#include "sql/describe/describe_words.h"

enum {
    DESCRIBE_MOST = 1600,      /* bytes of a sentence */
    DESCRIBE_PIECE_MOST = 320, /* of one condition or value in it */
    DESCRIBE_ITEMS_MOST = 64,  /* of the select list */
    DESCRIBE_GROUPS_MOST = 16, /* of GROUP BY and of ORDER BY; the rest goes unsaid */
};

struct sentence {
    struct buf *out;
    bool noun;                     /* a part of another sentence */
    bool rows;                     /* only which rows it has: of EXISTS */
    const struct sql_node *select; /* the first or only one; NULL: VALUES */
    struct describe_names names;
    struct texts shown;  /* the tables as the sentence says them, joins included */
    struct texts groups; /* what it groups by, in words */
};

/* describe_from.c: reads the FROM clause: names and shown. */
void sentence_tables(struct sentence *sentence);
/* A piece of bounded length, so that one long condition does not drown the rest. */
const char *sentence_piece(struct sentence *sentence, const struct sql_node *node,
                           bool condition);

/* describe_select.c: what it gives and for which groups. */
void sentence_add_select(struct sentence *sentence);
void sentence_add_groups(struct sentence *sentence);
/* The item with this number, as GROUP BY 1 means it; NULL when it is no such number. */
const struct sql_node *sentence_item(const struct sentence *sentence,
                                     const struct sql_node *number);

/* describe_query.c: a whole query as a sentence; WITH and set operations included. */
void sentence_add_query(struct sentence *sentence, const struct sql_node *query);

#endif
