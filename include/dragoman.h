/*
 * dragoman: ask your databases in plain language, get a checked answer.
 *
 * This is the whole public interface of the library. The command line and the server are
 * built on it alone, so what they can do, you can do.
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
 * allows it and a person has approved the previewed statement.
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

/* ---------------------------------------------------------------- errors and memory */

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

/* ---------------------------------------------------------------- configuration */

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
/* The files and folders that the settings, the datasources and the environment name, for
 * a sandbox around the process: a JSON array of {path, write, of}. Looks into files, so
 * call it before dgm_open. */
DGM_API char *dgm_config_paths(const struct dgm_config *config);

/* ---------------------------------------------------------------- engines */

/* DuckDB runs in processes of its own, so that it can be ended: dragoman is started once
 * more for that. A program that calls this first thing in main() can be that program
 * itself; else the `dragoman` beside it is taken, or the one that sql.engine_program
 * names. True: that is what it was started for, and it must now exit with *status. */
DGM_API bool dgm_helper(int argc, char *const *argv, int *status);
/* Starts the process that DuckDB's processes come from, for a program that will give up
 * the right to start any, before dgm_open; else that is done when first needed. */
DGM_API bool dgm_start_engines(const struct dgm_config *config, struct dgm_error *error);

/* ---------------------------------------------------------------- the house */

struct dgm;

/* Cheap: no database is opened and no connection made before they are needed. The
 * configuration is copied. */
DGM_API struct dgm *dgm_open(const struct dgm_config *config, struct dgm_error *error);
/* Takes other settings over while it is open: new questions go by them, those at work by
 * what they began with. Databases that are no longer configured, or otherwise, are left.
 * What is set up once (store.*, server.*, parser.*, …) stays until the next start, with a
 * line in the log. False: nothing has changed. */
DGM_API bool dgm_reload(struct dgm *dgm, const struct dgm_config *config,
                        struct dgm_error *error);
/* Stops what is at work, writes what must be kept, ends the threads. Questions must have
 * been freed. */
DGM_API void dgm_close(struct dgm *dgm);

/* ---------------------------------------------------------------- asking */

struct dgm_question;
struct dgm_answer;
struct dgm_access; /* see keys and accounts */

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
     * tokens hold. NULL: no limits but the house's. */
    const struct dgm_access *access;
    /* It is in the store before the call returns: when the process ends at any moment
     * from then on, the question is reported as interrupted and not lost. */
    bool durable;
    /* Rows go here as they come, however many: memory stays flat. The answer keeps the
     * first 10,000 of them. A question that fails after some rows were handed over fails
     * for good: its SQL is not corrected any more. NULL: all rows are in the answer. */
    const struct dgm_rows_sink *rows; /* copied */
};

/* Returns at once; the question is on its way. NULL only for a bad request. In a session
 * whose last question waits for its user this is as dgm_resume on that question. */
DGM_API struct dgm_question *dgm_ask(struct dgm *dgm, const struct dgm_request *request,
                                     struct dgm_error *error);
/* Continues a question that waits for its user, in this process or an earlier one:
 * `answer` is an option's value or number, words, or S1's structured correction as JSON.
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
/* Ends the questions whose process is gone: they failed with INTERRUPTED and can be tried
 * again. Returns how many. A server does this when it starts, and now and then. */
DGM_API size_t dgm_recover(struct dgm *dgm);
/* Approves (or rejects) what a question wants to run. */
DGM_API struct dgm_question *dgm_approve(struct dgm *dgm, const char *query_id, bool yes,
                                         const struct dgm_request *request,
                                         struct dgm_error *error);
/* A person's own SQL through the same guard, limits and engine. */
DGM_API struct dgm_question *dgm_run_sql(struct dgm *dgm, const char *sql,
                                         const struct dgm_request *request,
                                         struct dgm_error *error);

/* A person's word on an answer. Wrong: its SQL is never given for this question again,
 * and whoever writes the next one is told; good: it is given again as long as the schema
 * stays. Lessons that took part follow. query_id NULL: the account's last question. In a
 * session the message "this is wrong" (or "that's right") does the same; wrong asks
 * again. */
DGM_API bool dgm_feedback(struct dgm *dgm, const char *account, const char *query_id,
                          bool good, struct dgm_error *error);

