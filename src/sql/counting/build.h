/* Small parts of a statement's tree, for those that rewrite one. */
#ifndef DGM_SQL_COUNTING_BUILD_H
#define DGM_SQL_COUNTING_BUILD_H

#include "sql/resolve/resolve.h"

/* A column of a relation as it must be written. */
struct sql_node *build_reference(struct arena *arena, const struct sql_relation *relation,
                                 const struct sql_output *output);
/* Names of ours: those that are not plain words are quoted. relation may be NULL. */
struct sql_node *build_column(struct arena *arena, const char *relation,
                              const char *column);
struct sql_node *build_item(struct arena *arena, struct sql_node *value,
                            const char *alias);
struct sql_node *build_equal(struct arena *arena, struct sql_node *left,
                             struct sql_node *right);
struct sql_node *build_not_null(struct arena *arena, struct sql_node *value);
/* CASE WHEN condition THEN value END */
struct sql_node *build_case(struct arena *arena, struct sql_node *condition,
                            struct sql_node *value);
/* Both must hold; either may be NULL. */
struct sql_node *build_and(struct arena *arena, struct sql_node *left,
                           struct sql_node *right);
/* Either must hold. */
struct sql_node *build_or(struct arena *arena, struct sql_node *left,
                          struct sql_node *right);
/* FROM (select) AS alias */
struct sql_node *build_from(struct arena *arena, struct sql_node *select,
                            const char *alias);

/* The same node in a tree that may be changed; NULL: it is not there. */
struct sql_node *build_find(struct sql_node *root, const struct sql_node *node);
/* The QUERY whose ORDER BY and LIMIT are about this SELECT alone; NULL: none. */
struct sql_node *build_query_of(struct sql_node *root, const struct sql_node *select);

#endif
