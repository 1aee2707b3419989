/*
 * A clarifying question to the user as data: what is unclear, the options, and how the
 * run continues.
 *
 * Comments: the state in which it continues.
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
    CLARIFY_JOIN,       /* how tables are joined -> INFER_JOINS */
    CLARIFY_DETAIL,     /* a filter, a date range, "which users?" -> SUMMARIZE_INTENT */
    CLARIFY_APPROVAL,   /* run this (a write, or approval mode)? -> EXECUTE_QUERY */
};

struct clarification_option {
    const char *value; /* the value that selects this option, for example a table name */
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
 * The names in the HTTP API: table_selection, join_inference, datasource, detail, intent,
 * approval
 */
const char *clarification_kind_name(enum clarification_kind kind);
enum clarification_kind clarification_kind_find(const char *name);
void clarification_write(const struct clarification *clarification,
                         struct writer *writer);
/* Its members without the braces, for callers that add others. */
void clarification_write_fields(const struct clarification *clarification,
                                struct writer *writer);
void clarification_read(struct clarification *clarification, struct arena *arena,
                        const json_t *json);

/*
 * "2", "2.", "option 2", "the second one", "last": the number of the option, from 1;
 * larger than the number of options if a number is clearly meant but too high; 0: the
 * text does not select by number.
 */
size_t clarification_number(const struct clarification *clarification, const char *text);

/* A correction that the user requires. */
struct correction {
    struct texts use_tables;    /* tables that the SQL must use */
    struct texts reject_tables; /* tables that it must not use */
    struct texts joins;         /* "A.id = B.a_id" */
    const char *text;           /* the user's text */
};

/*
 * Reads "use table X", "table X", "select X not Y", "join A.id with B.a_id", "A.id =
 * B.a_id" and the structured JSON of docs/api.md. False when it is none of them.
 */
bool correction_parse(struct correction *correction, struct arena *arena,
                      const char *text);

#endif
