/*
 * dragoman: ask your databases in plain language, get a checked answer.
 *
 * Three headers are the public interface of the library: this one, dragoman_store.h
 * (lessons, history, saved queries, datasets, exports) and dragoman_server.h (keys,
 * accounts, many processes). The command line and the server are built on them alone,
 * so what they can do, you can do.
 *
 *     struct dgm_error error;
 *     struct dgm_config *config = dgm_config_new();
 *     dgm_config_environment(config, &error);
 *     dgm_config_add_datasource(config, NULL, "shop.db", &error);
 *     struct dgm *dgm = dgm_open(config, &error);
 *     struct dgm_request request = {.question = "How many customers are there?"};
 *     struct dgm_question *question = dgm_ask(dgm, &request, &error);
 *     puts(dgm_answer_json(dgm_question_wait(question, -1)));
 *     dgm_question_free(question);
 *     dgm_close(dgm);
 *     dgm_config_free(config);
 *
 * Rules that hold everywhere:
 * - Text is UTF-8, NUL-ended. NULL and "" mean "not given" unless said otherwise.
 * - A function that can fail returns false or NULL and fills *error; it never prints.
 * - `char *` that is returned is yours: dgm_free(). `const char *` is borrowed.
 * - All functions on struct dgm and struct dgm_question may be called from any thread.
 * - Nothing is written to a database unless the datasource is writable, the request
 *   allows it and a person has approved the previewed statement.
 */
#ifndef DRAGOMAN_H
#define DRAGOMAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define DGM_API __attribute__((visibility("default")))
#else
#define DGM_API
#endif

/* -------------------------------- errors and memory */

struct dgm_error {
    char code[32];     /* "LLM_UNAUTHORIZED"; "" when there was no error */
    int exit_status;   /* what the command line exits with */
    int http_status;   /* what the server answers */
    bool retryable;    /* the same call may work later */
    int position;      /* byte in the SQL the error is about; -1 when none */
    char message[400]; /* what happened */
    char detail[800];  /* facts */
    char hint[300];    /* what to do */
    int retry_after_s; /* when the same call may work; 0: not known */
};

DGM_API const char *dgm_version(void); /* "0.1.0" */
DGM_API void dgm_free(void *pointer);
/* Every error code with its exit and HTTP status, as a JSON array. */
DGM_API char *dgm_error_table(void);

/* -------------------------------- configuration */
/*
 *     struct dgm_config *config = dgm_config_new();
 *     dgm_config_load(config, NULL, &error);
 *     dgm_config_environment(config, &error);
 *     dgm_config_set(config, "sql.timeout_s", "10", &error);
 *     dgm_config_add_datasource(config, "shop", "postgres://localhost/shop", &error);
 */

struct dgm_config;

DGM_API struct dgm_config *dgm_config_new(void); /* the defaults */
DGM_API void dgm_config_free(struct dgm_config *config);
/* Reads a file. path NULL: ./dragoman.yaml, else the user's own; none there is fine. */
DGM_API bool dgm_config_load(struct dgm_config *config, const char *path,
                             struct dgm_error *error);
/* DRAGOMAN_*, OPENAI_API_KEY, OPENAI_BASE_URL, ANTHROPIC_API_KEY, OLLAMA_HOST, … */
DGM_API bool dgm_config_environment(struct dgm_config *config, struct dgm_error *error);
/* One setting by its key in docs/configuration.md. */
DGM_API bool dgm_config_set(struct dgm_config *config, const char *key, const char *value,
                            struct dgm_error *error);
/* The value as text ("***" for secrets); NULL for an unknown key. */
DGM_API char *dgm_config_get(const struct dgm_config *config, const char *key);
/* Walks the keys that there are: NULL after the last. */
DGM_API const char *dgm_config_key(size_t index);
/* Forgets the datasources so far: those of the command line replace those of the file. */
DGM_API void dgm_config_clear_datasources(struct dgm_config *config);
/* Is there one of this id, in the file or the environment? */
DGM_API bool dgm_config_has_datasource(const struct dgm_config *config, const char *id);
/* id NULL: made from the file's or database's name. Nothing is opened yet. */
DGM_API bool dgm_config_add_datasource(struct dgm_config *config, const char *id,
                                       const char *url, struct dgm_error *error);
