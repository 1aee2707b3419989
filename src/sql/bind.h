/*
 * The binder: what a name that the schema does not have was meant to be. Where only one
 * name can be meant it is put into the SQL; else the nearest names are told.
 */
#ifndef DGM_SQL_BIND_H
#define DGM_SQL_BIND_H

#include "base/vec.h"
#include "sql/dialect.h"
#include "sql/guard.h"

struct schema;
struct sql_statement;

/* One wrong name. */
struct bind_name {
    bool is_table;
    const char *wrong;    /* "price", "orders.price", "custmers" */
    const char *right;    /* what is put in its place; NULL when nobody can tell */
    struct texts near;    /* what it may be instead, the nearest first, a few */
    struct texts holders; /* tables out of reach that have such a column */
    size_t position;      /* byte in the SQL given */
};

struct bind_names {
    struct bind_name *items;
    size_t count;
    size_t capacity;
};

struct bind_result {
    struct bind_names names; /* wrong names, each once; none: the SQL's names are right */
    const char
        *sql; /* with all of them corrected; NULL if one correction is not certain */
};

/* Nothing is run. A statement that cannot be read has no names to bind. */
void bind_check(struct arena *arena, const struct sql_statement *statement,
                const struct schema *schema, struct bind_result *out);

/* "Column 'price' doesn't exist. Did you mean 'unit_price'?" */
char *bind_message(struct arena *arena, const struct bind_name *name);

/* How near is a name to a wrong one? */
enum bind_nearness {
    BIND_FAR,
    BIND_PART,  /* they share a part: worth naming */
    BIND_HEAD,  /* the wrong one is its last word: price, unit_price */
    BIND_TYPO,  /* a letter or two */
    BIND_OWNED, /* the name repeats the table: user_id of users is its id */
    BIND_SAME,  /* but for case, underscores and a plural */
};
enum bind_nearness bind_nearness(const char *wrong, const char *name, const char *table);

#endif