DGM_API const char *dgm_question_id(const struct dgm_question *question);
/* Stops it wherever it is: closes the model's stream, cancels the query in the database.
 * The answer follows, with status "stopped". Again and again is fine. */
DGM_API void dgm_question_stop(struct dgm_question *question);
/* The same by its id, for a question of this account at work in this process; also ends
 * one that waits for its user. False with an empty error: it has come to rest already. */
DGM_API bool dgm_stop(struct dgm *dgm, const char *account, const char *query_id,
                      struct dgm_error *error);
/* Do several processes share the store (store.url: postgres://…)? */
DGM_API bool dgm_is_shared(struct dgm *dgm);
/* Follows a question that another process works on: what its observer was told so far,
 * and what comes, to its end (DGM_DONE, DGM_FAILED, DGM_CLARIFICATION or DGM_GONE, in
 * `data` the answer). False with an empty error: nobody works on it elsewhere. */
DGM_API bool dgm_follow(struct dgm *dgm, const struct dgm_access *access,
                        const char *query_id, dgm_observer *observer, void *context,
                        struct dgm_error *error);
/* How far a question is that another process works on, as JSON: query_id, session_id,
 * status, state, question. Yours (dgm_free); NULL with an empty error as above. */
DGM_API char *dgm_progress(struct dgm *dgm, const struct dgm_access *access,
                           const char *query_id, struct dgm_error *error);
/* Stops every question at work in a conversation; returns how many. */
DGM_API size_t dgm_session_stop(struct dgm *dgm, const char *session_id);
/* No further question is taken; those at work are stopped and kept as interrupted.
 * Returns when the last has come to rest. dgm_close follows. */
DGM_API void dgm_shutdown(struct dgm *dgm);
/* Questions at work. */
DGM_API size_t dgm_at_work(struct dgm *dgm);
/* Waits until it is finished, failed, stopped, or waits for its user. -1: for ever.
 * NULL when the time is over. The answer lives as long as the question. */
DGM_API const struct dgm_answer *dgm_question_wait(struct dgm_question *question,
                                                   int64_t timeout_ms);
/* Gives the handle back. A question still at work is not stopped by this. */
DGM_API void dgm_question_free(struct dgm_question *question);

/* ---------------------------------------------------------------- answers */

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
/* Lists: "warnings", "tables_used", "follow_ups", "plan", "plan_tables", "plan_joins",
 * "dates_used", "confidence_reasons", "lessons" (those that took part); NULL past the
 * last. */
DGM_API const char *dgm_answer_item(const struct dgm_answer *answer, const char *list,
                                    size_t index);
DGM_API double dgm_answer_confidence(const struct dgm_answer *answer); /* -1: none */
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

/* The same with an observer: when the query runs again (for the rows, and to count them),
 * it hears of it by its own id, by which dgm_stop ends it. */
DGM_API char *dgm_rows_observed(struct dgm *dgm, const struct dgm_access *access,
                                const char *query_id, int64_t offset, int64_t limit,
                                dgm_observer *observer, void *context,
                                struct dgm_error *error);

struct dgm_exported {
    int64_t rows;
    int64_t bytes;  /* of the file */
    bool truncated; /* more rows than export.max_rows or export.max_mb, or cut cells */
};

/* Writes the rows of an answer in the store into a file that only its owner may read:
 * "csv", "json", "xlsx" or "parquet"; format NULL: by the file's ending. One that is
 * there is replaced, once the new one is whole. An answer that was cut is run again, with
 * all its rows. In CSV no cell is a formula to a spreadsheet; in XLSX none is one. out
 * may be NULL. */
DGM_API bool dgm_export(struct dgm *dgm, const struct dgm_access *access,
                        const char *query_id, const char *format, const char *path,
                        struct dgm_exported *out, struct dgm_error *error);
/* The same with an observer: when the query runs again, it hears of it by its own id, by
 * which dgm_stop ends it. */
DGM_API bool dgm_export_observed(struct dgm *dgm, const struct dgm_access *access,
                                 const char *query_id, const char *format,
                                 const char *path, dgm_observer *observer, void *context,
                                 struct dgm_exported *out, struct dgm_error *error);
/* The same for a person's own SQL, which passes the same checks as with dgm_run_sql. Of
 * the request account, access and datasource are read; it may be NULL. */
