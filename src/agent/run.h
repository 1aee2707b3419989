/*
 * One question from its arrival to its answer: what was asked, what is known so far,
 * the answer as it grows, and the state of the machine (moves.h).
 *
 * Memory: every text and struct below lives in run->arena unless a comment says
 * otherwise, and is freed with the run.
 *
 * Threads: a run belongs to one thread at a time; the machine hands it on. Other threads
 * may only set `stop_reason` and fire `cancel` (both by run_stop()). The observer is
 * called on the thread that has the run.
 */
#ifndef DGM_AGENT_RUN_H
#define DGM_AGENT_RUN_H

#include <stdatomic.h>

#include "agent/agent.h"
#include "agent/budget.h"
#include "agent/moves.h"
#include "agent/observer.h"
#include "agent/understand/understood.h"
#include "base/buf.h"
#include "base/cancel.h"
#include "base/json.h"
#include "base/vec.h"
#include "datasource/datasource.h"
#include "llm/llm.h"
#include "model/answer.h"
#include "model/message.h"
#include "model/question.h"

struct remembered;
struct schema_text;

enum stop_reason { STOP_NOT, STOP_USER, STOP_DEADLINE, STOP_SHUTDOWN };

/* A datasource of this question with its schema. */
struct run_source {
    struct datasource *source;
    char signature[33];
    struct schema *schema; /* a reference, released with the arena */
    bool stale;            /* the schema must be read again */
    bool unreachable;
    bool turn;               /* this run reads the schema; other runs wait for it */
    const struct err *error; /* why it is unreachable; or NULL */
};

/* Maximum number of datasources of one question that are queried in parallel. */
enum { RUN_SOURCES_AT_ONCE = 8 };

struct schema;
struct sql_resolved;
struct sql_statement;

struct run_datasets {
    const struct datasource_setting **items;
    size_t count;
    size_t capacity;
};

/* A parsed SQL text. The tree is shared; nobody changes it. */
struct run_statement {
    const struct sql_statement *statement;
    const struct sql_resolved *resolved; /* its names, resolved in `schema`; or NULL */
    const struct schema *schema;
};

/* How many are kept: as written, corrected, with our LIMIT, and one candidate. */
enum { RUN_STATEMENTS = 4 };

/*
 * The datasources of the question. RESOLVE_DATASOURCE and the stages of the schema fill
 * it. With several, RECALL keeps only those that are meant; a user's answer about the
 * datasource starts over.
 */
struct run_sources {
    struct run_source *items;
    size_t count;
    size_t capacity;
    bool several;       /* some are meant; the schemas decide which */
    bool unjoined;      /* files whose columns the question names cannot be joined */
    struct texts named; /* with several: ids that the question or the request names */
    struct datasource
        *across;      /* all of them as one DuckDB, if the question needs several */
    const char *last; /* id of the datasource the conversation was about; or NULL */
    struct run_datasets
        datasets; /* of the user's account, if they may be meant; reach.c */
};

/* An earlier question that is similar to this one, with its SQL. */
struct run_example {
    const char *question;
    const char *sql;
};

struct run_examples {
    struct run_example *items;
    size_t count;
    size_t capacity;
};

/* A key under which the history stores this question. */
struct run_known {
    const char *text;
    const char *taught; /* the words that may be an example for others; NULL: none may */
    const char *constraints; /* or NULL */
    char key[33];    /* without lessons: a user's rating holds whatever they are */
    bool clock_made; /* the SQL has literals that were computed from today's date */
};

struct run_knowns {
    struct run_known *items;
    size_t count;
    size_t capacity;
};

/*
 * Where the rows of an export or of a further page go. The query has run before as part
 * of a question; this run is not stored in the history, and nothing is learned from it.
 * Set by the service; it must outlive the run.
 */
struct run_delivery {
    const struct datasource_sink *sink;
    int64_t max_rows; /* the sink gets one row more than this, if there is one */
    int64_t max_bytes;
    bool again;  /* the same SQL ran before, and an approval that it needed was given */
    bool worded; /* generated SQL: computed columns get headings, months get names */
};

/*
 * What belongs to the request besides the question itself: the conversation, the user's
 * answers, and where the rows go. The service sets it before the run starts, only by the
 * functions of run_request.c; answering.c adds what the user answers.
 */
struct run_request {
    struct messages history; /* INITIALIZING: the conversation before this question */
    const char *given_sql;   /* the user's own SQL: nothing is generated or corrected */
    /* given_sql is not the user's own but composed of the parts of an answer, which the user
     * changed: the query in words; or NULL */
    const char *composed;
    const struct run_delivery *delivery; /* or NULL */
    const struct datasource_sink *sink;  /* rows go here as they come; or NULL */
    struct texts details;                /* answers the user gave */
    bool confirmed;     /* the last of them is an offered option, or a yes */
    const char *agreed; /* words of the parser's reading that a yes agreed to; or NULL */
    struct correction correction; /* tables and joins the user decided on */
    bool corrected_tables;  /* a correction decided the tables: no ambiguity check */
    const char *meant_word; /* "by revenue I mean net": revenue; NULL: nothing was said */
    const char *meant_column; /* "order_items.net" */
};

