/* The type that a column is staged with, from the words its own database uses. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "datasource/staging/staging_types.h"

enum { WIDTH_MOST = 38, LOOSE_SCALE = 10 };

/* A type begins with the words; the first row that fits counts. */
static const struct {
    const char *words;
    enum staged_kind kind;
} kinds[] = {
    {"boolean", STAGED_BOOL},
    {"bool", STAGED_BOOL},
    {"bigint unsigned", STAGED_UNSIGNED},
    {"ubigint", STAGED_UNSIGNED},
    {"uint64", STAGED_UNSIGNED},
    {"hugeint", STAGED_HUGE},
    {"uhugeint", STAGED_HUGE},
    {"int128", STAGED_HUGE},
    {"uint128", STAGED_HUGE},
    {"interval", STAGED_TEXT},
    {"bigint", STAGED_INT},
    {"int", STAGED_INT},
    {"int2", STAGED_INT},
    {"int4", STAGED_INT},
    {"int8", STAGED_INT},
    {"int16", STAGED_INT},
    {"int32", STAGED_INT},
    {"int64", STAGED_INT},
    {"integer", STAGED_INT},
    {"smallint", STAGED_INT},
    {"mediumint", STAGED_INT},
    {"tinyint", STAGED_INT},
    {"uint8", STAGED_INT},
    {"uint16", STAGED_INT},
    {"uint32", STAGED_INT},
    {"utinyint", STAGED_INT},
    {"usmallint", STAGED_INT},
    {"uinteger", STAGED_INT},
    {"unsigned big int", STAGED_INT},
    {"serial", STAGED_INT},
    {"bigserial", STAGED_INT},
    {"smallserial", STAGED_INT},
    {"long", STAGED_INT},
    {"year", STAGED_INT},
    {"oid", STAGED_INT},
    {"decimal", STAGED_DECIMAL},
    {"decimal128", STAGED_DECIMAL},
    {"numeric", STAGED_DECIMAL},
    {"bignumeric", STAGED_DECIMAL},
    {"number", STAGED_DECIMAL},
    {"real", STAGED_REAL},
    {"double", STAGED_REAL},
    {"float", STAGED_REAL},
    {"float4", STAGED_REAL},
    {"float8", STAGED_REAL},
    {"float32", STAGED_REAL},
    {"float64", STAGED_REAL},
    {"timestamp with time zone", STAGED_ZONED},
    {"timestamp with local time zone", STAGED_ZONED},
    {"timestamptz", STAGED_ZONED},
    {"datetimeoffset", STAGED_ZONED},
    {"timestamp", STAGED_TIMESTAMP},
    {"timestamp_s", STAGED_TIMESTAMP},
    {"timestamp_ms", STAGED_TIMESTAMP},
    {"timestamp_ns", STAGED_TIMESTAMP},
    {"datetime", STAGED_TIMESTAMP},
    {"datetime2", STAGED_TIMESTAMP},
    {"datetime64", STAGED_TIMESTAMP},
    {"smalldatetime", STAGED_TIMESTAMP},
    {"date", STAGED_DATE},
    {"date32", STAGED_DATE},
    {"time with time zone", STAGED_TEXT},
    {"time", STAGED_TIME},
    {"blob", STAGED_BLOB},
    {"tinyblob", STAGED_BLOB},
    {"mediumblob", STAGED_BLOB},
    {"longblob", STAGED_BLOB},
    {"bytea", STAGED_BLOB},
    {"bytes", STAGED_BLOB},
    {"binary", STAGED_BLOB},
    {"varbinary", STAGED_BLOB},
    {"image", STAGED_BLOB},
    {"json", STAGED_JSON},
    {"jsonb", STAGED_JSON},
    {"struct", STAGED_JSON},
    {"record", STAGED_JSON},
    {"map", STAGED_JSON},
    {"list", STAGED_JSON},
    {"array", STAGED_JSON},
    {"object", STAGED_JSON},
    {"tuple", STAGED_JSON},
    {"nested", STAGED_JSON},
};

