/* How each dialect is asked for counts, distinct values, extremes and samples. */
#include "datasource/profile/profile_state.h"

enum {
    SERVER_ROWS = 200000, /* maximum number of rows of a server's table to read */
    LOCAL_ROWS = 1000000, /* of a file, where no other user has to wait */
    DUCKDB_ROWS = 100000, /* up to here DuckDB counts distinct values */
    BATCH_COLUMNS = 100,
    SAMPLED_COLUMNS = 20, /* over a slow line the way there costs the most */
};

/* A column may hold values of every type here, so that each value is looked at: of texts
 * only dates are worth knowing as extremes. */
#define SQLITE_EXTREME                                                                   \
    "iif(typeof({end}({column})) = 'text' AND ({end}({column}) NOT GLOB"                 \
    " '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]*' OR length({end}({column})) > 40),"   \
    " NULL, {end}({column}))"

const struct profile_dialect profile_sqlite = {
    .exact_rows = LOCAL_ROWS,
    .distinct_rows = PROFILE_SCAN_ROWS,
    .estimate_factor = 1,
    .batch_columns = BATCH_COLUMNS,
    .sample_columns = 1,
    .count_table = "SELECT count(*) FROM (SELECT 1 FROM {table} LIMIT {over})",
    .rows = "count(*)",
    .present = "count({column})",
    .distinct = "count(DISTINCT {column})",
    .extreme = SQLITE_EXTREME,
    .extreme_index = "(SELECT " SQLITE_EXTREME " FROM {table})",
    .first_rows = "(SELECT {columns} FROM {table} LIMIT {scan})",
    .samples = "SELECT {index}, v FROM (SELECT {column} AS v FROM {table} LIMIT {scan})"
               " WHERE typeof(v) = 'text' AND v <> '' AND length(v) <= {bytes}"
               " GROUP BY v ORDER BY count(*) DESC, v LIMIT {samples}",
    .words = "*CHAR *TEXT *CLOB *STRING *ENUM =",
    .ordered = "!*BLOB !*BINARY !*BYTEA *",
    .countable = "*",
    .extremes_checked = true,
};

/* Columnar: reading all of a table is cheap. Functions are named with their schema, as a
 * database may have others of the same name. */
const struct profile_dialect profile_duckdb = {
    .exact_rows = INT64_MAX - 1,
    .distinct_rows = DUCKDB_ROWS,
    .distinct_columns = 100, /* each is a table of hashes */
    .counts_all = true,
    .batch_columns = BATCH_COLUMNS,
    .sample_columns = 1,
    .count_table = "SELECT system.main.count(*)::VARCHAR FROM {table}",
    .rows = "system.main.count(*)::VARCHAR",
    .present = "system.main.count({column})::VARCHAR",
    .distinct = "system.main.count(DISTINCT {column})::VARCHAR",
    .distinct_estimate = "system.main.approx_count_distinct({column})::VARCHAR",
    .extreme = "system.main.{end}({column})::VARCHAR",
    .samples =
        "SELECT '{index}', v FROM (SELECT {column}::VARCHAR AS v FROM {table} LIMIT"
        " {scan}) WHERE v <> '' AND system.main.length(v) <= {bytes} GROUP BY v"
        " ORDER BY system.main.count(*) DESC, v LIMIT {samples}",
    .words = "=VARCHAR ENUM",
    .ordered = "!*BLOB !*STRUCT !*MAP !*UNION !*[ !*BIT !*JSON !*UUID *",
    .countable = "",
};

const struct profile_dialect profile_postgres = {
    .exact_rows = SERVER_ROWS,
    .distinct_rows = PROFILE_SCAN_ROWS,
    .estimate_factor = 1,
    .batch_columns = BATCH_COLUMNS,
    .sample_columns = SAMPLED_COLUMNS,
    .count_table = "SELECT count(*) FROM (SELECT 1 FROM {table} LIMIT {over}) AS t",
    .rows = "count(*)",
    .present = "count({column})",
    .distinct = "count(DISTINCT {column})",
    .extreme = "{end}({column})::text",
    .extreme_word = "left({end}({column})::text, {bytes})", /* only a date is kept */
    .samples = "(SELECT {index}, v FROM (SELECT {column}::text AS v FROM {table} LIMIT"
               " {scan}) AS t WHERE v <> '' AND length(v) <= {bytes} GROUP BY v"
               " ORDER BY count(*) DESC, v COLLATE \"C\" LIMIT {samples})",
    /* What ANALYZE has found out: one question, however large the table is. */
    .known = "SELECT s.attname, s.null_frac, s.n_distinct, b.bounds[1],"
             " b.bounds[array_upper(b.bounds, 1)], v.value FROM pg_stats s CROSS JOIN"
             " LATERAL (SELECT s.histogram_bounds::text::text[] AS bounds) b LEFT JOIN"
             " LATERAL unnest(s.most_common_vals::text::text[]) WITH ORDINALITY"
             " v(value, place) ON v.place <= {samples} WHERE s.schemaname = {schema}"
             " AND s.tablename = {name} ORDER BY s.attname, v.place",
    .words = "!*[] VARCHAR CHAR TEXT ENUM",
    .ordered = "!*[] !DATERANGE SMALLINT INTEGER BIGINT NUMERIC REAL DOUBLE DATE TIME"
               " INTERVAL VARCHAR CHAR TEXT",
    .countable = "!*[] BOOLEAN UUID ENUM INET",
};

