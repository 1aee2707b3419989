/*
 * What a database looks like at one moment. Built by a driver, then frozen: from then on
 * it is immutable and shared by reference between questions, so it may be read by any
 * thread.
 */
#ifndef DGM_MODEL_SCHEMA_H
#define DGM_MODEL_SCHEMA_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"
#include "model/value.h"

struct err;

/* What a value stands for: 1 = active. */
struct meaning {
    const char *value;
    const char *text;
};

struct meanings {
    struct meaning *items;
    size_t count;
    size_t capacity;
};

/* A figure that people ask for by name: revenue = sum(quantity * unit_price). */
struct metric {
    const char *name;
    const char *expression; /* SQL over the columns of its table */
    const char *comment;    /* or NULL */
    struct texts synonyms;
    bool derived; /* made from names of columns: nobody has said it */
    /*
     * Tables that it needs besides its own, each found by a key of one before it, so that
     * every row of its own counts once; and the conditions of these joins, one for each.
     */
    struct texts tables;
    struct texts joins;
};

struct metrics {
    struct metric *items;
    size_t count;
    size_t capacity;
};

struct column {
    const char *name;
    const char *type;  /* as the database says it */
    struct texts path; /* of names, in nested documents; empty: only its name */
    /* Of a composite value: "city", "geo.lat"; "[].city" when it is a list of such.
     * Empty: it has none, or they are not known. */
    struct texts fields;
    const char *comment;       /* or NULL; a dictionary's description comes first */
    struct texts synonyms;     /* what a dictionary says people call it */
    struct meanings meanings;  /* of its values */
    const char *default_value; /* as SQL text, or NULL */
    bool nullable;
    bool primary;
    bool is_text;         /* the type holds words, so sample values help a reader */
    struct texts samples; /* distinct values as text */
    bool samples_all;     /* there is no other value than the samples, and NULL */
    /* statistics; -1 or NULL when not known */
    int64_t distinct;
    double null_share;
    const char *least;
    const char *greatest;
};

struct columns {
    struct column *items;
    size_t count;
    size_t capacity;
};

struct foreign_key {
    struct texts columns;
    const char *table; /* the referenced table, as named by table.name */
    struct texts references;
    double confidence; /* 1 when declared, less when inferred */
};

struct foreign_keys {
    struct foreign_key *items;
    size_t count;
    size_t capacity;
};

struct index {
    const char *name;
    struct texts columns;
    bool unique;
};

struct indexes {
    struct index *items;
    size_t count;
    size_t capacity;
};

struct table {
    const char *name; /* how SQL must name it, unquoted; "sales.orders" when not in the
                         default schema */
    const char *namespace; /* "" for the default one */
    const char *bare_name; /* without the namespace */
    const char *comment;   /* or NULL */
    struct texts synonyms; /* what a dictionary says people call it */
    struct metrics metrics;
    bool is_view;
    const char *own_code; /* why reading it could call a function of the database's own
                             * that no statement names; NULL: it cannot */
    const char
        *definition; /* of a view, its query, where the engine tells and it may be seen */
    const char
        *parent; /* the table whose documents hold these rows in an array; or NULL */
    struct texts path; /* of names, of that array */
    int64_t row_count; /* -1 when not known */
    bool row_count_exact;
    struct columns columns;
    struct foreign_keys foreign_keys;
    struct indexes indexes;
};

struct tables {
    struct table *items;
    size_t count;
    size_t capacity;
};

struct schema {
    struct arena *arena; /* holds everything below and the struct itself */
    atomic_int references;
    const char *datasource; /* id */
    const char *dialect;    /* name, as dialect_name() */
    const char *home;       /* the namespace of tables that have none, where SQL may write
                             * it before them; NULL: the one that is usual in the dialect */
    const char *signature;  /* the database's version signature when it was read */
    const char *hash;       /* of the normalized structure */
    int64_t read_at;        /* wall clock, seconds */
    struct tables tables;
    struct texts functions; /* names of the database's own functions and operators that a
                             * query could call in place of built-in ones; lower case */
    struct texts types;     /* names of types; a cast to one of them could call a function
                             * of the database's own; lower case */
    const char *own_code;   /* why every statement could call one; NULL: not so */
    struct texts warnings;  /* what could not be read */
    struct table **by_bare_name; /* made by schema_normalize for schema_table */
};

struct schema *schema_new(void); /* one reference, yours */
struct schema *schema_ref(struct schema *schema);
void schema_unref(struct schema *schema); /* NULL is fine */

/* Copies the name and splits a namespace off at its last dot (a driver may set it
 * better). The pointer is good until the next schema_add_table. */
struct table *schema_add_table(struct schema *schema, const char *name);
/* Copies both texts; nullable, and every statistic not known. Good until the next one. */
struct column *table_add_column(struct schema *schema, struct table *table,
                                const char *name, const char *type);
/* By name or bare name, case folded (the exact spelling wins); NULL when absent. Quick
 * once the schema is normalized, a walk over the tables before that. */
struct table *schema_table(const struct schema *schema, const char *name);
struct column *table_column(const struct table *table, const char *name);
/* The one that a dictionary says is called so; NULL when none is, or several are. */
struct table *schema_table_called(const struct schema *schema, const char *name);

/* Sorts tables by name, drops what no reader may see, fills is_text. */
void schema_normalize(struct schema *schema);
/* 32 hex digits over names, types, nullability, keys and foreign keys; no statistics. */
void schema_hash(const struct schema *schema, char out[33]);

/* The stored form (L2 cache) and back. The JSON is also what `schema --json` prints. */
struct writer;
void schema_write(const struct schema *schema, struct writer *writer);
struct schema *schema_read(const char *json, size_t size, struct err *err);

/* Foreign keys in both directions: is there a declared key between a and b? */
const struct foreign_key *schema_key_between(const struct schema *schema,
                                             const struct table *a, const struct table *b,
                                             bool *a_refers);

#endif