DGM_API bool dgm_export_sql(struct dgm *dgm, const struct dgm_request *request,
                            const char *sql, const char *format, const char *path,
                            struct dgm_exported *out, struct dgm_error *error);
/* The media type of a format; NULL for one that there is not. */
DGM_API const char *dgm_export_type(const char *format);

/* The question back, when it waits for its user. */
DGM_API const char *
dgm_answer_clarification(const struct dgm_answer *answer); /* or NULL */
DGM_API const char *dgm_answer_clarification_type(const struct dgm_answer *answer);
DGM_API size_t dgm_answer_options(const struct dgm_answer *answer);
DGM_API const char *dgm_answer_option_value(const struct dgm_answer *answer,
                                            size_t index);
DGM_API const char *dgm_answer_option_label(const struct dgm_answer *answer,
                                            size_t index);

/* ---------------------------------------------------------------- sessions */

/* A conversation: follow-up questions are understood in its context. */
DGM_API char *dgm_session_new(struct dgm *dgm, const char *account,
                              const char *datasource,
                              struct dgm_error *error); /* its id */
DGM_API char *dgm_session_list(struct dgm *dgm, const char *account,
                               struct dgm_error *error); /* JSON array */
/* The same in parts: {"sessions": […], "total": …}; the newest first. */
DGM_API char *dgm_session_page(struct dgm *dgm, const struct dgm_access *access,
                               size_t offset, size_t limit, struct dgm_error *error);
/* Without a title it has that of its first question. At most 400 bytes. */
DGM_API bool dgm_session_rename(struct dgm *dgm, const struct dgm_access *access,
                                const char *id, const char *title,
                                struct dgm_error *error);
DGM_API char *dgm_session_get(struct dgm *dgm, const char *id,
                              struct dgm_error *error); /* JSON */
DGM_API bool dgm_session_delete(struct dgm *dgm, const char *id, struct dgm_error *error);

/* ---------------------------------------------------------------- lessons */

/* What an account was taught or has learned about a datasource. A lesson is never seen
 * or used by another account or for another datasource. account NULL: the local person.
 */
struct dgm_lesson {
    const char *kind; /* table_mapping column_mapping error_pattern query_pattern */
    const char *schema_name; /* what is said: a table, a word, an error, a question */
    const char *actual_name; /* what is meant: a table, a column, a remedy, SQL */
    const char *transformation_rule; /* table mappings: "add_prefix:PROD_"; or NULL */
    double confidence;               /* 0 to 1; 0: 1, as sure as can be */
};

/* Its id, which is that of the lesson it takes the place of, if there is one with the
 * same kind and schema_name. datasource NULL: the only one. */
DGM_API char *dgm_lesson_add(struct dgm *dgm, const char *account, const char *datasource,
                             const struct dgm_lesson *lesson, struct dgm_error *error);
/* JSON array; datasource NULL: those of all. */
DGM_API char *dgm_lesson_list(struct dgm *dgm, const char *account,
                              const char *datasource, struct dgm_error *error);
/* Also "offers": the other tables that its rule explains, when the datasource is one of
 * this house. */
DGM_API char *dgm_lesson_get(struct dgm *dgm, const char *account, const char *id,
                             struct dgm_error *error); /* JSON */
/* What can be changed of a lesson; what it is about and its figures stay. */
struct dgm_lesson_change {
    const char *actual_name; /* NULL: as it is */
    double confidence;       /* below 0: as it is */
    int enabled; /* 0: kept, but not applied; 1: applied again; -1: as it is */
};
DGM_API bool dgm_lesson_change(struct dgm *dgm, const char *account, const char *id,
                               const struct dgm_lesson_change *change,
                               struct dgm_error *error);
DGM_API bool dgm_lesson_remove(struct dgm *dgm, const char *account, const char *id,
                               struct dgm_error *error);
/* A file's text: format "yaml" or "json". datasource NULL: the only one. */
DGM_API char *dgm_lesson_export(struct dgm *dgm, const char *account,
                                const char *datasource, const char *format,
                                struct dgm_error *error);
/* Reads such a text. All of it is checked before the first lesson is kept. Returns how
 * many were kept; -1 when it failed. */
DGM_API int64_t dgm_lesson_import(struct dgm *dgm, const char *account,
                                  const char *datasource, const char *text, size_t size,
                                  struct dgm_error *error);

