/* PostgreSQL's types by number: how they are named and how their values are read. */
#include "datasource/postgres/postgres_driver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"

/* Numbers of built-in types never change. Sorted by number. */
static const struct postgres_type built_in[] = {
    {16, "BOOLEAN", POSTGRES_BOOL, 0},
    {17, "BYTEA", POSTGRES_BYTES, 0},
    {18, "CHAR", POSTGRES_TEXT, 0},
    {19, "NAME", POSTGRES_TEXT, 0},
    {20, "BIGINT", POSTGRES_INT, 0},
    {21, "SMALLINT", POSTGRES_INT, 0},
    {23, "INTEGER", POSTGRES_INT, 0},
    {25, "TEXT", POSTGRES_TEXT, 0},
    {26, "OID", POSTGRES_INT, 0},
    {114, "JSON", POSTGRES_JSON, 0},
    {142, "XML", POSTGRES_TEXT, 0},
    {199, "JSON[]", POSTGRES_ARRAY, 114},
    {600, "POINT", POSTGRES_TEXT, 0},
    {650, "CIDR", POSTGRES_TEXT, 0},
    {700, "REAL", POSTGRES_REAL, 0},
    {701, "DOUBLE PRECISION", POSTGRES_REAL, 0},
    {705, "TEXT", POSTGRES_TEXT, 0}, /* a literal of no type */
    {790, "MONEY", POSTGRES_TEXT, 0},
    {829, "MACADDR", POSTGRES_TEXT, 0},
    {869, "INET", POSTGRES_TEXT, 0},
    {1000, "BOOLEAN[]", POSTGRES_ARRAY, 16},
    {1001, "BYTEA[]", POSTGRES_ARRAY, 17},
    {1003, "NAME[]", POSTGRES_ARRAY, 19},
    {1005, "SMALLINT[]", POSTGRES_ARRAY, 21},
    {1007, "INTEGER[]", POSTGRES_ARRAY, 23},
    {1009, "TEXT[]", POSTGRES_ARRAY, 25},
    {1014, "CHAR[]", POSTGRES_ARRAY, 1042},
    {1015, "VARCHAR[]", POSTGRES_ARRAY, 1043},
    {1016, "BIGINT[]", POSTGRES_ARRAY, 20},
    {1021, "REAL[]", POSTGRES_ARRAY, 700},
    {1022, "DOUBLE PRECISION[]", POSTGRES_ARRAY, 701},
    {1028, "OID[]", POSTGRES_ARRAY, 26},
    {1041, "INET[]", POSTGRES_ARRAY, 869},
    {1042, "CHAR", POSTGRES_TEXT, 0},
    {1043, "VARCHAR", POSTGRES_TEXT, 0},
    {1082, "DATE", POSTGRES_TEXT, 0},
    {1083, "TIME", POSTGRES_TEXT, 0},
    {1114, "TIMESTAMP", POSTGRES_TEXT, 0},
    {1115, "TIMESTAMP[]", POSTGRES_ARRAY, 1114},
    {1182, "DATE[]", POSTGRES_ARRAY, 1082},
    {1183, "TIME[]", POSTGRES_ARRAY, 1083},
    {1184, "TIMESTAMPTZ", POSTGRES_TEXT, 0},
    {1185, "TIMESTAMPTZ[]", POSTGRES_ARRAY, 1184},
    {1186, "INTERVAL", POSTGRES_TEXT, 0},
    {1187, "INTERVAL[]", POSTGRES_ARRAY, 1186},
    {1231, "NUMERIC[]", POSTGRES_ARRAY, 1700},
    {1266, "TIMETZ", POSTGRES_TEXT, 0},
    {1560, "BIT", POSTGRES_TEXT, 0},
    {1562, "VARBIT", POSTGRES_TEXT, 0},
    {1700, "NUMERIC", POSTGRES_NUMBER, 0},
    {2950, "UUID", POSTGRES_TEXT, 0},
    {2951, "UUID[]", POSTGRES_ARRAY, 2950},
    {3614, "TSVECTOR", POSTGRES_TEXT, 0},
    {3802, "JSONB", POSTGRES_JSON, 0},
    {3807, "JSONB[]", POSTGRES_ARRAY, 3802},
    {3904, "INT4RANGE", POSTGRES_TEXT, 0},
    {3906, "NUMRANGE", POSTGRES_TEXT, 0},
    {3908, "TSRANGE", POSTGRES_TEXT, 0},
    {3910, "TSTZRANGE", POSTGRES_TEXT, 0},
    {3912, "DATERANGE", POSTGRES_TEXT, 0},
    {3926, "INT8RANGE", POSTGRES_TEXT, 0},
};

static int type_order(const void *key, const void *item)
{
    const Oid *oid = key;
    const struct postgres_type *type = item;
    return (*oid > type->oid) - (*oid < type->oid);
}

/* What the database itself has made: enumerations with their words, domains, the types
 * of extensions, and arrays of all of them. Row types are too many and told by name. */