const struct profile_dialect profile_mysql = {
    .exact_rows = SERVER_ROWS,
    .distinct_rows = PROFILE_SCAN_ROWS,
    .estimate_factor = 2, /* the estimate may be off by half */
    .batch_columns = BATCH_COLUMNS,
    .sample_columns = SAMPLED_COLUMNS,
    .count_table = "SELECT COUNT(*) FROM (SELECT 1 FROM {table} LIMIT {over}) AS t",
    .rows = "COUNT(*)",
    .present = "COUNT({column})",
    .distinct = "COUNT(DISTINCT {column})",
    .extreme = "{end}({column})",
    .extreme_index = "(SELECT {end}({column}) FROM {table})",
    .first_rows = "(SELECT {columns} FROM {table} LIMIT {scan}) AS t",
    .samples =
        "(SELECT {index}, v FROM (SELECT CAST({column} AS CHAR) COLLATE utf8mb4_bin"
        " AS v FROM {table} LIMIT {scan}) AS t WHERE v <> '' AND"
        " CHAR_LENGTH(v) <= {bytes} GROUP BY v ORDER BY COUNT(*) DESC, v"
        " LIMIT {samples})",
    .known = "SELECT COLUMN_NAME, NULL, MAX(CARDINALITY), NULL, NULL, NULL FROM"
             " information_schema.STATISTICS WHERE SEQ_IN_INDEX = 1 AND SUB_PART IS NULL"
             " AND TABLE_SCHEMA = {schema} AND TABLE_NAME = {name} GROUP BY COLUMN_NAME",
    .words = "VARCHAR CHAR TEXT ENUM TINYTEXT SET MEDIUMTEXT",
    .ordered = "TINYINT SMALLINT MEDIUMINT INTEGER BIGINT DECIMAL FLOAT DOUBLE DATE TIME"
               " YEAR VARCHAR CHAR",
    .countable = "TEXT ENUM TINYTEXT SET MEDIUMTEXT BOOLEAN UUID INET BIT",
};

/* A table knows how many rows it has, or reads its smallest column; a view computes. */
const struct profile_dialect profile_clickhouse = {
    .exact_rows = SERVER_ROWS,
    .distinct_rows = PROFILE_SCAN_ROWS,
    .counts_all = true,
    .batch_columns = BATCH_COLUMNS,
    .sample_columns = SAMPLED_COLUMNS,
    .count_table = "SELECT count() FROM {table}",
    .count_view = "SELECT count() FROM (SELECT 1 FROM {table} LIMIT {over})",
    .rows = "count()",
    .present = "count({column})",
    .distinct = "uniqExact({column})",
    .extreme = "toString({end}({column}))",
    .first_rows = "(SELECT {columns} FROM {table} LIMIT {scan})",
    .samples =
        "SELECT {index} AS i, v FROM (SELECT assumeNotNull(toString({column})) AS v,"
        " count() AS c FROM (SELECT {column} FROM {table} LIMIT {scan}) WHERE"
        " isNotNull({column}) AND v != '' AND length(v) <= {bytes} GROUP BY v"
        " ORDER BY c DESC, v LIMIT {samples})",
    .words = "String FixedString Enum",
    .ordered = "!Interval Int UInt Float Decimal Date String",
    .countable = "FixedString Enum Bool UUID IPv",
};

/* SQL that every database takes: there is no word for "the first rows" that all have. */
#define ODBC_COMMON                                                                      \
    .exact_rows = SERVER_ROWS, .distinct_rows = SERVER_ROWS, .counts_all = true,         \
    .batch_columns = 60, .sample_columns = 1, .samples_seen = 50,                        \
    .count_table = "SELECT COUNT(*) FROM {table}", .rows = "COUNT(*)",                   \
    .present = "COUNT({column})", .distinct = "COUNT(DISTINCT {column})",                \
    .extreme = "{end}({column})", .words = "VARCHAR CHAR =TEXT",                         \
    .ordered = "TINYINT SMALLINT INTEGER BIGINT DECIMAL NUMERIC REAL DOUBLE DATE TIME"   \
               " VARCHAR CHAR",                                                          \
    .countable = ""
#define ODBC_SAMPLES                                                                     \
    "SELECT {index}, {column}, COUNT(*) FROM {table} WHERE {column} <> ''"

const struct profile_dialect profile_odbc = {
    ODBC_COMMON,
    .samples = ODBC_SAMPLES " GROUP BY {column} ORDER BY 3 DESC, 2",
};

/* Drivers read a whole row: a long text is cut in the server where that is known how. */
const struct profile_dialect profile_odbc_cuts = {
    ODBC_COMMON,
    .extreme_word = "{end}(LEFT({column}, {bytes}))",
    .samples = ODBC_SAMPLES " AND CHAR_LENGTH({column}) <= {bytes}"
                            " GROUP BY {column} ORDER BY 3 DESC, 2",
};
