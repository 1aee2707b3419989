/* Logins that rule a server: what is found of them, and what follows. */
#include "datasource/server/server_rights.h"

#include <string.h>

#include "base/arena.h"
#include "base/log.h"
#include "base/str.h"
#include "datasource/driver.h"

static const struct {
    const char *kind;
    const char *own;
    const char *role; /* what stands before the role's name; NULL: there is none */
} words[] = {
    {"superuser", "is a superuser", "may become the superuser"},
    {"replication", "may replicate the whole server", "may replicate as"},
    {"createrole", "may create roles, and so give itself any right",
     "may create roles, and so give itself any right, as"},
    {"pg_read_server_files", "may read files of the server", NULL},
    {"pg_write_server_files", "may write files of the server", NULL},
    {"pg_execute_server_program", "may run programs on the server", NULL},
};

static const char *words_of(struct arena *arena, const char *kind, const char *role)
{
    size_t size = strlen(role);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (str_equal(kind, words[i].kind)) {
            const char *name = text_clean(arena, role, &size);
            return size && words[i].role
                       ? arena_format(arena, "%s '%s'", words[i].role, name)
                       : words[i].own;
        }
    }
    return arena_format(arena, "has the role '%s'", kind);
}

void server_rights_words(struct arena *arena, const char *lines, struct texts *out)
{
    struct texts parts = {0};
    str_split(arena, str_or_empty(lines), '\n', &parts);
    for (size_t i = 0; i < parts.count; i++) {
        const char *colon = strchr(parts.items[i], ':');
        if (str_equal(parts.items[i], "superuser:")) { /* who is all of the others, too */
            *out = (struct texts){0};
            VEC_PUSH(arena, out, "is a superuser");
            return;
        }
        if (colon) {
            const char *kind =
                arena_copy(arena, parts.items[i], (size_t)(colon - parts.items[i]));
            VEC_PUSH(arena, out, words_of(arena, kind, colon + 1));
        }
    }
}

bool server_rights_init(struct server_rights *rights, const struct datasource *source,
                        const char *said)
{
    rights->allowed = source->allow_superuser;
    rights->id = source->id ? source->id : "";
    rights->added = source->added;
    return !said || str_to_bool(said, &rights->allowed);
}

static bool server_rights_refuse(const struct server_rights *rights, const char *user,
                                 const char *text, struct err *err)
{
    (void)err_set(err, ERR_SUPERUSER_LOGIN,
                  "The login %.60s %.200s: dragoman does not use such a login.",
                  str_or_empty(user), text);
    return rights->added
               ? err_hint(err, "Make a login that can only read: 'dragoman doctor --db "
                               "URL' prints the SQL. Only a datasource of the "
                               "configuration may have 'allow_superuser: true'.")
               : false;
}

bool server_rights_judge(struct server_rights *rights, const char *user,
                         const struct texts *found, struct err *err)
{
    enum { MOST = 4 };
    if (found->count == 0) {
        return true;
    }
    struct arena *arena = arena_new();
    const struct texts first = {.items = found->items,
                                .count = found->count < MOST ? found->count : MOST};
    const char *text = str_join(arena, &first, ", ");
    if (rights->allowed && !atomic_exchange(&rights->told, true)) {
        LOG(LOG_DATASOURCE, LOG_WARN,
            "the login to the datasource '%s' %s; give dragoman one that can only read",
            rights->id, text);
    }
    bool ok = rights->allowed || server_rights_refuse(rights, user, text, err);
    arena_free(arena);
    return ok;
}