/* Declares the datasources added so far with dgm_config_add_datasource writable. Those of
 * a file say so themselves, by `writable: true`. */
DGM_API void dgm_config_allow_writes(struct dgm_config *config);
/* The reference, as Markdown. */
DGM_API char *dgm_config_reference(void);
/* Where the file was found that dgm_config_load(NULL) read; NULL when none. */
DGM_API const char *dgm_config_path(const struct dgm_config *config);

/* -------------------------------- engines */
/*
 *     int status;
 *     if (dgm_helper(argc, argv, &status)) return status; // first line of main()
 */

/* DuckDB runs in processes of its own, so that it can be ended: dragoman is started once
 * more for that. A program that calls this first thing in main() can be that program
 * itself; else the `dragoman` beside it is taken, or the one that sql.engine_program
 * names. True: that is what it was started for, and it must now exit with *status. */
DGM_API bool dgm_helper(int argc, char *const *argv, int *status);

/* -------------------------------- opening and closing */
/*
 *     struct dgm *dgm = dgm_open(config, &error);
 *     if (!dgm) fprintf(stderr, "%s %s\n", error.message, error.hint);
 *     dgm_close(dgm);
 */

struct dgm;

/* Cheap: no database is opened and no connection made before they are needed. The
 * configuration is copied. */
DGM_API struct dgm *dgm_open(const struct dgm_config *config, struct dgm_error *error);
/* Stops what is at work, writes what must be kept, ends the threads. Questions must have
 * been freed. */
DGM_API void dgm_close(struct dgm *dgm);

/* -------------------------------- asking */
/*
 *     struct dgm_request request = {.question = "Revenue per month in 2024"};
 *     struct dgm_question *question = dgm_ask(dgm, &request, &error);
 *     const struct dgm_answer *answer = dgm_question_wait(question, 30000);
 *     if (answer && dgm_answer_clarification(answer)) { // it asks back: choose option 1
 *         const char *id = dgm_question_id(question);
 *         struct dgm_question *next = dgm_resume(dgm, id, "1", NULL, &error);
 *     }
 */

struct dgm_question;
struct dgm_answer;
struct dgm_access; /* who asks: dragoman_server.h */

enum dgm_event_kind {
    DGM_STATUS,        /* a new state: `state`, `status` */
    DGM_REASONING,     /* a piece of the plan as it is produced: `text` */
    DGM_SQL,           /* SQL was written: `text` */
    DGM_ROWS,          /* rows are there: see the answer */
    DGM_CLARIFICATION, /* waits for its user: `text` is the question back */
    DGM_DONE,          /* finished or stopped: the answer is complete */
    DGM_FAILED,        /* failed: the answer holds the error */
    DGM_PROGRESS,      /* rows are being fetched: `text` says from where and how many */
    DGM_GONE,          /* followed no more: this process ends, the question goes on */
};

struct dgm_event {
    enum dgm_event_kind kind;
    const char *query_id;
    const char *state;  /* "GENERATE_SQL" */
    const char *status; /* understanding searching planning generating correcting finished
                           failed stopped */
    const char *text;   /* or NULL */
    double ms;          /* since the question came in */
    /* At DGM_DONE, DGM_FAILED and DGM_CLARIFICATION the answer, complete; at DGM_ROWS its
     * columns and rows; else NULL. Valid during the call. */
    const struct dgm_answer *answer;
    /* Of a question that is followed (dgm_follow): what `answer` would tell, as JSON, at
     * DGM_ROWS its columns and how many there are; `answer` is NULL then. */
    const char *data;
    /* Of a store that is shared: its number, which grows and is the same in every
     * process; a question that goes on elsewhere, or after it rested, begins at the next
     * million. 0: whoever observes counts. */
    int64_t number;
};

/* Called on threads of the library, one at a time per question: be quick, do not call
 * dgm_question_free or dgm_close from it. */