/* How the parser's readings compare with a model's SQL, by their rows. */
enum agreement {
    AGREEMENT_UNKNOWN,
    AGREEMENT_SAME, /* its best reading gives the same rows */
    AGREEMENT_NEAR, /* one of its others does */
    AGREEMENT_NONE, /* neither finds anything, which two wrong ones may do as well */
    AGREEMENT_OTHER /* none does */
};

/*
 * The current SQL statement and the attempts before it. Its text is run->answer.sql,
 * which only sql_text.c replaces. A new text resets what was noted about the old one.
 */
struct run_query {
    bool hit; /* RECALL: the SQL is from the history or from a user */
    struct run_statement statements[RUN_STATEMENTS]; /* run_statement.c: the last ones */
    /* OPTIMIZE_QUERY: the SQL without the LIMIT that was added; NULL: none was added */
    const char *unlimited;
    /* VALIDATE_QUERY: the SQL before counting.h corrected it */
    const char *counted_from;
    bool
        doubtful; /* VALIDATE_QUERY: its figures may count rows twice or leave some out */
    bool untied;  /* EXECUTE_QUERY: the row after the last one of a ranking differs */
    int looks;    /* cell_look.c: queries for single cells so far */
    struct texts made_up; /* literals.c: texts in the SQL that occur in no cell */
    bool invented; /* literals.c: one of them stays, and the user did not write it */
    bool misspelt; /* literals.c: one of them was treated as a typing error */
    bool
        spelled_twice; /* literals.c: the column has a text of the SQL in another spelling */
    enum agreement agreement; /* agreeing.c, in FORMAT_RESULTS */
    bool is_write;            /* VALIDATE_QUERY */
    bool approved;            /* the user, by answering; or run_deliver() */
    bool written;             /* EXECUTE_QUERY: the write is done, no stop may deny it */
    struct texts tried;       /* every SQL text so far */
    struct answer_attempts failed; /* those that did not work, with their errors */
    const char *first_failed_sql;
    const struct err *first_error; /* reported when no correction helps; or NULL */
    const struct err *error;       /* of the present SQL; or NULL */
    struct diagnosis why;  /* the present SQL failed; the answer has the first one's */
    const char *diagnosis; /* in words, for the prompt of the correction */
    const char *mended;    /* the SQL with its names put right, while it is diagnosed */
    const char *rewritten; /* the SQL that came with a model's diagnosis; or NULL */
};

/*
 * Lessons and earlier questions. RECALL fills it (memory/remembering.c,
 * memory/history.c); later stages note which lessons had an effect.
 */
struct run_memory {
    struct remembered *remembered; /* lessons (memory/remembering.h); NULL: not loaded */
    struct texts lessons;          /* one line for each lesson that applies */
    struct texts used;             /* ids of the lessons that affected the answer */
    const char *asked_with;  /* the lessons when the history was looked up; or NULL */
    struct run_knowns known; /* the keys of this question in the history */
    struct run_examples examples; /* similar questions, for a model's prompt */
    struct texts wrong_sql;       /* run_rule_out_sql(): SQL that the user rejected */
    /* RECALL: the probability that the SQL from the history is right; -1: not known */
    double recalled;
    /* FORMAT_RESULTS: the same for this answer, computed before its rows were known */
    double sure;
};

/*
 * The dialogue with the user and the model call in progress. Written by the machine and
 * by the stages that call a model.
 */
struct run_exchange {
    const char *said; /* the user's answer that is being processed: machine_answer() */
    const char
        *reply; /* text for REPLY, if the service, parser or model gave it; or NULL */
    const struct schema_text
        *shown;            /* the schema in the last prompt; maps cut names back */
    bool asked_fused;      /* the call in progress is the fused one (understanding.h) */
    bool asked_intent;     /* the first call in progress asks for the intent */
    size_t steps_told;     /* steps of the plan that the observer got from the stream */
    bool reasked;          /* machine: this state has repeated its call once */
    const char *bad_reply; /* machine: why the last reply could not be used */
    const char *bad_sql;   /* the SQL in it, if that is the reason; or NULL */
    bool solving;          /* machine: the parser is handling this state */
};

struct run {
    struct arena *arena;   /* lives as long as the run */
    struct arena *scratch; /* for the current stage; emptied at every transition */
    struct agent *agent;
    /* These three stay as they were at the start, whatever is configured later. */
    const struct options *options;
    struct llm *llm;
    const struct err *llm_error;
    struct observer observer;
    struct llm_host host; /* the model of whoever asks, if there is one */
    struct cancel cancel;
    atomic_int stop_reason;

    enum state state; /* only run_enter() sets it */
    enum event last_event;
    json_t *saved; /* the checkpoint that it was loaded from; or NULL */
    int64_t entered_us;
    int64_t born_us;

