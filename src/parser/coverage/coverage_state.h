/* What the files of the coverage share. Knows neither kind of tokens: those of a question and
 * those of SQL have the same names. */
#ifndef DGM_PARSER_COVERAGE_STATE_H
#define DGM_PARSER_COVERAGE_STATE_H

#include "parser/coverage/coverage.h"

struct ir_schema;

struct coverage_alias {
    const char *name;
    int table;
};

/* The names of a query's tables, of all levels: a name too many does no harm here. */
struct coverage_names {
    struct arena *arena;
    const struct ir_schema *schema;
    struct coverage_alias *items;
    size_t count;
    size_t capacity;
};

/* What a query does, as far as words ask for it. */
enum coverage_operation {
    DOES_COUNT = 1 << 0,
    DOES_SUM = 1 << 1,
    DOES_AVERAGE = 1 << 2,
    DOES_LEAST = 1 << 3,
    DOES_MOST = 1 << 4,
    DOES_ORDER = 1 << 5,
    DOES_LIMIT = 1 << 6,
    DOES_GROUP = 1 << 7,
    DOES_DISTINCT = 1 << 8,
    DOES_NOT = 1 << 9, /* NOT, <>, IS NULL, EXCEPT, an outer join */
    DOES_COMPARE = 1 << 10,
    DOES_RECKON = 1 << 11, /* + - * / */
    DOES_TIME = 1 << 12,   /* a date is used */
    DOES_WINDOW = 1 << 13,
    DOES_MATCH = 1 << 14, /* LIKE */
    DOES_EQUAL = 1 << 15,
    DOES_SET = 1 << 16, /* UNION, INTERSECT, OR, IN */
    DOES_BRANCH = 1 << 17,
    DOES_JOIN = 1 << 18,
    DOES_ROUND = 1 << 19,
    DOES_LENGTH = 1 << 20,
    DOES_STATISTIC = 1 << 22, /* a median, a percentile, a deviation */
    DOES_RANK = 1 << 21,      /* a count is ordered by or compared */
};

/* A part of a query that a word of the question must have asked for: a condition, or what is
 * measured, grouped or ordered by, or a table that is only joined. */
struct coverage_part {
    const char *text; /* as SQL */
    int table;        /* -1: it is no table */
    int columns[4];   /* that it is about */
    size_t column_count;
    const char *literal; /* folded; or NULL */
    bool tests;          /* is a condition */
    bool missing;        /* IS NULL */
    bool limit;          /* compares with a number, more or less */
    bool zero;           /* ... which is 0 */
    bool
        flags; /* asks whether something is there or so: IS NULL, = 0, = 'yes' of a flag */
};

struct coverage_parts {
    struct coverage_part *items;
    size_t count;
    size_t capacity;
};

/* What a query uses. */
struct coverage_use {
    bool *tables;       /* by their numbers in the IR's schema */
    bool *columns;      /* likewise */
    bool *named;        /* those of them that the SQL names; `*` only shows the others */
    struct texts texts; /* folded literals */
    struct texts numbers; /* as they are written */
    unsigned operations;
    bool clock; /* it asks the database for the time */
    struct coverage_parts parts;
    struct coverage_parts branches; /* `price = 0` within CASE */
};

/* False when the SQL cannot be read. coverage_sql.c */
bool coverage_read_sql(struct arena *arena, const struct ir_schema *schema,
                       const struct sql_statement *statement, struct coverage_use *out);

/* What is known of a left-over word when it is weighed; the numbers lie near 0 to 1. */
enum coverage_trait {
    COVERAGE_TRAIT_ONE, /* always 1 */
    /* how like it is to the words of tables and columns in use that other words name, of those that none
     * names, of columns beside them, of tables and columns that are not in use, of the
     * question's other words */
    COVERAGE_TRAIT_TABLE,
    COVERAGE_TRAIT_SILENT_TABLE,
    COVERAGE_TRAIT_COLUMN,
    COVERAGE_TRAIT_SILENT_COLUMN,
    COVERAGE_TRAIT_BESIDE,
    COVERAGE_TRAIT_OTHER_TABLE,
    COVERAGE_TRAIT_OTHER_COLUMN,
    COVERAGE_TRAIT_ASKED,
    COVERAGE_TRAIT_KNOWN, /* the network knows the word */
    COVERAGE_TRAIT_BEGINS,
    COVERAGE_TRAIT_ENDS,
    COVERAGE_TRAIT_COUNTED, /* "how many …", "the …" */
    COVERAGE_TRAIT_BEFORE_TABLE,
    COVERAGE_TRAIT_BEFORE_FULL, /* before a word of weight that has its place */
    COVERAGE_TRAIT_AFTER_FULL,
    COVERAGE_TRAIT_AFTER_NUMBER,
    COVERAGE_TRAIT_AFTER_PREPOSITION,
    COVERAGE_TRAIT_BEFORE_PREPOSITION,
    COVERAGE_TRAIT_VERB, /* stands where a verb stands */
    COVERAGE_TRAIT_ED,   /* endings */
    COVERAGE_TRAIT_ING,
    COVERAGE_TRAIT_S,
    COVERAGE_TRAITS
};

struct sql_node;
/* The columns that a path of names may mean, given all aliases of the query; at most `most`. */
size_t coverage_columns(const struct coverage_names *names, const struct sql_node *path,
                        int *out, size_t most);
/* Fills use->parts. coverage_parts.c */
void coverage_read_parts(const struct coverage_names *names,
                         const struct sql_statement *statement, struct coverage_use *use);

/* coverage_words.c: is the word known to carry no meaning of its own? Folded. */
bool coverage_is_empty(const char *word);
/* An adjective that says nothing in "every single room" and which rooms in "single rooms". */
bool coverage_is_weak(const char *word);
/* A verb, in any form, that only says that things belong together: "attended", "lives". */
bool coverage_is_relation_verb(const char *word);
/* A verb, in any form, that makes the thing after it: "opened a ticket". */
bool coverage_is_making_verb(const char *word);
/* The operations that the word may ask for; 0: none. Any of them will do. */
unsigned coverage_asks_for(const char *word);
/* A word of periods: "month", "yesterday", "march". */
bool coverage_is_time(const char *word);

#endif
