/* Inside of the translation: what its files share. */
#ifndef DGM_SQL_DIALECTS_TRANSLATE_H
#define DGM_SQL_DIALECTS_TRANSLATE_H

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"
#include "sql/dialect.h"
#include "sql/dialects/mend.h"
#include "sql/tree/tree.h"

struct column;
struct schema;
struct forms;

/* What an expression is, as far as it is certain. */
enum value_class {
    CLASS_UNKNOWN,
    CLASS_INTEGER,
    CLASS_REAL, /* with a fraction: floats and decimals */
    CLASS_TEXT,
    CLASS_DATE,
    CLASS_TIMESTAMP,
    CLASS_BOOLEAN,
    CLASS_OTHER, /* something else for certain: a date in a form of its own, JSON … */
};

/*
 * A statement on its way from one dialect to another. The tree below `root` is changed;
 * if something cannot be expressed in the other dialect, `impossible` is set, and the
 * tree is of no use.
 */
struct translation {
    struct arena *arena;
    enum dialect from;
    enum dialect to;
    const struct schema *schema; /* of the database it is written for; or NULL */
    struct sql_node *root;
    struct forms *forms;
    struct mend *out;
    bool impossible;
    bool ordering;    /* inside ORDER BY, where only the order counts */
    bool nulls_apart; /* where NULLs are sorted is left to the database */
    int depth;
};

/* translate.c */
bool translate(struct translation *translation); /* false: impossible */
struct sql_node *translate_node(struct translation *translation, struct sql_node *node);
/* It cannot be said in the dialect that is needed; NULL. */
struct sql_node *translate_refuse(struct translation *translation, const char *why);
/* "ILIKE was written as LIKE, because SQLite has no ILIKE." */
void translate_note(struct translation *translation, const char *was, const char *now);
void translate_tell(struct translation *translation, const char *sentence);
bool translate_from(const struct translation *translation, const char *letters);
bool translate_to(const struct translation *translation, const char *letters);
/* Small trees. */
struct sql_node *make_call(struct translation *translation, const char *name,
                           struct sql_node *first, struct sql_node *second,
                           struct sql_node *third);
struct sql_node *make_string(struct translation *translation, const char *text);
struct sql_node *make_number(struct translation *translation, long number);
struct sql_node *make_pair(struct translation *translation, const char *operator,
                           struct sql_node * left, struct sql_node *right);
struct sql_node *make_cast(struct translation *translation, struct sql_node *value,
                           const char *type);
struct sql_node *make_case(struct translation *translation, struct sql_node *condition,
                           struct sql_node *then, struct sql_node *otherwise);
struct sql_node *make_column(struct translation *translation, const char *name);
/* What a reader calls it: "ILIKE", "date_trunc", "CAST". */
const char *node_title(struct translation *translation, const struct sql_node *node);
bool is_call(const struct sql_node *node, const char *name, size_t arguments);
struct sql_node *call_argument(const struct sql_node *call, size_t at);

/* forms.c */
struct forms *forms_load(struct translation *translation);
struct sql_node *forms_apply(struct translation *translation, struct sql_node *node);
/* A row by its name, in the dialect that is needed, around trees of that dialect. NULL
 * when the dialect has none. */
struct sql_node *forms_make(struct translation *translation, const char *name,
                            struct sql_node *first, struct sql_node *second);

/* classes.c */
enum value_class class_of(struct translation *translation, const struct sql_node *node);
enum value_class class_of_type(const char *type);
/* Can a function of the target that takes a date be given this? */
bool class_is_date(struct translation *translation, const struct sql_node *node);
bool class_never_null(struct translation *translation, const struct sql_node *node);

/* One function per group of constructs; NULL: not its business, go on. */
typedef struct sql_node *translate_function(struct translation *translation,
                                            struct sql_node *node);
translate_function dates_binary, dates_call;                      /* dates.c */
translate_function dates_compare, dates_between;                  /* compare.c */
translate_function formats_call;                                  /* formats.c */
translate_function texts_binary, texts_like, texts_call;          /* texts.c */
translate_function patterns_binary, patterns_like, patterns_call; /* patterns.c */
translate_function numbers_binary, numbers_call;                  /* numbers.c */
translate_function casts_cast, casts_typed, casts_constant;       /* casts.c */
translate_function aggregates_call;                               /* aggregates.c */
translate_function queries_query, queries_select, queries_window; /* queries.c */

/* queries.c: items of ORDER BY, with NULLs where they were; select or NULL: whose list
 * they may name */
struct sql_node *queries_order(struct translation *translation, struct sql_node *list,
                               const struct sql_node *select);

#endif