static const char *const names[STAGED_COUNT] = {
    [STAGED_BOOL] = "BOOLEAN",        [STAGED_INT] = "BIGINT",
    [STAGED_UNSIGNED] = "UBIGINT",    [STAGED_HUGE] = "HUGEINT",
    [STAGED_DECIMAL] = "DECIMAL",     [STAGED_REAL] = "DOUBLE",
    [STAGED_DATE] = "DATE",           [STAGED_TIME] = "TIME",
    [STAGED_TIMESTAMP] = "TIMESTAMP", [STAGED_ZONED] = "TIMESTAMPTZ",
    [STAGED_TEXT] = "VARCHAR",        [STAGED_BLOB] = "BLOB",
    [STAGED_JSON] = "JSON",
};

/* Past the words at the beginning; NULL when it does not begin with them. "int" does not
 * begin "interval". */
static const char *past(const char *type, const char *words)
{
    if (!str_starts_nocase(type, words)) {
        return NULL;
    }
    const char *after = type + strlen(words);
    return isalnum((unsigned char)*after) || *after == '_' ? NULL : after;
}

/* ClickHouse wraps types: Nullable(Int64), LowCardinality(Nullable(String)). */
static const char *unwrapped(const char *type)
{
    static const char *const wraps[] = {"nullable(", "lowcardinality("};
    for (size_t i = 0; i < sizeof wraps / sizeof *wraps; i++) {
        if (str_starts_nocase(type, wraps[i])) {
            type += strlen(wraps[i]);
            i = (size_t)-1; /* there may be another one inside */
        }
    }
    return type;
}

/* "(10,2)", "(10)" or nothing behind the word. */
static struct staged_type decimal_of(enum dialect dialect, const char *after)
{
    struct staged_type type = {STAGED_DECIMAL, WIDTH_MOST, LOOSE_SCALE};
    const char *open = *after == ' ' ? after + 1 : after;
    char *end = NULL;
    long width = *open == '(' ? strtol(open + 1, &end, 10) : 0;
    if (width < 1) {
        /* SQLite keeps such numbers as doubles */
        return dialect == DIALECT_SQLITE ? (struct staged_type){.kind = STAGED_REAL}
                                         : type;
    }
    long scale = *end == ',' ? strtol(end + 1, NULL, 10) : 0;
    if (width <= WIDTH_MOST && scale >= 0 && scale <= width) {
        type.width = (unsigned)width;
        type.scale = (unsigned)scale;
    }
    return type;
}

struct staged_type staged_type_of(enum dialect dialect, const char *type)
{
    struct staged_type out = {.kind = STAGED_TEXT};
    type = unwrapped(type ? type : "");
    if (str_ends_nocase(type, "[]") || type[0] == '_') {
        out.kind = STAGED_JSON;
        return out;
    }
    const char *after = NULL;
    for (size_t i = 0; !after && i < sizeof kinds / sizeof *kinds; i++) {
        after = past(type, kinds[i].words);
        out.kind = after ? kinds[i].kind : STAGED_TEXT;
    }
    if (!after) {
        return out;
    }
    if (out.kind == STAGED_DECIMAL) {
        return decimal_of(dialect, after);
    }
    if (str_contains_nocase(after, "with time zone")) { /* "timestamp(3) with …" */
        out.kind = out.kind == STAGED_TIMESTAMP ? STAGED_ZONED : STAGED_TEXT;
    } else if (dialect == DIALECT_BIGQUERY && str_equal_nocase(type, "timestamp")) {
        out.kind = STAGED_ZONED;
    } else if (out.kind == STAGED_INT && str_contains_nocase(after, "unsigned") &&
               past(type, "bigint")) { /* "bigint(20) unsigned" */
        out.kind = STAGED_UNSIGNED;
    }
    return out;
}

const char *staged_type_name(struct arena *arena, struct staged_type type)
{
    return type.kind == STAGED_DECIMAL
               ? arena_format(arena, "DECIMAL(%u,%u)", type.width, type.scale)
               : names[type.kind];
}
