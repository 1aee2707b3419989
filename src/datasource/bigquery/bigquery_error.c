/*
 * BigQuery's errors turned into dragoman's. The reason decides; the wording only tells
 * names.
 */
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "datasource/bigquery/bigquery_driver.h"
#include "datasource/failures.h"

static const struct err_row failures[] = {
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
     "BigQuery received too many requests.", HINT_LATER},
    {"jobRateLimitExceeded", ERR_DATASOURCE_UNREACHABLE,
     "BigQuery received too many requests.", HINT_LATER},
    {"responseTooLarge", ERR_RESULT_TOO_LARGE, "The result is too large.", NULL},
    {"resourcesExceeded", ERR_RESULT_TOO_LARGE,
     "The query needs more than BigQuery gives it.", NULL},
    {"backendError", ERR_DATASOURCE_UNREACHABLE, "BigQuery reported an internal error.",
     HINT_LATER},
    {"internalError", ERR_DATASOURCE_UNREACHABLE, "BigQuery reported an internal error.",
     HINT_LATER},
    {"timeout", FAILS_TOO_LONG, NULL},
    {"jobTimeout", FAILS_TOO_LONG, NULL},
    {"notImplemented", ERR_INVALID_SQL, "BigQuery cannot do that.", NULL},
    {NULL, ERR_COUNT, NULL, NULL},
};

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
    return failure_place_after(sql, (size_t)(from - sql), column - 1);
}

static void phrase_query(const char *message, const char *sql, struct err *err)
{
    char name[FAILURE_NAME];
    int place = place_of(message, sql);
    if (failure_name_after(name, message, "Unrecognized name: ")) {
        (void)failure_tell_missing(FAILURE_COLUMN, name, err);
    } else if (failure_name_after(name, message, "Not found: Table ") ||
               failure_name_after(name, message, "Table not found: ")) {
        (void)failure_tell_missing(FAILURE_TABLE, failure_last_part(name), err);
    } else if (failure_name_after(name, message, "Function not found: ")) {
        (void)failure_tell_missing(FAILURE_FUNCTION, name, err);
    } else if (strstr(message, "Syntax error")) {
        (void)failure_tell_syntax(sql, place, err);
    } else {
        (void)err_set(err, ERR_INVALID_SQL, "BigQuery did not accept the SQL.");
    }
    err->position = place;
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
    const struct err_row *failure =
        err_rows_find(failures, ERR_ROWS_EQUAL,
                      status == UNAUTHORIZED           ? "authError"
                      : !reason && status == FORBIDDEN ? "accessDenied"
                                                       : reason);
    if (str_equal(reason, "stopped")) {
        return limits_hold(limits, err) &&
               err_set(err, ERR_TIMEOUT, "The query was cancelled by another user.");
    }
    if (failure) {
        (void)err_rows_tell(failure, err);
    } else if (sql && (str_equal(reason, "invalidQuery") ||
                       str_equal(reason, "invalid") || str_equal(reason, "notFound"))) {
        phrase_query(message, sql, err);
    } else if (status == MISSING) {
        (void)err_set(err, ERR_DATASOURCE_NOT_FOUND,
                      "The project, dataset or table does not exist.");
        (void)err_hint(err, "Check bigquery://project/dataset and its location.");
    } else {
        (void)bigquery_unreachable(err);
    }
    return err_detail(err, "%.600s", message);
}
