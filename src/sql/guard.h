/*
 * The first wall: may this statement be sent to a database? A walk over its tree with an
 * allow-list of nodes (guard/kinds.def) and functions (functions.def). Unknown = refused;
 * "could not parse" = refused. The engine's own locks stand behind it.
 */
#ifndef DGM_SQL_GUARD_H
#define DGM_SQL_GUARD_H

#include <stdbool.h>
#include <stddef.h>

#include "base/vec.h"
#include "sql/dialect.h"

struct arena;
struct schema;
struct table;
struct guard_output;
struct sql_statement;

enum guard_verdict {
    GUARD_READ,    /* one statement that only reads */
    GUARD_WRITE,   /* one INSERT, UPDATE or DELETE of a plain form: only with approval */
    GUARD_REFUSED, /* everything else */
};

/* What columns of a SELECT may belong to. */
struct guard_relation {
    const char *alias;                 /* how columns may name it; NULL: they cannot */
    const char *name;                  /* of a base table; NULL for anything else */
    const struct table *table;         /* of the schema; NULL when not known */
    const char *exact;                 /* the alias as PostgreSQL stores it */
    const struct guard_output *output; /* its columns, where they are not the table's */
};

struct guard_relations {
    struct guard_relation *items;
    size_t count;
    size_t capacity;
};

/* A name that the schema does not have, where it stands, and what it could have meant. */
struct guard_miss {
    bool is_table;
    const char *qualifier;            /* as written; NULL when none */
    const char *name;                 /* of a table with its namespace */
    size_t position;                  /* byte of its first part in the SQL */
    const struct table *table;        /* the one that lacks the column, where certain */
    struct guard_relations relations; /* in reach of a column, the nearest first */
};

struct guard_misses {
    struct guard_miss *items;
    size_t count;
    size_t capacity;
};

/* Where a base table stands in FROM, or as what a write changes. */
struct guard_place {
    const char *name;          /* as in `tables` */
    const struct table *table; /* of the schema; NULL when not known */
    const char *alias;         /* given, or the last part of the name */
    /* bytes in the SQL as it was given: */
    size_t start;      /* of ONLY, or of the name */
    size_t name_start; /* of the first part of the name */
    size_t last_start; /* of its last part */
    size_t name_end;
    size_t alias_start; /* of [AS] alias [(columns)]; equal to its end: none */
    size_t alias_end;
    size_t end;  /* behind hints and samples */
    bool target; /* what a write changes */
    bool set;    /* behind IN, where no alias can stand */
};

struct guard_places {
    struct guard_place *items;
    size_t count;
    size_t capacity;
};

/* A column that exists without being declared, such as rowid or ctid. */
struct guard_pseudo {
    const char *name;
    const struct table *table; /* NULL: of one of the relations in reach */
    size_t position;
};

struct guard_pseudos {
    struct guard_pseudo *items;
    size_t count;
    size_t capacity;
};

struct guard_result {
    enum guard_verdict verdict;
    const char *reason;  /* one sentence; "" when read */
    int position;        /* byte in the SQL the reason is about; -1 when none */
    const char *word;    /* the offending word, or NULL */
    bool unparsable;     /* the text is not SQL of this dialect at all */
    bool unlisted;       /* refused for a function that is on no list, good or bad */
    struct texts tables; /* relations named, CTE names left out, in order of appearance */
    struct texts columns; /* "table.column" where certain, else "column" */
    struct texts wholes;  /* tables of which every column is read: t.*, or a row of t */
    struct texts functions;
    struct texts types;   /* that a cast names; lower case */
    struct texts unknown; /* names that the schema does not have ("orders.pricee") */
    struct guard_misses misses; /* each place of an unknown name */
    struct guard_places places; /* each place of a base table */
    struct guard_pseudos pseudos;
    struct texts ctes;     /* names given by WITH */
    const char *statement; /* "SELECT", "INSERT", … */
    const char *sql; /* the one statement without its trailing ';' and comments outside */
};

/* schema NULL: everything but name resolution. Never fails: it refuses.
 * With a schema, unknown tables are refused (verdict REFUSED, `unknown` filled) and
 * unknown columns are listed in `unknown` when they are certain. */
void guard_check(struct arena *arena, enum dialect dialect, const char *sql, size_t size,
                 const struct schema *schema, struct guard_result *out);

/* The same for a statement that was read already, whether that succeeded or not. */
void guard_check_statement(struct arena *arena, const struct sql_statement *statement,
                           const struct schema *schema, struct guard_result *out);

/* Keeps the name of a function or operator of the database's own in its schema, when a
 * query could call it: guard_check then refuses that name. */
void guard_own_add(struct schema *schema, enum dialect dialect, const char *name);
/* The same for a type: guard_check then refuses casts to it. */
void guard_own_add_type(struct schema *schema, const char *name);
/* Such a name in a statement that passed without the schema; NULL: none. */
const char *guard_own_used(struct arena *arena, enum dialect dialect,
                           const struct schema *schema,
                           const struct guard_result *passed);

#endif
