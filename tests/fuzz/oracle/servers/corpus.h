/* Statements to begin with: the shipped attacks and the guard's own examples. */
#ifndef DGM_TESTS_ORACLE_CORPUS_H
#define DGM_TESTS_ORACLE_CORPUS_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/vec.h"
#include "dice.h"
#include "vocabulary.h"

struct corpus {
    struct texts statements;
};

/* From attacks/ and tests/fixtures/guard/ under this folder, for one dialect. */
bool corpus_read(struct arena *arena, const char *root, enum dialect dialect,
                 struct corpus *out, struct err *err);

/* A piece of a statement: a word, a number, a quoted text, a sign. */
struct piece {
    const char *text;
    size_t size;
    bool gap; /* white space or a comment stood before it */
};

struct pieces {
    struct piece *items;
    size_t count;
    size_t capacity;
};

void pieces_read(struct arena *arena, const char *sql, size_t size, struct pieces *out);
void pieces_write(const struct pieces *pieces, struct buf *out);

/* One of the corpus or the grammar with words lost, doubled, exchanged or brought in. */
void mutate_statement(struct dice *dice, const struct vocabulary *words,
                      const struct corpus *corpus, struct arena *arena, struct buf *out);

#endif
