/* What a virtual table of SQLite shows: rows of its own, or those of another table. */
#ifndef DGM_SQL_VIRTUAL_TABLE_H
#define DGM_SQL_VIRTUAL_TABLE_H

struct arena;

/* From its CREATE VIRTUAL TABLE. NULL: only rows of its own; "": not known; else the table
 * whose rows or words it shows. */
const char *virtual_table_shows(struct arena *arena, const char *definition);

#endif
