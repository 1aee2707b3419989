/*
 * dragoman: ask your databases in plain language, get a checked answer.
 *
 * Four headers are the public interface of the library: this one, dragoman_store.h
 * (lessons, history, saved queries, datasets, exports), dragoman_server.h (keys,
 * accounts, many processes) and dragoman_arrow.h (rows for data frames). The command line and
 * the server are built on them alone, so what they can do, you can do.
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
/* The key with this index; NULL after the last one. */
DGM_API const char *dgm_config_key(size_t index);
/* Removes the datasources added so far, for example those of the file. */
DGM_API void dgm_config_clear_datasources(struct dgm_config *config);
/* Whether the file or the environment has a datasource with this id. */
DGM_API bool dgm_config_has_datasource(const struct dgm_config *config, const char *id);
/* id NULL: made from the file's or database's name. Nothing is opened yet. */
DGM_API bool dgm_config_add_datasource(struct dgm_config *config, const char *id,
                                       const char *url, struct dgm_error *error);
/* Makes the datasources added here writable. In a file, use `writable: true`. */
DGM_API void dgm_config_allow_writes(struct dgm_config *config);
/* The reference of all settings, as Markdown. */
DGM_API char *dgm_config_reference(void);
/* The path of the file that dgm_config_load(NULL) has read; NULL if there was none. */
DGM_API const char *dgm_config_path(const struct dgm_config *config);

/* -------------------------------- engines */
/*
 *     int status;
 *     if (dgm_helper(argc, argv, &status)) return status; // first line of main()
 */

/* DuckDB runs in child processes, so that it can be stopped. The child process is your
 * program if it calls this function at the start of main(); otherwise the `dragoman`
 * in the same folder, or the program in sql.engine_program. Returns true in a child
 * process, which must then exit with *status. */
DGM_API bool dgm_helper(int argc, char *const *argv, int *status);

/* -------------------------------- opening and closing */
/*
 *     struct dgm *dgm = dgm_open(config, &error);
 *     if (!dgm) fprintf(stderr, "%s %s\n", error.message, error.hint);
 *     dgm_close(dgm);
 */

struct dgm;

/* Fast: databases are opened when they are first needed. The configuration is copied. */
DGM_API struct dgm *dgm_open(const struct dgm_config *config, struct dgm_error *error);
/* Stops running questions and writes pending data to the store. All questions must have been
 * freed before. */
DGM_API void dgm_close(struct dgm *dgm);

/* -------------------------------- asking */
/*
 *     struct dgm_request request = {.question = "Revenue per month in 2024"};
 *     struct dgm_question *question = dgm_ask(dgm, &request, &error);
 *     const struct dgm_answer *answer = dgm_question_wait(question, 30000);
 *     if (answer && dgm_answer_clarification(answer)) { // choose option 1
 *         const char *id = dgm_question_id(question);
 *         struct dgm_question *next = dgm_resume(dgm, id, "1", NULL, &error);
 *     }
 */

struct dgm_question;
struct dgm_answer;
struct dgm_access; /* the caller: dragoman_server.h */

