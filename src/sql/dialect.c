/* The dialects as one table, and the quoting of names in each of them. */
#include "sql/dialect.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/str.h"
#include "sql/keyword.h"

static const struct dialect_info dialects[DIALECT_COUNT] = {
    [DIALECT_SQLITE] =
        {
            .name = "sqlite",
            .title = "SQLite",
            .name_quote = '"',
            .backtick_names = true,
            .bracket_names = true,
            .rules = "- Dates are text: use date(), datetime(), strftime('%Y-%m', d); "
                     "there is "
                     "no EXTRACT, DATE_TRUNC or INTERVAL: write date(d, '-1 month').\n"
                     "- Text in single quotes, names in double quotes only when needed.\n"
                     "- Integer division drops the fraction: write 1.0 * a / b.\n"
                     "- LIKE ignores case for ASCII letters; there is no ILIKE. Use || "
                     "to join "
                     "text.\n"
                     "- No DISTINCT ON, QUALIFY, TOP or stored procedures. Limit with "
                     "LIMIT n.\n",
        },
    [DIALECT_DUCKDB] =
        {
            .name = "duckdb",
            .title = "DuckDB",
            .name_quote = '"',
            .nested_comments = true,
            .dollar_quotes = true,
            .rules =
                "- Dates: date_trunc('month', d), extract(year FROM d), d - INTERVAL 1 "
                "MONTH, strftime(d, '%Y-%m'), date_diff('day', a, b).\n"
                "- Text in single quotes, names in double quotes only when needed.\n"
                "- / divides with a fraction, // drops it. ILIKE ignores case.\n"
                "- QUALIFY, GROUP BY ALL, FILTER (WHERE …) and list functions exist.\n"
                "- Read only the tables listed: no files, no table functions such as "
                "read_csv. Limit with LIMIT n.\n",
        },
    [DIALECT_POSTGRES] =
        {
            .name = "postgres",
            .title = "PostgreSQL",
            .name_quote = '"',
            .nested_comments = true,
            .dollar_quotes = true,
            .rules =
                "- Dates: date_trunc('month', d), extract(year FROM d), d - INTERVAL '1 "
                "month', to_char(d, 'YYYY-MM').\n"
                "- Text in single quotes. Names with capitals need double quotes.\n"
                "- Integer division drops the fraction: cast with ::numeric; round(x, 2) "
                "needs numeric.\n"
                "- ILIKE ignores case. Every selected column is grouped or aggregated.\n"
                "- DISTINCT ON and FILTER (WHERE …) exist; QUALIFY does not. Limit with "
                "LIMIT n.\n",
        },
    [DIALECT_MYSQL] =
        {
            .name = "mysql",
            .title = "MySQL",
            .name_quote = '`',
            .backslash_escapes = true,
            .double_quote_is_string = true,
            .backtick_names = true,
            .hash_comments = true,
            .dash_needs_space = true,
            .versioned_comments = true,
            .rules =
                "- Dates: DATE_FORMAT(d, '%Y-%m'), YEAR(d), DATE_SUB(d, INTERVAL 1 "
                "MONTH), "
                "TIMESTAMPDIFF(DAY, a, b), CURDATE().\n"
                "- Text in single quotes, names in backticks when needed.\n"
                "- Join text with CONCAT(a, b); || means OR. LIKE usually ignores case; "
                "there is no ILIKE.\n"
                "- No FULL JOIN, FILTER, QUALIFY or ::casts: use SUM(CASE WHEN …) and "
                "CAST(x AS DECIMAL(10,2)). Limit with LIMIT n.\n",
        },
    [DIALECT_CLICKHOUSE] =
        {
            .name = "clickhouse",
            .title = "ClickHouse",
            .name_quote = '`',
            .backslash_escapes = true,
            .backtick_names = true,
            .rules =
                "- Dates: toStartOfMonth(d), toYear(d), formatDateTime(d, '%Y-%m'), "
                "dateDiff('day', a, b), now() - INTERVAL 1 MONTH.\n"
                "- Function names keep their case: countIf, sumIf, uniq, toDate.\n"
                "- Text in single quotes, names in backticks when needed. ILIKE ignores "
                "case.\n"
                "- Do not write FORMAT or SETTINGS. Limit with LIMIT n.\n",
        },
    [DIALECT_BIGQUERY] =
        {
            .name = "bigquery",
            .title = "BigQuery",
            .name_quote = '`',
            .backslash_escapes = true,
            .double_quote_is_string = true,
            .backtick_names = true,
            .hash_comments = true,
            .rules =
                "- Dates: DATE_TRUNC(d, MONTH), EXTRACT(YEAR FROM d), DATE_SUB(d, "
                "INTERVAL "
                "1 MONTH), FORMAT_DATE('%Y-%m', d), DATE_DIFF(a, b, DAY).\n"
                "- Table names in backticks, as given. Text in single quotes.\n"
                "- Ignore case with LOWER(a) LIKE LOWER(b). SAFE_DIVIDE(a, b) avoids "
                "division by zero.\n"
                "- One statement, no scripts. Limit with LIMIT n.\n",
        },
    [DIALECT_ODBC] =
        {
            .name = "odbc",
            .title = "standard SQL over ODBC",
            .name_quote = '"',
            .bracket_names = true,
            .rules =
                "- Write plain standard SQL: joins, GROUP BY, CASE, CAST, common "
                "functions "
                "only.\n"
                "- Text in single quotes, names in double quotes only when needed.\n"
                "- Dates as CAST('2024-01-31' AS DATE); ignore case with LOWER(a) LIKE "
                "LOWER(b).\n"
                "- No backslash inside text, no comments.\n",
        },
};

