/* What the lines of SHOW GRANTS of MySQL and MariaDB come to. They may hold the hash of a
 * password: none is kept or shown as it is. */
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
    struct texts ruling;  /* other rights that rule the server, in words */
    struct texts pieces;  /* and by their names */
    struct texts roles;   /* that it may take on, as the server writes them */
    const char *own_role; /* that it has taken on, quoted; NULL: none */
    struct texts taken;   /* what rules the server once it has */
    bool secrets;         /* it may read the server's own tables */
    bool passes_on;       /* it may give its rights to others */
    struct texts places;
    size_t databases; /* that it may change, as are the next ones */
    size_t more_databases;
    size_t tables;
    size_t routines;
};

void server_grants_add(struct server_grants *rights, const char *grant);
/* What one of its roles was granted, or what it would have with all of them. */
void server_grants_add_role(struct server_grants *rights, struct server_grants *role);
/* For which of them a login is refused. */
void server_grants_ruling(struct server_grants *rights, struct texts *out);
/* All that it may do beyond reading: "may change 2 tables". */
void server_grants_tell(struct server_grants *rights, struct texts *out);

#endif
