/*
 * What dragoman stores: lessons, history, saved queries, datasets,
 * descriptions, and answers written to files. The rules of dragoman.h apply.
 */
#ifndef DRAGOMAN_STORE_H
#define DRAGOMAN_STORE_H

#include "dragoman.h"

#ifdef __cplusplus
extern "C" {
#endif

/* -------------------------------- feedback */
/*
 *     dgm_feedback(dgm, NULL, NULL, false, &error); // the last answer was wrong
 */

/* Rates an answer. Wrong: its SQL is not used for this question again, and the model
 * is told so; good: it is reused while the schema stays the same. The confidence of
 * applied lessons changes accordingly. query_id NULL: the account's last question. In
 * a session the message "this is wrong" (or "that's right") does the same; after a
 * wrong answer, the question is asked again. */
DGM_API bool dgm_feedback(struct dgm *dgm, const char *account, const char *query_id,
                          bool good, struct dgm_error *error);

/* -------------------------------- the parts of an answer */
/*
 *     char *parts = dgm_parts(dgm, NULL, query_id, &error); // {"parts": {...}, "choices": ...}
 *     struct dgm_question *next = dgm_change(dgm, query_id, changed, NULL, &error);
 */

/* How an answer was computed, as parts that can be changed: figures, columns, conditions,
 * order and limit, and what could be chosen instead, as JSON (docs/http.md). "fits" is false,
 * with a "reason", if its SQL is not made of such parts. access NULL: the local user. */
DGM_API char *dgm_parts(struct dgm *dgm, const struct dgm_access *access,
                        const char *query_id, struct dgm_error *error);
/* Answers changed parts (the object "parts" of dgm_parts) as a new question in the same
 * conversation. The parts may come from an untrusted client; no model is used. Of the request only
 * observer, context, account, access, durable, language and rows are read. request may be
 * NULL. */
DGM_API struct dgm_question *dgm_change(struct dgm *dgm, const char *query_id,
                                        const char *parts,
                                        const struct dgm_request *request,
                                        struct dgm_error *error);
/* The most frequent cells of a column ("orders.status") of the answer's datasource, as JSON:
 * "values" [{value, count}], "more". search: only cells that contain this; or NULL. */
DGM_API char *dgm_part_values(struct dgm *dgm, const struct dgm_access *access,
                              const char *query_id, const char *column,
                              const char *search, struct dgm_error *error);

/* -------------------------------- exports */
/*
 *     dgm_export(dgm, NULL, query_id, NULL, "answer.xlsx", NULL, &error);
 */

struct dgm_exported {
    int64_t rows;
    int64_t bytes;  /* of the file */
    bool truncated; /* more rows than export.max_rows or export.max_mb, or cut cells */
};

/* Writes the rows of a stored answer to a file that only its owner may read: "csv",
 * "json", "xlsx" or "parquet"; or "html": a page with the question, the answer, a chart, the rows
 * that are stored with it and the SQL. format NULL: by the file's extension. An existing file
 * is replaced when the new one is complete. The SQL of an incomplete answer runs
 * again, for all its rows. No cell is read as a formula by spreadsheet programs. out
 * may be NULL. */
DGM_API bool dgm_export(struct dgm *dgm, const struct dgm_access *access,
                        const char *query_id, const char *format, const char *path,
                        struct dgm_exported *out, struct dgm_error *error);
/* The same for SQL that a user wrote, with the checks of
 * dgm_run_sql. Uses account, access and datasource of the request, which may be NULL. */
DGM_API bool dgm_export_sql(struct dgm *dgm, const struct dgm_request *request,
                            const char *sql, const char *format, const char *path,
                            struct dgm_exported *out, struct dgm_error *error);

/* -------------------------------- lessons */
/*
 *     struct dgm_lesson lesson = {.kind = "column_mapping", .schema_name = "turnover",
 *                                 .actual_name = "orders.total_amount"};
 *     dgm_free(dgm_lesson_add(dgm, NULL, "shop", &lesson, &error));
 */

/* What an account was taught or has learned about a datasource. A lesson is never seen
 * or used by another account or for another datasource. account NULL: the local user. */
struct dgm_lesson {
    const char *kind; /* table_mapping column_mapping error_pattern query_pattern */
    const char *schema_name;         /* a table name, a word, an error, a question */
    const char *actual_name;         /* its meaning: a table, a column, a solution, SQL */
    const char *transformation_rule; /* table mappings: "add_prefix:PROD_"; or NULL */
    double confidence;               /* 0 to 1; 0 means 1 */
};

/* Returns the lesson's id. A lesson with the same
 * kind and schema_name is replaced and keeps its id. datasource NULL: the only one. */
DGM_API char *dgm_lesson_add(struct dgm *dgm, const char *account, const char *datasource,
                             const struct dgm_lesson *lesson, struct dgm_error *error);
/* JSON array; datasource NULL: those of all. */
DGM_API char *dgm_lesson_list(struct dgm *dgm, const char *account,
                              const char *datasource, struct dgm_error *error);
/* Takes back what was learned last, from one correction, error or rating: those lessons
 * are removed and returned, a JSON array; an empty one if nothing was learned. What was
 * taught stays. datasource NULL: of all. */
DGM_API char *dgm_lesson_undo(struct dgm *dgm, const char *account,
                              const char *datasource, struct dgm_error *error);
/* Also "offers": the other tables that its rule explains, when the datasource is one of
 * this instance. */
DGM_API char *dgm_lesson_get(struct dgm *dgm, const char *account, const char *id,
                             struct dgm_error *error); /* JSON */
/* What can be changed of a lesson; its kind, name and statistics stay. */
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
/* Imports such a text. All of it is checked before the first
 * lesson is stored. Returns the number of stored lessons; -1 if it failed. */
DGM_API int64_t dgm_lesson_import(struct dgm *dgm, const char *account,
                                  const char *datasource, const char *text, size_t size,
                                  struct dgm_error *error);

/* -------------------------------- history */
/*
 *     struct dgm_history_query query = {.search = "revenue", .limit = 10};
 *     char *json = dgm_history(dgm, NULL, &query, &error);
 */

struct dgm_history_query {
    const char *search;     /* in question and SQL, whatever the case; NULL: all */
    const char *datasource; /* NULL: of all */
    int64_t limit;          /* 0: 100; 1000 at most */
    int64_t offset;
};

/* Earlier questions, newest first, kept for session.history_days: JSON {questions:
 * [{query_id, question, datasource, status, sql, created_at, brain, row_count,
 * session_id}], total}. Fields that are not known are left out. query NULL: the newest;
 * access NULL: the local user's. */
DGM_API char *dgm_history(struct dgm *dgm, const struct dgm_access *access,
                          const struct dgm_history_query *query, struct dgm_error *error);
/* Deletes one question from the history, or (query_id NULL) all
 * of the account. Returns their number; -1 if it failed. */
DGM_API int64_t dgm_history_remove(struct dgm *dgm, const struct dgm_access *access,
                                   const char *query_id, struct dgm_error *error);

/* -------------------------------- saved queries */
/*
 *     struct dgm_saved saved = {.name = "orders of",
 *                               .sql = "SELECT * FROM orders WHERE day = :day"};
 *     dgm_free(dgm_saved_add(dgm, NULL, &saved, &error));
 *     dgm_saved_run(dgm, "orders of", "{\"day\": \"2024-05-01\"}", NULL, &error);
 */

/* SQL with a name and parameters: `:name` (BigQuery: `@name`). */
struct dgm_saved {
    const char *name;
    const char *question;   /* or NULL */
    const char *sql;        /* one statement that only reads */
    const char *datasource; /* NULL: the only one */
    /* JSON array of {name, type, default}: type "text", "integer", "number", "date" or
     * "boolean"; a parameter that is not listed is a text without a default. NULL:
     * none is listed. */
    const char *parameters;
};

/* JSON of what is kept: {id, name, question, sql, datasource, parameters, created_at,
 * updated_at}. The guard has seen the SQL. SAVED_EXISTS when the name is taken. access
 * NULL: the local user, here and below. */
DGM_API char *dgm_saved_add(struct dgm *dgm, const struct dgm_access *access,
                            const struct dgm_saved *saved, struct dgm_error *error);
/* JSON array, by name. */
DGM_API char *dgm_saved_list(struct dgm *dgm, const struct dgm_access *access,
                             struct dgm_error *error);
DGM_API char *dgm_saved_get(struct dgm *dgm, const struct dgm_access *access,
                            const char *id, /* or its name, here and below */
                            struct dgm_error *error);
/* NULL fields stay unchanged. */
DGM_API char *dgm_saved_change(struct dgm *dgm, const struct dgm_access *access,
                               const char *id, const struct dgm_saved *saved,
                               struct dgm_error *error);
DGM_API bool dgm_saved_remove(struct dgm *dgm, const struct dgm_access *access,
                              const char *id, struct dgm_error *error);
/* Runs it, as dgm_run_sql does. parameters: a JSON object of values by name; NULL: the
 * defaults. A value becomes one literal of its type, never SQL. Of the request what
 * dgm_run_sql reads; access NULL in it: the local user. */
DGM_API struct dgm_question *dgm_saved_run(struct dgm *dgm, const char *id,
                                           const char *parameters,
                                           const struct dgm_request *request,
                                           struct dgm_error *error);

/* -------------------------------- datasets */
/*
 *     dgm_free(dgm_dataset_add(dgm, NULL, "sales", "sales.csv", false, &error));
 *     dgm_config_add_datasource(config, NULL, "dataset:sales", &error);
 */

/* Files that are imported once, into a database in the data folder. To ask one, add a
 * datasource with the URL "dataset:NAME" (of another account: "dataset:ACCOUNT/NAME").
 * account NULL: the local user. name is a name or an id, but for adding.
 *
 * Imports what `path` names: a file, several with commas in between, a folder (see
 * docs/recipes/ask-files.md). name NULL: made from the file's. A name that is taken is an
 * error (DATASET_EXISTS) unless `replace`; then the old dataset is there until the new
 * one is complete. Returns what dgm_dataset_get does. */
DGM_API char *dgm_dataset_add(struct dgm *dgm, const char *account, const char *name,
                              const char *path, bool replace, struct dgm_error *error);
/* Stops running imports, from any thread: dgm_dataset_add then fails with STOPPED and
 * leaves nothing behind; an old dataset stays. name: of the dataset, or the path that
 * was given; NULL: all imports of the account. Returns the number of imports that were
 * stopped. */
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

/* -------------------------------- descriptions and schema changes */
/*
 *     struct dgm_description text = {.table = "orders",
 *                                    .description = "One row per order."};
 *     dgm_describe(dgm, "shop", &text, &error);
 */

/* The changes of the schema since its previous version, as JSON: changes (as
 * dgm_watch_look gives them), signature, since (when that version was read; absent when
 * there is none). */
DGM_API char *dgm_source_changes(struct dgm *dgm, const char *id,
                                 struct dgm_error *error);
/* The same after reloading the schema, without caches. */
DGM_API char *dgm_source_refresh(struct dgm *dgm, const char *id,
                                 struct dgm_error *error);
/* A description of a table or column by users. It is stored in the data folder,
 * overrides the configured dictionary, and is used from the next question on. */
struct dgm_description {
    const char *table;
    const char *column;      /* NULL: the table */
    const char *description; /* NULL: as it is; "": none */
    const char *synonyms;    /* JSON array of texts; NULL: as they are */
};
DGM_API bool dgm_describe(struct dgm *dgm, const char *datasource,
                          const struct dgm_description *description,
                          struct dgm_error *error);
/* All descriptions, as JSON: tables by name, with description, synonyms and columns. */
DGM_API char *dgm_dictionary(struct dgm *dgm, const char *datasource,
                             struct dgm_error *error);
/* Watching a datasource's schema. The first call compares with the current schema.
 * datasource NULL: the only one. */
struct dgm_watch;
DGM_API struct dgm_watch *dgm_watch_open(struct dgm *dgm, const char *datasource,
                                         struct dgm_error *error);
/* The changes since the last call, as a JSON array of objects: change ("added",
 * "removed", "changed"), what ("table", "view", "column", "primary key", "foreign
 * key", "index", "comment", "schema"), table, name, from, to. "[]": nothing; this only
 * costs reading the signature. NULL: the database does not answer; try again later. */
DGM_API char *dgm_watch_look(struct dgm_watch *watch, struct dgm_error *error);
DGM_API const char *dgm_watch_datasource(const struct dgm_watch *watch); /* its id */
DGM_API void dgm_watch_close(struct dgm_watch *watch); /* before dgm_close */

/* -------------------------------- backup */
/*
 *     dgm_backup(dgm, "dragoman.backup", &error);
 */

DGM_API bool dgm_backup(struct dgm *dgm, const char *path, struct dgm_error *error);
DGM_API bool dgm_restore(const struct dgm_config *config, const char *path,
                         struct dgm_error *error);

#ifdef __cplusplus
}
#endif

#endif
