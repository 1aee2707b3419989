/*
 * SQL that was written for another database: read in the dialect it was written in, and
 * written in the one that is needed. The result must give the same rows as the original
 * would; what cannot be said with certainty is left as it is.
 *
 * Nothing is judged here: what comes out goes through the guard as any other SQL.
 */
#ifndef DGM_SQL_DIALECTS_MEND_H
#define DGM_SQL_DIALECTS_MEND_H

#include <stdbool.h>

#include "base/vec.h"
#include "sql/dialect.h"

struct arena;
struct schema;
struct sql_node;
struct sql_statement;

struct mend {
    enum dialect from;  /* what the text was read as */
    const char *sql;    /* in the dialect that is needed; NULL: it stays as it is */
    struct texts notes; /* what was changed, one sentence each */
    const char *why;    /* it stays as it is: the reason, for tests and logs */
};

/* The schema (or NULL) is that of the database the SQL is for: it says which columns hold
 * whole numbers, texts and dates. False when the text stays as it is. */
bool mend_sql(struct arena *arena, enum dialect to, const char *sql,
              const struct schema *schema, struct mend *out);

/* The same, from a dialect that is known. */
bool mend_sql_from(struct arena *arena, enum dialect from, enum dialect to,
                   const char *sql, const struct schema *schema, struct mend *out);

/* Something in a statement that the database would run, but that surely means something
 * else, as CAST(x AS DATE) in SQLite: what it is, as a sentence; NULL: nothing. */
const char *mend_misread(const struct sql_statement *statement);

/* The statement without a namespace that other databases have by habit and this one does
 * not: FROM public.stores in SQLite, where stores is the only table of this name. NULL:
 * nothing to leave out. */
const char *mend_namespaces(struct arena *arena, const struct sql_statement *statement,
                            const struct schema *schema);

#endif
