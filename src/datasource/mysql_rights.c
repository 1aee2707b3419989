/* What the grants of a MySQL login come to: everything beyond reading, in words. */
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "datasource/mysql_driver.h"

/* A login that reads needs no others: a right that is not known here is told of. */
static const char *const harmless[] = {
    "USAGE",      "SELECT", "SHOW VIEW",           "SHOW DATABASES", "EXECUTE",
    "REFERENCES", "PROXY",  "SHOW CREATE ROUTINE", "SHOW_ROUTINE",
};

/* What stands before the name of something that is no table. */
static const char *const routines[] = {"PROCEDURE ", "FUNCTION ", "PACKAGE BODY ",
                                       "PACKAGE "};

/* The word, or the end of the text, outside of quotes and parentheses. */
static const char *outside(const char *text, const char *word)
{
    size_t depth = 0;
    const char *at = text;
    for (; *at; at++) {
        if (strchr("`'\"", *at)) {
            const char *end = strchr(at + 1, *at);
            if (!end) {
                return at + strlen(at);
            }
            at = end; /* a doubled one opens again */
        } else if (*at == '(') {
            depth++;
        } else if (*at == ')' && depth > 0) {
            depth--;
        } else if (depth == 0 && str_starts(at, word)) {
            return at;
        }
    }
    return at;
}

/* "`a``b`.*" as "a`b.*" */
static char *bare(struct arena *arena, const char *text, size_t size)
{
    char *out = arena_copy(arena, text, size);
    size_t kept = 0;
    bool quoted = false;
    for (size_t i = 0; i < size; i++) {
        bool doubled = quoted && text[i] == '`' && i + 1 < size && text[i + 1] == '`';
        if (text[i] != '`' || doubled) {
            out[kept++] = text[i];
            i += doubled ? 1 : 0;
        } else {
            quoted = !quoted;
        }
    }
    out[kept] = '\0';
    size_t clean = kept;
    return arena_text(arena, text_clean(arena, out, &clean));
}

static bool is_harmless(const char *right)
{
    for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++) {
        if (str_equal_nocase(right, harmless[i])) {
            return true;
        }
    }
    return false;
}

/* Where the password hashes are. */
static bool holds_secrets(const char *object)
{
    return str_equal(object, "*.*") || str_equal(object, "%.*") ||
           str_equal_nocase(object, "mysql.*") ||
           str_equal_nocase(object, "mysql.user") ||
           str_equal_nocase(object, "mysql.global_priv");
}

/* "INSERT, UPDATE (a, b), SELECT": those that a reader does not need. */
static void rights_split(struct maria_rights *rights, const char *list,
                         const char *object, struct texts *out)
{
    struct arena *arena = rights->arena;
    bool global = str_equal(object, "*.*");
    while (*list) {
        size_t size = (size_t)(outside(list, ",") - list);
        char *right = str_trim(arena, arena_copy(arena, list, size));
        list += size + (list[size] == ',' ? 1 : 0);
        right[strcspn(right, "(")] = '\0'; /* of some columns */
        right = str_trim(arena, right);
        if (str_equal_nocase(right, "SELECT")) {
            rights->secrets = rights->secrets || holds_secrets(object);
        } else if (global && (str_equal_nocase(right, "ALL PRIVILEGES") ||
                              str_equal_nocase(right, "SUPER"))) {
            rights->superuser = true;
        } else if (global && str_equal_nocase(right, "FILE")) {
            rights->files = true;
        } else if (right[0] && !is_harmless(right)) {
            VEC_PUSH(arena, out, right);
        }
    }
}

static const char *rights_listed(struct arena *arena, struct texts *names)
{
    enum { MOST = 6 };
    size_t more = names->count > MOST ? names->count - MOST : 0;
    names->count -= more;
    const char *text = str_join(arena, names, ", ");
    return more ? arena_format(arena, "%s and %zu more", text, more) : text;
}

void maria_rights_add(struct maria_rights *rights, const char *grant)
{
    enum { DATABASES_MOST = 4 };
    struct arena *arena = rights->arena;
    struct texts names = {0};
    if (!str_starts(grant, "GRANT ")) {
        return;
    }
    const char *list = grant + strlen("GRANT ");
    const char *on = outside(list, " ON ");
    if (!*on) {
        return; /* a role: what an active one gives has lines of its own */
    }
    const char *object = on + strlen(" ON ");
    const char *to = outside(object, " TO ");
    bool routine = false;
    for (size_t i = 0; i < sizeof routines / sizeof *routines && !routine; i++) {
        routine = str_starts(object, routines[i]);
    }
    const char *name = bare(arena, object, (size_t)(to - object));
    rights_split(rights, arena_copy(arena, list, (size_t)(on - list)), name, &names);
    rights->passes_on = rights->passes_on || *outside(to, " WITH GRANT OPTION");
    if (names.count == 0) {
        return;
    }
    if (str_equal(name, "*.*")) {
        VEC_PUSH(arena, &rights->places,
                 arena_format(arena, "has %s on the whole server",
                              rights_listed(arena, &names)));
    } else if (!str_ends(name, ".*")) {
        *(routine ? &rights->routines : &rights->tables) += 1;
    } else if (rights->databases++ < DATABASES_MOST) {
        VEC_PUSH(arena, &rights->places,
                 arena_format(arena, "has %s on the database '%.*s'",
                              rights_listed(arena, &names), (int)(strlen(name) - 2),
                              name));
    } else {
        rights->more_databases++;
    }
}

static void told(struct maria_rights *rights, struct texts *out, size_t count,
                 const char *what)
{
    if (count > 0) {
        VEC_PUSH(rights->arena, out,
                 arena_format(rights->arena, "may change %zu %s%s", count, what,
                              count == 1 ? "" : "s"));
    }
}

void maria_rights_tell(struct maria_rights *rights, struct texts *out)
{
    struct arena *arena = rights->arena;
    if (rights->superuser) { /* who may do everything: saying it once is enough */
        VEC_PUSH(arena, out, "is a superuser");
        return;
    }
    if (rights->unknown) {
        VEC_PUSH(arena, out, "has rights that the server does not tell");
    }
    if (rights->files) {
        VEC_PUSH(arena, out, "may read and write files of the server");
    }
    for (size_t i = 0; i < rights->places.count; i++) {
        VEC_PUSH(arena, out, rights->places.items[i]);
    }
    told(rights, out, rights->more_databases, "more database");
    told(rights, out, rights->tables, "table");
    told(rights, out, rights->routines, "routine");
    if (rights->passes_on) {
        VEC_PUSH(arena, out, "may give its rights to others");
    }
    if (rights->secrets) {
        VEC_PUSH(arena, out, "may read the password hashes of the server");
    }
}

static bool grant_row(void *context, const char *const *texts)
{
    if (texts[0]) {
        maria_rights_add(context, texts[0]);
    }
    return true;
}

bool maria_rights_ask(struct maria_session *session, struct maria_rights *rights,
                      struct err *err)
{
    struct err why;
    err_clear(&why);
    rights->unknown = !maria_rows(session, "SHOW GRANTS", grant_row, rights, &why);
    if (rights->unknown &&
        (session->base.broken || why.code == ERR_STOPPED || why.code == ERR_TIMEOUT)) {
        *err = why;
        return false;
    }
    return true;
}
