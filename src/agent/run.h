/*
 * A question on its way: its room (the arena), its notebook, and where it is. Worked on
 * by one thread at a time; only `cancel`, `stop_reason` and the observer are touched by
 * others.
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
    struct schema *schema; /* a reference, dropped with the arena */
    bool stale;            /* must be read anew */
    bool unreachable;
    bool turn;               /* we hold the turn to read it: others wait for us */
    const struct err *error; /* why it is unreachable; or NULL */
};

/* Of several datasources so many are asked at the same time. */
enum { RUN_SOURCES_AT_ONCE = 8 };

struct schema;
struct sql_resolved;
struct sql_statement;

struct run_datasets {
    const struct datasource_setting **items;
    size_t count;
    size_t capacity;
};

/* A text of SQL, read. */
struct run_statement {
    const struct sql_statement *statement;
    const struct sql_resolved *resolved; /* what its names mean in `schema`; or NULL */
    const struct schema *schema;
};

/* The SQL as it was written, corrected, with a LIMIT of ours; one more for candidates. */
enum { RUN_STATEMENTS = 4 };

/*
 * What the question is asked of. RESOLVE_DATASOURCE and the stages of the schema fill it;
 * RECALL narrows several down to those that are meant; an answer of the user opens it anew.
 */
struct run_sources {
    struct run_source *items;
    size_t count;
    size_t capacity;
    bool several;       /* some of them are meant, and the schemas must tell which */
    struct texts named; /* ids that the question or its asker names, when several */
    struct datasource *across; /* all of them as one, when the question needs several */
    const char *last; /* id of the one that the conversation was about; or NULL */
    struct run_datasets datasets; /* of the asker, where they may be meant; reach.c */
};

/* A question answered before that is nearly this one. */
struct run_example {
    const char *question;
    const char *sql;
};

struct run_examples {
    struct run_example *items;
    size_t count;
    size_t capacity;
};

/* What the question is known by in the history. */
struct run_known {
    const char *text;
    const char *taught; /* the words that may be an example for others; NULL: none may */
    const char *constraints; /* or NULL */
    char key[33];    /* without the lessons: a person's word holds whatever they say */
    bool clock_made; /* its SQL holds literals that were computed from today's date */
};

struct run_knowns {
    struct run_known *items;
    size_t count;
    size_t capacity;
};

/* Where rows go instead of into the answer: an export, a further page. Such a run is
 * nobody's question: it is not kept, and nothing is learned from it. */
struct run_delivery {
    const struct datasource_sink *sink;
    int64_t max_rows; /* the sink is handed one more, if there is one */
    int64_t max_bytes;
    bool again; /* it ran before, and whoever had to approve it has */
    /* the SQL is not a person's own: columns get headings in words, months have names */
    bool worded;
};

/*
 * What was asked, beside the question itself: what its user said before and since, and
 * what is to become of the rows. The service sets it before the run starts, by the
 * functions of run_request.c; answering.c adds what the user answers.
 */
struct run_request {
    struct messages history; /* INITIALIZING: the conversation before it */
    const char *given_sql;   /* a person's own SQL: nothing is generated or corrected */
    const struct run_delivery *delivery; /* or NULL */
    const struct datasource_sink *sink;  /* rows go here as they come; or NULL */
    struct texts details;                /* answers the user gave */
    struct correction correction;        /* tables and joins the user decided on */
    bool corrected_tables;  /* a correction decided the tables: no ambiguity check */
    const char *meant_word; /* "by revenue I mean net": revenue; NULL: nothing was said */
    const char *meant_column; /* "order_items.net" */
};

/*
 * The statement and its attempts. sql_text.c takes each text; VALIDATE_QUERY and
 * EXECUTE_QUERY note its failure, DIAGNOSE_ERROR why. The present text is answer.sql.
 */
