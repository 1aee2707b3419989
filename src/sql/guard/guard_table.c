/* Tables: the system's own are refused, the schema's are known, the rest does not exist.
 */
#include "sql/guard/guard_state.h"

#include <string.h>

#include "base/str.h"

static const struct system_name {
    const char *pattern; /* ending in '*': a beginning */
    const char *dialects;
    bool qualifier; /* only before a dot */
    bool always;    /* even when the schema lists it */
} system_names[] = {
    {"sqlite_*", "sd", false, true},
    {"information_schema", "dpmcbo", false, true},
    {"pg_catalog", "dpo", false, true},
    {"mysql", "m", true, true},
    {"performance_schema", "m", true, true},
    {"sys", "mo", true, true},
    {"system", "dco", true, true},
    {"temp", "sd", true, true},
    {"__tables__", "b", false, true},
    {"__tables_summary__", "b", false, true},
    {"pragma_*", "sd", false, false},
    {"pg_*", "dpo", false, false},
    {"duckdb_*", "d", false, false},
    {"dbstat", "s", false, false},
    {"fsdir", "s", false, false},
    {"zipfile", "s", false, false},
    {"bytecode", "s", false, false},
    {"tables_used", "s", false, false},
    {"json_each", "s", false, false},
    {"json_tree", "s", false, false},
    {"msys*", "o", false, false},
    {"sysobjects", "o", false, false},
    {"syscolumns", "o", false, false},
};

static bool matches(const char *pattern, const char *name)
{
    size_t size = strlen(pattern);
    if (pattern[size - 1] == '*') {
        return strncasecmp(name, pattern, size - 1) == 0;
    }
    return str_equal_nocase(name, pattern);
}

/* BigQuery writes whole paths inside one pair of backticks. */
static bool part_matches(const char *pattern, const char *part, bool dotted)
{
    if (matches(pattern, part)) {
        return true;
    }
    for (const char *dot = dotted ? strchr(part, '.') : NULL; dot;
         dot = strchr(dot + 1, '.')) {
        if (strncasecmp(dot + 1, pattern, strlen(pattern)) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_system(const struct guard *guard, const struct token *const *parts,
                      size_t count, bool listed)
{
    for (size_t i = 0; i < sizeof system_names / sizeof *system_names; i++) {
        const struct system_name *system = &system_names[i];
        if (!guard_dialect(guard, system->dialects) || (listed && !system->always)) {
            continue;
        }
        for (size_t j = 0; j < count - system->qualifier; j++) {
            if (part_matches(system->pattern, parts[j]->text,
                             guard_dialect(guard, "b"))) {
                return true;
            }
        }
    }
    return false;
}

/* DuckDB opens a file when no table has the name: "data.csv", and data.csv without
 * quotes. */
static bool looks_like_file(const struct guard *guard, const struct token *const *parts,
                            size_t count)
{
    static const char *const endings[] = {
        "csv",     "tsv",    "txt",  "json", "jsonl",  "ndjson", "gz",   "zst",    "db",
        "parquet", "duckdb", "xlsx", "xls",  "sqlite", "arrow",  "avro", "geojson"};
    const char *last = parts[count - 1]->text;
    if (!guard_dialect(guard, "d")) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        if (strpbrk(parts[i]->text, "/\\:*?.")) {
            return true;
        }
    }
    for (size_t i = 0; i < sizeof endings / sizeof *endings && count > 1; i++) {
        if (str_equal_nocase(last, endings[i])) {
            return true;
        }
    }
    return false;
}

/* The namespace of tables that are named without one. Where the schema tells it, it is
 * this one alone: ClickHouse has a database called default, and another may be in use. */
static bool is_home(const struct guard *guard, const struct token *part)
{
    const char *name = part->text;
    static const struct {
        const char *name;
        const char *dialects;
    } defaults[] = {{"main", "sd"}, {"public", "p"}, {"default", "c"}, {"dbo", "o"}};
    if (guard->schema->home) {
        bool folds = part->kind == TOKEN_WORD && !guard_dialect(guard, "c");
        return str_equal(guard->schema->home,
                         folds ? str_lower(guard->arena, name) : name);
    }
    for (size_t i = 0; i < sizeof defaults / sizeof *defaults; i++) {
        if (guard_dialect(guard, defaults[i].dialects) &&
            str_equal_nocase(name, defaults[i].name)) {
            return true;
        }
    }
    return false;
}

/* The schema's table of this path; a default namespace may be written out. */
static const struct table *find_table(const struct guard *guard,
                                      const struct token *const *parts, size_t count,
                                      const char *full)
{
    if (!guard->schema) {
        return NULL;
    }
    const struct table *table = schema_table(guard->schema, full);
    if (table || count != 2 || !is_home(guard, parts[0])) {
        return table;
    }
    table = schema_table(guard->schema, parts[1]->text);
    return table && table->namespace && !table->namespace[0] ? table : NULL;
}

static const char *nearest_table(const struct guard *guard, const char *name)
{
    const struct table *called = schema_table_called(guard->schema, name);
    if (called) {
        return called->name;
    }
    size_t count = guard->schema->tables.count;
    const char **names = arena_array(guard->arena, count + 1, sizeof *names);
    for (size_t i = 0; i < count; i++) {
        names[i] = guard->schema->tables.items[i].name;
    }
    return str_nearest(name, names, count);
}

static void note_missing(struct guard *guard, const struct token *token, const char *full)
{
    guard_note(guard, &guard->out->unknown, full);
    guard_miss(guard, &(struct guard_miss){
                          .is_table = true, .name = full, .position = token->start});
    if (guard->missing) {
        return;
    }
    const char *dot = strrchr(full, '.');
    const char *nearest = nearest_table(guard, full);
    if (!nearest && dot) {
        nearest = nearest_table(guard, dot + 1);
    }
    guard->missing = true;
    guard->out->position = (int)token->start;
    guard->out->word = full;
    guard->out->reason =
        nearest ? arena_format(guard->arena,
                               "Table '%.80s' does not exist. Did you mean '%.80s'?",
                               full, nearest)
                : arena_format(guard->arena, "Table '%.80s' does not exist.", full);
}

static const char *join_parts(struct guard *guard, const struct token *const *parts,
                              size_t count)
{
    const char *full = parts[0]->text;
    for (size_t i = 1; i < count; i++) {
        full = arena_format(guard->arena, "%s.%s", full, parts[i]->text);
    }
    return full;
}

bool guard_table(struct guard *guard, const struct token *const *parts, size_t count,
                 const struct table **table, const char **name)
{
    const char *full = join_parts(guard, parts, count);
    *table = find_table(guard, parts, count, full);
    *name = *table ? (*table)->name : full;
    if (is_system(guard, parts, count, *table != NULL)) {
        return guard_refuse(guard, parts[0],
                            "The table '%.80s' belongs to the database system and is not "
                            "allowed.",
                            full);
    }
    if (!*table && looks_like_file(guard, parts, count)) {
        return guard_refuse(guard, parts[0],
                            "'%.80s' looks like a file: reading files is not allowed.",
                            full);
    }
    if (!*table && guard_dialect(guard, "s") && count > 1 &&
        !str_equal_nocase(parts[0]->text, "main")) {
        return guard_refuse(guard, parts[0], "Only tables of 'main' are allowed.");
    }
    if (guard->schema && !*table) {
        if (guard_dialect(guard, "mo") && str_equal_nocase(full, "dual")) {
            return true;
        }
        note_missing(guard, parts[0], full);
    }
    guard_note(guard, &guard->out->tables, *name);
    return true;
}
