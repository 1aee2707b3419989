/* Functions shared by the files of this folder. */
#ifndef DGM_AGENT_LITERALS_STATE_H
#define DGM_AGENT_LITERALS_STATE_H

#include "agent/run.h"
#include "sql/resolve/resolve.h"

struct value_index;

/* A comparison of a column with a constant text. */
struct literal {
    const struct table *table;
    const struct column *column;
    struct sql_node *node; /* STRING, NUMBER or CONSTANT */
    const char *text;      /* as a cell would contain it */
};

struct literals {
    struct literal *items;
    size_t count;
    size_t capacity;
};

/* Those that can be checked, in the order of the statement, at most `most`. */
void literals_find(struct arena *arena, struct sql_node *root,
                   const struct sql_resolved *resolved, size_t most,
                   struct literals *out);

/* The cell that a text without a cell may stand for. */
struct literal_meant {
    const char *cell; /* NULL: there is none that is near */
    const char
        *several;  /* cells that may be meant alike, in quotes; NULL: `cell` alone */
    bool only;     /* nothing else can be meant */
    bool misspelt; /* a letter differs, not only capitals, blanks or the word for yes */
};

struct value_match;
/* Does the value stand in the column of the literal? */
bool literal_stands_there(struct run *run, const struct literal *literal,
                          const struct value_match *match);
/* literals_spellings.c: warns where the column has the text with other accents, too, and
 * the statement does not ask for both. */
void literals_tell_spelling(struct run *run, const struct value_index *cells,
                            const struct literals *all, size_t at);
struct value_index *literals_cells(struct run *run);

struct literal_meant literal_meant(struct run *run, const struct value_index *cells,
                                   const struct literal *literal);
/* Are these all cells of the column, as of the last reading? */
bool literal_is_known(struct run *run, const struct value_index *cells,
                      const struct literal *literal);
/* Does the column hold numbers, 0 and 1? */
bool literal_is_bit(const struct column *column);

#endif
