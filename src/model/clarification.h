/*
 * A clarifying question to the user, as data: what is unclear, the choices, how to go on.
 */
#ifndef DGM_MODEL_CLARIFICATION_H
#define DGM_MODEL_CLARIFICATION_H

#include <stdbool.h>
#include <stddef.h>

#include "base/json.h"
#include "base/vec.h"

struct writer;

enum clarification_kind {
    CLARIFY_NONE,
    CLARIFY_INTENT,     /* the question itself is unclear -> PARSE_INTENT */
    CLARIFY_DATASOURCE, /* which database -> RESOLVE_DATASOURCE */
    CLARIFY_TABLES,     /* which table -> READ_LOCALLY */
    CLARIFY_JOIN,       /* how tables belong together -> INFER_JOINS */
    CLARIFY_DETAIL,     /* a filter, a date range, "which users?" -> SUMMARIZE_INTENT */
    CLARIFY_APPROVAL,   /* run this (a write, or approval mode)? -> EXECUTE_QUERY */
};

struct clarification_option {
    const char *value; /* what an answer of this choice means, e.g. a table name */
    const char *label; /* a sentence for the person */
};

struct clarification_options {
    struct clarification_option *items;
    size_t count;
    size_t capacity;
};

struct clarification {
    enum clarification_kind kind;
    const char *message;
    struct clarification_options options;
    struct texts tables;     /* context: the tables in question */
    const char *selected;    /* the one that would have been taken; or NULL */
    struct texts conditions; /* the joins in question */
};

/*
 * Names that clients of the HTTP interface rely on: table_selection, join_inference,
 * datasource, detail; ours: intent, approval
 */
const char *clarification_kind_name(enum clarification_kind kind);
enum clarification_kind clarification_kind_find(const char *name);
void clarification_write(const struct clarification *clarification,
                         struct writer *writer);
/* Its members without the braces, for callers that add members of their own. */
void clarification_write_fields(const struct clarification *clarification,
                                struct writer *writer);
void clarification_read(struct clarification *clarification, struct arena *arena,
                        const json_t *json);

/* "2", "2.", "option 2", "the second one", "last": the number of the option from 1; more than there
 * are where a number that is plainly meant so is too high; 0: the text does not count options. */
size_t clarification_number(const struct clarification *clarification, const char *text);

/* What a user's correction asks for. */
struct correction {
    struct texts use_tables;    /* MANDATORY TABLE */
    struct texts reject_tables; /* DO NOT use */
    struct texts joins;         /* "A.id = B.a_id" */
    const char *text;           /* the words themselves */
};

/*
 * Reads "use table X", "table X", "select X not Y", "join A.id with B.a_id", "A.id =
 * B.a_id" and the structured JSON of docs/api.md. False when it is none of them.
 */
bool correction_parse(struct correction *correction, struct arena *arena,
                      const char *text);

#endif
