/*
 * The structure of a database at one moment. A driver builds it; then it is immutable,
 * reference counted and shared between questions, so any thread may read it. All memory
 * is in the schema's arena.
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

/* The meaning of a value: 1 = active. */
struct meaning {
    const char *value;
    const char *text;
};

struct meanings {
    struct meaning *items;
    size_t count;
    size_t capacity;
};

/* A named figure: revenue = sum(quantity * unit_price). */
struct metric {
    const char *name;
    const char *expression; /* SQL over the columns of its table */
    const char *comment;    /* or NULL */
    struct texts synonyms;
    bool derived; /* derived from column names, not from a dictionary */
    /*
     * Further tables that it needs, each reached by a key of an earlier one, so that
     * every row of its own table counts once; and the join conditions, one for each.
     */
    struct texts tables;
    struct texts joins;
};

struct metrics {
    struct metric *items;
    size_t count;
    size_t capacity;
};

/*
 * A column. Drivers fill names, types and statistics; a dictionary adds comments,
 * synonyms and meanings.
 */
struct column {
    const char *name;
    const char *type;  /* as the database names it */
    struct texts path; /* field names, in nested documents; empty: only its name */
    /* Of a composite value: "city", "geo.lat"; "[].city" if it is a list of such. Empty:
     * none, or unknown. */
    struct texts fields;
    const char *comment;       /* or NULL; a dictionary's description comes first */
    struct texts synonyms;     /* from a dictionary */
    struct meanings meanings;  /* of its values */
    const char *default_value; /* as SQL text, or NULL */
    bool nullable;
    bool primary;
    bool is_text;         /* the type holds words, so sample values help the model */
    struct texts samples; /* distinct values as text */
    bool samples_all;     /* the samples are all values, except for NULL */
    /* statistics; -1 or NULL: unknown */
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
    double confidence; /* 1 if declared, less if inferred */
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

/* A table, a view, a collection of documents, or an array inside of documents. */
struct table {
    /* its name in SQL, unquoted; "sales.orders" if it is not in the default schema */
    const char *name;
    const char *namespace; /* "": the default one */
    const char *bare_name; /* without the namespace */
    const char *comment;   /* or NULL */
    struct texts synonyms; /* from a dictionary */
    struct metrics metrics;
    bool is_view;
    const char *own_code; /* why reading it could call a function of the database's own
                             * that no statement names; NULL: it cannot */
    const char
        *definition; /* of a view, its query, where the engine tells and it may be seen */
    const char
        *shows; /* of a virtual table: the table whose rows or words it shows; "" if
                        * that is not known; NULL: only rows of its own */
    const char
        *parent; /* the table whose documents contain these rows as an array; or NULL */
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

/*
 * Reference counted: schema_ref() and schema_unref(); the last reference frees the
 * arena. Only `references` changes after it was built.
 */
struct schema {
    struct arena *arena; /* holds everything below and the struct itself */
    atomic_int references;
    const char *datasource; /* id */
    const char *dialect;    /* name, as dialect_name() */
    /* the namespace that SQL may write before tables without one; NULL: the dialect's
     * usual one */
    const char *home;
    const char *signature; /* the database's version signature when it was read */
    const char *hash;      /* of the normalized structure */
    int64_t read_at;       /* wall clock, seconds */
    struct tables tables;
    /* user-defined functions and operators that a query could call instead of built-in
     * ones; lower case */
    struct texts functions;
    /* types whose casts could call user-defined functions; lower case */
    struct texts types;
    const char *own_code;  /* why every statement could call one; NULL: it could not */
    struct texts warnings; /* what could not be read */
    struct table **by_bare_name; /* index for schema_table, built by schema_normalize */
};

struct schema *schema_new(void); /* one reference, yours */
struct schema *schema_ref(struct schema *schema);
void schema_unref(struct schema *schema); /* NULL is fine */

/* Copies the name and splits the namespace at its last dot (a driver may set it better).
 * The pointer is valid until the next schema_add_table. */
struct table *schema_add_table(struct schema *schema, const char *name);
/* Copies both texts; nullable, all statistics unknown. Valid until the next one is
 * added. */
struct column *table_add_column(struct schema *schema, struct table *table,
                                const char *name, const char *type);
/* By name or bare name in any case (the exact spelling has precedence); NULL: none. Fast
 * after schema_normalize, a linear search before. */
struct table *schema_table(const struct schema *schema, const char *name);
struct column *table_column(const struct table *table, const char *name);
/* The only column of the primary key; NULL: there is none, or several. */
const char *table_sole_key(const struct table *table);
/* The table with this synonym in a dictionary; NULL: none, or several. */
struct table *schema_table_called(const struct schema *schema, const char *name);

/* Sorts the tables by name, drops what nobody can read, fills is_text. */
void schema_normalize(struct schema *schema);
/* 32 hex digits over names, types, nullability, keys and foreign keys; no statistics. */
void schema_hash(const struct schema *schema, char out[33]);

/* The stored form (L2 cache). It is also what `schema --json` prints. */
struct writer;
void schema_write(const struct schema *schema, struct writer *writer);
struct schema *schema_read(const char *json, size_t size, struct err *err);

/* Is there a declared key between a and b, in either direction? */
const struct foreign_key *schema_key_between(const struct schema *schema,
                                             const struct table *a, const struct table *b,
                                             bool *a_refers);

#endif
