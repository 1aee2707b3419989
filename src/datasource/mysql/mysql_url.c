/* A MySQL URL as what the library connects with; parameters that nobody knows are
 * refused, since one that is misspelt may have been meant to protect. */
#include "datasource/mysql/mysql_driver.h"

#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "datasource/server/server_url.h"

enum { CONNECT_TIMEOUT_S = 10, USUAL_PORT = 3306 };

struct reading {
    struct mysql_state *state;
    const char *ruler;    /* is a superuser allowed? */
    const char *variable; /* with the password */
    const char *file;
    const char *timeout;
    const char *tls;
};

struct known {
    const char *name;
    size_t place; /* of a const char * in struct reading or struct mysql_state */
    bool of_state;
};

static const struct known known[] = {
    {"password_env", offsetof(struct reading, variable), false},
    {"password_file", offsetof(struct reading, file), false},
    {"connect_timeout", offsetof(struct reading, timeout), false},
    {"ssl_mode", offsetof(struct reading, tls), false},
    {"sslmode", offsetof(struct reading, tls), false},
    {"ssl_ca", offsetof(struct mysql_state, tls_ca), true},
    {"sslrootcert", offsetof(struct mysql_state, tls_ca), true},
    {"ssl_cert", offsetof(struct mysql_state, tls_certificate), true},
    {"ssl_key", offsetof(struct mysql_state, tls_key), true},
    {"allow_superuser", offsetof(struct reading, ruler), false},
    {"socket", offsetof(struct mysql_state, socket), true},
    {"time_zone", offsetof(struct mysql_state, time_zone), true},
    {"databases", offsetof(struct mysql_state, databases), true},
};

static bool parameter_set(struct reading *reading, const struct server_parameter *one)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (str_equal(one->name, known[i].name)) {
            char *base = known[i].of_state ? (char *)reading->state : (char *)reading;
            memcpy(base + known[i].place, &one->value, sizeof one->value);
            return true;
        }
    }
    return false;
}

static bool tls_set(struct mysql_state *state, const char *mode)
{
    static const struct {
        const char *name;
        enum mysql_tls tls;
    } modes[] = {
        {"disabled", MARIA_TLS_OFF},         {"disable", MARIA_TLS_OFF},
        {"preferred", MARIA_TLS_PREFERRED},  {"prefer", MARIA_TLS_PREFERRED},
        {"required", MARIA_TLS_REQUIRED},    {"require", MARIA_TLS_REQUIRED},
        {"verify_ca", MARIA_TLS_VERIFIED}, /* the library has no laxer check */
        {"verify-ca", MARIA_TLS_VERIFIED},   {"verify_identity", MARIA_TLS_VERIFIED},
        {"verify-full", MARIA_TLS_VERIFIED},
    };
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        if (str_equal_nocase(mode, modes[i].name)) {
            state->tls = modes[i].tls;
            return true;
        }
    }
    return false;
}

static bool url_unclear(struct err *err)
{
    (void)err_set(err, ERR_DATASOURCE_NOT_FOUND, "The MySQL URL cannot be understood.");
    return err_hint(err, "It is mysql://user:password@host:3306/database?ssl_mode="
                         "required; other characters in a part are written as %%40.");
}

bool mysql_url_read(struct datasource *source, struct mysql_state *state, struct err *err)
{
    struct server_url url;
    struct reading reading = {.state = state};
    if (!server_url_read(source->arena, source->url, &url)) {
        return url_unclear(err);
    }
    for (size_t i = 0; i < url.parameters.count; i++) {
        if (!parameter_set(&reading, &url.parameters.items[i])) {
            return url_unclear(err);
        }
    }
    state->host = url.host ? url.host : "127.0.0.1";
    if (source->address) {
        str_split(source->arena, source->address, ',', &state->addresses);
    }
    state->port = url.port ? (unsigned int)url.port : USUAL_PORT;
    state->user = url.user;
    state->password = url.password;
    state->database = url.database ? url.database : "";
    state->time_zone = state->time_zone ? state->time_zone : "+00:00";
    server_line_init(&state->line, source,
                     state->socket     ? NULL
                     : source->address ? source->address
                                       : state->host,
                     state->database);
    /* What goes to another machine is encrypted unless the URL says otherwise. */
    state->tls = state->tls_ca      ? MARIA_TLS_VERIFIED
                 : state->line.here ? MARIA_TLS_PREFERRED
                                    : MARIA_TLS_REQUIRED;
    int64_t seconds = CONNECT_TIMEOUT_S;
    if ((reading.tls && !tls_set(state, reading.tls)) ||
        !server_rights_init(&state->rights, source, reading.ruler) ||
        (reading.timeout && !str_to_int(reading.timeout, &seconds)) || seconds < 1 ||
        seconds > 3600) {
        return url_unclear(err);
    }
    state->connect_timeout_ms = seconds * 1000;
    return server_secret_read(source->arena, reading.variable, reading.file,
                              &state->password, err);
}