typedef void dgm_observer(void *context, const struct dgm_event *event);

/* A cell as text for people. */
struct dgm_cell {
    const char *text; /* NULL: SQL's NULL; `size` bytes, not ended by a NUL */
    size_t size;
    bool number;
};

/* Takes rows as they come from the database, on a thread of the library, one call at a
 * time; everything is borrowed for the call. Either may return false: no more rows.
 * `columns` comes first, and again when the SQL had to be corrected before a row came. */
struct dgm_rows_sink {
    bool (*columns)(void *context, const char *const *names, size_t count);
    bool (*row)(void *context, const struct dgm_cell *cells);
    void *context;
};

struct dgm_request {
    const char *question;
    const char *datasource; /* id; NULL: the only one, or found from the question */
    const char *session_id; /* NULL: a question by itself */
    const char *account;    /* NULL: the local person */
    const char *brain;      /* "auto", "parser", "llm"; NULL: as configured */
    bool skip_plan;         /* no reasoning plan (ignore_sql_reasoning) */
    bool skip_diagnosis;    /* correct SQL without looking for the cause first */
    bool allow_write;       /* may propose a write; it still needs approval */
    bool dry_run;           /* stop once the SQL is checked: do not run it */
    bool fresh; /* do not reuse the SQL of an earlier, equal question (no_cache) */
    dgm_observer *observer; /* or NULL */
    void *context;
    bool skip_memory;  /* do not apply lessons (apply_memory: false) */
    bool new_question; /* not the answer to a question that waits, whatever it says */
    /* Who asks: takes the place of `account`, and its datasources, questions at once and
     * tokens hold. NULL: no limits but those of the instance. */
    const struct dgm_access *access;
    /* It is in the store before the call returns: when the process ends at any moment
     * from then on, the question is reported as interrupted and not lost. */
    bool durable;
    /* Rows go here as they come, however many: memory stays flat. The answer keeps the
     * first 10,000 of them. A question that fails after some rows were handed over fails
     * for good: its SQL is not corrected any more. NULL: all rows are in the answer. */
    const struct dgm_rows_sink *rows; /* copied */
    /* Without a datasource: the datasets of the account may be meant, too. */
    bool datasets;
};

/* Returns at once; the question is on its way. NULL only for a bad request. In a session
 * whose last question waits for its user this is as dgm_resume on that question. */
DGM_API struct dgm_question *dgm_ask(struct dgm *dgm, const struct dgm_request *request,
                                     struct dgm_error *error);
/* Continues a question that waits for its user, in this process or an earlier one:
 * `answer` is an option's value or number, words, or a structured correction as JSON (docs/api.md).
 * What is plainly a question of its own ("how many orders are there?"), and everything
 * with new_question, is asked as one: the question that waited is stopped, and the handle
 * is that of the new one. Of the request only observer, context, account and new_question
 * are read, and the rest for such a new question. request may be NULL. */
DGM_API struct dgm_question *dgm_resume(struct dgm *dgm, const char *query_id,
                                        const char *answer,
                                        const struct dgm_request *request,
                                        struct dgm_error *error);
/* Tries a question again that failed or was stopped, or whose process is gone, from the
 * beginning and under the same id. What its user said stays in force, and what a model
 * said of single tables (understanding.mode: per_table) is not asked again. Only
 * observer, context and account of the request are read. request may be NULL. */
DGM_API struct dgm_question *dgm_retry(struct dgm *dgm, const char *query_id,
                                       const struct dgm_request *request,
                                       struct dgm_error *error);
/* Answers a question by another of its readings ("readings" in the answer), as a new question with
 * the same words; of one that waits for its user it is the option of that number. query_id NULL: the
 * latest question of the account. Of the request only observer, context, account, access, durable
 * and rows are read. request may be NULL. */
DGM_API struct dgm_question *dgm_reading(struct dgm *dgm, const char *query_id,
                                         int64_t number,
                                         const struct dgm_request *request,
                                         struct dgm_error *error);