static const struct dialect_alias {
    const char *name;
    enum dialect dialect;
} aliases[] = {
    {"sqlite3", DIALECT_SQLITE},     {"sql", DIALECT_SQLITE},
    {"duck", DIALECT_DUCKDB},        {"postgresql", DIALECT_POSTGRES},
    {"pg", DIALECT_POSTGRES},        {"psql", DIALECT_POSTGRES},
    {"pgsql", DIALECT_POSTGRES},     {"pglite", DIALECT_POSTGRES},
    {"cockroach", DIALECT_POSTGRES}, {"mariadb", DIALECT_MYSQL},
    {"maria", DIALECT_MYSQL},        {"ch", DIALECT_CLICKHOUSE},
    {"bq", DIALECT_BIGQUERY},        {"googlesql", DIALECT_BIGQUERY},
    {"mongodb", DIALECT_DUCKDB},     {"ansi", DIALECT_ODBC},
    {"mssql", DIALECT_ODBC},
};

const struct dialect_info *dialect_get(enum dialect dialect)
{
    return (unsigned)dialect < DIALECT_COUNT ? &dialects[dialect]
                                             : &dialects[DIALECT_ODBC];
}

const char *dialect_name(enum dialect dialect)
{
    return dialect_get(dialect)->name;
}

bool dialect_find(const char *name, enum dialect *dialect)
{
    if (!name) {
        return false;
    }
    for (size_t i = 0; i < DIALECT_COUNT; i++) {
        if (str_equal_nocase(name, dialects[i].name)) {
            *dialect = (enum dialect)i;
            return true;
        }
    }
    for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++) {
        if (str_equal_nocase(name, aliases[i].name)) {
            *dialect = aliases[i].dialect;
            return true;
        }
    }
    return false;
}

/* Words the grammar here does not mind as names, but some server does. */
static bool is_reserved(const char *name, size_t size)
{
    static const char *const words[] = {
        "add",         "after",        "alter",        "analyse",   "analyze",
        "array",       "before",       "begin",        "both",      "call",
        "change",      "check",        "column",       "commit",    "condition",
        "constraint",  "current_user", "cursor",       "database",  "default",
        "deferrable",  "delete",       "describe",     "do",        "double",
        "each",        "enum",         "exit",         "explain",   "fetch",
        "float",       "force",        "foreign",      "function",  "generated",
        "grant",       "groups",       "hash",         "if",        "ignore",
        "index",       "int",          "integer",      "interval",  "isnull",
        "key",         "keys",         "kill",         "lag",       "lateral",
        "lead",        "leading",      "leave",        "linear",    "lines",
        "load",        "lock",         "lookup",       "loop",      "match",
        "mod",         "new",          "nothing",      "notnull",   "of",
        "only",        "option",       "out",          "over",      "partition",
        "pivot",       "plan",         "pragma",       "precision", "primary",
        "procedure",   "purge",        "qualify",      "raise",     "range",
        "rank",        "read",         "real",         "recursive", "references",
        "release",     "rename",       "repeat",       "replace",   "require",
        "restrict",    "returning",    "revoke",       "rollup",    "row",
        "rows",        "schema",       "session_user", "show",      "signal",
        "similar",     "some",         "specific",     "sql",       "starting",
        "symmetric",   "system",       "terminated",   "to",        "trailing",
        "transaction", "treat",        "trigger",      "undo",      "unique",
        "unlock",      "update",       "usage",        "use",       "user",
        "vacuum",      "verbose",      "view",         "while",     "window",
        "write",       "xor"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strlen(words[i]) == size && strncasecmp(words[i], name, size) == 0) {
            return true;
        }
    }
    return keyword_reserved(keyword_find(name, size));
}

bool dialect_is_reserved(const char *name)
{
    return is_reserved(name, strlen(name));
}

/* PostgreSQL folds bare names to lower case, so a capital must be quoted to survive. */
static bool name_is_plain(enum dialect dialect, const char *name, size_t size)
{
    if (size == 0 || isdigit((unsigned char)name[0])) {
        return false;
    }
    for (size_t i = 0; i < size; i++) {
        unsigned char c = (unsigned char)name[i];
        bool plain = c == '_' || isdigit(c) || (c < 0x80 && isalpha(c));
        if (!plain || (dialect == DIALECT_POSTGRES && isupper(c))) {
            return false;
        }
    }
    return !is_reserved(name, size);
}

static void quote_part(struct buf *out, enum dialect dialect, const char *name,
                       size_t size)
{
    if (name_is_plain(dialect, name, size)) {
        buf_add(out, name, size);
        return;
    }
    char quote = dialect_get(dialect)->name_quote;
    bool backslash = dialect == DIALECT_BIGQUERY || dialect == DIALECT_CLICKHOUSE;
    buf_char(out, quote);
    for (size_t i = 0; i < size; i++) {
        if (name[i] == quote || (backslash && name[i] == '\\')) {
            buf_char(out, backslash ? '\\' : quote);
        }
        buf_char(out, name[i]);
    }
    buf_char(out, quote);
}

void dialect_quote(struct buf *out, enum dialect dialect, const char *name,
                   bool qualified)
{
    const char *dot;
    qualified = qualified || dialect == DIALECT_BIGQUERY; /* no name there has a dot */
    while (qualified && (dot = strchr(name, '.'))) {
        quote_part(out, dialect, name, (size_t)(dot - name));
        buf_char(out, '.');
        name = dot + 1;
    }
    quote_part(out, dialect, name, strlen(name));
}
