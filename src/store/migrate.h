/* The tables of the store in SQL, version by version, for both databases. */
#ifndef DGM_STORE_MIGRATE_H
#define DGM_STORE_MIGRATE_H

#include <stdbool.h>

struct arena;

enum store_dialect { STORE_DIALECT_SQLITE, STORE_DIALECT_POSTGRES };

int store_migrate_latest(void);
/* The statements from `version` to the next one, or back. */
char *store_migrate_text(struct arena *arena, int version, bool up,
                         enum store_dialect dialect);

#endif
