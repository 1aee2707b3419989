/*
 * Lessons: what people taught and what experience showed about one datasource. They are
 * untrusted: bounded in size and number, checked when they come in, and of use only as
 * names that the schema really has or as quoted hints; the guard judges all SQL as
 * before. A lesson belongs to one account and one datasource and is not visible to
 * others.
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
    LESSON_TABLE,  /* a table's name as people say it, and its real one */
    LESSON_COLUMN, /* a word of people, and the column it means */
    LESSON_ERROR,  /* a piece of an error's text, and what to do about it */
    LESSON_QUERY,  /* a question, and the SQL that answers it */
    LESSON_KINDS
};

enum {
    LESSONS_MOST = 2000,             /* per account and datasource */
    LESSONS_FILE_MOST = 1024 * 1024, /* bytes */
};

struct lesson {
    const char *id;         /* NULL before it is kept */
    const char *datasource; /* filled when read */
    enum lesson_kind kind;
    const char *schema_name; /* what is said; see lesson_kind */
    const char *actual_name; /* what is meant */
    /* Tables: add_prefix:X, add_suffix:X, remove_prefix:X, remove_suffix:X; or NULL. */
    const char *transformation_rule;
    /* manual, error_recovery, user_correction or user_feedback; NULL: manual */
    const char *source;
    double confidence;     /* 0 to 1 */
    bool disabled;         /* a person switched it off: kept, but not applied */
    int64_t usage_count;   /* how often it was applied */
    int64_t success_count; /* and the SQL then worked */
    int64_t created_at;
    int64_t updated_at;
};

struct lessons {
    struct lesson *items;
    size_t count;
    size_t capacity;
    const char *datasource; /* that a file names; or NULL */
};

/* Whose lessons, about what. */
struct lessons_scope {
    struct store *store;
    const char *account;    /* NULL: the local user */
    const char *datasource; /* id; NULL (only for reading): all */
    enum dialect dialect;   /* for the SQL of query patterns */
};

const char *lesson_kind_name(enum lesson_kind kind); /* "table_mapping" */
bool lesson_kind_find(const char *name, enum lesson_kind *kind);
double lesson_success_rate(const struct lesson *lesson); /* 0 when never used */

/* Fills in what follows (a rule from two names, a name from a rule) and says whether it
 * may be kept; INVALID_DATA or UNSAFE otherwise. */
bool lesson_check(struct arena *arena, enum dialect dialect, struct lesson *lesson,
                  struct err *err);
/* The name that the rule makes of a table's name; NULL when it does not fit. */
const char *lesson_transform(struct arena *arena, const char *rule, const char *name);

/* The other way round: the name from which the rule makes this one, or NULL. */
const char *lesson_untransform(struct arena *arena, const char *rule, const char *name);
/* Do two query patterns answer the same question? Case, spaces and the end's punctuation
 * do not count. */
bool lesson_same_question(struct arena *arena, const char *a, const char *b);

/* Checked and kept. Equal kind and schema_name: takes the old one's place and id. */
bool lessons_add(const struct lessons_scope *scope, const struct lesson *lesson,
                 char id[ID_SIZE], struct err *err);
bool lessons_get(const struct lessons_scope *scope, struct arena *arena, const char *id,
                 struct lesson *out, struct err *err);
bool lessons_list(const struct lessons_scope *scope, struct arena *arena,
                  struct lessons *out, struct err *err);
/* Leaves out those that are switched off. */
void lessons_drop_disabled(struct lessons *lessons);
/* What a person changes of a lesson; what it is about stays. Its figures stay, too. */
struct lessons_change {
    const char *actual_name; /* NULL: as it is */
    double confidence;       /* below 0: as it is */
    int enabled;             /* 1, 0; -1: as it is */
};
bool lessons_change(const struct lessons_scope *scope, const char *id,
                    const struct lessons_change *change, struct err *err);
bool lessons_remove(const struct lessons_scope *scope, const char *id, struct err *err);
/* After a question that applied it: the figures follow. One that fails loses confidence
 * three times as fast as success brings it back. */
bool lessons_used(const struct lessons_scope *scope, const char *id, bool success,
                  struct err *err);

/* What experience showed. It never takes the place of what a person taught, nor, unless a
 * person has just corrected it, of a lesson that stands better; what is known already is
 * confirmed instead. A correction against what was taught makes that lose confidence. */
bool lessons_learn(const struct lessons_scope *scope, const struct lesson *lesson,
                   struct err *err);
/* How much a lesson still counts: its confidence, which halves with every half-life that
 * a learned one is not used. half_life_days 0: time changes nothing. */
double lesson_standing(const struct lesson *lesson, int64_t now_s,
                       int64_t half_life_days);

/* A person's word about an answer. */
struct lessons_feedback {
    bool good;
    const char *question;        /* as it was asked, standing alone; NULL: it did not */
    const char *sql;             /* that answered it, without a LIMIT of ours; or NULL */
    bool clock_made;             /* the SQL is wrong tomorrow */
    const struct texts *lessons; /* ids of those that took part; or NULL */
};

/* Good: question and SQL become a query pattern, and the lessons that took part are
 * confirmed. Bad: they lose confidence, and a learned pattern of this question goes. */
bool lessons_feedback(const struct lessons_scope *scope,
                      const struct lessons_feedback *feedback, struct err *err);

/* Removes what was learned last, and what was learned with it from the same question: out
 * has them. What people taught stays. An empty list: nothing was learned yet. */
bool lessons_undo(const struct lessons_scope *scope, struct arena *arena,
                  struct lessons *out, struct err *err);
/* A correction towards these tables helped nothing: what was learned from it goes, unless
 * it has been of use since. */
bool lessons_take_back(const struct lessons_scope *scope, const struct texts *tables,
                       struct err *err);

/* The lessons of a file, YAML or JSON, in the arena: all of them fit to be kept. */
bool lessons_read(struct arena *arena, enum dialect dialect, const char *text,
                  size_t size, struct lessons *out, struct err *err);
/* Adds others: in the place of what was learned, but not of what was taught. */
void lessons_merge(struct arena *arena, struct lessons *to, const struct lessons *from);
/* A file of lessons, YAML or JSON. All of it is checked before the first one is kept. */
bool lessons_import(const struct lessons_scope *scope, const char *text, size_t size,
                    size_t *count, struct err *err);
void lessons_write_yaml(const struct lessons *lessons, struct buf *out);
/* The same as JSON, which lessons_import reads too. */
void lessons_write_json(const struct lessons *lessons, struct buf *out);

#endif
