/*
 * For the developers of dragoman: measuring the parser, training data, self-tests.
 * Not installed, and not part of libdragoman.so.
 */
#ifndef DRAGOMAN_LAB_H
#define DRAGOMAN_LAB_H

#include "dragoman.h"

#ifdef __cplusplus
extern "C" {
#endif

/* -------------------------------- self-test */

/* One class of the shipped attacks, played against one database; or of another kind of
 * attempt ("imports", "tls", …). */
struct dgm_trial {
    const char *dialect;
    const char *class_name; /* "write", "file", … */
    int statements;
    int by_guard;       /* refused before they reached the database */
    int by_engine;      /* failed there: refused by its lock, or ended by a limit */
    int harmless;       /* ran, and did nothing that they should not */
    int breaches;       /* changed, read or cost something: must be 0 */
    const char *report; /* a line for each breach, and for what was not tried; of a
                           database's attacks the last class has them all */
    int by_policy;      /* refused by the policy that holds the vault back, by it alone */
    const char *login;  /* of the last class of a server: "ann can only read"; or NULL */
};

struct dgm_selftest_request {
    const char *url;           /* of the scratch shop on a server; NULL: none */
    const char *const *rulers; /* URLs with a login of an administrator */
    size_t ruler_count;
};

/* Without a URL: runs the built-in attacks, with guard, engine lock and limits, against
 * new scratch databases (SQLite, DuckDB); imports small files that unpack to much, breaks
 * TLS handshakes. With a URL: attacks the scratch shop on that server, which
 * dgm_selftest_script makes. Each login of an administrator must be refused. Returns the
 * number of breaches; -1 when it could not be done. Also checks the working directory for
 * new files. */
DGM_API int dgm_selftest(const struct dgm_selftest_request *request,
                         void (*report)(void *context, const struct dgm_trial *trial),
                         void *context, struct dgm_error *error);
/* The SQL that makes the scratch shop; NULL for a dialect that has none. dgm_free(). */
DGM_API char *dgm_selftest_script(const char *dialect);

/* -------------------------------- the built-in parser */

struct dgm_feature_figures {
    size_t questions; /* read so far */
    size_t examples;  /* written */
    size_t databases;
    size_t words;          /* distinct ones */
    size_t no_database;    /* questions whose database cannot be opened: left out */
    size_t no_target;      /* written without a target: no SQL, or beyond the parser */
    size_t values_missing; /* written, but a value of the SQL was not found */
    size_t columns;        /* columns in targets */
    size_t linked[6]; /* of those, named by the question: exactly, by words of the name
                              without its table's, in part, by a synonym, by a related
                              word, by a more general one */
};

/* Writes training data for the parser's network, from questions with their SQL.
 * questions: a JSON array or JSON lines of {db_id, question, query} with, if wanted,
 * source (a name) and weight; databases: a folder of <db_id>/<db_id>.sqlite; out: the
 * file to write (train/README.md). threads 0: one per core. report (or NULL) is called
 * now and then, and at the end. */
DGM_API bool
dgm_features(const char *questions, const char *databases, const char *out, int threads,
             void (*report)(void *context, const struct dgm_feature_figures *figures),
             void *context, struct dgm_error *error);

/* -------------------------------- judging the parser */

struct dgm_eval_request {
    const char *questions;  /* JSON list of {db_id, question, query, also?, history?} */
    const char *databases;  /* folder of <db_id>/<db_id>.sqlite */
    const char *weights;    /* file; NULL: parser.weights, or the built-in ones */
    const char *brain;      /* "parser" (NULL), or "llm" or "auto": the whole machine */
    const char *out;        /* one line of SQL per question; or NULL */
    const char *candidates; /* JSON per question: all it chose among, judged; or NULL */
    bool rows;              /* with a list of the questions: scores, right or wrong */
    bool rows_csv;          /* only that list, as CSV instead of JSON */
    int limit;              /* maximum number of questions; 0: all */
    int width;              /* of the parser's beam; 0: as in answers */
    void (*progress)(void *context, size_t done, size_t total); /* or NULL */
    void *context;
};

/* Execution accuracy by difficulty and by confidence, times, memory; as JSON. */
DGM_API char *dgm_eval(const struct dgm_config *config,
                       const struct dgm_eval_request *request, struct dgm_error *error);

#ifdef __cplusplus
}
#endif

#endif
