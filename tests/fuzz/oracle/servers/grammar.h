/* A statement being made: where it goes, what its names can mean, how odd it may be. */
#ifndef DGM_TESTS_ORACLE_SERVERS_GRAMMAR_H
#define DGM_TESTS_ORACLE_SERVERS_GRAMMAR_H

#include "base/arena.h"
#include "base/buf.h"
#include "dice.h"
#include "vocabulary.h"

enum { SOURCES_MOST = 4, CTES_MOST = 3, NAME_SIZE = 16 };

struct source {
    char alias[NAME_SIZE];
    const struct word_column *columns;
    size_t count;
    const char *table; /* NULL: a query, VALUES or a function */
    int how;           /* one of grammar_from.c */
};

struct scope {
    struct source sources[SOURCES_MOST];
    size_t count;
    bool aggregates;                /* may be called now */
    bool windows;                   /* may be used now */
    bool strict;                    /* columns only inside an aggregate, or this one: */
    const struct word_column *only; /* what is grouped by; NULL: nothing */
    const char *only_of;            /* the alias of its source */
    const struct scope *outer;
};

struct cte {
    char name[NAME_SIZE];
    const struct word_column *columns;
    size_t count;
};

struct making {
    struct dice *dice;
    const struct vocabulary *words;
    struct arena *arena; /* for one statement */
    struct buf *out;
    const struct scope *scope;
    struct cte ctes[CTES_MOST];
    size_t cte_count;
    int depth;
    int budget;   /* parts that may still be written */
    int aliases;  /* given so far */
    uint32_t odd; /* of a thousand expressions: how many try to do what they must not */
};

/* grammar.c */
void grammar_statement(struct dice *dice, const struct vocabulary *words,
                       struct arena *arena, struct buf *out);
/* A query that gives these columns; count 0: whatever comes. */
void grammar_query(struct making *work, const struct word_column *columns, size_t count);
void grammar_order_by(struct making *work);

/* grammar_from.c */
void grammar_sources(struct making *work, struct scope *scope);
void grammar_from(struct making *work, struct scope *scope);
const struct word_column *grammar_columns(struct making *work, size_t *count);

/* grammar_expression.c */
void grammar_expression(struct making *work, int kind);
void grammar_column(struct making *work, int kind);
void grammar_any_column(struct making *work);
void grammar_call(struct making *work, const struct callable *callable);
void grammar_arguments(struct making *work, const struct callable *callable, int from);

/* grammar_odd.c: what tries to get past the guard */
void grammar_odd(struct making *work, int kind);
void grammar_postfix(struct making *work);

/* grammar_clickhouse.c: what only its language has; those with a kind are odd */
void grammar_clickhouse_word(struct making *work, int kind);
void grammar_clickhouse_set(struct making *work, int kind);
void grammar_clickhouse_table(struct making *work, int kind);
void grammar_clickhouse_lambda(struct making *work, int kind);
void grammar_clickhouse_alias(struct making *work);
bool grammar_clickhouse_join(struct making *work); /* does it have an ON? */
void grammar_clickhouse_on(struct making *work, const struct scope *scope);
void grammar_clickhouse_behind_from(struct making *work, bool plain);
void grammar_clickhouse_limit(struct making *work);
void grammar_clickhouse_end(struct making *work);
void grammar_clickhouse_value(struct making *work);

/* grammar_spell.c: the same thing, written differently */
bool grammar_is(const struct making *work, enum dialect dialect);
bool grammar_chance(struct making *work, uint32_t of_hundred);
void grammar_say(struct making *work, const char *text); /* and a gap */
void grammar_pick(struct making *work, const char *const *texts, uint32_t count);
const char *grammar_one(struct making *work, const struct texts *texts);
void grammar_name(struct making *work, const char *name);
void grammar_call_name(struct making *work, const char *name); /* and its parenthesis */
void grammar_text(struct making *work, const char *text);
void grammar_value(struct making *work, int kind);
void grammar_cast_begin(struct making *work, int form);
void grammar_cast_end(struct making *work, int form, const char *type);
int grammar_cast_form(struct making *work);
int grammar_any_kind(struct making *work);
const char *grammar_type(struct making *work, int kind);

#define PICK(work, texts)                                                                \
    grammar_pick(work, texts, (uint32_t)(sizeof(texts) / sizeof *(texts)))

#endif
