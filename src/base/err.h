/*
 * An error: what happened (message), technical facts (detail), and what to do (hint).
 * Functions that can fail return bool and fill the caller's struct err; expected outcomes
 * of a stage are events, and programming errors abort. None of the three may contain
 * secrets, connection strings or private paths.
 */
#ifndef DGM_BASE_ERR_H
#define DGM_BASE_ERR_H

#include <stdbool.h>

enum err_code {
#define ERROR(code, http, exit_status, retry, hint) ERR_##code,
#include "base/errors.def"
#undef ERROR
    ERR_COUNT
};

struct err {
    enum err_code code;
    int position; /* byte offset in the SQL or text the error is about; -1 when unknown */
    char message[400];
    char detail[800];
    char hint[300];
    int retry_after_s; /* when a retry may succeed; 0: unknown */
};

/* Sets all fields (hint: the code's default) and returns false: `return err_set(…);` */
bool err_set(struct err *err, enum err_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
bool err_detail(struct err *err, const char *format, ...)
    __attribute__((format(printf, 2, 3))); /* returns false too */
bool err_hint(struct err *err, const char *format, ...)
    __attribute__((format(printf, 2, 3))); /* returns false too */
void err_clear(struct err *err);

const char *err_name(enum err_code code);             /* "NO_RELEVANT_DATA" */
bool err_find(const char *name, enum err_code *code); /* the other way round */
int err_http_status(enum err_code code);
int err_exit_status(enum err_code code);
bool err_retryable(enum err_code code);
const char *err_default_hint(enum err_code code);

#endif
