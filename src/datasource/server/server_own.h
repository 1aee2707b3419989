/*
 * Functions of a PostgreSQL database's own: those that a statement could call by the name
 * of a built-in one, and those that the server calls although the statement names none.
 * These are the questions to ask the server, whatever way it is reached, and what the
 * answers mean for the schema.
 */
#ifndef DGM_DATASOURCE_SERVER_OWN_H
#define DGM_DATASOURCE_SERVER_OWN_H

#include <stdbool.h>
#include <stddef.h>

struct schema;

/* The context of every row. */
struct server_own {
    struct schema *schema; /* with all its tables */
    const char *home;      /* the only schema on the search path besides pg_catalog */
};

struct server_own_question {
    const char *sql;
    size_t columns;
    /* Cells as text, NULL for NULL; booleans begin with 't' or 'f'. */
    bool (*row)(void *context, const char *const *texts);
};

/* Called by the name of a built-in one. */
const struct server_own_question *server_own_named(size_t *count);
/* Called although they are not named; not asked for where allow_own_types is set. */
const struct server_own_question *server_own_unnamed(size_t *count);

#endif
