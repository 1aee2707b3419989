/* What statements can be made of: the kinds of values, tables and functions of a server.
 */
#ifndef DGM_TESTS_ORACLE_VOCABULARY_H
#define DGM_TESTS_ORACLE_VOCABULARY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/vec.h"
#include "sql/dialect.h"

enum {
    ARGUMENTS_MOST = 5,
    KINDS_MOST = 56,
    KIND_OTHER = 0, /* a value of no kind below; first in every vocabulary */
};

struct kind {
    const char *type;          /* what the server calls it */
    const char *const *values; /* NULL-ended, without quotes */
    const char *const *casts;  /* NULL-ended: the type as it is written in a cast */
    bool bare;                 /* values stand without quotes: numbers */
    bool untyped;              /* values need no cast: texts */
};

enum callable_form {
    CALLABLE_PLAIN,
    CALLABLE_AGGREGATE,
    CALLABLE_WINDOW,
    CALLABLE_WITHIN, /* f(…) WITHIN GROUP (ORDER BY …) */
    CALLABLE_INFIX,
    CALLABLE_PREFIX
};

struct callable {
    const char *name;
    int arguments[ARGUMENTS_MOST]; /* kinds; KIND_OTHER: any */
    int count;
    unsigned constants; /* a bit for each argument that must be a constant */
    enum callable_form form;
};

struct callables {
    struct callable *items;
    size_t count;
    size_t capacity;
};

struct word_column {
    const char *name;
    int kind;
};

struct word_table {
    const char *name;
    const struct word_column *columns;
    size_t count;
};

struct kind_list {
    int *items;
    size_t count;
    size_t capacity;
};

struct vocabulary {
    enum dialect dialect;
    const struct kind *kinds;
    int kind_count;
    int any_count; /* kinds below can stand anywhere, those above only as arguments */
    const struct word_table *tables;
    size_t table_count;
    struct callables calls[KINDS_MOST];   /* on the guard's list, by what they give */
    struct callables rows[KINDS_MOST];    /* the same, for FROM: they give rows */
    struct callables dangers[KINDS_MOST]; /* on no list, by what they take first */
    struct kind_list casts[KINDS_MOST];   /* kinds that can be cast to it */
    struct texts names;                   /* of functions on the guard's list */
    struct texts dangerous;               /* of all others */
};

/* A table of the world as it is written down: "name type", NULL-ended. */
struct table_words {
    const char *name;
    const char *const *columns;
};
void vocabulary_tables(struct arena *arena, struct vocabulary *words,
                       const struct table_words *tables, size_t count);

/* The number of a kind by the server's word for it; KIND_OTHER when there is none. */
int vocabulary_kind(const struct vocabulary *words, const char *type);
/* On the guard's list for this dialect. */
bool vocabulary_listed(enum dialect dialect, const char *name);
/* All of them, in order. */
void vocabulary_names(struct arena *arena, enum dialect dialect, struct texts *out);

#endif
