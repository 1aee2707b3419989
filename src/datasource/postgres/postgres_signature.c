/* A short text that changes whenever the schema of a PostgreSQL database does. */
#include "datasource/postgres/postgres_driver.h"

#include <string.h>

#include "base/hash.h"

/*
 * One row of sums over the catalog, computed inside the server. A sum needs no order, and
 * rows are hashed one by one, so twenty thousand columns cost some milliseconds. What
 * ANALYZE and autovacuum change is not among the fields.
 */
#define SUM(fields, from)                                                                \
    "(SELECT concat(count(*), ':', sum(hashtextextended(concat_ws(chr(1), " fields       \
    "), 7))) FROM " from ")"

/* clang-format off */
static const char question[] = "SELECT "
    SUM("n.nspname, c.oid, c.relname, c.relkind, c.relispartition, c.relacl",
        "pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
        " WHERE c.oid >= 16384 AND c.relkind IN ('r', 'p', 'f', 'v', 'm', 'i', 'I')") ", "
    /* most of the rows are here: hashed without being made into text first */
    "(SELECT concat(count(*), ':', sum(hashnameextended(attname, (attrelid::bigint << 16)"
    " + attnum)), ':', sum(hashint8extended((atttypid::bigint << 32) + atttypmod,"
    " (attrelid::bigint << 18) + (attnum << 2) + attnotnull::int * 2 + attisdropped::int)), ':',"
    " sum(CASE WHEN attacl IS NOT NULL THEN hashtextextended(attacl::text, attrelid::bigint) END))"
    " FROM pg_attribute WHERE attrelid >= 16384 AND attnum > 0), "
    SUM("adrelid, adnum, adbin", "pg_attrdef") ", "
    SUM("conrelid, conname, contype, conkey, confrelid, confkey",
        "pg_constraint WHERE conrelid >= 16384") ", "
    SUM("indrelid, indexrelid, indisunique, indkey",
        "pg_index WHERE indrelid >= 16384") ", "
    SUM("ev_class, xmin", "pg_rewrite WHERE ev_class >= 16384") ", "
    SUM("enumtypid, enumsortorder, enumlabel", "pg_enum") ", "
    SUM("objoid, objsubid, description", "pg_description WHERE objoid >= 16384") ", "
    SUM("oid, pronamespace, proname, prokind", "pg_proc WHERE oid >= 16384") ", "
    SUM("oid, oprnamespace, oprname", "pg_operator WHERE oid >= 16384") ", "
    /* what calls such functions unnamed */
    SUM("oid, castsource, casttarget, castfunc, castcontext", "pg_cast WHERE oid >= 16384") ", "
    SUM("oid, amproc::oid", "pg_amproc WHERE oid >= 16384") ", "
    SUM("oid, amopopr", "pg_amop WHERE oid >= 16384") ", "
    SUM("oid, typname, typinput::oid, typoutput::oid, typbasetype",
        "pg_type WHERE oid >= 16384 AND typtype <> 'c' AND typcategory <> 'A'") ", "
    SUM("oid, contypid", "pg_constraint WHERE contypid >= 16384")
    ", current_user";
/* clang-format on */

enum { FIELDS = 16 };

struct signing {
    const char *home; /* which tables are named without their schema */
    bool allow_own_types;
    char *out;
};

static bool signature_row(void *context, const char *const *texts)
{
    const struct signing *work = context;
    struct hash *hash = hash_new();
    hash_text(hash, "postgres 4");
    for (size_t i = 0; i < FIELDS; i++) {
        hash_text(hash, texts[i] ? texts[i] : "");
    }
    hash_text(hash, work->home);
    hash_text(hash, work->allow_own_types ? "own types" : "");
    hash_hex(hash, work->out);
    hash_free(hash);
    return false;
}

static bool signature_work(struct postgres_session *session, void *context,
                           struct err *err)
{
    struct signing *work = context;
    work->home = session->home;
    return postgres_rows(session, question, signature_row, work, err);
}

bool postgres_signature(struct datasource *source, const struct datasource_limits *limits,
                        char out[33], struct err *err)
{
    const struct postgres_state *state = source->state;
    struct signing work = {.out = out, .allow_own_types = state->allow_own_types};
    out[0] = '\0';
    return postgres_with(source, limits, signature_work, &work, err) &&
           (out[0] || err_set(err, ERR_INTERNAL, "PostgreSQL gave no signature."));
}
