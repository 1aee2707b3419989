/*
 * Functions of a PostgreSQL database's own: those that a statement could call by the name
 * of a built-in one, and those that the server calls although the statement names none.
 * What belongs to an extension was put there by one who may install extensions.
 */
#include "datasource/server/server_own.h"

#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "datasource/driver.h"
#include "model/schema.h"
#include "sql/guard.h"

/* Nor is it anybody's own work when the server made it by itself for a range type. */
#define NOT_OF_EXTENSION(object, catalog)                                                \
    " AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = " object                   \
    " AND d.classid = '" catalog "'::regclass AND d.deptype IN ('e', 'i'))"

/* name of a function or operator, its schema */
static bool function_row(void *context, const char *const *texts)
{
    struct server_own *work = context;
    if (str_equal(texts[1], work->home)) {
        guard_own_add(work->schema, DIALECT_POSTGRES, texts[0]);
    }
    return true;
}

/* schema, table, column (NULL: an index has it), type, what, function */
static bool table_row(void *context, const char *const *texts)
{
    struct server_own *work = context;
    struct arena *arena = work->schema->arena;
    const char *name = str_equal(texts[0], work->home)
                           ? texts[1]
                           : arena_format(arena, "%s.%s", texts[0], texts[1]);
    struct table *table = schema_table(work->schema, name);
    if (table && !table->own_code) {
        const char *code = arena_format(
            arena,
            "%s the type %.60s, for which this database has %s with the function "
            "%.60s of its own",
            texts[2] ? arena_format(arena, "its column %.60s has", texts[2])
                     : "it has an index or partitions of",
            texts[3], texts[4], texts[5]);
        size_t size = strlen(code);
        table->own_code = text_clean(arena, code, &size);
    }
    return true;
}

/* name of a type */
static bool type_row(void *context, const char *const *texts)
{
    struct server_own *work = context;
    guard_own_add_type(work->schema, texts[0]);
    return true;
}

/* type, function */
static bool class_row(void *context, const char *const *texts)
{
    struct server_own *work = context;
    char *code =
        arena_format(work->schema->arena,
                     "an operator class for the type %.60s with the function %.60s",
                     texts[0], texts[1]);
    size_t size = strlen(code);
    work->schema->own_code = text_clean(work->schema->arena, code, &size);
    return true;
}

/* is it implicit, source, target, function, other name of the target */
static bool cast_row(void *context, const char *const *texts)
{
    struct server_own *work = context;
    struct arena *arena = work->schema->arena;
    if (texts[0][0] == 't') {
        work->schema->own_code =
            arena_format(arena, "a cast from %.60s to %.60s with the function %.60s",
                         texts[1], texts[2], texts[3]);
        size_t size = strlen(work->schema->own_code);
        work->schema->own_code = text_clean(arena, work->schema->own_code, &size);
    } else {
        guard_own_add_type(work->schema, texts[4]);
    }
    return true;
}

/* upper(x) of a varchar calls public.upper(varchar) where somebody has made one: it
 * fits better than the built-in one, wherever it stands on the search path. */
static const struct server_own_question named[] = {
    {"SELECT p.proname, n.nspname FROM pg_proc p JOIN pg_namespace n ON n.oid = "
     "p.pronamespace WHERE p.oid >= 16384 AND p.prokind <> 'p'" //
     NOT_OF_EXTENSION("p.oid", "pg_proc")                       //
     " UNION SELECT o.oprname, n.nspname FROM pg_operator o"
     " JOIN pg_namespace n ON n.oid = o.oprnamespace WHERE o.oid >= 16384" //
     NOT_OF_EXTENSION("o.oid", "pg_operator") " ORDER BY 1",
     2, function_row},
};

/* Not there before PostgreSQL 14. */
#define MULTIRANGE "(to_jsonb(r)->>'rngmultitypid')::oid"

/*
 * mark: types for which the server calls such a function, and why. (The check of a domain
 * is called by casts, and a text beside a column of it may become one: lag(column, 1,
 * 'x'), ARRAY[column] = '{x}'.) family: operator families with such functions. carrier:
 * marked types and all types made of them (arrays, domains, rows, ranges).
 */
