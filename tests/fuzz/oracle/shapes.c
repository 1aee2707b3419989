/* Which arguments a function takes, and what it gives: the engine is asked, once. */
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/str.h"
#include "base/vec.h"
#include "oracle.h"
#include "sql/guard.h"

struct listed {
    const char *name;
    const char *dialects;
    const char *traits;
};

static const struct listed listed[] = {
#define FUNCTION(name, dialects, traits) {name, dialects, traits},
#include "sql/functions.def"
#undef FUNCTION
};

int shape_kind(char kind)
{
    static const char kinds[] = "NTDBO";
    const char *found = strchr(kinds, kind);
    return found ? (int)(found - kinds) : (int)(sizeof kinds - 2);
}

struct telling {
    char type[40];
};

static bool tell_columns(void *context, const struct rows_column *columns, size_t count)
{
    (void)context;
    (void)columns;
    return count > 0;
}

static bool tell_row(void *context, const struct value *cells)
{
    struct telling *telling = context;
    if (cells[0].kind == VALUE_TEXT) {
        (void)snprintf(telling->type, sizeof telling->type, "%.*s",
                       (int)cells[0].text.size, cells[0].text.data);
    }
    return true;
}

/* BIGINT, DOUBLE, real … -> N */
static char kind_of(const char *type)
{
    static const char *const numbers[] = {
        "INT",      "BIGINT", "DOUBLE",  "FLOAT",   "DECIMAL",  "HUGEINT", "UBIGINT",
        "UINTEGER", "real",   "integer", "TINYINT", "SMALLINT", "UTINYINT"};
    if (strchr(type, '[') || str_starts(type, "INTERVAL")) {
        return 'O';
    }
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        if (str_starts(type, numbers[i])) {
            return 'N';
        }
    }
    return str_starts_nocase(type, "varchar") || str_equal(type, "text") ? 'T'
           : str_equal(type, "DATE")                                     ? 'D'
           : str_equal(type, "BOOLEAN")                                  ? 'B'
                                                                         : 'O';
}

static const char *argument(enum dialect dialect, char kind)
{
    return kind == 'N'                 ? "id"
           : kind == 'T'               ? "status"
           : kind == 'L'               ? "[1, 2]"
           : dialect == DIALECT_DUCKDB ? "DATE '2024-01-31'"
                                       : "'2024-01-31'";
}

static bool try_shape(struct world *world, struct arena *arena,
                      const struct listed *function, const char *arguments,
                      struct corpus *corpus)
{
    bool window = strchr(function->traits, 'w') && !strchr(function->traits, 'a');
    struct buf sql;
    buf_init(&sql, 4096);
    (void)buf_format(&sql, "SELECT typeof(%s(", function->name);
    for (const char *at = arguments; *at; at++) {
        (void)buf_format(&sql, "%s%s", at != arguments ? ", " : "",
                         argument(world->dialect, *at));
    }
    (void)buf_format(&sql, ")%s) FROM orders", window ? " OVER (ORDER BY id)" : "");
    struct guard_result result;
    struct telling telling = {{0}};
    struct err err;
    const struct datasource_limits limits = {.deadline_ms = clock_ms() + 1000,
                                             .max_rows = 1};
    const struct datasource_sink sink = {
        .columns = tell_columns, .row = tell_row, .context = &telling};
    guard_check(arena, world->dialect, buf_get(&sql), sql.size, world->schema, &result);
    bool takes =
        result.verdict == GUARD_READ &&
        world->source->driver->execute(world->source, result.sql, &limits, &sink, &err);
    if (takes) {
        struct shapes *shapes = &corpus->shapes[shape_kind(kind_of(telling.type))];
        struct shape *shape = VEC_ADD(arena, shapes);
        shape->name = function->name;
        shape->arguments = arguments;
        shape->aggregate = strchr(function->traits, 'a') != NULL;
        shape->window = window;
    }
    buf_release(&sql);
    return takes;
}

void corpus_shapes(struct world *world, struct arena *arena, struct corpus *corpus)
{
    static const char *const tried[] = {
        "",   "N",  "T",  "D",  "L",  "NN",  "TT",  "NT",  "TN",  "TD",  "DN",
        "DD", "DT", "LN", "LT", "LL", "TNN", "TTT", "NNN", "TTN", "TDD", "TTNN"};
    char letter = world->dialect == DIALECT_DUCKDB ? 'd' : 's';
    for (size_t i = 0; i < sizeof listed / sizeof *listed; i++) {
        for (size_t j = 0; j < sizeof tried / sizeof *tried; j++) {
            if (strchr(listed[i].dialects, letter)) {
                (void)try_shape(world, arena, &listed[i], tried[j], corpus);
            }
        }
    }
}
