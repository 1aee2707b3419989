/* Passwords of servers that stand in a variable or a file rather than in the URL. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/file.h"
#include "datasource/server/server_pool.h"

enum { SECRET_MOST = 4096, URL_MOST = 8192 };

static bool own_parameter(struct arena *arena, const char *pair, size_t size,
                          struct server_secrets *secrets)
{
    const struct {
        const char *name;
        const char **value;
    } own[] = {{"password_env=", &secrets->variable},
               {"password_file=", &secrets->file},
               {"allow_superuser=", &secrets->ruler},
               {"allow_own_types=", &secrets->own_types}};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        size_t length = strlen(own[i].name);
        if (size >= length && strncmp(pair, own[i].name, length) == 0) {
            *own[i].value = arena_copy(arena, pair + length, size - length);
            return true;
        }
    }
    return false;
}

char *server_secret_split(struct arena *arena, const char *scheme, const char *url,
                          struct server_secrets *secrets)
{
    struct buf out;
    buf_init(&out, URL_MOST);
    const char *rest = scheme ? strchr(url, ':') : url;
    rest = rest ? rest : url;
    const char *query = strchr(rest, '?');
    (void)buf_text(&out, scheme ? scheme : "");
    (void)buf_add(&out, rest, query ? (size_t)(query - rest) : strlen(rest));
    char separator = '?';
    while (query && *query) {
        query++; /* the ? or & */
        size_t size = strcspn(query, "&");
        if (size > 0 && !own_parameter(arena, query, size, secrets)) {
            (void)buf_char(&out, separator);
            (void)buf_add(&out, query, size);
            separator = '&';
        }
        query += size;
    }
    char *text = out.full ? NULL : buf_clone(&out, arena);
    buf_release(&out);
    return text;
}

bool server_secret_read(struct arena *arena, const char *variable, const char *file,
                        const char **password, struct err *err)
{
    if (variable) {
        *password = arena_text(arena, getenv(variable));
        if (!*password) {
            (void)err_set(err, ERR_CONFIG,
                          "The variable '%s' with the database's password is not set.",
                          variable);
            return err_hint(err, "Set it, or change password_env in the URL.");
        }
    }
    if (file) {
        size_t size = 0;
        char *text = file_read(arena, file, SECRET_MOST, &size, err);
        if (!text) {
            (void)err_set(err, ERR_CONFIG,
                          "The file with the database's password cannot be read.");
            return err_hint(err, "Check password_file in the URL.");
        }
        text[strcspn(text, "\r\n")] = '\0';
        *password = text;
    }
    return true;
}
