/* odbc:Driver={…};Server=…, odbc:DSN=name or odbc:name as a connection string; secrets
 * may stand in a variable or a file. */
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/host.h"
#include "base/str.h"
#include "base/vec.h"
#include "datasource/odbc/odbc_driver.h"

enum { STRING_MOST = 8192 };

struct reading {
    struct arena *arena;
    struct buf out;
    const char *variable;
    const char *file;
    const char *ruler; /* is a superuser allowed? */
    const char *own_types;
    const char *driver; /* its name, or that of the DSN */
    const char *server;
    struct texts names; /* of all pairs */
    struct texts values;
};

static const struct odbc_habit habits[] = {
    {.words = {"postgres", "psql"},
     .pairs = "UseDeclareFetch=1;Fetch=100;BoolsAsChar=0;UnknownsAsLongVarchar=1;"
              "TextAsLongVarchar=1;MaxVarcharSize=65535;ByteaAsLongVarBinary=1;",
     .tls_key = "SSLmode",
     .tls_on = "require",
     .tls_off = "disable"},
    {.words = {"mariadb"},
     .mariadb = true,
     .pairs = "NO_CACHE=1;FORWARDONLY=1;CHARSET=utf8mb4;",
     .tls_key = "FORCETLS",
     .tls_on = "1",
     .tls_off = "0"},
    {.words = {"mysql", "myodbc"},
     .pairs = "NO_CACHE=1;FORWARDONLY=1;CHARSET=utf8mb4;",
     .tls_key = "SSLMODE",
     .tls_on = "REQUIRED",
     .tls_off = "DISABLED"},
    {.words = {"sqlite"}, .pairs = "NoCreat=1;StepAPI=1;Timeout=2000;"},
    {.words = {"freetds", "tdsodbc"},
     .pairs = "",
     .tls_key = "Encryption",
     .tls_on = "require",
     .tls_off = "off"},
    {.words = {"sql server", "msodbcsql"},
     .pairs = "",
     .tls_key = "Encrypt",
     .tls_on = "yes",
     .tls_off = "no"},
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
    if (str_equal_nocase(name, "allow_superuser")) {
        reading->ruler = value;
        return;
    }
    if (str_equal_nocase(name, "allow_own_types")) {
        reading->own_types = value;
        return;
    }
    if (str_equal_nocase(name, "driver") || str_equal_nocase(name, "dsn") ||
        str_equal_nocase(name, "filedsn")) {
        reading->driver = reading->driver ? reading->driver : value;
    } else if (str_equal_nocase(name, "server") || str_equal_nocase(name, "servername") ||
               str_equal_nocase(name, "host") || str_equal_nocase(name, "address")) {
        reading->server = reading->server ? reading->server : value;
    }
    VEC_PUSH(reading->arena, &reading->names, name);
    VEC_PUSH(reading->arena, &reading->values, value);
    (void)buf_add(&reading->out, pair, size);
    (void)buf_char(&reading->out, ';');
}

static const struct odbc_habit *habit_of(const char *driver)
{
    for (size_t i = 0; i < sizeof habits / sizeof *habits; i++) {
        for (const char *const *word = habits[i].words; *word; word++) {
            if (str_contains_nocase(driver, *word)) {
                return &habits[i];
            }
        }
    }
    return NULL;
}

/* "tcp:host,1433", "host\\instance", "(local)": where the server is. */
static bool server_here(struct arena *arena, const char *server)
{
    char *host = arena_text(arena, server);
    host += str_starts_nocase(host, "tcp:") ? strlen("tcp:") : 0;
    host[strcspn(host, "\\")] = '\0';
    char *comma = strrchr(host, ',');
    if (comma && strspn(comma + 1, "0123456789 ") == strlen(comma + 1)) {
        *comma = '\0';
    }
    return str_equal(host, ".") || str_equal_nocase(host, "(local)") ||
           hosts_are_here(host);
}

static const char *value_of(const struct reading *reading, const char *name)
{
    for (size_t i = 0; i < reading->names.count; i++) {
        if (str_equal_nocase(reading->names.items[i], name)) {
            return reading->values.items[i];
        }
    }
    return NULL;
}

/* What goes to another machine is encrypted unless the string says otherwise. Where a DSN
 * leads is not known here. libpq's own "prefer" would give encryption up without a word.
 */
static bool tls_add(struct reading *reading, struct odbc_state *state, struct err *err)
{
    const struct odbc_habit *habit = state->habit;
    state->here = !reading->server || server_here(reading->arena, reading->server);
    const char *said = habit && habit->tls_key ? value_of(reading, habit->tls_key) : NULL;
    if (said && (str_starts_nocase(said, "prefer") || str_starts_nocase(said, "allow"))) {
        (void)err_set(err, ERR_CONFIG, "%s=%.20s would drop encryption silently.",
                      habit->tls_key, said);
        return err_hint(err, "Use %s=%s, or %s=%s to connect without TLS.",
                        habit->tls_key, habit->tls_on, habit->tls_key, habit->tls_off);
    }
    state->tls_assumed = habit && habit->tls_key && !said && !state->here;
    state->tls_must =
        state->tls_assumed || (said && str_equal_nocase(said, habit->tls_on));
    if (state->tls_assumed) {
        (void)buf_format(&reading->out, "%s=%s;", habit->tls_key, habit->tls_on);
    }
    return true;
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
        reading.driver = text;
    } else {
        while (*text) {
            size_t size = pair_size(text);
            pair_take(&reading, text, size);
            text += size + (text[size] == ';');
        }
    }
    const char *password = NULL;
    state->allow_own_types = source->allow_own_types;
    bool ok =
        ((reading.driver && server_rights_init(&state->rights, source, reading.ruler) &&
          (!reading.own_types ||
           str_to_bool(reading.own_types, &state->allow_own_types))) ||
         string_unclear(err)) &&
        server_secret_read(source->arena, reading.variable, reading.file, &password, err);
    if (ok && password) {
        password_add(&reading.out, password);
    }
    /* a pair that somebody has given comes first and so holds */
    state->habit = ok ? habit_of(reading.driver) : NULL;
    (void)buf_text(&reading.out, state->habit ? state->habit->pairs : "");
    ok = ok && tls_add(&reading, state, err);
    odbc_bound_rows(state->habit, source->options->sql_max_bytes);
    ok = ok && (!reading.out.full || string_unclear(err));
    state->text = buf_clone(&reading.out, source->arena);
    buf_release(&reading.out);
    return ok;
}
