/* Interprets the lines of SHOW GRANTS of MySQL and MariaDB. They may contain password
 * hashes, so no line is stored or shown. */
#ifndef DGM_DATASOURCE_SERVER_GRANTS_H
#define DGM_DATASOURCE_SERVER_GRANTS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/vec.h"

struct arena;

struct server_grants {
    struct arena *arena;
    bool unknown; /* the server does not tell */
    bool superuser;
    struct texts ruling;  /* other rights of an administrator, in words */
    struct texts pieces;  /* the same by their names */
    struct texts roles;   /* roles that it may activate, as the server writes them */
    const char *own_role; /* its active role, quoted; NULL: none */
    struct texts taken;   /* administrator rights that it would have with its roles */
    bool secrets;         /* it may read the server's system tables */
    bool passes_on;       /* it may grant its rights to others */
    struct texts places;
    size_t databases; /* number that it may change, like the next ones */
    size_t more_databases;
    size_t tables;
    size_t routines;
};

void server_grants_add(struct server_grants *rights, const char *grant);
/* Adds what a role was granted, or what the login would have with all its roles. */
void server_grants_add_role(struct server_grants *rights, struct server_grants *role);
/* The rights for which a login is refused. */
void server_grants_ruling(struct server_grants *rights, struct texts *out);
/* All rights besides reading: "may change 2 tables". */
void server_grants_tell(struct server_grants *rights, struct texts *out);

#endif
