/*
 * Lessons: what users taught and what was learned from experience about a datasource.
 * They are untrusted: bounded in size and number, validated when stored, and used only as
 * names that the schema has or as quoted hints; the guard checks all SQL as usual. A
 * lesson belongs to one account and one datasource and is invisible to others.
 */
#ifndef DGM_KNOWLEDGE_LESSONS_H
#define DGM_KNOWLEDGE_LESSONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/id.h"
#include "base/vec.h"
#include "sql/dialect.h"

struct arena;
struct buf;
struct store;

enum lesson_kind {
    LESSON_TABLE,  /* another name of a table, and its real name */
    LESSON_COLUMN, /* a word, and the column it means */
    LESSON_ERROR,  /* a part of an error message, and what to do about it */
    LESSON_QUERY,  /* a question, and the SQL that answers it */
    LESSON_KINDS
};

enum {
    LESSONS_MOST = 2000,             /* per account and datasource */
    LESSONS_FILE_MOST = 1024 * 1024, /* bytes */
};

struct lesson {
    const char *id;         /* NULL before it is stored */
    const char *datasource; /* filled when read */
    enum lesson_kind kind;
    const char *schema_name; /* what is said; see lesson_kind */
    const char *actual_name; /* what is meant */
    /* Tables: add_prefix:X, add_suffix:X, remove_prefix:X, remove_suffix:X; or NULL. */
    const char *transformation_rule;
    /* manual, error_recovery, user_correction or user_feedback; NULL: manual */
    const char *source;
    double confidence;     /* 0 to 1 */
    bool disabled;         /* switched off by a user: stored, but not applied */
    int64_t usage_count;   /* how often it was applied */
    int64_t success_count; /* how often the SQL then worked */
    int64_t created_at;
    int64_t updated_at;
};

struct lessons {
    struct lesson *items;
    size_t count;
    size_t capacity;
    const char *datasource; /* that a file names; or NULL */
};

/* The account and the datasource of lessons. */
struct lessons_scope {
    struct store *store;
    const char *account;    /* NULL: the local user */
    const char *datasource; /* id; NULL (only for reading): all */
    enum dialect dialect;   /* for the SQL of query patterns */
};

const char *lesson_kind_name(enum lesson_kind kind); /* "table_mapping" */
bool lesson_kind_find(const char *name, enum lesson_kind *kind);
double lesson_success_rate(const struct lesson *lesson); /* 0 when never used */

/* Fills in derived fields (a rule from two names, a name from a rule) and validates the
 * lesson; INVALID_DATA or UNSAFE. */
bool lesson_check(struct arena *arena, enum dialect dialect, struct lesson *lesson,
                  struct err *err);
/* Applies the rule to a table's name; NULL if it does not fit. */
const char *lesson_transform(struct arena *arena, const char *rule, const char *name);

/* The reverse: the name that the rule turns into this one; or NULL. */
const char *lesson_untransform(struct arena *arena, const char *rule, const char *name);
/* Are two query patterns about the same question, ignoring case, white space and final
 * punctuation? */
bool lesson_same_question(struct arena *arena, const char *a, const char *b);

/* Validates and stores it. One with equal kind and schema_name is replaced and keeps its
 * id. */
bool lessons_add(const struct lessons_scope *scope, const struct lesson *lesson,
                 char id[ID_SIZE], struct err *err);
bool lessons_get(const struct lessons_scope *scope, struct arena *arena, const char *id,
                 struct lesson *out, struct err *err);
bool lessons_list(const struct lessons_scope *scope, struct arena *arena,
                  struct lessons *out, struct err *err);
/* Removes those that are switched off. */
void lessons_drop_disabled(struct lessons *lessons);
/* A user's changes of a lesson; its kind, name and statistics stay. */
struct lessons_change {
    const char *actual_name; /* NULL: as it is */
    double confidence;       /* below 0: as it is */
    int enabled;             /* 1, 0; -1: as it is */
};
bool lessons_change(const struct lessons_scope *scope, const char *id,
                    const struct lessons_change *change, struct err *err);
bool lessons_remove(const struct lessons_scope *scope, const char *id, struct err *err);
/* Updates the statistics after a question used lessons. A failure lowers the confidence
 * three times as much as a success raises it. */
bool lessons_used(const struct lessons_scope *scope, const char *id, bool success,
                  struct err *err);

/*
 * Stores a lesson learned from experience. It never replaces what a user taught, nor a
 * lesson with a better standing, unless a user has just corrected that; a known lesson is
 * confirmed instead. A correction that contradicts a taught lesson lowers that one's
 * confidence.
 */
bool lessons_learn(const struct lessons_scope *scope, const struct lesson *lesson,
                   struct err *err);
/* The current weight of a lesson: its confidence, halved for every half-life that a
 * learned one is not used. half_life_days 0: no decay. */
double lesson_standing(const struct lesson *lesson, int64_t now_s,
                       int64_t half_life_days);

/* A user's rating of an answer. */
struct lessons_feedback {
    bool good;
    const char *question;        /* as asked, if it needs no conversation; else NULL */
    const char *sql;             /* the SQL without our LIMIT; or NULL */
    bool clock_made;             /* the SQL depends on today's date */
    const struct texts *lessons; /* ids of lessons that were used; or NULL */
};

/* Good: question and SQL become a query pattern, and the used lessons are confirmed. Bad:
 * these lose confidence, and a learned pattern of the question is removed. */
bool lessons_feedback(const struct lessons_scope *scope,
                      const struct lessons_feedback *feedback, struct err *err);

/* Removes the lessons that were learned last, from one question, and returns them in out.
 * Taught lessons stay. Empty: none were learned. */
bool lessons_undo(const struct lessons_scope *scope, struct arena *arena,
                  struct lessons *out, struct err *err);
/* A correction to these tables did not help: removes lessons learned from it, unless they
 * were useful since. */
bool lessons_take_back(const struct lessons_scope *scope, const struct texts *tables,
                       struct err *err);

/* Reads a file of lessons (YAML or JSON) into the arena; all must be valid. */
bool lessons_read(struct arena *arena, enum dialect dialect, const char *text,
                  size_t size, struct lessons *out, struct err *err);
/* Merges others: they replace learned lessons, but not taught ones. */
void lessons_merge(struct arena *arena, struct lessons *to, const struct lessons *from);
/* Imports a file of lessons, YAML or JSON; all are validated before the first is
 * stored. */
bool lessons_import(const struct lessons_scope *scope, const char *text, size_t size,
                    size_t *count, struct err *err);
void lessons_write_yaml(const struct lessons *lessons, struct buf *out);
/* The same as JSON, which lessons_import reads too. */
void lessons_write_json(const struct lessons *lessons, struct buf *out);

#endif