/* Approves (or rejects) what a question wants to run. */
DGM_API struct dgm_question *dgm_approve(struct dgm *dgm, const char *query_id, bool yes,
                                         const struct dgm_request *request,
                                         struct dgm_error *error);
/* A person's own SQL through the same guard, limits and engine. */
DGM_API struct dgm_question *dgm_run_sql(struct dgm *dgm, const char *sql,
                                         const struct dgm_request *request,
                                         struct dgm_error *error);

DGM_API const char *dgm_question_id(const struct dgm_question *question);
/* Stops it wherever it is: closes the model's stream, cancels the query in the database.
 * The answer follows, with status "stopped". Again and again is fine. */
DGM_API void dgm_question_stop(struct dgm_question *question);
/* The same by its id, for a question of this account at work in this process; also ends
 * one that waits for its user. False with an empty error: it has come to rest already. */
DGM_API bool dgm_stop(struct dgm *dgm, const char *account, const char *query_id,
                      struct dgm_error *error);
/* Waits until it is finished, failed, stopped, or waits for its user. -1: for ever.
 * NULL when the time is over. The answer lives as long as the question. */
DGM_API const struct dgm_answer *dgm_question_wait(struct dgm_question *question,
                                                   int64_t timeout_ms);
/* Gives the handle back. A question still at work is not stopped by this. */
DGM_API void dgm_question_free(struct dgm_question *question);

/* -------------------------------- answers */
/*
 *     for (size_t row = 0; row < dgm_answer_rows(answer); row++)
 *         puts(dgm_answer_cell(answer, row, 0, NULL));
 *     printf("%s (confidence %.2f)\n", dgm_answer_text(answer, "sql"),
 *            dgm_answer_confidence(answer));
 */

/* The whole answer object as JSON (docs/api.md). */
DGM_API const char *dgm_answer_json(const struct dgm_answer *answer);
/* One text field of it by name: "status", "state", "type", "sql", "explanation", "brain",
 * "summary", "question", "rewritten_query", "datasource", "engine", "corrected_from",
 * "query_id", "session_id", "intent", "reasoning", "message", "error_type", "root_cause",
 * "suggestion". NULL when absent. */
DGM_API const char *dgm_answer_text(const struct dgm_answer *answer, const char *field);
/* False when there is none; the error is filled otherwise. */
DGM_API bool dgm_answer_error(const struct dgm_answer *answer, struct dgm_error *error);
/* 29 (INCOMPLETE) when there are rows, but dgm_answer_incomplete(). */
DGM_API int dgm_answer_exit_status(const struct dgm_answer *answer);

DGM_API bool dgm_answer_has_rows(const struct dgm_answer *answer);
/* There were more rows, or longer cells. */
DGM_API bool dgm_answer_truncated(const struct dgm_answer *answer);
/* Something is missing beyond a limit of rows: sql.max_bytes ended the rows, or
 * sql.max_cell_bytes a cell. */
DGM_API bool dgm_answer_incomplete(const struct dgm_answer *answer);
DGM_API size_t dgm_answer_rows(const struct dgm_answer *answer);
/* The same, with those that only went to the request's sink. */
DGM_API size_t dgm_answer_rows_given(const struct dgm_answer *answer);
DGM_API size_t dgm_answer_columns(const struct dgm_answer *answer);
DGM_API const char *dgm_answer_column(const struct dgm_answer *answer, size_t column);
/* The cell as text for people; NULL for SQL's NULL. Valid until the next call for this
 * answer on this thread. */
DGM_API const char *dgm_answer_cell(const struct dgm_answer *answer, size_t row,
                                    size_t column, size_t *size);
DGM_API bool dgm_answer_cell_is_number(const struct dgm_answer *answer, size_t row,
                                       size_t column);
/* Lists: "warnings", "assumptions", "unplaced" (words), "tables_used", "follow_ups", "plan", "plan_tables", "plan_joins",
 * "dates_used", "confidence_reasons", "lessons" (those that took part), "readings" (what is different
 * about each); NULL past the last. */
DGM_API const char *dgm_answer_item(const struct dgm_answer *answer, const char *list,
                                    size_t index);