/* ---------------------------------------------------------------- history */

struct dgm_history_query {
    const char *search;     /* in question and SQL, whatever the case; NULL: all */
    const char *datasource; /* NULL: of all */
    int64_t limit;          /* 0: 100; 1000 at most */
    int64_t offset;
};

/* What was asked, newest first, kept for session.history_days: JSON {questions:
 * [{query_id, question, datasource, status, sql, created_at, brain, row_count,
 * session_id}], total}. Fields that are not known are left out. query NULL: the newest;
 * access NULL: the local person's. */
DGM_API char *dgm_history(struct dgm *dgm, const struct dgm_access *access,
                          const struct dgm_history_query *query, struct dgm_error *error);
/* Forgets one question of the history, or (query_id NULL) all of the account's. Returns
 * how many; -1 when it failed. */
DGM_API int64_t dgm_history_remove(struct dgm *dgm, const struct dgm_access *access,
                                   const char *query_id, struct dgm_error *error);

/* ---------------------------------------------------------------- saved queries */

/* SQL under a name, with places for values: `:name` (BigQuery: `@name`). */
struct dgm_saved {
    const char *name;
    const char *question;   /* or NULL */
    const char *sql;        /* one statement that only reads */
    const char *datasource; /* NULL: the only one */
    /* JSON array of {name, type, default}: type "text", "integer", "number", "date" or
     * "boolean"; a place that is not listed is a text without a default. NULL: none is.
     */
    const char *parameters;
};

/* JSON of what is kept: {id, name, question, sql, datasource, parameters, created_at,
 * updated_at}. The guard has seen the SQL. SAVED_EXISTS when the name is taken. access
 * NULL: the local person, here and below. */
DGM_API char *dgm_saved_add(struct dgm *dgm, const struct dgm_access *access,
                            const struct dgm_saved *saved, struct dgm_error *error);
/* JSON array, by name. */
DGM_API char *dgm_saved_list(struct dgm *dgm, const struct dgm_access *access,
                             struct dgm_error *error);
DGM_API char *dgm_saved_get(struct dgm *dgm, const struct dgm_access *access,
                            const char *id, /* or its name, here and below */
                            struct dgm_error *error);
/* What is NULL stays as it is. */
DGM_API char *dgm_saved_change(struct dgm *dgm, const struct dgm_access *access,
                               const char *id, const struct dgm_saved *saved,
                               struct dgm_error *error);
DGM_API bool dgm_saved_remove(struct dgm *dgm, const struct dgm_access *access,
                              const char *id, struct dgm_error *error);
/* Runs it, as dgm_run_sql does. parameters: a JSON object of values by name; NULL: the
 * defaults. A value becomes one literal of its type, never SQL. Of the request what
 * dgm_run_sql reads; access NULL in it: the local person. */
DGM_API struct dgm_question *dgm_saved_run(struct dgm *dgm, const char *id,
                                           const char *parameters,
                                           const struct dgm_request *request,
                                           struct dgm_error *error);

/* ---------------------------------------------------------------- datasets */

/* Files imported once, into a database of ours under the data folder. To ask one, add a
 * datasource with the URL "dataset:NAME" (of another account: "dataset:ACCOUNT/NAME").
 * account NULL: the local person. name is a name or an id, but for adding.
 *
 * Imports what `path` names: a file, several with commas in between, a folder (see
 * docs/recipes/ask-files.md). name NULL: made from the file's. A name that is taken is an
 * error (DATASET_EXISTS) unless `replace`; then the old dataset is there until the new
 * one is complete. Returns what dgm_dataset_get does. */
DGM_API char *dgm_dataset_add(struct dgm *dgm, const char *account, const char *name,
                              const char *path, bool replace, struct dgm_error *error);
/* Stops imports that are at work, from any thread: dgm_dataset_add then fails with
 * STOPPED and leaves nothing behind; an old dataset stays. name: of the dataset, or the
 * path that was given; NULL: all imports of the account. Returns how many it told. */
DGM_API size_t dgm_dataset_stop(struct dgm *dgm, const char *account, const char *name);
/* JSON array of {id, name, file, bytes, created_at, rejected}, by name. */
DGM_API char *dgm_dataset_list(struct dgm *dgm, const char *account,
                               struct dgm_error *error);
