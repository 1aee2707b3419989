/* A made-up company of many branches, each with the same few kinds of tables under names
 * of its own, and questions of which it is known which tables they need. */
#ifndef DGM_BENCH_RECALL_MADE_H
#define DGM_BENCH_RECALL_MADE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/vec.h"

struct arena;

enum recall_kind {
    RECALL_COUNT,   /* one table, named in words */
    RECALL_FIGURE,  /* one table, its words in another order */
    RECALL_JOIN,    /* two tables with a key between them */
    RECALL_BRIDGE,  /* two tables and one between them that nobody names */
    RECALL_CELL,    /* one table, told only by a cell that it holds */
    RECALL_TYPO,    /* one table, a letter swapped */
    RECALL_SYNONYM, /* one table, by another word for what it holds */
    RECALL_CHATTY,  /* one table, among many words that say nothing */
    RECALL_KINDS,
};

struct recall_question {
    enum recall_kind kind;
    const char *text;
    struct texts tables; /* that it needs */
};

const char *recall_kind_name(enum recall_kind kind);
/* Writes an SQLite file of about that many tables (a few rows each). */
bool recall_database(const char *path, size_t tables);
/* The question with this number over such a database; the same every time. */
void recall_question(struct arena *arena, size_t tables, size_t number,
                     struct recall_question *out);

#endif