enum dgm_event_kind {
    DGM_STATUS,        /* a new state: `state`, `status` */
    DGM_REASONING,     /* a piece of the plan as it is produced: `text` */
    DGM_SQL,           /* SQL was written: `text` */
    DGM_ROWS,          /* rows have arrived: see the answer */
    DGM_CLARIFICATION, /* waits for the user: `text` is the clarifying question */
    DGM_DONE,          /* finished or stopped: the answer is complete */
    DGM_FAILED,        /* failed: the answer holds the error */
    DGM_PROGRESS,      /* rows are being fetched: `text` says from where and how many */
    DGM_GONE, /* no further events: this process ends, another one continues the question */
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
    /* For a question followed with dgm_follow, where `answer` is NULL: the
     * answer as JSON; at DGM_ROWS its columns and the number of rows. */
    const char *data;
    /* With a shared store: the number of the event. It grows, is the same in every
     * process, and continues at the next million if another process continues the
     * question. 0: observers number events themselves. */
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

/* Receives rows while they arrive from the database, on a thread of the library, one
 * call at a time; all arguments are valid during the call. Either function may return
 * false to stop. `columns` is called first, and again if the SQL was corrected before
 * the first row. */
struct dgm_rows_sink {
    bool (*columns)(void *context, const char *const *names, size_t count);
    bool (*row)(void *context, const struct dgm_cell *cells);
    void *context;
};

/* A call to the model of the program that asks, for `llm.provider: mcp`: the function is called on a
 * thread of the library with the context of the request, and must not block. It, or
 * whoever it hands the completion to, ends it once, on any thread and at any time: with what
 * the model said, or with text NULL and a reason. The texts are valid during the call. */
struct dgm_completion;
typedef void dgm_model(void *context, struct dgm_completion *completion,
                       const char *system, const char *user, int max_tokens);
DGM_API void dgm_completion_end(struct dgm_completion *completion, const char *text,
                                const char *problem);

struct dgm_request {
    const char *question;
    const char *datasource; /* id; NULL: the only one, or found from the question */
    const char *session_id; /* NULL: no conversation */
    const char *account;    /* NULL: the local user */
    const char *brain;      /* "auto", "parser", "llm"; NULL: as configured */
    bool skip_plan;         /* no reasoning plan (ignore_sql_reasoning) */
    bool skip_diagnosis;    /* correct SQL without looking for the cause first */
    bool allow_write; /* allow a statement that changes data; it still needs approval */
    bool dry_run;     /* check the SQL but do not run it */
    bool fresh;       /* do not reuse the SQL of an earlier, equal question (no_cache) */
    dgm_observer *observer; /* or NULL */
    void *context;
    bool skip_memory;  /* do not apply lessons (apply_memory: false) */
    bool new_question; /* a new question, even if another one waits for an answer */
    /* The caller's access key: replaces `account` and applies the key's limits
     * (datasources, questions at the same time, tokens). NULL: only the limits of the
     * instance. */
    const struct dgm_access *access;
    /* Store the question before the call returns: if the process
     * ends later, the question is reported as interrupted and not lost. */
    bool durable;
    /* Receives all rows while they arrive, so that memory use stays constant. The
     * answer keeps the first 10,000 of them. If a question fails after the first rows,
     * its SQL is not corrected. NULL: all rows are in the answer. */
    const struct dgm_rows_sink *rows; /* copied */
    /* If no datasource is given: also consider the datasets of the account. */
    bool datasets;
    /* The language of the sentence that states the answer: "en", "de", "es", or a list as in the
     * header Accept-Language, of which the first known one is used. NULL: answer.language. */
    const char *language;
    dgm_model *model; /* with `context`; NULL: the caller has none */
    /* The values with which a saved query runs, as a JSON object by name; they are stored with
     * its answer. dgm_saved_run() sets them. */
    const char *parameters;
};

/* Starts the question and returns at once. NULL only for an invalid request. In a
 * session whose last question waits for an answer, this acts like dgm_resume on that
 * question. */
DGM_API struct dgm_question *dgm_ask(struct dgm *dgm, const struct dgm_request *request,
                                     struct dgm_error *error);
/* Continues a question that waits for an answer, asked in this process or an earlier
 * one: `answer` is an option's value or number, words, or a structured correction as
 * JSON (docs/api.md). If the text is clearly a new question ("how many orders are
 * there?"), or if new_question is set, the waiting question is stopped, and the new
 * one is asked and returned. Only observer, context, account and new_question of the
 * request are used; for a new question, all fields are. request may be NULL. */
DGM_API struct dgm_question *dgm_resume(struct dgm *dgm, const char *query_id,
                                        const char *answer,
                                        const struct dgm_request *request,
                                        struct dgm_error *error);
/* Retries a question that failed, was stopped or lost its process, from the beginning
 * and with the same id. The user's answers stay valid, and what a model said about
 * single tables (understanding.mode: per_table) is reused. Only observer, context and
 * account of the request are read. request may be NULL. */
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
/* The database files that a question was asked about, as a JSON array of {id, path}: what a later
 * process must add to its configuration to go on with it. Empty if one of its databases is no
 * file, or is restricted. query_id NULL: the latest question of the account. */
DGM_API char *dgm_question_files(struct dgm *dgm, const char *account,
                                 const char *query_id, struct dgm_error *error);
/* Approves (or rejects) the statement of a question. */
DGM_API struct dgm_question *dgm_approve(struct dgm *dgm, const char *query_id, bool yes,
                                         const struct dgm_request *request,
                                         struct dgm_error *error);
/* Runs SQL that a user wrote, with the same guard, limits and engine. */
DGM_API struct dgm_question *dgm_run_sql(struct dgm *dgm, const char *sql,
                                         const struct dgm_request *request,
                                         struct dgm_error *error);

DGM_API const char *dgm_question_id(const struct dgm_question *question);
/* Stops a question: closes the model's stream and cancels the query in the database.
 * The answer follows with the status "stopped". May be called repeatedly. */
DGM_API void dgm_question_stop(struct dgm_question *question);
/* The same by id, for a running question of this account in this process; also
 * ends one that waits for an answer. False with an empty error: it has ended already. */
DGM_API bool dgm_stop(struct dgm *dgm, const char *account, const char *query_id,
                      struct dgm_error *error);
/* Waits until the question is finished, failed or stopped, or waits for an answer. -1:
 * no time limit. NULL after a timeout. The answer is valid as long as the question. */
DGM_API const struct dgm_answer *dgm_question_wait(struct dgm_question *question,
                                                   int64_t timeout_ms);
/* Frees the handle. This does not stop a running question. */
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
/* One text field of it by name: "text" (the answer in a sentence), "status", "state", "type",
 * "sql", "explanation", "brain",
 * "summary", "question", "rewritten_query", "datasource", "engine", "corrected_from",
 * "query_id", "session_id", "intent", "reasoning", "message", "error_type", "root_cause",
 * "suggestion", "chart_wish" (the kind of chart that the question asks for, "chart" for any,
 * "table" for none). NULL when absent. */
DGM_API const char *dgm_answer_text(const struct dgm_answer *answer, const char *field);
/* False when there is none; the error is filled otherwise. */
DGM_API bool dgm_answer_error(const struct dgm_answer *answer, struct dgm_error *error);
/* 29 (INCOMPLETE) when there are rows, but dgm_answer_incomplete(). */
DGM_API int dgm_answer_exit_status(const struct dgm_answer *answer);

DGM_API bool dgm_answer_has_rows(const struct dgm_answer *answer);
/* Whether there were more rows, or cells were cut. */
DGM_API bool dgm_answer_truncated(const struct dgm_answer *answer);
/* Whether data is missing because of sql.max_bytes (rows) or sql.max_cell_bytes (cells). */
DGM_API bool dgm_answer_incomplete(const struct dgm_answer *answer);
DGM_API size_t dgm_answer_rows(const struct dgm_answer *answer);
/* The same, including rows that were only passed to the request's sink. */
DGM_API size_t dgm_answer_rows_given(const struct dgm_answer *answer);
DGM_API size_t dgm_answer_columns(const struct dgm_answer *answer);
DGM_API const char *dgm_answer_column(const struct dgm_answer *answer, size_t column);
/* The cell as text for people; NULL for SQL's NULL. Valid until the next call for this
 * answer on this thread. */
DGM_API const char *dgm_answer_cell(const struct dgm_answer *answer, size_t row,
                                    size_t column, size_t *size);
DGM_API bool dgm_answer_cell_is_number(const struct dgm_answer *answer, size_t row,
                                       size_t column);
/* Lists: "warnings", "assumptions", "unplaced" (words), "tables_used", "follow_ups",
 * "plan", "plan_tables", "plan_joins", "dates_used", "confidence_reasons", "lessons"
 * (those that were applied), "readings" (what is different about each), "attempts" (the SQL of
 * each, if none worked), "attempt_errors"; NULL after the last. */
DGM_API const char *dgm_answer_item(const struct dgm_answer *answer, const char *list,
                                    size_t index);
DGM_API double dgm_answer_confidence(const struct dgm_answer *answer); /* -1: none */
/* The number of the reading that it is by; 0: another one is not likely. */
DGM_API int64_t dgm_answer_reading(const struct dgm_answer *answer);
/* The same in a word: "sure", "likely" or "unsure"; NULL: none. */
DGM_API const char *dgm_answer_label(const struct dgm_answer *answer);
/* The factors of the confidence: "schema_match" (0.3 at most), "complexity" (0.2),
 * "clarity" (0.3), "validity" (0.2); the reasons are in the same order. -1: none. */
DGM_API double dgm_answer_factor(const struct dgm_answer *answer, const char *factor);
/* The probability of the built-in parser that its SQL is right; -1: it was not used. */
DGM_API double dgm_answer_parser_probability(const struct dgm_answer *answer);
/* The approximate number of prompt tokens that the parser saved; 0: none. */
DGM_API int dgm_answer_tokens_saved(const struct dgm_answer *answer);
DGM_API int64_t
dgm_answer_rows_touched(const struct dgm_answer *answer); /* -1: no write */
DGM_API double dgm_answer_ms(const struct dgm_answer *answer);
DGM_API int dgm_answer_llm_calls(const struct dgm_answer *answer);
DGM_API int dgm_answer_tokens(const struct dgm_answer *answer);
DGM_API double dgm_answer_cost(const struct dgm_answer *answer); /* -1: not known */

/* A chart of the rows, as JSON: "chart" {kind, title, reason, spec} and
 * "alternatives", other suitable kinds. spec is Vega-Lite v5 with the data inline;
 * cells and names are plain text and numbers in it, never addresses or expressions.
 * kind NULL: as the shape of the result suggests; else "figure", "line", "area",
 * "stacked", "arc", "bar", "scatter", "multiples" or "share". NULL when no chart fits. */
DGM_API char *dgm_answer_chart(const struct dgm_answer *answer, const char *kind,
                               struct dgm_error *error);
/* The same of an answer in the store; access NULL: the local user's. What is not its
 * own is not there, here and below. */
DGM_API char *dgm_chart(struct dgm *dgm, const struct dgm_access *access,
                        const char *query_id, const char *kind, struct dgm_error *error);

/* A kept answer: everything that is needed to show a stored answer again, or to ask its question
 * again, as one JSON object (docs/api.md). chart: a kind of chart, "none", or NULL for the one that
 * suits the rows. Only finished answers. access NULL: the local user's. */
DGM_API char *dgm_kept_answer(struct dgm *dgm, const struct dgm_access *access,
                              const char *query_id, const char *chart,
                              struct dgm_error *error);
/* The same as one HTML page that loads nothing: no script, no address, all text escaped. */
DGM_API char *dgm_kept_html(struct dgm *dgm, const struct dgm_access *access,
                            const char *query_id, const char *chart,
                            struct dgm_error *error);

/* How a chart is to be drawn. Everything may be left 0. */
struct dgm_drawing {
    const char *format;   /* "svg" (NULL: this) or "text", for a terminal */
    const char *kind;     /* as for dgm_answer_chart() */
    const char *title;    /* NULL: the question; "": none */
    const char *language; /* of months and numbers: "en", "de", "es"; a list of codes */
    int width;            /* text: columns of the terminal; 0: 80 */
    bool ascii;           /* text: only ASCII characters */
    bool color;           /* text: colours, as escape sequences of terminals */
};

/* Why the chart that the question asks for cannot be drawn, and what is shown instead; yours.
 * NULL: it can be drawn, or the question asks for no chart. */
DGM_API char *dgm_answer_chart_note(const struct dgm_answer *answer);
/* The chart of an answer as one SVG document, for light and dark pages, or as text. The
 * same answer gives the same bytes. NULL when no chart fits. */
DGM_API char *dgm_answer_draw(const struct dgm_answer *answer,
                              const struct dgm_drawing *drawing, struct dgm_error *error);
/* The same of an answer in the store. */
DGM_API char *dgm_draw(struct dgm *dgm, const struct dgm_access *access,
                       const char *query_id, const struct dgm_drawing *drawing,
                       struct dgm_error *error);

/* Further rows of a stored answer, as JSON: offset, columns, column_types, rows
 * (arrays, so that two columns of one name do not collide), row_count, more, and
 * total: the total number of rows ("total_at_least" if counting was stopped early).
 * The SQL of an incomplete answer runs again, with the same checks. limit 0:
 * sql.max_rows. */
DGM_API char *dgm_rows(struct dgm *dgm, const struct dgm_access *access,
                       const char *query_id, int64_t offset, int64_t limit,
                       struct dgm_error *error);

/* The clarifying question, if the question waits for the user. */
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
/* Adds a datasource at run time, and keeps it in the store, its URL encrypted
 * (docs/decisions/0025-secrets-in-the-store-are-encrypted.md). The URL must be allowed
 * (sources.folders, sources.hosts) and the database must answer. It is never printed or
 * returned. id NULL: made from the URL. Returns the id. */
DGM_API char *dgm_source_add(struct dgm *dgm, const char *id, const char *url,
                             const char *description, struct dgm_error *error);
/* Removes a datasource that was added at run time. */
DGM_API bool dgm_source_remove(struct dgm *dgm, const char *id, struct dgm_error *error);
/* Tests whether a database answers at this URL and may be added. Nothing is stored. */
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
/* A stored answer's JSON by its query id. NULL: of the last question. */
DGM_API char *dgm_answer_load(struct dgm *dgm, const char *query_id,
                              struct dgm_error *error);

struct dgm_verdict {
    bool allowed;  /* one statement that only reads */
    bool is_write; /* one plain INSERT, UPDATE or DELETE: needs approval */
    bool unparsable;
    int position; /* byte position of the problem; -1: none */
    char reason[400];
};

/* Whether this SQL may be sent to a database. dialect: sqlite duckdb postgres mysql
 * clickhouse bigquery odbc. datasource (with dgm) also resolves the names against its
 * schema; both may be NULL. False only for an unknown dialect or an unreachable
 * datasource. */
DGM_API bool dgm_guard(struct dgm *dgm, const char *datasource, const char *dialect,
                       const char *sql, size_t size, struct dgm_verdict *verdict,
                       struct dgm_error *error);

struct dgm_check {
    const char *name; /* "llm", "datasource shop" */
    bool ok;
    const char *text; /* what was found */
    const char *hint; /* or NULL */
    double ms;
    bool warning; /* it works, but there is a problem */
    /* SQL statements that create a read-only login. */
    const char *const *lines;
    size_t line_count;
};

/* Tests configuration, model connection and each datasource; returns how many failed. */
DGM_API int dgm_doctor(struct dgm *dgm,
                       void (*report)(void *context, const struct dgm_check *check),
                       void *context);
/* The same for one datasource. -1: there is none with this id. */
DGM_API int dgm_source_test(struct dgm *dgm, const char *id,
                            void (*report)(void *context, const struct dgm_check *check),
                            void *context);
/* Checks a trace (an answer's JSON, or its "trace" array) against the table of
 * transitions: returns readable text, one line per state; fails if a transition is not
 * in the table. */
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
