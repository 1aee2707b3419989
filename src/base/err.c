/* The table of errors.def and the three voices. */
#include "base/err.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/hide.h"

struct err_row {
    const char *name;
    int http_status;
    int exit_status;
    bool retryable;
    const char *hint;
};

static const struct err_row rows[ERR_COUNT] = {
#define ERROR(code, http, exit_status, retry, hint)                                      \
    [ERR_##code] = {#code, (http), (exit_status), (retry), (hint)},
#include "base/errors.def"
#undef ERROR
};

/* Every stage begins with it: the texts are ended, not wiped. */
void err_clear(struct err *err)
{
    err->code = ERR_OK;
    err->position = -1;
    err->message[0] = '\0';
    err->detail[0] = '\0';
    err->hint[0] = '\0';
    err->retry_after_s = 0;
}

/* Cuts at a whole UTF-8 character, as the text may hold a user's words. */
static void voice_set(char *out, size_t size, const char *format, va_list args)
    __attribute__((format(printf, 3, 0)));

static void voice_set(char *out, size_t size, const char *format, va_list args)
{
    int wrote = vsnprintf(out, size, format, args);
    if (wrote < 0) {
        out[0] = '\0';
    } else if ((size_t)wrote >= size) {
        size_t end = size - 4;
        while (end && ((unsigned char)out[end] & 0xC0) == 0x80) {
            end--;
        }
        memcpy(out + end, "...", 4);
    }
    hide_secrets(out);
}

bool err_set(struct err *err, enum err_code code, const char *format, ...)
{
    err_clear(err);
    err->code = code;
    va_list args;
    va_start(args, format);
    voice_set(err->message, sizeof err->message, format, args);
    va_end(args);
    (void)snprintf(err->hint, sizeof err->hint, "%s", rows[code].hint);
    return false;
}

bool err_detail(struct err *err, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    voice_set(err->detail, sizeof err->detail, format, args);
    va_end(args);
    return false;
}

bool err_hint(struct err *err, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    voice_set(err->hint, sizeof err->hint, format, args);
    va_end(args);
    return false;
}

const char *err_name(enum err_code code)
{
    return rows[code].name;
}

bool err_find(const char *name, enum err_code *code)
{
    for (int i = 0; i < ERR_COUNT; i++) {
        if (strcmp(rows[i].name, name) == 0) {
            *code = (enum err_code)i;
            return true;
        }
    }
    return false;
}

int err_http_status(enum err_code code)
{
    return rows[code].http_status;
}

int err_exit_status(enum err_code code)
{
    return rows[code].exit_status;
}

bool err_retryable(enum err_code code)
{
    return rows[code].retryable;
}

const char *err_default_hint(enum err_code code)
{
    return rows[code].hint;
}
