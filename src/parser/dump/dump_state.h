/* The parts of a dump; for its files only. */
#ifndef DGM_PARSER_DUMP_STATE_H
#define DGM_PARSER_DUMP_STATE_H

#include <pthread.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/json.h"
#include "base/map.h"
#include "base/vec.h"
#include "base/workers.h"
#include "knowledge/value_index/value_index.h"
#include "parser/dump/dump.h"
#include "parser/link/features/features.h"
#include "parser/ir/ir.h"

/* A database, opened once. */
struct dump_database {
    const char *name;
    const char *path;
    const struct options *options;
    struct arena *arena;
    struct schema *schema;
    struct feature_schema *features; /* NULL: it cannot be opened */
    struct value_index *index;
    struct err err;
};

/* One line of the questions file. */
struct dump_question {
    size_t number;
    const char *database;
    const char *question;
    const char *query;  /* or NULL */
    const char *source; /* "" when it says none */
    double weight;
    struct feature_history history; /* of the conversation; its question NULL: none */
};

struct dump_questions {
    struct dump_question *items;
    size_t count;
    size_t capacity;
};

/* A question with all its training data. */
struct dump_example {
    const struct dump_question *question;
    const struct dump_database *database; /* NULL: left out */
    struct features features;
    uint16_t *target;
    size_t target_count;
    bool has_target;
    bool value_missing;
    bool left_out;
    size_t values;
    size_t columns;
    size_t linked[8];
};

/* dump_questions.c: the questions, some at a time. */
struct dump_reader {
    FILE *file;
    struct arena *arena; /* of a JSON array */
    json_t *array;       /* NULL: JSON lines */
    size_t next;         /* in the array, or the line */
    char *line;
    size_t line_size;
};

bool dump_reader_open(struct dump_reader *reader, const char *path, struct err *err);
void dump_reader_close(struct dump_reader *reader);
/* At most `most`; none at the end. False when one is no question. */
bool dump_reader_next(struct dump_reader *reader, struct arena *arena, size_t most,
                      struct dump_questions *out, struct err *err);

/* dump_example.c */
void dump_database_open(struct dump_database *database);
void dump_database_close(struct dump_database *database);
void dump_example_make(struct arena *arena, struct dump_example *example);

/* dump_write.c: the file. */
struct dump_writer {
    FILE *file;
    char *path; /* beside the file until it is complete */
    const char *out;
    struct buf block;
    struct map words;   /* text -> id */
    struct map schemas; /* database and selection -> number + 1 */
    struct map sources; /* name -> number */
    struct texts source_names;
    struct arena *arena;
    size_t header_size;
    struct dump_figures *figures;
    bool failed;
};

bool dump_writer_open(struct dump_writer *writer, const char *path,
                      struct dump_figures *figures, struct err *err);
void dump_writer_add(struct dump_writer *writer, const struct dump_example *example);
/* False, and nothing left behind, when writing failed or `keep` is false. */
bool dump_writer_close(struct dump_writer *writer, bool keep, struct err *err);

#endif
