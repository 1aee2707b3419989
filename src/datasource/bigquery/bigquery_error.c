/*
 * BigQuery's errors turned into dragoman's. The reason decides; the wording only tells
 * names.
 */
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "base/utf8.h"
#include "datasource/bigquery/bigquery_driver.h"

static const struct failure {
    const char *reason;
    enum err_code code;
    const char *message;
    const char *hint; /* or NULL */
} failures[] = {
    {"accessDenied", ERR_ACCESS, "The account may not read this.",
     "It needs the roles BigQuery Data Viewer (on the dataset) and BigQuery Job User."},
    {"authError", ERR_ACCESS, "BigQuery refused the token.", "Give a fresh one."},
    {"required", ERR_ACCESS, "BigQuery requires authentication.",
     "Name the key of a service account by credentials in the URL, or a token."},
    {"bytesBilledLimitExceeded", ERR_TOO_EXPENSIVE,
     "The query would cost more than it may.",
     "Ask for fewer columns or a shorter time, or raise max_billed in the URL."},
    {"billingTierLimitExceeded", ERR_TOO_EXPENSIVE,
     "The query would cost more than it may.", NULL},
    {"quotaExceeded", ERR_TOO_EXPENSIVE, "The project has used up its quota.",
     "Wait until it is renewed, or raise it in the project's settings."},
    {"billingNotEnabled", ERR_ACCESS, "The project has no billing.", NULL},
    {"rateLimitExceeded", ERR_DATASOURCE_UNREACHABLE,
     "BigQuery received too many requests.", "Try again in a moment."},
    {"jobRateLimitExceeded", ERR_DATASOURCE_UNREACHABLE,
     "BigQuery received too many requests.", "Try again in a moment."},
    {"responseTooLarge", ERR_RESULT_TOO_LARGE, "The result is too large.", NULL},
    {"resourcesExceeded", ERR_RESULT_TOO_LARGE,
     "The query needs more than BigQuery gives it.", NULL},
    {"backendError", ERR_DATASOURCE_UNREACHABLE, "BigQuery reported an internal error.",
     "Try again in a moment."},
    {"internalError", ERR_DATASOURCE_UNREACHABLE, "BigQuery reported an internal error.",
     "Try again in a moment."},
    {"timeout", ERR_TIMEOUT, "The query took too long and was ended.", NULL},
    {"jobTimeout", ERR_TIMEOUT, "The query took too long and was ended.", NULL},
    {"notImplemented", ERR_INVALID_SQL, "BigQuery cannot do that.", NULL},
};

enum { NAME_MOST = 128 };

/* The word behind a text, without quotes. */
static bool name_after(const char *message, const char *before, char name[NAME_MOST])
{
    const char *from = strstr(message, before);
    if (!from) {
        return false;
    }
    from += strlen(before);
    from += strspn(from, "`'\"");
    size_t size = strcspn(from, "`'\"; \n");
    size = utf8_cut(from, size, size < NAME_MOST - 1 ? size : NAME_MOST - 1);
    memcpy(name, from, size);
    name[size] = '\0';
    return true;
}

/* "… at [2:14]": line and character from 1. */
static int place_of(const char *message, const char *sql)
{
    const char *at = NULL;
    for (const char *next = message; (next = strstr(next, " at [")); next++) {
        at = next + strlen(" at [");
    }
    char *end = NULL;
    long line = at ? strtol(at, &end, 10) : 0;
    long column = end && *end == ':' ? strtol(end + 1, NULL, 10) : 0;
    if (line < 1 || column < 1) {
        return -1;
    }
    const char *from = sql;
    for (; line > 1 && from; line--) {
        from = strchr(from, '\n');
        from = from ? from + 1 : NULL;
    }
    if (!from) {
        return -1;
    }
    size_t left = strlen(from);
    size_t offset = 0;
    for (; column > 1 && offset < left; column--) {
        uint32_t code = 0;
        size_t step = utf8_next(from + offset, left - offset, &code);
        offset += step ? step : 1;
    }
    return (int)((size_t)(from - sql) + offset);
}

