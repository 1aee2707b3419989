/* Inside of describe: one SELECT, cut into its clauses, on its way into words. */
#ifndef DGM_SQL_DESCRIBE_SENTENCE_H
#define DGM_SQL_DESCRIBE_SENTENCE_H

#include "sql/describe_words.h"

enum {
    DESCRIBE_MOST = 1600,      /* bytes of a sentence */
    DESCRIBE_PIECE_MOST = 320, /* of one condition or value in it */
    DESCRIBE_ITEMS_MOST = 64,  /* of the select list */
    DESCRIBE_GROUPS_MOST = 16, /* of GROUP BY and of ORDER BY; the rest goes unsaid */
};

enum part {
    PART_SELECT,
    PART_FROM,
    PART_WHERE,
    PART_GROUP,
    PART_HAVING,
    PART_QUALIFY,
    PART_WINDOW,
    PART_ORDER,
    PART_LIMIT,
    PART_OFFSET,
    PARTS
};

struct sentence {
    struct buf *out;
    bool noun; /* a part of another sentence */
    struct span parts[PARTS];
    struct describe_names names;
    struct texts shown;  /* the tables as the sentence says them, joins included */
    struct texts groups; /* what it groups by, in words */
};

/* Cuts one SELECT into its clauses; returns the set operation after it, or `to`. */
const struct token *sentence_cut(struct sentence *sentence, struct span span);
/* GROUP BY x -> x */
struct span sentence_body(const struct sentence *sentence, enum part part);
/* Reads the FROM clause: names and shown. */
void sentence_tables(struct sentence *sentence);
/* A piece of bounded length, so that one long condition does not drown the rest. */
const char *sentence_piece(struct sentence *sentence, struct span span, bool condition);
bool describe_is_name(const struct token *token);

/* describe_select.c: what it gives and for which groups. */
void sentence_add_select(struct sentence *sentence);
void sentence_add_groups(struct sentence *sentence);
/* The item of the select list with this number; false when there is none. */
bool sentence_item(const struct sentence *sentence, int64_t number, struct span *item);
/* The alias at the end of an item, cut off; NULL when there is none. */
const char *sentence_cut_alias(struct span *item);

/* describe_query.c: a whole query as a sentence; WITH and set operations included. */
void sentence_add_query(struct sentence *sentence, struct span span);

#endif
