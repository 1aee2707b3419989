/*
 * Logins that rule a server. Every engine lets a superuser read files, run programs or
 * see the whole server by means of plain queries, so such a login is refused unless its
 * datasource allows it: what the guard might let through must meet an account that can
 * only read.
 */
#ifndef DGM_DATASOURCE_SERVER_RIGHTS_H
#define DGM_DATASOURCE_SERVER_RIGHTS_H

#include <stdatomic.h>
#include <stdbool.h>

#include "base/vec.h"

struct arena;
struct datasource;
struct err;

/* What a source allows, and whether the log has told of it. */
struct server_rights {
    bool allowed;
    bool added;     /* while dragoman runs: it can never be allowed */
    const char *id; /* of the datasource */
    atomic_bool told;
};

/* `said` is the URL's own word, or NULL. False: it cannot be understood. */
bool server_rights_init(struct server_rights *rights, const struct datasource *source,
                        const char *said);
/* A login was found to rule its server (`found` is not empty) or not. False, with err,
 * when it may not be used. */
bool server_rights_judge(struct server_rights *rights, const char *user,
                         const struct texts *found, struct err *err);

/* Since version 16 who may create roles gives only rights that were given to him to give;
 * before, CREATEROLE makes itself a member of pg_execute_server_program. */
#define SERVER_ROLES_BOUND                                                               \
    "pg_catalog.current_setting('server_version_num')::pg_catalog.int4 >= 160000"

/* For PostgreSQL: an expression with a line for each reason, "superuser:" or
 * "superuser:role" where the login could become that role; NULL: there is none. Of the
 * login itself, and of every role that it could take on: who may become a superuser is
 * one. The last names are those of superusers at services that keep the real one for
 * themselves. */
#define SERVER_RIGHTS_POSTGRES                                                           \
    "(SELECT pg_catalog.string_agg(x.line, pg_catalog.chr(10) ORDER BY x.line) FROM ("   \
    "SELECT k.kind || CASE WHEN r.rolname IN (session_user, current_user) OR k.kind ="   \
    " r.rolname || ':' THEN '' ELSE r.rolname END AS line"                               \
    " FROM pg_catalog.pg_roles AS r CROSS JOIN LATERAL (SELECT CASE"                     \
    " WHEN r.rolsuper THEN 'superuser:' WHEN r.rolreplication THEN 'replication:'"       \
    " WHEN r.rolname IN ('pg_read_server_files', 'pg_write_server_files',"               \
    " 'pg_execute_server_program', 'rds_superuser', 'rds_replication',"                  \
    " 'cloudsqlsuperuser', 'alloydbsuperuser', 'azure_pg_admin') THEN r.rolname || ':'"  \
    " WHEN r.rolcreaterole AND NOT " SERVER_ROLES_BOUND " THEN 'createrole:' END"        \
    " AS kind) AS k WHERE k.kind IS NOT NULL"                                            \
    " AND (pg_catalog.pg_has_role(session_user, r.oid, 'MEMBER') OR"                     \
    " pg_catalog.pg_has_role(current_user, r.oid, 'MEMBER'))"                            \
    " ORDER BY r.rolname IN (session_user, current_user) DESC LIMIT 50) AS x)"
/* The same from a server that shows its roles to nobody: all that it says by itself. */
#define SERVER_RIGHTS_POSTGRES_LEAST                                                     \
    "CASE WHEN pg_catalog.current_setting('is_superuser') = 'on' THEN 'superuser:' END"
/* What is told of a server that does not say what a login may do: no reason to refuse. */
#define SERVER_RIGHTS_UNKNOWN "has rights that the server does not tell"
/* And one with the schemas that have tables, a line each. */
#define SERVER_PLACES_POSTGRES                                                           \
    "(SELECT pg_catalog.string_agg(DISTINCT n.nspname, pg_catalog.chr(10)) FROM"         \
    " pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid ="             \
    " c.relnamespace WHERE n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'"    \
    " AND c.relkind IN ('r', 'p', 'v', 'm', 'f'))"
/* Those lines in words: "is a superuser". */
void server_rights_words(struct arena *arena, const char *lines, struct texts *out);

/* server_reader.c: the statements that create a read-only login. `places` are the
 * schemas or databases with tables, as they are named there. */
enum server_reader {
    SERVER_READER_POSTGRES,
    SERVER_READER_MYSQL,
    SERVER_READER_CLICKHOUSE,
    SERVER_READER_CLICKHOUSE_FILE, /* servers whose users stand in a file */
    SERVER_READER_MONGODB,
    SERVER_READER_SQLSERVER,
};
void server_reader_write(struct arena *arena, enum server_reader kind,
                         const char *database, const struct texts *places,
                         struct texts *out);

#endif