DGM_API double dgm_answer_confidence(const struct dgm_answer *answer); /* -1: none */
/* The number of the reading that it is by; 0: another one is not likely. */
DGM_API int64_t dgm_answer_reading(const struct dgm_answer *answer);
/* The same in a word: "sure", "likely" or "unsure"; NULL: none. */
DGM_API const char *dgm_answer_label(const struct dgm_answer *answer);
/* What the confidence is made of: "schema_match" (0.3 at most), "complexity" (0.2),
 * "clarity" (0.3), "validity" (0.2); the reasons are in the same order. -1: none. */
DGM_API double dgm_answer_factor(const struct dgm_answer *answer, const char *factor);
/* How likely the built-in parser's reading is right; -1: it was not asked. */
DGM_API double dgm_answer_parser_probability(const struct dgm_answer *answer);
/* About how long the prompt would have been that the parser made needless; 0: none. */
DGM_API int dgm_answer_tokens_saved(const struct dgm_answer *answer);
DGM_API int64_t
dgm_answer_rows_touched(const struct dgm_answer *answer); /* -1: no write */
DGM_API double dgm_answer_ms(const struct dgm_answer *answer);
DGM_API int dgm_answer_llm_calls(const struct dgm_answer *answer);
DGM_API int dgm_answer_tokens(const struct dgm_answer *answer);
DGM_API double dgm_answer_cost(const struct dgm_answer *answer); /* -1: not known */

/* Its rows drawn, as JSON: "chart" {kind, title, reason, spec} and "alternatives", the
 * kinds that would fit as well. spec is Vega-Lite v5 with the data inline; of cells and
 * names it holds plain text and numbers only, never an address or an expression. kind
 * NULL: as the shape of the result suggests; else "figure", "line", "area", "stacked",
 * "arc", "bar" or "scatter". NULL when no chart fits. */
DGM_API char *dgm_answer_chart(const struct dgm_answer *answer, const char *kind,
                               struct dgm_error *error);
/* The same of an answer in the store; access NULL: the local person's. What is not its
 * own is not there, here and below. */
DGM_API char *dgm_chart(struct dgm *dgm, const struct dgm_access *access,
                        const char *query_id, const char *kind, struct dgm_error *error);

/* Further rows of an answer in the store, as JSON: offset, columns, column_types, rows
 * (arrays, so that two columns of one name do not collide), row_count, more, and total:
 * how many rows there are in all ("total_at_least" when counting them ended early). An
 * answer that was cut is run again, through the same checks. limit 0: sql.max_rows. */
DGM_API char *dgm_rows(struct dgm *dgm, const struct dgm_access *access,
                       const char *query_id, int64_t offset, int64_t limit,
                       struct dgm_error *error);

/* The question back, when it waits for its user. */
DGM_API const char *
dgm_answer_clarification(const struct dgm_answer *answer); /* or NULL */
DGM_API const char *dgm_answer_clarification_type(const struct dgm_answer *answer);
DGM_API size_t dgm_answer_options(const struct dgm_answer *answer);
DGM_API const char *dgm_answer_option_value(const struct dgm_answer *answer,
                                            size_t index);
DGM_API const char *dgm_answer_option_label(const struct dgm_answer *answer,
                                            size_t index);

/* -------------------------------- sessions */
/*
 *     char *session = dgm_session_new(dgm, NULL, "shop", &error);
 *     struct dgm_request first = {.question = "orders by day", .session_id = session};
 *     struct dgm_request then = {.question = "only 2024", .session_id = session};
 */

/* A conversation: follow-up questions are understood in its context. */
DGM_API char *dgm_session_new(struct dgm *dgm, const char *account,
                              const char *datasource,
                              struct dgm_error *error); /* its id */
DGM_API char *dgm_session_list(struct dgm *dgm, const char *account,
                               struct dgm_error *error); /* JSON array */
DGM_API char *dgm_session_get(struct dgm *dgm, const char *id,
                              struct dgm_error *error); /* JSON */
DGM_API bool dgm_session_delete(struct dgm *dgm, const char *id, struct dgm_error *error);

