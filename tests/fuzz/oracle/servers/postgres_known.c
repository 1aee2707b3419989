/* Which functions, operators, types and tables an allowed statement may come to. */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "postgres_judge.h"

/* Every number that a query gives below 16384. */
static bool mark(PGconn *connection, const char *sql, bool *set)
{
    PGresult *result = postgres_answer(connection, sql);
    for (int i = 0; result && i < PQntuples(result); i++) {
        unsigned long oid = strtoul(PQgetvalue(result, i, 0), NULL, 10);
        if (oid < OIDS) {
            set[oid] = true;
        }
    }
    bool ok = result != NULL;
    PQclear(result);
    return ok;
}

/* What the parser writes for SQL's own words, and nobody else may call. */
#define WORDS                                                                            \
    "'like_escape','similar_to_escape','overlaps','is_normalized','timezone',"           \
    "'date_part','normalize','extract','position','overlay','substring','btrim',"        \
    "'ltrim','rtrim'"

static bool functions_read(PGconn *connection, struct postgres_known *known)
{
    struct arena *arena = arena_new();
    struct texts names = {0};
    struct buf sql;
    buf_init(&sql, 1 << 16);
    vocabulary_names(arena, DIALECT_POSTGRES, &names);
    (void)buf_text(&sql, "SELECT oid FROM pg_proc WHERE pronamespace ="
                         " 'pg_catalog'::regnamespace AND proname IN (" WORDS);
    for (size_t i = 0; i < names.count; i++) {
        (void)buf_format(&sql, ",'%s'", names.items[i]);
    }
    (void)buf_text(&sql, ")");
    bool ok = mark(connection, buf_get(&sql), known->functions);
    buf_release(&sql);
    arena_free(arena);
    return ok;
}

static bool relations_read(PGconn *connection, struct postgres_known *known)
{
    PGresult *result = postgres_answer(
        connection, "SELECT oid, relname FROM pg_class WHERE relnamespace ="
                    " 'public'::regnamespace AND relkind IN ('r', 'p', 'v') AND"
                    " has_table_privilege('reader', oid, 'SELECT') ORDER BY oid");
    for (int i = 0; result && i < PQntuples(result) && i < RELATIONS_MOST; i++) {
        struct postgres_relation *relation = &known->relations[known->relation_count++];
        relation->oid = strtoul(PQgetvalue(result, i, 0), NULL, 10);
        (void)snprintf(relation->name, sizeof relation->name, "%s",
                       PQgetvalue(result, i, 1));
    }
    PQclear(result);
    return known->relation_count > 0;
}

static bool unnamed_read(PGconn *connection, struct postgres_known *known)
{
    PGresult *result = postgres_answer(
        connection, "SELECT castfunc FROM pg_cast WHERE castfunc >= 16384"
                    " UNION SELECT oid FROM pg_operator WHERE oprnamespace = "
                    "'other'::regnamespace UNION SELECT oid FROM pg_proc WHERE"
                    " pronamespace = 'other'::regnamespace");
    for (int i = 0; result && i < PQntuples(result) && i < UNNAMED_MOST; i++) {
        known->unnamed[known->unnamed_count++] =
            strtoul(PQgetvalue(result, i, 0), NULL, 10);
    }
    PQclear(result);
    return known->unnamed_count > 0;
}

bool postgres_known_read(PGconn *connection, bool own_types, struct postgres_known *known)
{
    return functions_read(connection, known) && relations_read(connection, known) &&
           (!own_types || unnamed_read(connection, known)) &&
           mark(connection, "SELECT castfunc FROM pg_cast WHERE oid < 16384",
                known->casts) &&
           mark(connection,
                "SELECT oid FROM pg_operator WHERE oprnamespace ="
                " 'pg_catalog'::regnamespace",
                known->operators) &&
           mark(connection,
                "SELECT oid FROM pg_type WHERE typnamespace = 'pg_catalog'::regnamespace "
                "AND"
                " (typname IN ('xml', 'refcursor', 'cstring', 'pg_lsn', 'aclitem',"
                " 'txid_snapshot', 'pg_snapshot', 'internal', '_xml', '_refcursor',"
                " '_aclitem') OR typname ~ "
                "'^_?reg(class|proc|procedure|oper|operator|type|"
                "role|namespace|collation)$')",
                known->types_refused);
}
