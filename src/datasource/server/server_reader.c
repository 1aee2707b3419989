/* The statements that create a read-only login, for users whose login has too many
 * rights. */
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/id.h"
#include "base/str.h"
#include "datasource/server/server_rights.h"
#include "sql/dialect.h"

#define NAME   "dragoman_reader"
#define WORD   "a long password" /* replaced by a random password each time */
#define SECRET "'" WORD "'"

enum { TEXT_MOST = 16 * 1024, PLACES_MOST = 20 };

static const char *quoted(struct arena *arena, enum dialect dialect, const char *name)
{
    struct buf out;
    buf_init(&out, TEXT_MOST);
    dialect_quote(&out, dialect, name, false);
    const char *text = buf_clone(&out, arena);
    buf_release(&out);
    return text;
}

/* "a, b, c", each quoted. */
static const char *server_reader_listed(struct arena *arena, enum dialect dialect,
                                        const struct texts *places)
{
    struct texts names = {0};
    for (size_t i = 0; i < places->count && i < PLACES_MOST; i++) {
        VEC_PUSH(arena, &names, quoted(arena, dialect, places->items[i]));
    }
    return str_join(arena, &names, ", ");
}

/* One GRANT for each, on one line. */
static const char *granted(struct arena *arena, const char *rights,
                           const struct texts *names, const char *to)
{
    struct texts grants = {0};
    for (size_t i = 0; i < names->count && i < PLACES_MOST; i++) {
        VEC_PUSH(
            arena, &grants,
            arena_format(arena, "GRANT %s ON %s.* TO %s;", rights, names->items[i], to));
    }
    return str_join(arena, &grants, " ");
}

/* In a grant _ and % of a database's name stand for others: shop_1 would be shopX1. */
static const char *pattern(struct arena *arena, const char *name)
{
    struct buf out;
    buf_init(&out, TEXT_MOST);
    (void)buf_char(&out, '`');
    for (; *name; name++) {
        if (*name == '_' || *name == '%' || *name == '\\') {
            (void)buf_char(&out, '\\');
        }
        (void)buf_text(&out, *name == '`' ? "`" : "");
        (void)buf_char(&out, *name);
    }
    (void)buf_char(&out, '`');
    const char *text = buf_clone(&out, arena);
    buf_release(&out);
    return text;
}

static void postgres_write(struct arena *arena, const char *database,
                           const struct texts *places, struct texts *out)
{
    const char *name = quoted(arena, DIALECT_POSTGRES, database);
    const char *schemas = server_reader_listed(arena, DIALECT_POSTGRES, places);
    VEC_PUSH(arena, out,
             arena_format(arena,
                          "CREATE ROLE " NAME " LOGIN PASSWORD " SECRET
                          "; GRANT CONNECT ON DATABASE %s TO " NAME ";",
                          name));
    VEC_PUSH(arena, out,
             arena_format(arena,
                          "GRANT USAGE ON SCHEMA %s TO " NAME
                          "; GRANT SELECT ON ALL TABLES IN SCHEMA %s TO " NAME ";",
                          schemas, schemas));
    VEC_PUSH(arena, out,
             arena_format(arena,
                          "ALTER ROLE " NAME
                          " IN DATABASE %s SET default_transaction_read_only = on;",
                          name));
}

static void mysql_write(struct arena *arena, const struct texts *places,
                        struct texts *out)
{
    struct texts names = {0};
    for (size_t i = 0; i < places->count; i++) {
        VEC_PUSH(arena, &names, pattern(arena, places->items[i]));
    }
    VEC_PUSH(arena, out, "CREATE USER " NAME "@'%' IDENTIFIED BY " SECRET ";");
    VEC_PUSH(arena, out, granted(arena, "SELECT, SHOW VIEW", &names, NAME "@'%'"));
    VEC_PUSH(arena, out, "SHOW GRANTS FOR " NAME "@'%'; -- nothing else should be there");
}