static const char own_types[] =
    "SELECT t.oid, t.typtype, t.typname, t.typelem, t.typbasetype, t.typcategory,"
    " CASE WHEN t.typtype = 'e' THEN (SELECT pg_catalog.string_agg("
    "pg_catalog.quote_literal(e.enumlabel), ', ' ORDER BY e.enumsortorder)"
    " FROM pg_catalog.pg_enum e WHERE e.enumtypid = t.oid) END"
    " FROM pg_catalog.pg_type t LEFT JOIN pg_catalog.pg_type i ON i.oid = t.typelem"
    " WHERE t.oid >= 16384 AND (t.typtype IN ('e', 'd', 'r', 'm') OR (t.typtype = 'b'"
    " AND (t.typcategory <> 'A' OR i.typtype IN ('e', 'd', 'b', 'r'))))";

static Oid oid_of(const char *text)
{
    return text ? (Oid)strtoul(text, NULL, 10) : 0;
}

/* Types being loaded, beside those in use. */
struct loading {
    struct map types;
    struct arena *arena;
};

static bool type_row(void *context, const char *const *texts)
{
    enum { ENUM_MOST = 600 }; /* bytes of the list; a longer one would not be read */
    struct loading *loading = context;
    struct arena *arena = loading->arena;
    struct postgres_type *type = ARENA_NEW(arena, struct postgres_type);
    type->oid = oid_of(texts[0]);
    type->kind = POSTGRES_TEXT;
    char form = texts[1] ? texts[1][0] : 'b';
    if (form == 'e') {
        bool listed = texts[6] && strlen(texts[6]) <= ENUM_MOST;
        type->name = listed ? arena_format(arena, "ENUM(%s)", texts[6]) : "ENUM";
    } else if (form == 'd') {
        type->element = oid_of(texts[4]); /* and its name */
    } else if (texts[5] && texts[5][0] == 'A') {
        type->kind = POSTGRES_ARRAY;
        type->element = oid_of(texts[3]);
    } else {
        type->name = str_equal(texts[2], "citext") ? "TEXT" : arena_text(arena, texts[2]);
    }
    (void)map_set(&loading->types, texts[0], type);
    return true;
}

bool postgres_types_load(struct postgres_session *session, struct postgres_state *state,
                         struct err *err)
{
    struct loading loading = {.arena = arena_new()};
    map_init(&loading.types, false);
    if (!postgres_rows(session, own_types, type_row, &loading, err)) {
        map_release(&loading.types);
        arena_free(loading.arena);
        return false;
    }
    (void)pthread_mutex_lock(&state->lock);
    struct map old = state->types;
    state->types = loading.types;
    /* Others may still hold names of the types before: they stay until the end. */
    arena_defer(state->memory, (void (*)(void *))arena_free, loading.arena);
    (void)pthread_mutex_unlock(&state->lock);
    map_release(&old);
    atomic_store(&state->types_known, true);
    return true;
}

struct postgres_type postgres_type_get(struct postgres_state *state, Oid oid)
{
    const struct postgres_type *type = bsearch(
        &oid, built_in, sizeof built_in / sizeof *built_in, sizeof *built_in, type_order);
    struct postgres_type found = {.oid = oid, .name = "", .kind = POSTGRES_TEXT};
    if (type) {
        return *type;
    }
    char key[16];
    (void)snprintf(key, sizeof key, "%u", oid);
    (void)pthread_mutex_lock(&state->lock);
    type = map_get(&state->types, key);
    if (type) {
        found = *type;
    }
    (void)pthread_mutex_unlock(&state->lock);
    return found;
}

/* The modifier of a length or a precision, as the catalog packs it. */
static const char *modifier_text(struct arena *arena, Oid oid, int modifier)
{
    enum { HEADER = 4, CHARACTERS = 1042, VARYING = 1043, NUMERIC = 1700 };
    if (modifier < HEADER) {
        return "";
    }
    int value = modifier - HEADER;
    if (oid == CHARACTERS || oid == VARYING) {
        return arena_format(arena, "(%d)", value);
    }
    if (oid == NUMERIC) {
        int scale = ((value & 0x7ff) ^ 1024) - 1024;
        return arena_format(arena, "(%d,%d)", value >> 16 & 0xffff, scale);
    }
    return "";
}

const char *postgres_type_name(struct postgres_state *state, struct arena *arena, Oid oid,
                               int modifier)
{
    enum { DEPTH_MOST = 8 }; /* domains over domains */
    const char *tail = "";
    struct postgres_type type = postgres_type_get(state, oid);
    for (int i = 0; !type.name && type.element && i < DEPTH_MOST; i++) {
        tail = type.kind == POSTGRES_ARRAY ? "[]" : tail;
        type = postgres_type_get(state, type.element);
    }
    return arena_format(arena, "%s%s%s", type.name ? type.name : "",
                        modifier_text(arena, type.oid, modifier), tail);
}