/* project:dataset.table -> table */
static const char *last_part(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot && dot[1] ? dot + 1 : name;
}

static void phrase_syntax(const char *sql, int place, struct err *err)
{
    if (place < 0 || !sql[place]) {
        (void)err_set(err, ERR_INVALID_SQL, "The SQL ends too early.");
        return;
    }
    size_t word = strcspn(sql + place, " \t\r\n,;()");
    word = word > 0 ? word : 1;
    word = utf8_cut(sql + place, word, word < 60 ? word : 60);
    (void)err_set(err, ERR_INVALID_SQL, "The SQL has a syntax error near '%.*s'.",
                  (int)word, sql + place);
}

static void phrase_query(const char *message, const char *sql, struct err *err)
{
    char name[NAME_MOST];
    int place = place_of(message, sql);
    if (name_after(message, "Unrecognized name: ", name)) {
        (void)err_set(err, ERR_INVALID_SQL, "Column '%s' does not exist.", name);
    } else if (name_after(message, "Not found: Table ", name) ||
               name_after(message, "Table not found: ", name)) {
        (void)err_set(err, ERR_INVALID_SQL, "Table '%s' does not exist.",
                      last_part(name));
    } else if (name_after(message, "Function not found: ", name)) {
        (void)err_set(err, ERR_INVALID_SQL, "Function '%s' does not exist.", name);
    } else if (strstr(message, "Syntax error")) {
        phrase_syntax(sql, place, err);
    } else {
        (void)err_set(err, ERR_INVALID_SQL, "BigQuery did not accept the SQL.");
    }
    err->position = place;
}

static const struct failure *failure_find(const char *reason)
{
    for (size_t i = 0; reason && i < sizeof failures / sizeof *failures; i++) {
        if (str_equal(failures[i].reason, reason)) {
            return &failures[i];
        }
    }
    return NULL;
}

bool bigquery_unreachable(struct err *err)
{
    (void)err_set(err, ERR_DATASOURCE_UNREACHABLE,
                  "BigQuery does not answer as expected.");
    return err_hint(err, "Try again; for an emulator check BIGQUERY_EMULATOR_HOST.");
}

bool bigquery_fail(int status, const json_t *error, const char *sql,
                   const struct datasource_limits *limits, struct err *err)
{
    enum { UNAUTHORIZED = 401, FORBIDDEN = 403, MISSING = 404 };
    const json_t *first = json_array_get(json_array_at(error, "errors"), 0);
    const char *reason = json_text_at(first, "reason");
    const char *message = json_text_at(error, "message");
    reason = reason ? reason : json_text_at(error, "reason"); /* of a job */
    message = message ? message : "";
    const struct failure *failure =
        failure_find(status == UNAUTHORIZED           ? "authError"
                     : !reason && status == FORBIDDEN ? "accessDenied"
                                                      : reason);
    if (str_equal(reason, "stopped")) {
        return limits_hold(limits, err) &&
               err_set(err, ERR_TIMEOUT, "The query was cancelled by another user.");
    }
    if (failure) {
        (void)err_set(err, failure->code, "%s", failure->message);
        if (failure->hint) {
            (void)err_hint(err, "%s", failure->hint);
        }
    } else if (sql && (str_equal(reason, "invalidQuery") ||
                       str_equal(reason, "invalid") || str_equal(reason, "notFound"))) {
        phrase_query(message, sql, err);
    } else if (status == MISSING) {
        (void)err_set(err, ERR_DATASOURCE_NOT_FOUND,
                      "The project, dataset or table is not there.");
        (void)err_hint(err, "Check bigquery://project/dataset and its location.");
    } else {
        (void)bigquery_unreachable(err);
    }
    return err_detail(err, "%.600s", message);
}
