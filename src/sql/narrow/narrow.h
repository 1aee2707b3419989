/*
 * A statement narrowed to what a policy leaves. Each base table stands in FROM as the
 * query of what may be seen of it:
 *
 *     FROM orders o   ->   FROM (SELECT id, total FROM orders WHERE (region = 'EU')) AS o
 *
 * so whatever is done with the name afterwards (a star, a whole row, USING, a subquery, a
 * window) can reach nothing else. A write keeps its table and gets the condition.
 */
#ifndef DGM_SQL_NARROW_H
#define DGM_SQL_NARROW_H

#include <stdbool.h>
#include <stddef.h>

#include "base/json.h"
#include "base/vec.h"
#include "sql/dialect.h"
#include "sql/guard.h"
#include "sql/printed.h"

struct err;
struct policy;
struct schema;

/* Whose policy it is. */
struct narrow_rules {
    const struct policy *policy;
    const char *account; /* the value of :account in a condition; NULL: no account */
    /* the values of {claim.NAME}: an object of texts, numbers and lists; NULL: none */
    const json_t *claims;
    const char *key; /* mixed into hashes, so that nobody can make them; or NULL */
};

/* A part of the SQL that was not changed. */
struct narrow_piece {
    size_t from; /* in the statement as it was given */
    size_t to;   /* in the narrowed one */
    size_t size;
};

struct narrow_pieces {
    struct narrow_piece *items;
    size_t count;
    size_t capacity;
};

struct narrow_result {
    const char *sql;             /* what runs: the print of its tree */
    bool changed;                /* something was held back, not only names spelled out */
    struct texts tables;         /* in FROM, each as often as it stands there, quoted */
    bool rows_hidden;            /* a table has rows that the user must not see */
    struct texts filtered;       /* tables of which some rows are hidden */
    struct texts masked;         /* "customers.email" */
    struct texts hidden;         /* conditions, none of which a message may hold */
    struct narrow_pieces pieces; /* of the text before it was printed */
    struct printed printed;
};

/* The conditions of the policy by themselves, before any database is there: each must be
 * one condition that only reads. ERR_CONFIG names the table. */
bool narrow_check(struct arena *arena, enum dialect dialect,
                  const struct narrow_rules *rules, struct err *err);

/* Takes out of a schema, before it is frozen, whatever the policy holds back: tables,
 * columns, keys, indexes and metrics over them, views that read them. False when the
 * policy does not fit: then nothing of the database may be read. */
bool narrow_schema(struct schema *schema, enum dialect dialect,
                   const struct narrow_rules *rules, struct err *err);

/* One statement that the guard let through with this schema; the schema may hold more
 * than the policy leaves. What comes out has met the guard again, and is printed: the text of
 * a condition, too, is not what runs. */
bool narrow_sql(struct arena *arena, const struct sql_statement *statement,
                const struct guard_result *guard, const struct schema *schema,
                const struct narrow_rules *rules, struct narrow_result *out,
                struct err *err);
/* The key of the rules as it stands in SQL. */
const char *narrow_key(struct arena *arena, enum dialect dialect, const char *key);
/* Takes out of an error what the user must not see: conditions, and values of rows. */
void narrow_error(const struct narrow_result *result, bool ran, struct err *err);

#endif