/* -------------------------------- datasources, schemas and checks */
/*
 *     char *tables = dgm_schema(dgm, "shop", "text", &error);
 *     struct dgm_verdict verdict;
 *     dgm_guard(NULL, NULL, "sqlite", sql, strlen(sql), &verdict, &error);
 *     if (!verdict.allowed) puts(verdict.reason);
 */

/* Datasources as a JSON array: id, kind, url without credentials, description, writable,
 * added (at run time). */
DGM_API char *dgm_datasources(struct dgm *dgm);
/* Adds a datasource at run time, and keeps it in the store, its URL sealed
 * (docs/decisions/0025-secrets-in-the-store.md). The URL must be allowed
 * (sources.folders, sources.hosts) and the database must answer. It is never printed or
 * returned. id NULL: made from the URL. Returns the id. */
DGM_API char *dgm_source_add(struct dgm *dgm, const char *id, const char *url,
                             const char *description, struct dgm_error *error);
/* Forgets one that was added. */
DGM_API bool dgm_source_remove(struct dgm *dgm, const char *id, struct dgm_error *error);
/* Does a database answer at this URL, and may it be added? Nothing is kept. */
DGM_API bool dgm_source_try(struct dgm *dgm, const char *url, struct dgm_error *error);
/* format: "text", "json" or "mermaid" (an ER diagram). datasource NULL: the only one. */
DGM_API char *dgm_schema(struct dgm *dgm, const char *datasource, const char *format,
                         struct dgm_error *error);
/* The machine: "text", "json", "mermaid" or "markdown" (docs/states.md). */
DGM_API char *dgm_states(const char *format);
/* A few questions that the schema suggests; JSON array of texts. */
DGM_API char *dgm_suggestions(struct dgm *dgm, const char *datasource,
                              struct dgm_error *error);
/* SQL in words. NULL for an unknown dialect. */
DGM_API char *dgm_explain_sql(const char *dialect, const char *sql);
/* A stored answer's JSON by its query id. */
DGM_API char *dgm_answer_load(struct dgm *dgm, const char *query_id,
                              struct dgm_error *error);

struct dgm_verdict {
    bool allowed;  /* one statement that only reads */
    bool is_write; /* one plain INSERT, UPDATE or DELETE: needs approval */
    bool unparsable;
    int position; /* byte of the trouble, -1 when none */
    char reason[400];
};

/* May this SQL be sent to a database? dialect: sqlite duckdb postgres mysql clickhouse
 * bigquery odbc. datasource (with dgm) also resolves the names against its schema; both
 * may be NULL. False only for an unknown dialect or an unreachable datasource. */
DGM_API bool dgm_guard(struct dgm *dgm, const char *datasource, const char *dialect,
                       const char *sql, size_t size, struct dgm_verdict *verdict,
                       struct dgm_error *error);

struct dgm_check {
    const char *name; /* "llm", "datasource shop" */
    bool ok;
    const char *text; /* what was found */
    const char *hint; /* or NULL */
    double ms;
    bool warning; /* it works, but somebody should know */
    /* Statements to copy: those that make a login that can only read. */
    const char *const *lines;
    size_t line_count;
};

/* Tests configuration, model connection and each datasource; returns how many failed. */
DGM_API int dgm_doctor(struct dgm *dgm,
                       void (*report)(void *context, const struct dgm_check *check),
                       void *context);
/* The same for one datasource alone. -1: there is none of this id. */
DGM_API int dgm_source_test(struct dgm *dgm, const char *id,
                            void (*report)(void *context, const struct dgm_check *check),
                            void *context);
/* Walks a trace (an answer's JSON, or its "trace" array) through the machine's table:
 * text for people, one line per state; fails when a move is not in the table. */
DGM_API char *dgm_replay(const char *json, size_t size, struct dgm_error *error);

/* -------------------------------- sample data */
/*
 *     dgm_sample("shop.db", &error);
 */

/* Creates the sample shop database (SQLite, deterministic). */
DGM_API bool dgm_sample(const char *path, struct dgm_error *error);

#ifdef __cplusplus
}
#endif

#endif