/* What the built-in parser's readings gave beside a model's SQL. */
enum agreement {
    AGREEMENT_UNKNOWN,
    AGREEMENT_SAME, /* its best reading gives the same rows */
    AGREEMENT_NEAR, /* one of its others does */
    AGREEMENT_NONE, /* neither finds anything, which two wrong ones may do as well */
    AGREEMENT_OTHER /* none does */
};

struct run_query {
    bool hit; /* RECALL: it came from history or from a person */
    struct run_statement statements[RUN_STATEMENTS]; /* run_statement.c: the last ones */
    const char
        *unlimited; /* OPTIMIZE_QUERY: without a LIMIT of ours; NULL: it has none */
    const char *
        counted_from; /* VALIDATE_QUERY: before texts were read and rows made to count once */
    bool
        doubtful; /* VALIDATE_QUERY: its figures may count rows twice or leave some out */
    bool
        untied; /* EXECUTE_QUERY: the row after the last one of a ranking is another one */
    int looks;  /* at single cells, beside the answer (cell_look.h) */
    struct texts made_up;     /* VALIDATE_QUERY: texts of the SQL that no cell has */
    bool invented;            /* one of them stays, and nobody has said it */
    bool misspelt;            /* one of them was taken for a typing error */
    enum agreement agreement; /* FORMAT_RESULTS */
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
 * What lessons and earlier questions say. RECALL fills it (memory/remembering.c,
 * memory/history.c); the stages note which lessons took part.
 */
struct run_memory {
    struct remembered *remembered; /* lessons (memory/remembering.h); NULL: not read */
    struct texts lessons;          /* a line for each that matters */
    struct texts used;             /* ids of those that took part in the answer */
    const char *asked_with;        /* lessons known when the history was asked; or NULL */
    struct run_knowns known;       /* the question's names in the history */
    struct run_examples examples;  /* from there, for a model */
    struct texts wrong_sql;        /* called wrong by who asks: run_rule_out_sql() */
    double recalled; /* RECALL: how likely the remembered SQL is right; -1: not known */
    double sure; /* FORMAT_RESULTS: the same of this answer, before its rows were seen */
};

/*
 * The exchange with the user and with a model: what was said last, and the call on its
 * way. The machine and the stages that ask write it.
 */
struct run_exchange {
    const char *said;  /* the user's answer being taken now: machine_answer() */
    const char *reply; /* for REPLY: written already, by the service, the parser or a
                          reply of a model; or NULL */
    const struct schema_text *shown; /* what the model saw; for names that were cut */
    bool asked_fused;                /* the call on its way is the fused one */
    bool asked_intent;               /* the first call on its way is about the intent */
    size_t steps_told;               /* of the plan, while it was written */
    bool reasked;          /* the machine: this state was asked once more already */
    const char *bad_reply; /* the machine: why the last reply could not be read */
    const char *bad_sql;   /* its SQL, where that is the reason; or NULL */
    bool solving;          /* the machine: this state is being solved by the parser */
};

struct run {
    struct arena *arena;   /* the question's room */
    struct arena *scratch; /* the present stage's; emptied at every step */
    struct agent *agent;
    const struct options *options; /* these three as they were when it began */
    struct llm *llm;
    const struct err *llm_error;
    struct observer observer;
    struct cancel cancel;
    atomic_int stop_reason;

    enum state state;
    enum event last_event;
    json_t *saved; /* the checkpoint it was loaded from, or NULL */
    int64_t entered_us;
    int64_t born_us;

    struct question question;  /* texts in the arena */
    struct answer answer;      /* the public part of the notebook */
    struct buf written_answer; /* the answer as JSON, when it came to rest */
    struct budget budget;
    struct run_request request;
    struct run_sources sources;
    struct run_memory memory;
    struct understanding understanding;
    struct run_query query;
    struct run_exchange exchange;