    struct question question;  /* texts in the arena */
    struct answer answer;      /* what the client gets; filled stage by stage */
    struct buf written_answer; /* the answer as JSON, once the run is final or waiting */
    struct budget budget;
    struct run_request request;
    struct run_sources sources;
    struct run_memory memory;
    struct understanding understanding;
    struct run_query query;
    struct run_exchange exchange;

    struct err *error; /* why the question fails; or NULL */
};

/* A new run in state INITIALIZING. The question is copied. query_id NULL: a new id. */
struct run *run_new(struct agent *agent, const struct question *question,
                    const char *query_id);
void run_free(struct run *run);

/*
 * What the service sets before it starts or resumes a run. Texts are copied.
 */
/* The question is SQL that the user wrote. */
void run_take_sql(struct run *run);
/* The question is answered by this SQL, composed of the parts of an answer. `words`: what it
 * asks for. */
void run_take_composed(struct run *run, const char *sql, const char *words);
/* Is the SQL the user's own? */
bool run_has_own_sql(const struct run *run);
/* The same, and the rows go to the delivery, which must outlive the run. */
void run_deliver(struct run *run, const struct run_delivery *delivery);
/* The sink gets the rows as they are read; it must outlive the run. */
void run_pass_rows(struct run *run, const struct datasource_sink *sink);
/* The reply is this text; neither a model nor a database is asked. */
void run_reply_with(struct run *run, const char *text);
/* SQL that the user has rejected; this run must not return it. */
void run_rule_out_sql(struct run *run, const char *sql);
/* The user chose reading `number` of an earlier run of this question, whose checkpoint is
 * given. The number must exist. */
void run_take_reading(struct run *run, const json_t *checkpoint, size_t number);
/* The user's answer to the clarifying question; NULL: none. */
void run_note_said(struct run *run, const char *text);
/* The access key whose quota is used, and the datasources it allows; NULL: unchanged. */
void run_bind_access(struct run *run, const char *key_id, const char *datasources);
void run_observe(struct run *run, const struct observer *observer);
/* Moves the answer as JSON to `out`; false if the run is not final or waiting. */
bool run_take_answer(struct run *run, struct buf *out);

/*
 * The only function that sets run->state. Looks up the next state (moves.h), records
 * trace and time, checks the stop flag and the budget, calls the observer, and
 * checkpoints.
 */
void run_enter(struct run *run, enum event event);

/* From any thread. Wakes up whatever the run waits for. */
void run_stop(struct run *run, enum stop_reason reason);
bool run_stopped(struct run *run);

/* Copies the error that is reported if the question fails now. No code: no change. */
void run_blame(struct run *run, const struct err *err);
/* Adds to the warnings of the answer. */
void run_warn(struct run *run, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* The same for what may name servers, models or files, or show a policy: kept answers, and so
 * exports and links, leave it out. */
void run_warn_system(struct run *run, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void run_tell(struct run *run, enum observer_kind kind, const char *text);

/* Takes over the reference, which is released with the run. */
void run_keep_schema(struct run *run, struct run_source *source, struct schema *schema);
/* The schema and the datasource of the SQL: the first source's, or the combined one if
 * the question needs several. NULL before they are known. */
struct schema *run_schema(const struct run *run);
struct datasource *run_datasource(const struct run *run);
/* May the run ask a clarifying question (agent.ask)? */
bool run_may_ask(const struct run *run);
/* Limits for a query: the statement timeout, or less if the deadline is near. */
struct datasource_limits run_limits(struct run *run);
/*
 * Limits for a small query besides the answer's own, which usually takes at most `ms`
 * and gives at most `rows` rows. Where the engine counts its steps, the bound is *steps,
 * which must outlive the call; the time limit is then only a last resort, so that the
 * result does not depend on how busy the machine is.
 */
struct datasource_limits run_probe_limits(struct run *run, int64_t ms, int64_t rows,
                                          int64_t *steps);
/* The question: as rewritten, if it was; else as asked. */
const char *run_question_text(const struct run *run);

/* The chosen tables, run->understanding.tables.count of them, in run->scratch. */
const struct table **run_table_list(const struct run *run);
/* Finds a chosen table by name; NULL when it was not chosen. */
struct chosen_table *run_chosen(const struct run *run, const char *name);
struct chosen_table *run_choose(struct run *run, const struct table *table,
                                double confidence);

/* The checkpoint as JSON in `arena`: all that a process needs to resume the run. */
char *run_save(const struct run *run, struct arena *arena);
/* The same question from the start, keeping the user's answers and what was learned. */
struct run *run_load_again(struct agent *agent, const char *json, size_t size,
                           struct err *err);
struct run *run_load(struct agent *agent, const char *json, size_t size, struct err *err);
/* Queues the checkpoint for the store; with the answer if the run is final or waiting. */
void run_checkpoint(struct run *run);
/* Call after this process has claimed the run in the store (store_question_claim). */
void run_checkpoint_claimed(struct run *run);

#endif
