/* odbc:Driver={…};Server=…, odbc:DSN=name or odbc:name as a connection string; secrets
 * may stand in a variable or a file. */
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "datasource/odbc_driver.h"

enum { STRING_MOST = 8192 };

struct reading {
    struct arena *arena;
    struct buf out;
    const char *variable;
    const char *file;
    bool has_driver; /* Driver or DSN */
};

/* The end of a pair: values in braces may hold a semicolon. */
static size_t pair_size(const char *text)
{
    bool braces = false;
    size_t size = 0;
    for (; text[size] && (braces || text[size] != ';'); size++) {
        braces = text[size] == '{' || (braces && text[size] != '}');
    }
    return size;
}

static void pair_take(struct reading *reading, const char *pair, size_t size)
{
    const char *equals = memchr(pair, '=', size);
    if (!equals) {
        return;
    }
    char *name = str_trim(reading->arena,
                          arena_copy(reading->arena, pair, (size_t)(equals - pair)));
    char *value =
        arena_copy(reading->arena, equals + 1, size - (size_t)(equals - pair) - 1);
    if (str_equal_nocase(name, "password_env")) {
        reading->variable = value;
        return;
    }
    if (str_equal_nocase(name, "password_file")) {
        reading->file = value;
        return;
    }
    reading->has_driver = reading->has_driver || str_equal_nocase(name, "driver") ||
                          str_equal_nocase(name, "dsn") ||
                          str_equal_nocase(name, "filedsn");
    (void)buf_add(&reading->out, pair, size);
    (void)buf_char(&reading->out, ';');
}

/* Drivers that would keep a whole result in memory are told not to; a pair that somebody
 * has given comes first and so holds. */
static void habits_add(struct buf *out)
{
    if (str_contains_nocase(buf_get(out), "postgres") ||
        str_contains_nocase(buf_get(out), "psql")) {
        (void)buf_text(out, "UseDeclareFetch=1;Fetch=500;BoolsAsChar=0;"
                            "UnknownsAsLongVarchar=1;TextAsLongVarchar=1;"
                            "MaxVarcharSize=65535;ByteaAsLongVarBinary=1;");
    } else if (str_contains_nocase(buf_get(out), "mariadb") ||
               str_contains_nocase(buf_get(out), "mysql")) {
        (void)buf_text(out, "NO_CACHE=1;FORWARDONLY=1;CHARSET=utf8mb4;");
    } else if (str_contains_nocase(buf_get(out), "sqlite")) {
        (void)buf_text(out, "NoCreat=1;StepAPI=1;Timeout=2000;");
    }
}

static bool string_unclear(struct err *err)
{
    (void)err_set(err, ERR_DATASOURCE_NOT_FOUND,
                  "The ODBC source names neither a driver nor a DSN.");
    return err_hint(err,
                    "It is odbc:Driver={PostgreSQL Unicode};Server=host;Database=shop;"
                    "UID=reader;password_env=NAME or odbc:DSN=name.");
}

static void password_add(struct buf *out, const char *password)
{
    (void)buf_text(out, "PWD={");
    for (; *password; password++) {
        if (*password == '}') {
            (void)buf_char(out, '}');
        }
        (void)buf_char(out, *password);
    }
    (void)buf_text(out, "};");
}

bool odbc_string_read(struct datasource *source, struct odbc_state *state,
                      struct err *err)
{
    struct reading reading = {.arena = source->arena};
    const char *text = strchr(source->url, ':');
    text = text ? text + 1 : source->url;
    text = str_starts(text, "//") ? text + 2 : text;
    buf_init(&reading.out, STRING_MOST);
    if (!strchr(text, '=') && !str_empty(text)) {
        (void)buf_format(&reading.out, "DSN=%s;", text);
        reading.has_driver = true;
    } else {
        while (*text) {
            size_t size = pair_size(text);
            pair_take(&reading, text, size);
            text += size + (text[size] == ';');
        }
    }
    const char *password = NULL;
    bool ok =
        (reading.has_driver || string_unclear(err)) &&
        server_secret_read(source->arena, reading.variable, reading.file, &password, err);
    if (ok && password) {
        password_add(&reading.out, password);
    }
    habits_add(&reading.out);
    ok = ok && (!reading.out.full || string_unclear(err));
    state->text = buf_clone(&reading.out, source->arena);
    buf_release(&reading.out);
    return ok;
}
