/* What the files of the parser share. */
#ifndef DGM_PARSER_PARSER_STATE_H
#define DGM_PARSER_PARSER_STATE_H

#include <pthread.h>

#include "parser/search/beam.h"
#include "parser/judge/choice.h"
#include "parser/link/features/features.h"
#include "parser/judge/judge.h"
#include "parser/search/metrics.h"
#include "parser/network/network.h"
#include "parser/parser.h"
#include "parser/search/statistic.h"
#include "parser/to_sql/rebuild.h"

enum { PREPARED_MOST = 16, ROOMS_MOST = 2 };

/* A schema as the parser sees it, made once. */
struct prepared {
    struct schema *schema; /* a reference */
    struct arena *arena;
    const struct ir_schema *ir;
    const struct feature_schema *features;
    struct parser_metrics metrics;
    int users;
    uint64_t used; /* when last, for throwing out */
};

struct parser_schemas {
    pthread_mutex_t lock; /* guards all that follows */
    struct prepared *items[PREPARED_MOST];
    uint64_t turn;
};

struct parser {
    struct network *network;
    struct choice choice;
    struct choice talk_choice; /* of later turns */
    struct parser_schemas *schemas;
    bool shares;                     /* the schemas belong to another owner */
    pthread_mutex_t lock;            /* guards all that follows */
    struct arena *rooms[ROOMS_MOST]; /* of finished questions, empty again */
};

/* One question on its way through the parser. */
struct work {
    struct parser *parser;
    struct arena *arena;   /* the caller's: what comes out */
    struct arena *scratch; /* everything else */
    const struct parser_request *request;
    const struct prepared *prepared;
    const struct network *network; /* that reads it: alone, or with what was before */
    const struct choice *choice;   /* likewise */
    struct tokens words; /* of the question as it was asked, or about the average */
    struct features features;
    const struct network_memory *memory; /* the question as the network sees it */
    struct ir_values values;             /* of the question, then of metrics */
    struct rebuild_names names;          /* of metrics */
    int days;                            /* after today, where the question says today */
    struct statistic
        statistic;  /* for each average that is read; its number is the last value */
    int64_t run_us; /* that running candidates took so far */
    int64_t steps;  /* left for that, where the engine counts them */
};

/* A candidate of the beam on its way to a reading. */
struct trial {
    const struct beam_candidate *from;
    struct ir_tokens
        said; /* the same, written anew where the network has no form for it */
    struct ir_tokens tokens; /* and with metrics written out */
    struct parser_candidate candidate;
    struct rebuild_result result;
    struct judgement judgement;
};

/* Borrowed until prepared_put. */
struct prepared *prepared_get(struct parser_schemas *schemas, struct schema *schema);
void prepared_put(struct parser_schemas *schemas, struct prepared *prepared);

/* Memory for one question, kept for the next ones: allocating and zeroing it again
 * would cost time. */
struct arena *room_take(struct parser *parser);
void room_give(struct parser *parser, struct arena *room);

/* Features in the form that the network reads. */
struct network_input network_input_of(struct arena *arena, const struct network *network,
                                      const struct feature_schema *schema,
                                      const struct features *features);
/* The beam's candidates for the question's features, and their variants. */
void work_search(struct work *work, struct beam_candidates *out);
/* Runs and judges all candidates, and tells which of them say the same. */
struct trial *work_try(struct work *work, const struct beam_candidates *candidates);
/* What the verifier thinks of those that could be judged. */
void work_verify(struct work *work, struct trial *trials, size_t count);
/* Runs a query unless that costs too much; false when it fails. */
bool work_run(struct work *work, const char *sql, const struct ir_tokens *tokens,
              struct parser_outcome *outcome);
/* The names of the tables that a query uses. */
void work_tables(struct work *work, const struct ir_tokens *tokens, struct texts *out);
/* By place in the selection, columns that are not used because the question names a figure of
 * the dictionary: other numbers that it does not name. NULL: none. */
const bool *work_barred(const struct work *work);
/* A reading that uses a figure of the dictionary that the question names comes first. */
void work_prefer_defined(const struct work *work, const struct trial *trials,
                         struct parser_answer *out);
/* What of the database the question names. */
void work_cells(struct work *work, struct parser_answer *out);
void work_read(struct work *work, const struct trial *trial,
               struct parser_reading *reading);

#endif
