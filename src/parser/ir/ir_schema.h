/*
 * A schema as flat lists, the way the network points at it: tables, columns (number 0 is
 * `*`), keys, and the ways tables can be joined. Made once per schema, then only read, so
 * any thread may use it.
 */
#ifndef DGM_PARSER_IR_SCHEMA_H
#define DGM_PARSER_IR_SCHEMA_H

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct schema;
struct table;
struct column;

enum ir_type {
    IR_TYPE_TEXT,
    IR_TYPE_NUMBER,
    IR_TYPE_TIME,
    IR_TYPE_BOOLEAN,
    IR_TYPE_OTHER
};

/* How the database keeps a time; rebuild writes date expressions accordingly. */
enum ir_storage {
    IR_STORED_DATE,    /* a date type without a time of day */
    IR_STORED_TIME,    /* a timestamp type */
    IR_STORED_TEXT,    /* ISO text, as in SQLite */
    IR_STORED_SECONDS, /* seconds since 1970 in a number */
    IR_STORED_MILLISECONDS,
};

struct ir_column {
    const char *name;
    int table; /* -1 for `*` */
    enum ir_type type;
    enum ir_storage storage;     /* of an IR_TYPE_TIME */
    bool primary;                /* part of the primary key */
    bool unique;                 /* the whole of a primary key */
    bool integer;                /* a whole-number type: dividing it drops the fraction */
    bool flag;                   /* holds nothing but yes and no, whatever its type */
    bool gaps;                   /* some of its cells are known to be NULL */
    bool constant;               /* all of its cells are known to be the same */
    const struct column *source; /* NULL for `*` */
};

struct ir_table {
    const char *name;
    int first_column;
    int column_count;
    const struct table *source;
};

/* A foreign key, one column of it: `from` refers to `to`. */
struct ir_key {
    int from;
    int to;
    double confidence; /* 1: declared; less: inferred when the schema was read */
    bool goes_on;      /* the next column of the composite key before it */
};

/* A way to join two tables: the columns that must be equal. */
struct ir_edge {
    int from_table;
    int to_table;
    int from; /* refers to `to`, where that is known */
    int to;
    int more;         /* the edge with the next columns of a composite key, or -1 */
    bool is_part;     /* of a composite key, not its first */
    bool is_parallel; /* there are others between the two tables */
    bool is_default;  /* and this is the one that is meant when nobody says which */
    double cost;
    bool proven; /* declared, or the data show it and its name says so */
};

/*
 * A schema as the parser sees it: tables, columns and keys by number, and a graph of the
 * joins between tables. Made once per schema and never changed, so any thread may read
 * it.
 */
struct ir_schema {
    struct ir_table *tables;
    int table_count;
    struct ir_column *columns;
    int column_count; /* with `*` */
    struct ir_key *keys;
    int key_count;
    struct ir_edge *edges;
    int edge_count;
    int *edges_at; /* edges of table t: edge_list[edges_at[t]] up to edges_at[t + 1] */
    int *edge_list;
    const struct schema *source;
};

/* Borrows the names: the schema must outlive it. In an arena. */
const struct ir_schema *ir_schema_new(struct arena *arena, const struct schema *schema);
int ir_schema_table(const struct ir_schema *schema, const char *name); /* -1: none */
int ir_schema_column(const struct ir_schema *schema, int table, const char *name);

#endif
