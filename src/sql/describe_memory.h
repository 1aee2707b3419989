/*
 * The same query comes again: a thread remembers what it said of the last few. What is
 * said depends on the text and the dialect alone.
 */
#ifndef DGM_SQL_DESCRIBE_MEMORY_H
#define DGM_SQL_DESCRIBE_MEMORY_H

#include <stdbool.h>

#include "sql/dialect.h"

struct arena;

struct sql_shape;

/* A copy; NULL: not remembered. */
char *describe_recall(struct arena *arena, enum dialect dialect, const char *sql);
void describe_remember(enum dialect dialect, const char *sql, const char *said);
/* The same of how complex they are; false: not remembered. */
bool describe_recall_shape(enum dialect dialect, const char *sql, struct sql_shape *out);
void describe_remember_shape(enum dialect dialect, const char *sql,
                             const struct sql_shape *shape);

#endif
