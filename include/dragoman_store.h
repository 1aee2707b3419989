/*
 * What dragoman keeps between questions: lessons, history, saved queries, datasets,
 * descriptions, and answers written to files. The rules of dragoman.h hold here, too.
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

/* A person's word on an answer. Wrong: its SQL is never given for this question again,
 * and whoever writes the next one is told; good: it is given again as long as the schema
 * stays. Lessons that took part follow. query_id NULL: the account's last question. In a
 * session the message "this is wrong" (or "that's right") does the same; wrong asks
 * again. */
DGM_API bool dgm_feedback(struct dgm *dgm, const char *account, const char *query_id,
                          bool good, struct dgm_error *error);

/* -------------------------------- exports */
/*
 *     dgm_export(dgm, NULL, query_id, NULL, "answer.xlsx", NULL, &error);
 */

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
/* The same for a person's own SQL, which passes the same checks as with dgm_run_sql. Of
 * the request account, access and datasource are read; it may be NULL. */
DGM_API bool dgm_export_sql(struct dgm *dgm, const struct dgm_request *request,
                            const char *sql, const char *format, const char *path,
                            struct dgm_exported *out, struct dgm_error *error);

/* -------------------------------- lessons */
/*
 *     struct dgm_lesson lesson = {.kind = "column_mapping", .schema_name = "turnover",
 *                                 .actual_name = "orders.total_amount"};
 *     dgm_free(dgm_lesson_add(dgm, NULL, "shop", &lesson, &error));
 */

/*
 * What an account was taught or has learned about a datasource. A lesson is never seen
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
 * this instance. */
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

/* -------------------------------- saved queries */
/*
 *     struct dgm_saved saved = {.name = "orders of",
 *                               .sql = "SELECT * FROM orders WHERE day = :day"};
 *     dgm_free(dgm_saved_add(dgm, NULL, &saved, &error));
 *     dgm_saved_run(dgm, "orders of", "{\"day\": \"2024-05-01\"}", NULL, &error);
 */

/* SQL under a name, with places for values: `:name` (BigQuery: `@name`). */
struct dgm_saved {
    const char *name;
    const char *question;   /* or NULL */
    const char *sql;        /* one statement that only reads */
    const char *datasource; /* NULL: the only one */
    /*
     * JSON array of {name, type, default}: type "text", "integer", "number", "date" or
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

/* -------------------------------- datasets */
/*
 *     dgm_free(dgm_dataset_add(dgm, NULL, "sales", "sales.csv", false, &error));
 *     dgm_config_add_datasource(config, NULL, "dataset:sales", &error);
 */

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

/* -------------------------------- descriptions and schema changes */
/*
 *     struct dgm_description text = {.table = "orders",
 *                                    .description = "One row per order."};
 *     dgm_describe(dgm, "shop", &text, &error);
 */

/* What has changed in its schema since the version before, as JSON: changes (as
 * dgm_watch_look gives them), signature, since (when that version was read; absent when
 * there is none). */
DGM_API char *dgm_source_changes(struct dgm *dgm, const char *id,
                                 struct dgm_error *error);
/* The same, after its schema was read anew whatever the caches say. */
DGM_API char *dgm_source_refresh(struct dgm *dgm, const char *id,
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
/* Watching a datasource's schema. The first look is at what it is now. datasource NULL:
 * the only one. */
struct dgm_watch;
DGM_API struct dgm_watch *dgm_watch_open(struct dgm *dgm, const char *datasource,
                                         struct dgm_error *error);
/* What has changed since the last look, as a JSON array of objects: change ("added",
 * "removed", "changed"), what ("table", "view", "column", "primary key", "foreign key",
 * "index", "comment", "schema"), table, name, from, to. "[]": nothing, for the price of
 * one signature. NULL: the database does not answer; look again later. */
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