    struct err *error; /* why the question fails; or NULL */
};

/* A run at INITIALIZING. The question is copied. query_id NULL: a new one. */
struct run *run_new(struct agent *agent, const struct question *question,
                    const char *query_id);
void run_free(struct run *run);

/*
 * What the service says of a run before it starts, or goes on with it. Texts are copied.
 */
/* The question is a person's own SQL. */
void run_take_sql(struct run *run);
/* The same, and its rows go elsewhere; the delivery must outlive the run. */
void run_deliver(struct run *run, const struct run_delivery *delivery);
/* The rows go here as they come; the sink must outlive the run. */
void run_pass_rows(struct run *run, const struct datasource_sink *sink);
/* It is replied with this text, without asking anybody. */
void run_reply_with(struct run *run, const char *text);
/* SQL that the asker has called wrong: not to be given again. */
void run_rule_out_sql(struct run *run, const char *sql);
/* The readings of an earlier run of the same question, by its checkpoint, and the number of the one
 * that the user wants; it must be one of them. */
void run_take_reading(struct run *run, const json_t *checkpoint, size_t number);
/* What the user answered to the clarifying question; NULL: nothing. */
void run_note_said(struct run *run, const char *text);
/* The key that pays for it, and the datasources that it may see; NULL leaves what is. */
void run_bind_access(struct run *run, const char *key_id, const char *datasources);
void run_observe(struct run *run, const struct observer *observer);
/* The answer as JSON, when it came to rest; out becomes its owner. False: there is none.
 */
bool run_take_answer(struct run *run, struct buf *out);

/* The only code that assigns the state. Looks up what follows the event, traces, stamps
 * time, checks stop flag and budget, tells the observer, checkpoints. */
void run_enter(struct run *run, enum event event);

/* Stops it, from any thread. */
void run_stop(struct run *run, enum stop_reason reason);
bool run_stopped(struct run *run);

/* The reason, should the question fail now; copied. An err without a code changes
 * nothing. */
void run_blame(struct run *run, const struct err *err);
/* Notes for the answer; the text is copied. */
void run_warn(struct run *run, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void run_tell(struct run *run, enum observer_kind kind, const char *text);

/* Takes over the reference: it is dropped with the run. */
void run_keep_schema(struct run *run, struct run_source *source, struct schema *schema);
/* The schema the SQL is about, and its datasource: the first source's, or that of all
 * when the question needs several; NULL before. */
struct schema *run_schema(const struct run *run);
struct datasource *run_datasource(const struct run *run);
/* May the user be asked back (agent.ask)? */
bool run_may_ask(const struct run *run);
/* Limits for a call to the datasource: statement timeout within the question's deadline.
 */
struct datasource_limits run_limits(struct run *run);
/*
 * Limits for a look at the data beside the answer that usually takes `ms` at most, for at
 * most `rows` rows. Where the engine counts its steps these bound it (*steps holds those that
 * are left, and must outlive the call) and time is only a last resort: so a busy machine
 * does not change what is found.
 */
struct datasource_limits run_probe_limits(struct run *run, int64_t ms, int64_t rows,
                                          int64_t *steps);
/* What is asked, as understood so far. */
const char *run_question_text(const struct run *run);

/* The chosen tables alone, in the scratch arena; run->understanding.tables.count of them. */
const struct table **run_table_list(const struct run *run);
/* Finds a chosen table by name; NULL when it was not chosen. */
struct chosen_table *run_chosen(const struct run *run, const char *name);
struct chosen_table *run_choose(struct run *run, const struct table *table,
                                double confidence);

/* The checkpoint: JSON of what is needed to go on, and back (state AWAIT_USER). */
char *run_save(const struct run *run, struct arena *arena);
/* The same question from the beginning, with what its user said and what was found out.
 */
struct run *run_load_again(struct agent *agent, const char *json, size_t size,
                           struct err *err);
struct run *run_load(struct agent *agent, const char *json, size_t size, struct err *err);
/* Queues the checkpoint (and the answer, when resting) for the store. */
void run_checkpoint(struct run *run);
/* One that was taken out of the store to go on with it: whose it is now. */
void run_checkpoint_claimed(struct run *run);

#endif