/* JSON: the same, and "schema" {table_name, columns [{name, type, sample_values}],
 * row_count, tables}, "warnings", "rejects" [{table, line, column, reason, text}]. */
DGM_API char *dgm_dataset_get(struct dgm *dgm, const char *account, const char *name,
                              struct dgm_error *error);
/* The first rows of a table as JSON: columns, rows, row_count, truncated. table NULL: the
 * first one. */
DGM_API char *dgm_dataset_preview(struct dgm *dgm, const char *account, const char *name,
                                  const char *table, int64_t rows,
                                  struct dgm_error *error);
/* Also stops an import of that name. */
DGM_API bool dgm_dataset_remove(struct dgm *dgm, const char *account, const char *name,
                                struct dgm_error *error);

/* ---------------------------------------------------------------- looking around */

/* Datasources as a JSON array: id, kind, url without credentials, description, writable,
 * added (at run time). */
DGM_API char *dgm_datasources(struct dgm *dgm);
/* Adds a datasource while the house is open, and keeps it in the store, its URL sealed
 * (docs/decisions/0025-secrets-in-the-store.md). The URL must be allowed
 * (sources.folders, sources.hosts) and the database must answer. It is never printed or
 * returned. id NULL: made from the URL. Returns the id. */
DGM_API char *dgm_source_add(struct dgm *dgm, const char *id, const char *url,
                             const char *description, struct dgm_error *error);
/* Forgets one that was added. */
DGM_API bool dgm_source_remove(struct dgm *dgm, const char *id, struct dgm_error *error);
/* Does a database answer at this URL, and may it be added? Nothing is kept. */
DGM_API bool dgm_source_try(struct dgm *dgm, const char *url, struct dgm_error *error);
/* What has changed in its schema since the version before, as JSON: changes (as
 * dgm_watch_look gives them), signature, since (when that version was read; absent when
 * there is none). */
DGM_API char *dgm_source_changes(struct dgm *dgm, const char *id,
                                 struct dgm_error *error);
/* The same, after its schema was read anew whatever the caches say. */
DGM_API char *dgm_source_refresh(struct dgm *dgm, const char *id,
                                 struct dgm_error *error);
/* Both as an account sees it by its policy. account NULL: the local person. */
DGM_API char *dgm_source_changes_for(struct dgm *dgm, const char *account, const char *id,
                                     struct dgm_error *error);
DGM_API char *dgm_source_refresh_for(struct dgm *dgm, const char *account, const char *id,
                                     struct dgm_error *error);
/* format: "text", "json" or "mermaid" (an ER diagram). datasource NULL: the only one. */
DGM_API char *dgm_schema(struct dgm *dgm, const char *datasource, const char *format,
                         struct dgm_error *error);
/* What people say of a table or a column. It is kept in the data folder, stands over what
 * the configured dictionary says, and counts from the next question on. */
struct dgm_description {
    const char *table;
    const char *column;      /* NULL: the table */
    const char *description; /* NULL: as it is; "": none */
    const char *synonyms;    /* JSON array of texts; NULL: as they are */
};
DGM_API bool dgm_describe(struct dgm *dgm, const char *datasource,
                          const struct dgm_description *description,
                          struct dgm_error *error);
/* All of it, as JSON: tables by name, with description, synonyms and columns. */
DGM_API char *dgm_dictionary(struct dgm *dgm, const char *datasource,
                             struct dgm_error *error);
/* What its policy lets an account see of it. account NULL: the local person. What is held
 * back is neither described nor told. */
DGM_API bool dgm_describe_for(struct dgm *dgm, const char *account,
                              const char *datasource,
                              const struct dgm_description *description,
                              struct dgm_error *error);
DGM_API char *dgm_dictionary_for(struct dgm *dgm, const char *account,
                                 const char *datasource, struct dgm_error *error);
DGM_API char *dgm_schema_for(struct dgm *dgm, const char *account, const char *datasource,
                             const char *format, struct dgm_error *error);
/* Watching a datasource's schema. The first look is at what it is now. datasource NULL:
 * the only one. */
struct dgm_watch;
DGM_API struct dgm_watch *dgm_watch_open(struct dgm *dgm, const char *datasource,
                                         struct dgm_error *error);
