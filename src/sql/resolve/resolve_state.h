/* What the files of the resolver share. */
#ifndef DGM_SQL_RESOLVE_RESOLVE_STATE_H
#define DGM_SQL_RESOLVE_RESOLVE_STATE_H

#include "base/vec.h"
#include "model/schema.h"
#include "sql/resolve/resolve.h"

/* A name of WITH, and those that were known before it. */
struct resolve_cte {
    const struct resolve_cte *before;
    const struct sql_node *node;
    struct sql_outputs columns;
};

/* Parameters of the lambdas around the current place. */
struct resolve_local {
    const struct resolve_local *around;
    const char *name;
};

/* Where in a SELECT a reference stands decides whether outputs are seen. */
enum resolve_clause {
    CLAUSE_FROM,
    CLAUSE_ITEMS,
    CLAUSE_WHERE,
    CLAUSE_GROUP,
    CLAUSE_HAVING, /* and QUALIFY */
    CLAUSE_ORDER
};

/*
 * One statement while its names are resolved; `scope` is the SELECT that is being read.
 */
struct resolve {
    struct arena *arena;
    enum dialect dialect;
    const struct schema *schema;
    struct sql_resolved *out;
    struct sql_scope *scope; /* NULL outside of a SELECT */
    const struct resolve_cte *ctes;
    const struct resolve_local *locals;
    enum resolve_clause clause;
};

bool resolve_dialect(const struct resolve *resolve, const char *letters);

/* resolve.c */
struct sql_scope *resolve_scope_new(struct resolve *resolve, const struct sql_node *node,
                                    struct sql_scope *parent);
void resolve_expression(struct resolve *resolve, const struct sql_node *node);
/* QUERY, SELECT, VALUES or SET_OPERATION; the names of its columns go to `columns`. */
void resolve_query(struct resolve *resolve, const struct sql_node *node,
                   struct sql_outputs *columns);

/* resolve_from.c */
void resolve_from(struct resolve *resolve, const struct sql_node *list);
struct sql_relation *resolve_relation_new(struct resolve *resolve,
                                          enum sql_relation_kind kind,
                                          const struct sql_node *node, const char *name);
/* The table of an INSERT, UPDATE or DELETE. */
void resolve_target(struct resolve *resolve, const struct sql_node *node);

/* resolve_output.c */
struct sql_output *resolve_output_add(struct resolve *resolve,
                                      struct sql_outputs *outputs, const char *name);
void resolve_outputs_of_select(struct resolve *resolve, struct sql_scope *scope);
/* Which columns the outputs are, once the references from `start` on are read. */
void resolve_outputs_trace(struct resolve *resolve, struct sql_scope *scope,
                           size_t start);
/* The columns of a subquery or CTE, seen from outside, renamed by a list of names. */
void resolve_outputs_rename(struct resolve *resolve, struct sql_outputs *outputs,
                            const struct sql_node *names);
const struct sql_output *resolve_output_find(const struct sql_outputs *outputs,
                                             const char *name, size_t *count);

/* resolve_name.c */
void resolve_order_item(struct resolve *resolve, const struct sql_node *item);
void resolve_column(struct resolve *resolve, const struct sql_node *node);
void resolve_star(struct resolve *resolve, const struct sql_node *star);
void resolve_using(struct resolve *resolve, const struct sql_join_place *join);
const struct sql_relation *resolve_relation_named(const struct sql_scope *scope,
                                                  const struct sql_node *path,
                                                  size_t parts);
/* The relations of a join that are merged by USING or NATURAL under this name. */
bool resolve_is_merged(const struct sql_scope *scope, const char *name,
                       const struct sql_relation *a, const struct sql_relation *b);

#endif
