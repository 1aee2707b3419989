/* What the files of the search for keys share. */
#ifndef DGM_KNOWLEDGE_KEYS_KEY_FIND_STATE_H
#define DGM_KNOWLEDGE_KEYS_KEY_FIND_STATE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/vec.h"
#include "datasource/datasource.h"
#include "knowledge/keys/key_traits.h"
#include "model/schema.h"

/* What names say: by these the table of beliefs is read. */
#define KEY_NO_NAME    0.2 /* only the values can tell */
#define KEY_NAME_ALONE 0.45

struct key_values;

struct key_guess {
    size_t from, column, to, key; /* numbers of tables and columns */
    double names;
    double confidence; /* 0: not believed */
    bool declared_key; /* the other column must tell rows apart, and not just does */
};

struct key_guesses {
    struct key_guess *items;
    size_t count;
    size_t capacity;
};

/* Values of one key, read once. */
struct read_key {
    size_t table, column;
    struct key_values *values; /* NULL: too many */
};

/*
 * The search for keys that nobody declared: candidates by names and types first, then by
 * the values of their columns. Values are read once per column, within `limits`.
 */
struct key_finding {
    struct datasource *source;
    struct schema *schema;
    struct arena *scratch;
    struct key_side *sides;
    struct key_guesses guesses;
    struct datasource_limits limits;
    struct {
        struct read_key *items;
        size_t count;
        size_t capacity;
    } read;
};

static inline const struct column *key_column(const struct key_finding *finding,
                                              size_t table, size_t column)
{
    return &finding->schema->tables.items[table].columns.items[column];
}

/* key_weigh.c */
/* Are the numbers so far apart that others hit them only by chance, and seldom? */
bool key_is_wide(const struct table *table, const struct column *column);
/* Asks the database about the guesses, as many as it may be asked about, and fills their
 * confidence. */
void key_weigh_all(struct key_finding *finding);
/* How many questions a source may be asked; 0: none. */
size_t key_probes_of(const struct datasource *source);

#endif