#define UNNAMED                                                                                       \
    "WITH RECURSIVE own AS (SELECT p.oid, p.proname FROM pg_proc p WHERE p.oid >= "                   \
    "16384" NOT_OF_EXTENSION(                                                                         \
        "p.oid",                                                                                      \
        "pg_proc") "),"                                                                               \
                   " family(oid, type, name) AS ("                                                    \
                   "SELECT a.amprocfamily, a.amproclefttype, o.proname FROM pg_amproc a"              \
                   " JOIN own o ON o.oid = a.amproc"                                                  \
                   " UNION SELECT a.amopfamily, s.type, o.proname FROM pg_amop a"                     \
                   " JOIN pg_operator p ON p.oid = a.amopopr JOIN own o ON o.oid = "                  \
                   "p.oprcode,"                                                                       \
                   " LATERAL (VALUES (a.amoplefttype), (a.amoprighttype)) s(type)),"                  \
                   " base(type, what, name) AS ("                                                     \
                   "SELECT s.type, 'a cast', o.proname FROM pg_cast c"                                \
                   " JOIN own o ON o.oid = c.castfunc,"                                               \
                   " LATERAL (VALUES (c.castsource), (c.casttarget)) s(type)"                         \
                   " UNION SELECT f.type, 'an operator class', f.name FROM family f"                  \
                   " UNION SELECT t.oid, 'an input or output', o.proname FROM pg_type t"              \
                   " JOIN own o ON o.oid IN (t.typinput, t.typoutput, t.typreceive, "                 \
                   "t.typsend,"                                                                       \
                   " t.typmodin, t.typmodout) WHERE t.oid >= 16384"                                   \
                   " UNION SELECT r.rngtypid, 'a range', o.proname FROM pg_range r"                   \
                   " JOIN own o ON o.oid IN (r.rngcanonical, r.rngsubdiff)"                           \
                   " UNION SELECT r.rngtypid, 'a range with an order', f.name FROM "                  \
                   "pg_range r"                                                                       \
                   " JOIN pg_opclass k ON k.oid = r.rngsubopc JOIN family f ON f.oid = "              \
                   "k.opcfamily)," /* what the checks of domains name: functions, operators, types */ \
                   " mark(type, what, name) AS ("                                                     \
                   "SELECT b.type, b.what, b.name FROM base b"                                        \
                   " UNION SELECT k.contypid, 'a check', s.name FROM "                                \
                   "pg_constraint k"                                                                  \
                   " JOIN pg_depend d ON d.classid = 'pg_constraint'::regclass AND "                  \
                   "d.objid = k.oid,"                                                                 \
                   " LATERAL (SELECT o.proname FROM own o WHERE o.oid = d.refobjid"                   \
                   " AND d.refclassid = 'pg_proc'::regclass"                                          \
                   " UNION SELECT o.proname FROM pg_operator p JOIN own o ON o.oid = "                \
                   "p.oprcode"                                                                        \
                   " WHERE p.oid = d.refobjid AND d.refclassid = "                                    \
                   "'pg_operator'::regclass"                                                          \
                   " UNION SELECT b.name FROM base b JOIN pg_type t ON b.type IN "                    \
                   "(t.oid, t.typelem)"                                                               \
                   " WHERE t.oid >= 16384 AND t.oid = d.refobjid"                                     \
                   " AND d.refclassid = 'pg_type'::regclass) s(name)"                                 \
                   " WHERE k.contypid >= 16384),"                                                     \
                   " edge(part, whole) AS ("                                                          \
                   "SELECT s.part, t.oid FROM pg_type t,"                                             \
                   " LATERAL (VALUES (t.typelem), (t.typbasetype)) s(part) WHERE "                    \
                   "s.part >= 16384"                                                                  \
                   " UNION ALL SELECT r.rngsubtype, r.rngtypid FROM pg_range r"                       \
                   " UNION ALL SELECT r.rngtypid, " MULTIRANGE " FROM pg_range r"                     \
                   " UNION ALL SELECT a.atttypid, c.reltype FROM pg_attribute a"                      \
                   " JOIN pg_class c ON c.oid = a.attrelid AND c.reltype <> 0"                        \
                   " WHERE a.atttypid >= 16384 AND a.attnum > 0 AND NOT "                             \
                   "a.attisdropped),"                                                                 \
                   " carrier(type, root) AS (SELECT m.type, m.type FROM mark m WHERE "                \
                   "m.type >= 16384"                                                                  \
                   " UNION SELECT e.whole, c.root FROM carrier c JOIN edge e ON e.part "              \
                   "= c.type) "

