/* The pieces of the oracle: a world to attack, SQL to attack it with, and the loop. */
#ifndef DGM_TESTS_FUZZ_ORACLE_H
#define DGM_TESTS_FUZZ_ORACLE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "datasource/datasource.h"
#include "dice.h"
#include "sql/attack.h"
#include "sql/dialect.h"

/* What must never be seen: in a table that the schema does not have, and in files. */
#define CANARY "canary-5e1f"

struct world {
    char folder[64]; /* everything is in it, and it is the working directory */
    char path[128];  /* the database */
    enum dialect dialect;
    struct options *options;
    struct datasource *source;
    struct schema *schema; /* customers and orders: the vault is not in it */
    uint64_t digest;       /* of the database file */
    size_t files;          /* in the folder */
};

bool world_make(struct world *world, enum dialect dialect);
/* NULL when all is as it was, else what changed. thorough: the bytes of the file, too. */
const char *world_changed(const struct world *world, bool thorough);
void world_end(struct world *world);

/* A way to call a function: kinds are N number, T text, D date, B boolean, L list and
 * O for others. */
struct shape {
    const char *name;
    const char *arguments; /* "TNN" */
    bool aggregate;
    bool window;
};

struct shapes {
    struct shape *items;
    size_t count;
    size_t capacity;
};

enum { KINDS = 5 };

struct corpus {
    struct attacks attacks;
    struct shapes shapes[KINDS]; /* by what they give: shape_kind() */
};

int shape_kind(char kind);
void corpus_shapes(struct world *world, struct arena *arena, struct corpus *corpus);

/* One statement of the grammar. */
void grammar_statement(struct dice *dice, enum dialect dialect,
                       const struct corpus *corpus, struct buf *out);
/* A statement of the grammar or of the corpus, damaged. */
void mutate_statement(struct dice *dice, enum dialect dialect,
                      const struct corpus *corpus, struct buf *out);

#endif
