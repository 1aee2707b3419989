/* A made-up company database of any number of tables, and questions about it. */
#ifndef DGM_BENCH_PARSER_MADE_H
#define DGM_BENCH_PARSER_MADE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/vec.h"

struct arena;

/* Writes an SQLite file: `tables` tables of seven or eight columns and 40 rows. */
bool made_database(const char *path, size_t tables);
/* The questions are the same every time. */
void made_questions(struct arena *arena, size_t tables, size_t count, struct texts *out);

#endif
