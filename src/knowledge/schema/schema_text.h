/*
 * A schema as compact prompt text, one line per table:
 *
 *   orders(id INTEGER PK, customer_id INTEGER -> customers.id, status TEXT {open|paid},
 * ordered_on DATE 2023-01-04..2025-12-30) -- 12,000 rows
 *
 * A view says the query that it stands for: -- view "SELECT …".
 *
 * Rows are untrusted text: sample values and comments are JSON strings, cut short,
 * without control characters. Long column names are cut; the cut ones are unique and can
 * be put back in the SQL that comes out.
 */
#ifndef DGM_KNOWLEDGE_SCHEMA_TEXT_H
#define DGM_KNOWLEDGE_SCHEMA_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "model/schema.h"
#include "sql/dialect.h"

struct buf;
struct options;

struct schema_text_settings {
    size_t samples;        /* sample values per text column; 0: none */
    bool ranges;           /* the least and the greatest number, date or time */
    size_t name_length;    /* column names are cut at this many bytes */
    size_t comment_length; /* comments likewise; 0: none */
    bool types;
    bool row_counts;
    bool views;    /* the query of a view, in the place of sample values */
    bool literals; /* with the literals in it, which are values like samples */
};

/* From prompt.samples, prompt.name_length and llm.send_rows (false: no samples). */
struct schema_text_settings schema_text_settings_of(const struct options *options);

struct schema_text_name {
    const char *cut;  /* as the prompt shows it */
    const char *full; /* as the database has it */
};

struct schema_text_names {
    struct schema_text_name *items;
    size_t count;
    size_t capacity;
};

struct schema_text_tables {
    const struct table **items;
    size_t count;
    size_t capacity;
};

struct schema_text {
    const char *text; /* lines ended by '\n' */
    size_t size;
    int tokens;                       /* by llm_tokens */
    struct schema_text_tables tables; /* those that fitted, in the order given */
    size_t left_out;                  /* number of tables that did not fit */
    bool clean;     /* checked by foreign_is_clean(): the text needs no escaping */
    bool shortened; /* comments, samples or columns were left out to fit */
    struct schema_text_names names; /* empty when no name was cut */
};

/* One table as its line, without the end of line; names that had to be cut are added to
 * `names` (may be NULL) in the arena. */
void schema_text_table(struct buf *out, struct arena *arena, enum dialect dialect,
                       const struct table *table,
                       const struct schema_text_settings *settings,
                       struct schema_text_names *names);

/*
 * The tables (best first) within the budget; tables NULL: the whole schema. If they do
 * not fit, first comments and samples are omitted, then tables from the end; the first
 * table is always included, if necessary with some columns only.
 */
void schema_text_render(struct arena *arena, const struct schema *schema,
                        const struct table *const *tables, size_t count,
                        const struct schema_text_settings *settings, int token_budget,
                        struct schema_text *out);

/* The SQL with every cut name replaced by the full one, quoted where needed. */
const char *schema_text_restore(struct arena *arena, enum dialect dialect,
                                const struct schema_text *text, const char *sql);

#endif
