/* A case: one text file that holds databases, a model's lines, questions and what must
 * come of them. README.md shows its form. */
#ifndef DGM_TESTS_CASES_CASE_FILE_H
#define DGM_TESTS_CASES_CASE_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/vec.h"

enum case_kind {
    CASE_ASK,
    CASE_ANSWER,
    CASE_APPROVE,
    CASE_REJECT,
    CASE_SQL,
    CASE_SESSION,
    CASE_TEACH,
    CASE_LESSONS,
    CASE_CHANGE,
    CASE_LOOK,
    CASE_REMOVE,
    CASE_WRONG,
    CASE_GOOD,
    CASE_LATE,
    CASE_RETRY,
    CASE_READING,
    CASE_KINDS
};

/* One expectation: "key: value" or "key ~ value". */
struct case_line {
    int number;
    const char *key;
    bool contains;
    const char *value;
};

struct case_lines {
    struct case_line *items;
    size_t count;
    size_t capacity;
};

struct case_step {
    enum case_kind kind;
    int number;         /* line in the file */
    const char *text;   /* after the word: the question, the answer, the SQL */
    const char *script; /* the model's lines, "" when none */
    struct case_lines lines;
    bool allow_write, dry_run, fresh, no_plan, no_memory, new_question;
    const char *session; /* instead of that of the `session` step */
    const char *datasource;
    const char *brain;
};

struct case_steps {
    struct case_step *items;
    size_t count;
    size_t capacity;
};

struct case_fixture {
    const char *name;    /* of the database; its id */
    const char *file;    /* in tests/fixtures, or NULL */
    const char *sql;     /* inline, or NULL */
    const char *special; /* "sample", "missing", "text", or NULL */
};

struct case_fixtures {
    struct case_fixture *items;
    size_t count;
    size_t capacity;
};

struct case_file {
    struct arena *arena;
    const char *path;
    const char *name;
    struct case_fixtures fixtures;
    struct texts settings;       /* "key=value" */
    const char *dictionary_name; /* of a file with these words, or NULL */
    const char *dictionary;
    const char *policy; /* of the first database, as the configuration has it; or NULL */
    bool library_only;
    struct case_steps steps;
};

/* NULL after a message on standard error when the file is not a case. */
struct case_file *case_load(const char *path);
void case_free(struct case_file *file);
/* Every model line of the case, in order. */
const char *case_script(const struct case_file *file);
const char *case_kind_name(enum case_kind kind);

#endif