/* The columns that say which relation uses which operator classes. */
#define CLASSES                                                                          \
    "(SELECT indrelid, indclass FROM pg_index UNION ALL"                                 \
    " SELECT partrelid, partclass FROM pg_partitioned_table) i(relation, classes)"

/* A type of the database's own comes into a statement with a column alone, or where a
 * cast names it. Non-default operator classes of built-in types come with an index. */
static const struct server_own_question unnamed[] = {
    {UNNAMED
     "SELECT n.nspname, k.relname, a.attname, format_type(m.type, NULL), m.what, m.name"
     " FROM carrier c JOIN mark m ON m.type = c.root"
     " JOIN pg_attribute a ON a.atttypid = c.type AND a.attnum > 0 AND NOT "
     "a.attisdropped"
     " JOIN pg_class k ON k.oid = a.attrelid AND k.relkind IN ('r', 'p', 'f', 'v', 'm')"
     " JOIN pg_namespace n ON n.oid = k.relnamespace"
     " UNION SELECT n.nspname, k.relname, NULL, format_type(f.type, NULL),"
     " 'an operator class', f.name FROM family f JOIN pg_opclass o ON o.opcfamily = f.oid"
     " JOIN " CLASSES " ON o.oid = ANY (i.classes)"
     " JOIN pg_class k ON k.oid = coalesce(pg_partition_root(i.relation), i.relation)"
     " JOIN pg_namespace n ON n.oid = k.relnamespace ORDER BY 1, 2, 3, 4, 5, 6",
     6, table_row},
    {UNNAMED "SELECT DISTINCT t.typname FROM carrier c JOIN pg_type t ON t.oid = c.type"
             " ORDER BY 1",
     1, type_row},
    /* Only a superuser makes a cast between built-in types. */
    {"SELECT c.castcontext = 'i', format_type(c.castsource, NULL),"
     " format_type(c.casttarget, NULL), p.proname, s.name"
     " FROM pg_cast c JOIN pg_proc p ON p.oid = c.castfunc AND p.oid >= 16384"
     " JOIN pg_type t ON t.oid = c.casttarget,"
     " LATERAL (SELECT t.typname UNION"
     " SELECT split_part(format_type(t.oid, NULL), ' ', 1) UNION"
     " SELECT w.word FROM (VALUES ('int4', 'int'), ('numeric', 'decimal'),"
     " ('numeric', 'dec'), ('float8', 'float'), ('float4', 'float'), ('bpchar', 'char'),"
     " ('bpchar', 'character'), ('bpchar', 'nchar'), ('bpchar', 'national'),"
     " ('varchar', 'character'), ('varchar', 'char'), ('varchar', 'national'),"
     " ('varchar', 'nchar')) w(type, word)"
     " WHERE w.type = t.typname) s(name)"
     " WHERE c.castsource < 16384 AND c.casttarget < 16384" //
     NOT_OF_EXTENSION("p.oid", "pg_proc") " ORDER BY 1, 2, 3, 4, 5",
     5, cast_row},
    /* Nor does anybody else give a built-in type the order that it lacks (json, point):
     * then DISTINCT of whatever has this type calls it. */
    {UNNAMED "SELECT format_type(o.opcintype, NULL), f.name FROM pg_opclass o"
             " JOIN family f ON f.oid = o.opcfamily WHERE o.opcdefault"
             " AND o.opcintype < 16384 ORDER BY 1, 2",
     2, class_row},
};

const struct server_own_question *server_own_named(size_t *count)
{
    *count = sizeof named / sizeof *named;
    return named;
}

const struct server_own_question *server_own_unnamed(size_t *count)
{
    *count = sizeof unnamed / sizeof *unnamed;
    return unnamed;
}