/* As an account sees it by its policy; what is held back never seems to change. */
DGM_API struct dgm_watch *dgm_watch_open_for(struct dgm *dgm, const char *account,
                                             const char *datasource,
                                             struct dgm_error *error);
/* What has changed since the last look, as a JSON array of objects: change ("added",
 * "removed", "changed"), what ("table", "view", "column", "primary key", "foreign key",
 * "index", "comment", "schema"), table, name, from, to. "[]": nothing, for the price of
 * one signature. NULL: the database does not answer; look again later. */
DGM_API char *dgm_watch_look(struct dgm_watch *watch, struct dgm_error *error);
DGM_API const char *dgm_watch_datasource(const struct dgm_watch *watch); /* its id */
DGM_API void dgm_watch_close(struct dgm_watch *watch); /* before dgm_close */
/* The machine: "text", "json", "mermaid" or "markdown" (docs/states.md). */
DGM_API char *dgm_states(const char *format);
/* A few questions that the schema suggests; JSON array of texts. */
DGM_API char *dgm_suggestions(struct dgm *dgm, const char *datasource,
                              struct dgm_error *error);
DGM_API char *dgm_suggestions_for(struct dgm *dgm, const char *account,
                                  const char *datasource, struct dgm_error *error);
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

/* The same for an account, to whose policy the datasource is held: what is held back does
 * not exist. account NULL: the local person. */
DGM_API bool dgm_guard_for(struct dgm *dgm, const char *account, const char *datasource,
                           const char *dialect, const char *sql, size_t size,
                           struct dgm_verdict *verdict, struct dgm_error *error);
/* The verdict as JSON: allowed, write, unparsable, position, reason, and what the
 * statement reads: "tables" [{name, columns}] by the names of the database, through WITH,
 * subqueries and aliases. With a datasource each "*" is spelled out, and columns are told
 * where they are certain; columns that could be of several tables are in "columns". */
