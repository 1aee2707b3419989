/* Inside of the printer: what its files share. */
#ifndef DGM_SQL_TREE_PRINT_STATE_H
#define DGM_SQL_TREE_PRINT_STATE_H

#include "base/buf.h"
#include "sql/tree/print/print.h"

/* A tree while it is printed. */
struct print {
    struct buf *out;
    enum dialect dialect;
    char letter;
    struct arena *arena;        /* for the pieces */
    struct sql_pieces *pieces;  /* or NULL: nobody asks for them */
    sql_print_instead *instead; /* or NULL: all of it is SQL */
    void *context;              /* for instead */
};

/* print.c */
void print_node(struct print *print, const struct sql_node *node); /* of any kind */
bool print_dialect(const struct print *print, const char *letters);
void print_text(struct print *print, const char *text);
/* before node after, or nothing when there is no node */
void print_around(struct print *print, const char *before, const struct sql_node *node,
                  const char *after);
void print_list(struct print *print, const struct sql_node *list, const char *between);
void print_name(struct print *print, const char *name, bool quoted);
void print_named(struct print *print,
                 const struct sql_node *node); /* its text, as a name */
void print_string(struct print *print, const char *text);

/* print_query.c, print_from.c, print_expression.c: tables of kinds and functions */
typedef void print_function(struct print *print, const struct sql_node *node);
extern print_function *const print_query_kinds[SQL_KIND_COUNT];
extern print_function *const print_from_kinds[SQL_KIND_COUNT];
extern print_function *const print_expression_kinds[SQL_KIND_COUNT];
extern print_function *const print_call_kinds[SQL_KIND_COUNT];

#endif
