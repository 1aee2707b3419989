/* How the values of a DuckDB column lie in memory: read once for each result. */
#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"
#include "datasource/duckdb/duckdb.h"

enum { DEPTH_MOST = 32, MEMBERS_MOST = 4096, WORDS_MOST = 1000000 };

static const char *const type_names[] = {
    [DUCKDB_TYPE_BOOLEAN] = "BOOLEAN",
    [DUCKDB_TYPE_TINYINT] = "TINYINT",
    [DUCKDB_TYPE_SMALLINT] = "SMALLINT",
    [DUCKDB_TYPE_INTEGER] = "INTEGER",
    [DUCKDB_TYPE_BIGINT] = "BIGINT",
    [DUCKDB_TYPE_UTINYINT] = "UTINYINT",
    [DUCKDB_TYPE_USMALLINT] = "USMALLINT",
    [DUCKDB_TYPE_UINTEGER] = "UINTEGER",
    [DUCKDB_TYPE_UBIGINT] = "UBIGINT",
    [DUCKDB_TYPE_FLOAT] = "FLOAT",
    [DUCKDB_TYPE_DOUBLE] = "DOUBLE",
    [DUCKDB_TYPE_TIMESTAMP] = "TIMESTAMP",
    [DUCKDB_TYPE_DATE] = "DATE",
    [DUCKDB_TYPE_TIME] = "TIME",
    [DUCKDB_TYPE_INTERVAL] = "INTERVAL",
    [DUCKDB_TYPE_HUGEINT] = "HUGEINT",
    [DUCKDB_TYPE_UHUGEINT] = "UHUGEINT",
    [DUCKDB_TYPE_VARCHAR] = "VARCHAR",
    [DUCKDB_TYPE_BLOB] = "BLOB",
    [DUCKDB_TYPE_DECIMAL] = "DECIMAL",
    [DUCKDB_TYPE_TIMESTAMP_S] = "TIMESTAMP_S",
    [DUCKDB_TYPE_TIMESTAMP_MS] = "TIMESTAMP_MS",
    [DUCKDB_TYPE_TIMESTAMP_NS] = "TIMESTAMP_NS",
    [DUCKDB_TYPE_ENUM] = "ENUM",
    [DUCKDB_TYPE_LIST] = "LIST",
    [DUCKDB_TYPE_STRUCT] = "STRUCT",
    [DUCKDB_TYPE_MAP] = "MAP",
    [DUCKDB_TYPE_ARRAY] = "ARRAY",
    [DUCKDB_TYPE_UUID] = "UUID",
    [DUCKDB_TYPE_UNION] = "UNION",
    [DUCKDB_TYPE_BIT] = "BIT",
    [DUCKDB_TYPE_TIME_TZ] = "TIME WITH TIME ZONE",
    [DUCKDB_TYPE_TIMESTAMP_TZ] = "TIMESTAMP WITH TIME ZONE",
    [DUCKDB_TYPE_BIGNUM] = "BIGNUM",
    [DUCKDB_TYPE_SQLNULL] = "NULL",
    [DUCKDB_TYPE_TIME_NS] = "TIME_NS",
};

static const char *type_name(duckdb_type type)
{
    size_t at = (size_t)type;
    const char *name =
        at < sizeof type_names / sizeof *type_names ? type_names[at] : NULL;
    return name ? name : "";
}

/* A child whose type is given away to us. */
static void child_read(const struct duckdb_library *library, struct arena *arena,
                       duckdb_logical_type type, struct duckdb_shape *out, int depth)
{
    duckdb_shape_read(library, arena, type, out, depth + 1);
    library->destroy_logical_type(&type);
}

static const char *word_keep(const struct duckdb_library *library, struct arena *arena,
                             char *text)
{
    const char *kept = arena_text(arena, text ? text : "");
    library->free(text);
    return kept;
}

static void enum_read(const struct duckdb_library *library, struct arena *arena,
                      duckdb_logical_type type, struct duckdb_shape *out)
{
    uint64_t count = library->enum_dictionary_size(type);
    out->internal = library->enum_internal_type(type);
    out->child_count = count < WORDS_MOST ? count : WORDS_MOST;
    const char **words = arena_array(arena, out->child_count + 1, sizeof *words);
    for (uint64_t i = 0; i < out->child_count; i++) {
        words[i] = word_keep(library, arena, library->enum_dictionary_value(type, i));
    }
    out->words = words;
}

static void members_read(const struct duckdb_library *library, struct arena *arena,
                         duckdb_logical_type type, struct duckdb_shape *out, int depth)
{
    bool is_union = out->type == DUCKDB_TYPE_UNION;
    uint64_t count = is_union ? library->union_type_member_count(type)
                              : library->struct_type_child_count(type);
    out->child_count = count < MEMBERS_MOST ? count : MEMBERS_MOST;
    out->children = arena_array(arena, out->child_count + 1, sizeof *out->children);
    const char **words = arena_array(arena, out->child_count + 1, sizeof *words);
    for (uint64_t i = 0; i < out->child_count; i++) {
        child_read(library, arena,
                   is_union ? library->union_type_member_type(type, i)
                            : library->struct_type_child_type(type, i),
                   &out->children[i], depth);
        words[i] = is_union ? ""
                            : word_keep(library, arena,
                                        library->struct_type_child_name(type, i));
    }
    out->words = words;
}

static void children_read(const struct duckdb_library *library, struct arena *arena,
                          duckdb_logical_type type, struct duckdb_shape *out, int depth)
{
    bool is_map = out->type == DUCKDB_TYPE_MAP;
    out->child_count = is_map ? 2 : 1;
    out->children = arena_array(arena, out->child_count, sizeof *out->children);
    if (is_map) {
        child_read(library, arena, library->map_type_key_type(type), &out->children[0],
                   depth);
        child_read(library, arena, library->map_type_value_type(type), &out->children[1],
                   depth);
        return;
    }
    bool is_array = out->type == DUCKDB_TYPE_ARRAY;
    child_read(library, arena,
               is_array ? library->array_type_child_type(type)
                        : library->list_type_child_type(type),
               &out->children[0], depth);
    out->array_size = is_array ? library->array_type_array_size(type) : 0;
    out->name = arena_format(arena, "%s[]", out->children[0].name);
}

void duckdb_shape_read(const struct duckdb_library *library, struct arena *arena,
                       duckdb_logical_type type, struct duckdb_shape *out, int depth)
{
    out->type = library->get_type_id(type);
    out->name = type_name(out->type);
    char *alias = library->logical_type_get_alias(type);
    if (alias) {
        out->is_json = str_equal_nocase(alias, "JSON");
        out->name = arena_text(arena, alias);
        library->free(alias);
    }
    if (depth > DEPTH_MOST) {
        out->type = DUCKDB_TYPE_INVALID;
        return;
    }
    switch (out->type) {
    case DUCKDB_TYPE_DECIMAL:
        out->width = library->decimal_width(type);
        out->scale = library->decimal_scale(type);
        out->internal = library->decimal_internal_type(type);
        out->name = arena_format(arena, "DECIMAL(%u,%u)", out->width, out->scale);
        break;
    case DUCKDB_TYPE_ENUM:
        enum_read(library, arena, type, out);
        break;
    case DUCKDB_TYPE_STRUCT:
    case DUCKDB_TYPE_UNION:
        members_read(library, arena, type, out, depth);
        break;
    case DUCKDB_TYPE_LIST:
    case DUCKDB_TYPE_ARRAY:
    case DUCKDB_TYPE_MAP:
        children_read(library, arena, type, out, depth);
        break;
    default:
        break;
    }
}