DGM_API char *dgm_guard_json(struct dgm *dgm, const char *account, const char *datasource,
                             const char *dialect, const char *sql, size_t size,
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

/* The model's connection alone; 0: it answers, or none is needed. */
DGM_API int dgm_model_test(struct dgm *dgm,
                           void (*report)(void *context, const struct dgm_check *check),
                           void *context);
/* The settings of this house as a JSON object: "settings" by key (secrets are "***"),
 * "changeable" and "changed" as lists of keys. */
DGM_API char *dgm_settings(struct dgm *dgm);
/* Changes some of them while it is open: a JSON object by key, null for what the
 * configuration says. New questions go by them, and every process that serves from the
 * same store. They count more than the configuration, until they are null again.
 * llm.key is the name of an environment variable, "${OPENAI_API_KEY}", and must be said
 * anew with llm.url; without a key in `access` llm.url is held to llm.hosts. False:
 * nothing has changed. */
DGM_API bool dgm_settings_change(struct dgm *dgm, const struct dgm_access *access,
                                 const char *json, struct dgm_error *error);
/* Takes over what was changed so far, and follows later changes. */
DGM_API bool dgm_settings_recall(struct dgm *dgm, struct dgm_error *error);
/* The same for one datasource alone. -1: there is none of this id. */
DGM_API int dgm_source_test(struct dgm *dgm, const char *id,
                            void (*report)(void *context, const struct dgm_check *check),
                            void *context);

DGM_API int dgm_source_test_for(struct dgm *dgm, const char *account, const char *id,
                                void (*report)(void *context,
                                               const struct dgm_check *check),
                                void *context);

/* One class of the shipped attacks, played against one database. */
struct dgm_trial {
    const char *dialect;
    const char *class_name; /* "write", "file", … */
    int statements;
    int by_guard;       /* refused before they reached the database */
    int by_engine;      /* failed there: refused by its lock, or ended by a limit */
    int harmless;       /* ran, and did nothing that they should not */
    int breaches;       /* changed, read or cost something: must be 0 */
    const char *report; /* of the last class of a database: a line for each breach */
    int by_policy;      /* refused by the policy that holds the vault back, by it alone */
    const char *login;  /* of the last class of a server: "ann can only read"; or NULL */
};

/* Plays the attacks that are built in, through guard, engine lock and limits, against new
 * scratch databases (SQLite, DuckDB); or with a URL against the scratch shop on a server,
 * which dgm_selftest_script makes. Returns the number of breaches; -1 when it could not
 * be done. The folder that the process is in is looked at, too. */
DGM_API int dgm_selftest(const char *url,
                         void (*report)(void *context, const struct dgm_trial *trial),
                         void *context, struct dgm_error *error);
/* The SQL that makes the scratch shop; NULL for a dialect that has none. dgm_free(). */
DGM_API char *dgm_selftest_script(const char *dialect);

/* Figures since it was opened, as JSON: "schema_cache" with l1_hits, l2_hits, misses,
 * stale (the database did not answer), hit_rate (0 to 1; null before the first look). */
DGM_API char *dgm_metrics(struct dgm *dgm);

/* Walks a trace (an answer's JSON, or its "trace" array) through the machine's table:
 * text for people, one line per state; fails when a move is not in the table. */
DGM_API char *dgm_replay(const char *json, size_t size, struct dgm_error *error);

/* ---------------------------------------------------------------- keys and accounts */

/* What a key may do. Asking includes reading, and admin both. */
enum dgm_scope {
    DGM_SCOPE_NONE = 0,
    DGM_SCOPE_READ = 1,  /* look at schemas and at one's own answers and sessions */
    DGM_SCOPE_ASK = 2,   /* ask questions, keep sessions, lessons, datasets */
    DGM_SCOPE_ADMIN = 4, /* datasources, dictionary, settings, keys */
};

/* A key lets somebody in through the server. It belongs to an account: whatever is asked,
 * kept or taught with it is that account's and nobody else's. */
struct dgm_key {
    const char *account; /* letters, digits, _ and -; "local" is taken */
    const char *label;   /* for people; or NULL */
    const char *scopes;  /* "read", "ask", "admin", with commas; NULL: "ask" */
    const char
        *datasources; /* ids with commas: of all others nothing is seen; NULL: all */
    int64_t rate_per_minute; /* requests; 0: no limit, here and below */
    int64_t concurrent;      /* questions at once */
    int64_t daily_tokens;    /* of models, per day (UTC) */
    int64_t expires_in_s;    /* 0: never */
};

/* JSON as dgm_key_get's, with "key": dgm_<id>_<secret>. The store holds a hash of the
 * secret alone, so this is the only time that it is seen. */
DGM_API char *dgm_key_add(struct dgm *dgm, const struct dgm_key *key,
                          struct dgm_error *error);
/* JSON array of {id, account, label, scopes, datasources, rate_per_minute, concurrent,
 * daily_tokens, tokens_today, created_at, expires_at, expired, last_used_at}. */
DGM_API char *dgm_key_list(struct dgm *dgm, struct dgm_error *error);
DGM_API char *dgm_key_get(struct dgm *dgm, const char *id, struct dgm_error *error);
/* Nobody comes in with it any more; every process of this store knows within a second.
 * Questions at work go on. */
DGM_API bool dgm_key_revoke(struct dgm *dgm, const char *id, struct dgm_error *error);
/* How many there are, expired ones too; -1 when the store cannot tell. */
DGM_API int64_t dgm_key_count(struct dgm *dgm, struct dgm_error *error);

/* Who is asking. All zero: the local person, who may do everything. */
struct dgm_access {
    char key_id[24];
    char account[72];
    unsigned scopes;        /* bits of enum dgm_scope */
    char datasources[1024]; /* ids with commas; "": all */
};

/* Lets somebody in with a key for one request: UNAUTHORIZED for a key that is none,
 * FORBIDDEN when it may not do what is needed, RATE_LIMITED (error.retry_after_s). The
 * access is filled as soon as the key is known to be good. */
DGM_API bool dgm_access_open(struct dgm *dgm, const char *key, enum dgm_scope needed,
                             struct dgm_access *access, struct dgm_error *error);
/* The same for a thread that must not wait: *later, when the store has to be asked, and
 * then nothing is decided; call dgm_access_open on a thread that may wait. */
DGM_API bool dgm_access_look(struct dgm *dgm, const char *key, enum dgm_scope needed,
                             struct dgm_access *access, bool *later,
                             struct dgm_error *error);
/* The datasource that is meant, among those that the access may see: by id, or the only
 * one. NULL (DATASOURCE_NOT_FOUND) for all others, whether they are there or not. */
DGM_API char *dgm_access_source(struct dgm *dgm, const struct dgm_access *access,
                                const char *id, struct dgm_error *error);
/* Is this question, this session the access's own? Else QUERY_NOT_FOUND and
 * SESSION_NOT_FOUND, as for one that was never there. */
DGM_API bool dgm_access_question(struct dgm *dgm, const struct dgm_access *access,
                                 const char *query_id, struct dgm_error *error);
DGM_API bool dgm_access_session(struct dgm *dgm, const struct dgm_access *access,
                                const char *session_id, struct dgm_error *error);
/* The functions above of the same names, for an access: what is not its own is not there.
 * access NULL: the local person. Where a datasource is (url) is told to administrators
 * only. */
DGM_API char *dgm_datasources_for(struct dgm *dgm, const struct dgm_access *access);
DGM_API char *dgm_answer_load_for(struct dgm *dgm, const struct dgm_access *access,
                                  const char *query_id, struct dgm_error *error);
/* A key for certain datasources holds conversations on one of them each: with several,
 * say which. */
DGM_API char *dgm_session_new_for(struct dgm *dgm, const struct dgm_access *access,
                                  const char *datasource, struct dgm_error *error);
DGM_API char *dgm_session_list_for(struct dgm *dgm, const struct dgm_access *access,
                                   struct dgm_error *error);
DGM_API char *dgm_session_get_for(struct dgm *dgm, const struct dgm_access *access,
                                  const char *id, struct dgm_error *error);
DGM_API bool dgm_session_delete_for(struct dgm *dgm, const struct dgm_access *access,
                                    const char *id, struct dgm_error *error);
/* Writes into the audit log, which can only be added to: who did what, without secrets.
 * account NULL: the local person. */
DGM_API bool dgm_audit(struct dgm *dgm, const char *account, const char *action,
                       const char *detail, struct dgm_error *error);

/* ---------------------------------------------------------------- the built-in parser */

struct dgm_feature_figures {
    size_t questions; /* read so far */
    size_t examples;  /* written */
    size_t databases;
    size_t words;          /* distinct ones */
    size_t no_database;    /* questions whose database cannot be opened: left out */
    size_t no_target;      /* written without a target: no SQL, or beyond the parser */
    size_t values_missing; /* written, but a value of the SQL was not found */
    size_t columns;        /* columns in targets */
    size_t linked[6];      /* of those, named by the question: exactly, by its own words
                              without its table's, in part, by a synonym, by a related
                              word, by a more general one */
};

/* What the parser's network is trained on, made of questions with their SQL. questions: a
 * JSON array or JSON lines of {db_id, question, query} with, if wanted, source (a name)
 * and weight; databases: a folder of <db_id>/<db_id>.sqlite; out: the file to write
 * (train/README.md). threads 0: one per core. report (or NULL) is called now and then,
 * and at the end. */
DGM_API bool
dgm_features(const char *questions, const char *databases, const char *out, int threads,
             void (*report)(void *context, const struct dgm_feature_figures *figures),
             void *context, struct dgm_error *error);

/* ---------------------------------------------------------------- judging the parser */

struct dgm_eval_request {
    const char *questions;  /* JSON list of {db_id, question, query, also?, history?} */
    const char *databases;  /* folder of <db_id>/<db_id>.sqlite */
    const char *weights;    /* file; NULL: parser.weights, or the built-in ones */
    const char *brain;      /* "parser" (NULL), or "llm" or "auto": the whole machine */
    const char *out;        /* one line of SQL per question; or NULL */
    const char *candidates; /* JSON per question: all it chose among, judged; or NULL */
    int limit;              /* the first so many; 0: all */
    void (*progress)(void *context, size_t done, size_t total); /* or NULL */
    void *context;
};

/* Execution accuracy by difficulty and by confidence, times, memory; as JSON. */
DGM_API char *dgm_eval(const struct dgm_config *config,
                       const struct dgm_eval_request *request, struct dgm_error *error);

/* ---------------------------------------------------------------- housekeeping */

/* Creates the sample shop database (SQLite, deterministic). */
DGM_API bool dgm_sample(const char *path, struct dgm_error *error);
DGM_API bool dgm_backup(struct dgm *dgm, const char *path, struct dgm_error *error);
DGM_API bool dgm_restore(const struct dgm_config *config, const char *path,
                         struct dgm_error *error);

#ifdef __cplusplus
}
#endif

#endif