static void clickhouse_write(struct arena *arena, const struct texts *places,
                             struct texts *out)
{
    struct texts names = {0};
    for (size_t i = 0; i < places->count; i++) {
        VEC_PUSH(arena, &names, quoted(arena, DIALECT_CLICKHOUSE, places->items[i]));
    }
    VEC_PUSH(arena, out,
             "CREATE USER " NAME " IDENTIFIED WITH sha256_password BY " SECRET
             " SETTINGS readonly = 2;");
    VEC_PUSH(arena, out, granted(arena, "SELECT", &names, NAME));
    VEC_PUSH(arena, out, "SHOW GRANTS FOR " NAME "; -- nothing else should be there");
}

static void sqlserver_write(struct arena *arena, const char *database, struct texts *out)
{
    struct buf name;
    buf_init(&name, TEXT_MOST);
    for (const char *at = database; *at; at++) {
        (void)buf_text(&name, *at == ']' ? "]" : "");
        (void)buf_char(&name, *at);
    }
    VEC_PUSH(arena, out, "CREATE LOGIN " NAME " WITH PASSWORD = " SECRET ";");
    VEC_PUSH(arena, out,
             arena_format(arena, "USE [%s]; CREATE USER " NAME " FOR LOGIN " NAME ";",
                          buf_get(&name)));
    VEC_PUSH(arena, out, "ALTER ROLE db_datareader ADD MEMBER " NAME ";");
    buf_release(&name);
}

/* In the words of its shell; a name is a JSON text there. */
static void mongodb_write(struct arena *arena, const char *database, struct texts *out)
{
    struct buf name;
    buf_init(&name, TEXT_MOST);
    for (const char *at = database; *at; at++) {
        (void)buf_text(&name, *at == '"' || *at == '\\' ? "\\" : "");
        (void)buf_char(&name, *at);
    }
    VEC_PUSH(arena, out,
             arena_format(arena,
                          "db.getSiblingDB(\"admin\").createUser({user: \"" NAME
                          "\", pwd: " SECRET ", roles: [{role: \"read\", db: \"%s\"}]})",
                          buf_get(&name)));
    buf_release(&name);
}

/* A fixed password in statements that people copy would soon be that of many servers. */
static void password_fill(struct arena *arena, struct texts *out)
{
    char made[ID_SIZE];
    id_new("Dgm", made); /* in letters of both kinds, digits and a sign */
    for (size_t i = 0; i < out->count; i++) {
        const char *at = strstr(out->items[i], WORD);
        if (at) {
            out->items[i] = arena_format(arena, "%.*s%s%s", (int)(at - out->items[i]),
                                         out->items[i], made, at + strlen(WORD));
        }
    }
}

void server_reader_write(struct arena *arena, enum server_reader kind,
                         const char *database, const struct texts *places,
                         struct texts *out)
{
    switch (kind) {
    case SERVER_READER_POSTGRES:
        postgres_write(arena, database, places, out);
        break;
    case SERVER_READER_MYSQL:
        mysql_write(arena, places, out);
        break;
    case SERVER_READER_CLICKHOUSE:
        clickhouse_write(arena, places, out);
        break;
    case SERVER_READER_CLICKHOUSE_FILE:
        VEC_PUSH(arena, out,
                 "<profiles><reading><readonly>1</readonly></reading></profiles>");
        VEC_PUSH(arena, out,
                 "<users><" NAME "><password>" WORD "</password>"
                 "<networks><ip>127.0.0.1</ip></networks><quota>default</quota>");
        VEC_PUSH(arena, out, "<profile>reading</profile></" NAME "></users>");
        break;
    case SERVER_READER_MONGODB:
        mongodb_write(arena, database, out);
        break;
    case SERVER_READER_SQLSERVER:
        sqlserver_write(arena, database, out);
        break;
    }
    password_fill(arena, out);
}
