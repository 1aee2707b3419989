/*
 * The statement that runs. A statement is read into a tree, and what the database gets is
 * the print of that tree: comments, odd spellings and whatever an engine could read
 * differently from us stay behind. The print is read back and must give the same tree.
 */
#ifndef DGM_SQL_PRINTED_H
#define DGM_SQL_PRINTED_H

#include "sql/dialect.h"
#include "sql/statement.h"

struct arena;
struct err;

struct printed {
    struct arena *arena;
    enum dialect dialect;
    const char *text; /* as its author wrote it; not copied */
    struct sql_node *root;
    const char *sql;                /* what runs */
    struct sql_statement statement; /* the same, read: of the print, or of the text when
                                       that is printed as it was written */
};

/* INVALID_SQL when the text cannot be read; INTERNAL when the print is not the same
 * statement, which is a bug of ours: then nothing runs. */
bool printed_make(struct arena *arena, enum dialect dialect, const char *text,
                  struct printed *out, struct err *err);
/* The same for a statement that was read already, whether that succeeded or not. Its tree
 * stays as it is. */
bool printed_make_statement(struct arena *arena, const struct sql_statement *statement,
                            struct printed *out, struct err *err);

/* Where the byte of the print that an engine complains about stood in the author's text;
 * -1 when nothing there became it. */
int printed_position(const struct printed *printed, int position);

#endif
