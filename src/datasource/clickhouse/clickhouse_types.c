/* ClickHouse's types by name: Nullable(Decimal(9, 2)), Array(Tuple(a UInt8, b String)).
 */
#include <ctype.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "datasource/clickhouse/clickhouse_driver.h"

enum { DEPTH_MOST = 24 };

/* A beginning of a type's name; the longest that fits comes first. */
static const struct type_word {
    const char *word;
    enum clickhouse_kind kind;
} words[] = {
    {"String", CLICKHOUSE_STRING},   {"FixedString", CLICKHOUSE_FIXED},
    {"Int", CLICKHOUSE_INT},         {"UInt", CLICKHOUSE_INT},
    {"Float", CLICKHOUSE_REAL},      {"BFloat", CLICKHOUSE_REAL},
    {"Decimal", CLICKHOUSE_DECIMAL}, {"Bool", CLICKHOUSE_BOOL},
    {"JSON", CLICKHOUSE_JSON},       {"Object", CLICKHOUSE_JSON},
};

static enum clickhouse_kind kind_of(const char *name)
{
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (str_starts(name, words[i].word)) {
            return words[i].kind;
        }
    }
    return CLICKHOUSE_TEXT; /* dates, enumerations, addresses and what is not known */
}

/* Where the argument that begins here ends: at a comma or bracket of its own level. */
static const char *argument_end(const char *at)
{
    int depth = 0;
    for (; *at; at++) {
        if (*at == '\'' || *at == '`') {
            char quote = *at++;
            while (*at && *at != quote) {
                at += *at == '\\' && at[1] ? 2 : 1;
            }
            if (!*at) {
                return at;
            }
        } else if (*at == '(') {
            depth++;
        } else if ((*at == ')' && depth-- == 0) || (*at == ',' && depth == 0)) {
            return at;
        }
    }
    return at;
}

static struct texts arguments_of(struct arena *arena, const char *name)
{
    struct texts arguments = {0};
    const char *at = strchr(name, '(');
    while (at && (*at == '(' || *at == ',')) {
        at++;
        at += strspn(at, " ");
        const char *end = argument_end(at);
        VEC_PUSH(arena, &arguments, arena_copy(arena, at, (size_t)(end - at)));
        at = end;
    }
    return arguments;
}

static struct clickhouse_type type_read(struct arena *arena, const char *name, int depth);

/* "a UInt8" has a name, "UInt8" and "Nested(a UInt8)" have none. Returns the type. */
static const char *field_split(struct arena *arena, const char *argument,
                               const char **field)
{
    *field = NULL;
    if (*argument == '`') {
        const char *end = strchr(argument + 1, '`');
        if (end && end[1] == ' ') {
            *field = arena_copy(arena, argument + 1, (size_t)(end - argument) - 1);
            return end + 2;
        }
        return argument;
    }
    size_t word = 0;
    while (isalnum((unsigned char)argument[word]) || argument[word] == '_') {
        word++;
    }
    if (word > 0 && argument[word] == ' ') {
        *field = arena_copy(arena, argument, word);
        return argument + word + 1;
    }
    return argument;
}

static void parts_read(struct arena *arena, struct clickhouse_type *type,
                       const struct texts *arguments, int depth)
{
    type->count = arguments->count;
    type->parts = arena_array(arena, arguments->count, sizeof *type->parts);
    type->fields = arena_array(arena, arguments->count, sizeof *type->fields);
    bool all = arguments->count > 0;
    for (size_t i = 0; i < arguments->count; i++) {
        const char *rest = field_split(arena, arguments->items[i], &type->fields[i]);
        type->parts[i] = type_read(arena, rest, depth + 1);
        all = all && type->fields[i];
    }
    type->fields = all ? type->fields : NULL;
}

/* Shapes of the plane are lists of pairs of numbers. */
static const char *geometry(const char *name)
{
    static const char *const shapes[][2] = {
        {"Point", "Tuple(Float64, Float64)"},     {"Ring", "Array(Point)"},
        {"LineString", "Array(Point)"},           {"Polygon", "Array(Ring)"},
        {"MultiLineString", "Array(LineString)"}, {"MultiPolygon", "Array(Polygon)"},
    };
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        if (str_equal(name, shapes[i][0])) {
            return shapes[i][1];
        }
    }
    return NULL;
}

static struct clickhouse_type type_read(struct arena *arena, const char *name, int depth)
{
    struct clickhouse_type type = {.name = name, .kind = kind_of(name)};
    struct texts arguments = {0};
    if (depth > DEPTH_MOST) {
        return (struct clickhouse_type){.name = name, .kind = CLICKHOUSE_TEXT};
    }
    if (strchr(name, '(')) {
        arguments = arguments_of(arena, name);
    }
    const char *shape = geometry(name);
    if (shape) {
        type = type_read(arena, shape, depth + 1);
        type.name = name;
    } else if (arguments.count == 1 &&
               (str_starts(name, "Nullable(") || str_starts(name, "LowCardinality("))) {
        type = type_read(arena, arguments.items[0], depth + 1);
        type.nullable = type.nullable || name[0] == 'N';
    } else if (arguments.count > 1 && str_starts(name, "SimpleAggregateFunction(")) {
        type = type_read(arena, arguments.items[1], depth + 1);
    } else if (arguments.count == 1 && str_starts(name, "Array(")) {
        type.kind = CLICKHOUSE_ARRAY;
        parts_read(arena, &type, &arguments, depth);
    } else if (arguments.count == 2 && str_starts(name, "Map(")) {
        type.kind = CLICKHOUSE_MAP;
        parts_read(arena, &type, &arguments, depth);
    } else if (str_starts(name, "Tuple(")) {
        type.kind = CLICKHOUSE_TUPLE;
        parts_read(arena, &type, &arguments, depth);
    } else if (str_starts(name, "Nested(")) { /* a list of tuples */
        type.kind = CLICKHOUSE_ARRAY;
        type.count = 1;
        type.parts = ARENA_NEW(arena, struct clickhouse_type);
        type.parts->kind = CLICKHOUSE_TUPLE;
        type.parts->name = name;
        parts_read(arena, type.parts, &arguments, depth);
    }
    return type;
}

struct clickhouse_type clickhouse_type_read(struct arena *arena, const char *name)
{
    return type_read(arena, name, 0);
}
