/* Looks functions up in functions.def, by halving. */
#include "sql/function.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

static const struct function functions[] = {
#define FUNCTION(name, dialects, traits) {name, dialects, traits},
#include "sql/functions.def"
#undef FUNCTION
};

static const char dialect_letters[DIALECT_COUNT + 1] = "sdpmcbo";

/* Endings that ClickHouse hangs on aggregates: sumIf, uniqExactIf, avgOrNull … */
static const char *const combinators[] = {"if",        "array", "distinct", "ornull",
                                          "ordefault", "merge", "map"};

enum { NAME_MOST = 48 };

static bool fold(const char *name, char folded[NAME_MOST + 1])
{
    size_t i = 0;
    for (; name[i]; i++) {
        if (i == NAME_MOST || (unsigned char)name[i] >= 0x80) {
            return false;
        }
        folded[i] = (char)tolower((unsigned char)name[i]);
    }
    folded[i] = '\0';
    return i > 0;
}

static const struct function *find(const char *folded)
{
    size_t low = 0;
    size_t high = sizeof functions / sizeof *functions;
    while (low < high) {
        size_t middle = (low + high) / 2;
        int order = strcmp(folded, functions[middle].name);
        if (order == 0) {
            return &functions[middle];
        }
        if (order < 0) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return NULL;
}

static bool offered(const struct function *function, enum dialect dialect)
{
    return function && strchr(function->dialects, dialect_letters[dialect]);
}

static const struct function *find_combined(char *folded)
{
    size_t size = strlen(folded);
    for (size_t i = 0; i < sizeof combinators / sizeof *combinators; i++) {
        size_t tail = strlen(combinators[i]);
        if (size > tail && strcmp(folded + size - tail, combinators[i]) == 0) {
            folded[size - tail] = '\0';
            const struct function *function = find(folded);
            if (function_has(function, 'a')) {
                return function;
            }
            folded[size - tail] = combinators[i][0];
        }
    }
    return NULL;
}

const struct function *function_find(enum dialect dialect, const char *name)
{
    char folded[NAME_MOST + 1];
    if (!fold(name, folded)) {
        return NULL;
    }
    const struct function *function = find(folded);
    if (!offered(function, dialect) && dialect == DIALECT_CLICKHOUSE) {
        function = find_combined(folded);
    }
    return offered(function, dialect) ? function : NULL;
}

bool function_has(const struct function *function, char trait)
{
    return function && strchr(function->traits, trait);
}

static const struct danger {
    const char *name; /* ending in '*': a beginning */
    const char *why;
} dangers[] = {
    {"read_*", "it reads files"},
    {"readfile", "it reads files"},
    {"load_file", "it reads files"},
    {"pg_read_*", "it reads files of the server"},
    {"pg_ls_*", "it lists files of the server"},
    {"pg_stat_file", "it looks at files of the server"},
    {"lo_*", "it reads or writes large objects"},
    {"glob", "it lists files"},
    {"sniff_csv", "it reads files"},
    {"parquet_*", "it reads files"},
    {"file", "it reads files"},
    {"url", "it opens network connections"},
    {"s3", "it opens network connections"},
    {"remote*", "it opens network connections"},
    {"*_scan", "it opens other databases or files"},
    {"writefile", "it writes files"},
    {"edit", "it starts a program"},
    {"sys_*", "it runs programs"},
    {"load_extension", "it loads code into the database"},
    {"fts3_tokenizer", "it reaches into the memory of the database"},
    {"pg_sleep*", "it makes the database wait"},
    {"sleep*", "it makes the database wait"},
    {"benchmark", "it keeps the database busy"},
    {"waitfor", "it makes the database wait"},
    {"get_lock", "it takes locks"},
    {"release_*", "it changes locks"},
    {"pg_advisory_*", "it takes locks"},
    {"pg_try_advisory_*", "it takes locks"},
    {"getenv", "it reads the environment"},
    {"getvariable", "it reads session variables"},
    {"current_setting", "it reads settings"},
    {"set_config", "it changes settings"},
    {"setseed", "it changes the session"},
    {"sqlite_*", "it describes the database program"},
    {"duckdb_*", "it describes the inside of the database"},
    {"pragma_*", "it describes the inside of the database"},
    {"pg_notify", "it sends messages"},
    {"pg_terminate_backend", "it ends other sessions"},
    {"pg_cancel_backend", "it stops other queries"},
    {"pg_*", "it belongs to the administration of the server"},
    {"nextval", "it changes a sequence"},
    {"setval", "it changes a sequence"},
    {"currval", "it reads a sequence"},
    {"lastval", "it reads a sequence"},
    {"last_insert_*", "it reads session state"},
    {"changes", "it reads session state"},
    {"total_changes", "it reads session state"},
    {"zeroblob", "it can fill the memory"},
    {"randomblob", "it can fill the memory"},
    {"write_log", "it writes a log"},
    {"which_secret", "it reads secrets"},
    {"extractvalue", "it leaks data through error messages"},
    {"updatexml", "it leaks data through error messages"},
    {"xml*", "it can open files and network connections"},
    {"error", "it stops the query with a message of its own"},
    {"raise", "it stops the query"},
    {"user", "it describes the session"},
    {"database", "it describes the session"},
    {"schema", "it describes the session"},
    {"version", "it describes the server"},
    {"connection_id", "it describes the session"},
    {"inet_server_*", "it describes the server"},
};

static bool matches(const char *pattern, const char *name)
{
    size_t size = strlen(pattern);
    if (pattern[0] == '*') {
        size_t length = strlen(name);
        return length > size - 1 && strcmp(name + length - (size - 1), pattern + 1) == 0;
    }
    return pattern[size - 1] == '*' ? strncmp(name, pattern, size - 1) == 0
                                    : strcmp(name, pattern) == 0;
}

const char *function_danger(const char *name)
{
    char folded[NAME_MOST + 1];
    const char *kind = function_kind(name);
    if (kind) {
        return kind;
    }
    if (fold(name, folded)) {
        for (size_t i = 0; i < sizeof dangers / sizeof *dangers; i++) {
            if (matches(dangers[i].name, folded)) {
                return dangers[i].why;
            }
        }
    }
    return NULL;
}

/* Sorted. Types that name things of the catalog (regclass …) are not here on purpose. */
static const char *const types[] = {
    "array",        "bigdecimal",   "bigint",         "bignum",      "bignumeric",
    "binary",       "bit",          "blob",           "bool",        "boolean",
    "bpchar",       "bytea",        "bytes",          "char",        "character",
    "cidr",         "clob",         "date",           "date32",      "daterange",
    "datetime",     "datetime2",    "datetime64",     "dec",         "decimal",
    "decimal128",   "decimal256",   "decimal32",      "decimal64",   "double",
    "enum",         "fixedstring",  "float",          "float32",     "float4",
    "float64",      "float8",       "geography",      "geometry",    "hugeint",
    "inet",         "int",          "int1",           "int128",      "int16",
    "int2",         "int256",       "int32",          "int4",        "int4range",
    "int64",        "int8",         "int8range",      "integer",     "interval",
    "json",         "jsonb",        "jsonpath",       "list",        "logical",
    "long",         "longtext",     "lowcardinality", "macaddr",     "map",
    "mediumint",    "mediumtext",   "money",          "national",    "nchar",
    "nullable",     "number",       "numeric",        "nvarchar",    "object",
    "real",         "row",          "short",          "signed",      "smallint",
    "string",       "struct",       "text",           "time",        "timestamp",
    "timestamp_ms", "timestamp_ns", "timestamp_s",    "timestamptz", "timetz",
    "tinyint",      "tinytext",     "tsquery",        "tsrange",     "tstzrange",
    "tsvector",     "tuple",        "ubigint",        "uhugeint",    "uint128",
    "uint16",       "uint256",      "uint32",         "uint64",      "uint8",
    "uinteger",     "union",        "unsigned",       "usmallint",   "utinyint",
    "uuid",         "varbinary",    "varbit",         "varchar",     "varchar2",
    "variant",      "varint",       "vector",         "year",
};

bool function_type_known(const char *name)
{
    char folded[NAME_MOST + 1];
    if (!fold(name, folded)) {
        return false;
    }
    size_t low = 0;
    size_t high = sizeof types / sizeof *types;
    while (low < high) {
        size_t middle = (low + high) / 2;
        int order = strcmp(folded, types[middle]);
        if (order == 0) {
            return true;
        }
        if (order < 0) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return false;
}
