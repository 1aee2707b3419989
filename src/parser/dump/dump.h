/*
 * Questions with their SQL into a file of features and targets, which the training script
 * reads: what the network learns from and what it answers from is made by the same code.
 * The layout is described in train/README.md.
 */
#ifndef DGM_PARSER_DUMP_H
#define DGM_PARSER_DUMP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;

struct dump_figures {
    size_t questions; /* read so far */
    size_t examples;  /* written */
    size_t databases;
    size_t schemas;        /* written: databases, and parts of large ones */
    size_t words;          /* distinct */
    size_t no_database;    /* questions whose database cannot be opened: left out */
    size_t no_target;      /* written without one: the SQL is none, or beyond the IR */
    size_t values_missing; /* written, but a literal of the SQL was not found */
    size_t left_out;       /* the target needs a table or column of a large schema that
                              was not selected; counted in no_target too */
    size_t values;         /* literals that targets point at or lack */
    size_t columns;        /* columns in targets, each once */
    size_t linked[8]; /* of those, by the strongest code of any word: enum link_code */
};

struct dump_request {
    const char *questions; /* JSON array or JSON lines: db_id, question, query; source,
                              weight, history */
    const char *databases; /* folder of <db_id>/<db_id>.sqlite */
    const char *out;
    int threads; /* 0: as many as there are cores */
    void (*report)(void *context, const struct dump_figures *figures); /* or NULL */
    void *context;
};

/* Examples are in the order of the questions, and the file is the same whatever the
 * number of threads. */
bool dump_features(const struct dump_request *request, struct dump_figures *figures,
                   struct err *err);

#endif
