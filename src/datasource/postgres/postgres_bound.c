/*
 * Cells bounded inside the server. The client library reads a whole row before it hands
 * out anything of it, so a cell of a gigabyte would be in our memory twice before its
 * length is known. The statement therefore stands inside of another one, which sends the
 * beginning of every cell that could be long, in the same order and under the same types.
 */
#include "datasource/postgres/postgres_driver.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"

enum {
    TYPE_BYTES = 17,
    TYPE_TEXT = 25,
    TYPE_CHARACTERS = 1042,
    TYPE_VARYING = 1043,
    TYPE_BIT = 1560,
    TYPE_BIT_VARYING = 1562,
    MODIFIER_HEADER = 4,
    CHARACTER_BYTES = 4,      /* most bytes of one character */
    SHORT_BYTES = 160 * 1024, /* the longest number, which has 147455 digits */
    LEAST_BYTES = 64,         /* of a cell, however many columns there are */
    ROW_EXTRA = 1 << 20,      /* an error or a notice instead of a row */
    WRAPPED_MOST = 4 << 20,
};

/* Types whose values are never long, sorted. All others may be. */
static const Oid short_types[] = {
    16,   18,   19,   20,   21,   23,   24,   26,   27,   28,   29,
    600,  601,  603,  628,  650,  700,  701,  718,  774,  790,  829,
    869,  1082, 1083, 1114, 1184, 1186, 1266, 1700, 2202, 2203, 2204,
    2205, 2206, 2950, 3220, 3904, 3906, 3908, 3910, 3912, 3926,
};

static int oid_order(const void *left, const void *right)
{
    Oid a = *(const Oid *)left;
    Oid b = *(const Oid *)right;
    return (a > b) - (a < b);
}

static bool may_be_long(struct postgres_state *state, Oid type, int modifier, size_t most)
{
    if (bsearch(&type, short_types, sizeof short_types / sizeof *short_types,
                sizeof *short_types, oid_order)) {
        return false;
    }
    if ((type == TYPE_CHARACTERS || type == TYPE_VARYING) && modifier > MODIFIER_HEADER) {
        return (size_t)(modifier - MODIFIER_HEADER) * CHARACTER_BYTES > most;
    }
    if ((type == TYPE_BIT || type == TYPE_BIT_VARYING) && modifier > 0) {
        return (size_t)modifier > most;
    }
    const char *name = postgres_type_get(state, type).name;
    return !name || !str_starts(name, "ENUM");
}

/* All long cells of a row together take no more than an answer. A staging has room for
 * more than one row should ever take. */
static size_t cell_share(const struct datasource_limits *limits, size_t most,
                         size_t count)
{
    size_t row = limits && limits->max_bytes > 0 && !limits->staged
                     ? (size_t)limits->max_bytes
                     : most;
    size_t share = count > 0 ? row / count : most;
    share = share > LEAST_BYTES ? share : LEAST_BYTES;
    return share < most ? share : most;
}

void postgres_bound_make(struct postgres_state *state, struct arena *arena,
                         const PGresult *described,
                         const struct datasource_limits *limits,
                         struct postgres_bound *out)
{
    size_t count = (size_t)PQnfields(described);
    size_t most = limits_cell_bytes(limits);
    *out = (struct postgres_bound){.count = count};
    out->columns = arena_array(arena, count, sizeof *out->columns);
    for (size_t i = 0; i < count; i++) {
        struct postgres_column *column = &out->columns[i];
        column->type = PQftype(described, (int)i);
        column->modifier = PQfmod(described, (int)i);
        column->is_long = may_be_long(state, column->type, column->modifier, most);
        out->long_count += column->is_long;
    }
    out->cell_bytes = cell_share(limits, most, out->long_count);
    out->row_bytes = out->long_count * (out->cell_bytes + 1) * CHARACTER_BYTES +
                     (count - out->long_count) * SHORT_BYTES + ROW_EXTRA;
}

/* A text is measured first: most are short, and the server does not have to read a long
 * one for that. The others are written out first in any case. */
static void column_write(struct buf *sql, size_t index, Oid type, size_t most)
{
    if (type == TYPE_TEXT || type == TYPE_VARYING || type == TYPE_BYTES) {
        (void)buf_format(sql,
                         "CASE WHEN pg_catalog.octet_length(c%zu) OPERATOR(pg_catalog.>)"
                         " %zu THEN pg_catalog.substr(c%zu, 1, %zu) ELSE c%zu END",
                         index, most, index, most + 1, index);
    } else if (type == TYPE_CHARACTERS) { /* a cast would drop blanks at the end */
        (void)buf_format(sql,
                         "pg_catalog.substr(pg_catalog.textin(pg_catalog.bpcharout("
                         "c%zu)), 1, %zu)",
                         index, most + 1);
    } else { /* a cast to text could be one of the database's own */
        (void)buf_format(sql,
                         "CASE WHEN c%zu IS DISTINCT FROM NULL THEN pg_catalog.substr("
                         "pg_catalog.format('%%s', c%zu), 1, %zu) END",
                         index, index, most + 1);
    }
}

bool postgres_bound_wrap(struct arena *arena, const struct postgres_bound *bound,
                         const char *sql, const char **before, const char **whole)
{
    struct buf text;
    buf_init(&text, WRAPPED_MOST);
    (void)buf_text(&text, "SELECT ");
    for (size_t i = 0; i < bound->count; i++) {
        (void)buf_text(&text, i ? ", " : "");
        if (bound->columns[i].is_long) {
            column_write(&text, i, bound->columns[i].type, bound->cell_bytes);
        } else {
            (void)buf_format(&text, "c%zu", i);
        }
    }
    /* OFFSET keeps the planner from computing a column twice that is named twice */
    (void)buf_text(&text, " FROM (SELECT * FROM (\n");
    *before = buf_clone(&text, arena);
    (void)buf_format(&text, "%s\n) AS whole OFFSET 0) AS cells (",
                     statement_bare(arena, DIALECT_POSTGRES, sql));
    for (size_t i = 0; i < bound->count; i++) {
        (void)buf_format(&text, "%sc%zu", i ? ", " : "", i);
    }
    (void)buf_char(&text, ')');
    bool fits = !text.full;
    *whole = buf_clone(&text, arena);
    buf_release(&text);
    return fits;
}
