/* What the grants of a MySQL login come to: everything beyond reading, in words. */
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "datasource/driver.h"
#include "datasource/server/server_grants.h"
#include "datasource/server/server_rights.h"

/* A login that reads needs no others: a right that is not known here is told of. */
static const char *const harmless[] = {
    "USAGE",      "SELECT", "SHOW VIEW",           "SHOW DATABASES", "EXECUTE",
    "REFERENCES", "PROXY",  "SHOW CREATE ROUTINE", "SHOW_ROUTINE",
};

/* Rights over the whole server that rule it. Those that end in ADMIN are pieces of what
 * SUPER was once, and these names, too. */
static const struct {
    const char *right;
    const char *words; /* NULL: it is one of several such pieces */
} rulers[] = {
    {"FILE", "may read and write files of the server"},
    {"CREATE USER", "may change every login"}, /* the password of root, too */
    {"REPLICATION SLAVE", "may replicate the whole server"},
    {"REPLICATION_APPLIER", NULL},
    {"GROUP_REPLICATION_STREAM", NULL},
    {"BINLOG REPLAY", NULL},
    {"SET USER", NULL},
    {"SET_USER_ID", NULL},
    {"SET_ANY_DEFINER", NULL},
    {"SYSTEM_USER", NULL},
};

/* Rights that give all others to who has them on the tables that hold the rights. */
static const char *const writers[] = {"ALL PRIVILEGES", "INSERT", "UPDATE", "DELETE",
                                      "CREATE",         "ALTER",  "DROP"};

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

/* Notes a right over the whole server that rules it; false: it does not. */
static bool ruler_note(struct server_grants *rights, const char *right)
{
    if (str_equal_nocase(right, "ALL PRIVILEGES") || str_equal_nocase(right, "SUPER")) {
        rights->superuser = true;
        return true;
    }
    for (size_t i = 0; i < sizeof rulers / sizeof *rulers; i++) {
        if (str_equal_nocase(right, rulers[i].right)) {
            VEC_PUSH(rights->arena, rulers[i].words ? &rights->ruling : &rights->pieces,
                     rulers[i].words ? rulers[i].words : right);
            return true;
        }
    }
    if (str_ends_nocase(right, " ADMIN") || str_ends_nocase(right, "_ADMIN")) {
        VEC_PUSH(rights->arena, &rights->pieces, right);
        return true;
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

/* Names of databases in grants are patterns: % is any text, _ any character. */
static bool pattern_fits(const char *pattern, const char *end, const char *name)
{
    for (; pattern < end; pattern++, name++) {
        if (*pattern == '%') {
            bool fits = pattern_fits(pattern + 1, end, name);
            for (; !fits && *name; name++) {
                fits = pattern_fits(pattern + 1, end, name + 1);
            }
            return fits;
        }
        bool any = *pattern == '_' && *name;
        pattern += *pattern == '\\' && pattern + 1 < end;
        if (!any && (*pattern | 0x20) != *name) {
            return false;
        }
    }
    return *name == '\0';
}

/* Is that the database of the server itself, or a part of it, or more? */
static bool is_server_own(const char *object)
{
    if (str_ends(object, ".*")) {
        return str_equal(object, "*.*") ||
               pattern_fits(object, object + strlen(object) - 2, "mysql");
    }
    return str_starts_nocase(object, "mysql.");
}

/* Write access to the system tables allows changing the rights of logins. */
static void own_note(struct server_grants *rights, const char *right)
{
    static const char words[] = "may change the server's own tables";
    bool writes = false;
    for (size_t i = 0; i < sizeof writers / sizeof *writers; i++) {
        writes = writes || str_equal_nocase(right, writers[i]);
    }
    for (size_t i = 0; i < rights->ruling.count; i++) {
        writes = writes && !str_equal(rights->ruling.items[i], words);
    }
    if (writes) {
        VEC_PUSH(rights->arena, &rights->ruling, words);
    }
}

/* "INSERT, UPDATE (a, b), SELECT": those that a reader does not need. */
static void rights_split(struct server_grants *rights, const char *list,
                         const char *object, struct texts *out)
{
    struct arena *arena = rights->arena;
    bool global = str_equal(object, "*.*");
    bool own = is_server_own(object);
    while (*list) {
        size_t size = (size_t)(outside(list, ",") - list);
        char *right = str_trim(arena, arena_copy(arena, list, size));
        list += size + (list[size] == ',' ? 1 : 0);
        right[strcspn(right, "(")] = '\0'; /* of some columns */
        right = str_trim(arena, right);
        if (str_equal_nocase(right, "SELECT")) {
            rights->secrets = rights->secrets || holds_secrets(object);
        } else if (right[0] && !is_harmless(right) &&
                   !(global && ruler_note(rights, right))) {
            VEC_PUSH(arena, out, right);
            if (own) {
                own_note(rights, right);
            }
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

void server_grants_add(struct server_grants *rights, const char *grant)
{
    enum { DATABASES_MOST = 4 };
    struct arena *arena = rights->arena;
    struct texts names = {0};
    if (!str_starts(grant, "GRANT ")) {
        return;
    }
    const char *list = grant + strlen("GRANT ");
    const char *on = outside(list, " ON ");
    if (!*on) { /* a role: what an active one gives has lines of its own */
        VEC_PUSH(arena, &rights->roles,
                 arena_copy(arena, list, (size_t)(outside(list, " TO ") - list)));
        return;
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

static void told(struct server_grants *rights, struct texts *out, size_t count,
                 const char *what)
{
    if (count > 0) {
        VEC_PUSH(rights->arena, out,
                 arena_format(rights->arena, "may change %zu %s%s", count, what,
                              count == 1 ? "" : "s"));
    }
}

void server_grants_add_role(struct server_grants *rights, struct server_grants *role)
{
    struct texts found = {0};
    server_grants_ruling(role, &found);
    for (size_t i = 0; i < found.count; i++) {
        VEC_PUSH(rights->arena, &rights->taken,
                 arena_format(rights->arena, "%s by a role that it may take on",
                              found.items[i]));
    }
}

void server_grants_ruling(struct server_grants *rights, struct texts *out)
{
    struct arena *arena = rights->arena;
    if (rights->superuser) { /* who may do everything: saying it once is enough */
        VEC_PUSH(arena, out, "is a superuser");
        return;
    }
    for (size_t i = 0; i < rights->ruling.count; i++) {
        VEC_PUSH(arena, out, rights->ruling.items[i]);
    }
    for (size_t i = 0; i < rights->taken.count; i++) {
        VEC_PUSH(arena, out, rights->taken.items[i]);
    }
    if (rights->pieces.count > 0) {
        struct texts pieces = rights->pieces;
        VEC_PUSH(arena, out,
                 arena_format(arena, "has %s on the whole server",
                              rights_listed(arena, &pieces)));
    }
}

void server_grants_tell(struct server_grants *rights, struct texts *out)
{
    struct arena *arena = rights->arena;
    server_grants_ruling(rights, out);
    if (rights->superuser) {
        return;
    }
    if (rights->unknown) {
        VEC_PUSH(arena, out, SERVER_RIGHTS_UNKNOWN);
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
