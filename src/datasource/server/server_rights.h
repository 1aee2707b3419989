/*
 * Refuses logins with administrator rights. In every engine a superuser can read files,
 * run programs or see the whole server by plain queries, so such a login must be allowed
 * explicitly for its datasource: should the guard ever miss something, the account itself
 * can only read.
 */
#ifndef DGM_DATASOURCE_SERVER_RIGHTS_H
#define DGM_DATASOURCE_SERVER_RIGHTS_H

#include <stdatomic.h>
#include <stdbool.h>

#include "base/vec.h"

struct arena;
struct datasource;
struct err;

/* What a datasource allows. */
struct server_rights {
    bool allowed;
    bool added;     /* added at run time: it can never be allowed */
    const char *id; /* of the datasource */
    atomic_bool told;
};

/* `said`: the value in the URL, or NULL. False: it is invalid. */
bool server_rights_init(struct server_rights *rights, const struct datasource *source,
                        const char *said);
/* Decides about a login with administrator rights (`found` is not empty) or without.
 * False with err: it may not be used. */
bool server_rights_judge(struct server_rights *rights, const char *user,
                         const struct texts *found, struct err *err);

/* Since PostgreSQL 16, a role with CREATEROLE can only grant what it may grant itself;
 * before, it could make itself a member of pg_execute_server_program. */
#define SERVER_ROLES_BOUND                                                               \
    "pg_catalog.current_setting('server_version_num')::pg_catalog.int4 >= 160000"

/*
 * For PostgreSQL: an expression with one line per reason, "superuser:" or
 * "superuser:role" if the login could become that role; NULL: none. It covers the login
 * and every role it could assume, because a login that may become a superuser is one. The
 * last names are the administrators of hosted services.
 */
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
/* The same for a server that does not show its roles: only what it tells about the login
 * itself. */
#define SERVER_RIGHTS_POSTGRES_LEAST                                                     \
    "CASE WHEN pg_catalog.current_setting('is_superuser') = 'on' THEN 'superuser:' END"
/* The text for a server that does not tell the rights of a login; this is no reason to
 * refuse it. */
#define SERVER_RIGHTS_UNKNOWN "has rights that the server does not tell"
/* An expression with the schemas that have tables, one per line. */
#define SERVER_PLACES_POSTGRES                                                           \
    "(SELECT pg_catalog.string_agg(DISTINCT n.nspname, pg_catalog.chr(10)) FROM"         \
    " pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid ="             \
    " c.relnamespace WHERE n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'"    \
    " AND c.relkind IN ('r', 'p', 'v', 'm', 'f'))"
/* Converts those lines to words: "is a superuser". */
void server_rights_words(struct arena *arena, const char *lines, struct texts *out);

/* server_reader.c: the statements that create a read-only login. `places`: the schemas or
 * databases with tables. */
enum server_reader {
    SERVER_READER_POSTGRES,
    SERVER_READER_MYSQL,
    SERVER_READER_CLICKHOUSE,
    SERVER_READER_CLICKHOUSE_FILE, /* for servers whose users are configured in a file */
    SERVER_READER_MONGODB,
    SERVER_READER_SQLSERVER,
};
void server_reader_write(struct arena *arena, enum server_reader kind,
                         const char *database, const struct texts *places,
                         struct texts *out);

#endif
