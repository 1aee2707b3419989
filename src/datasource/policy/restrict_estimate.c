/*
 * What a statement reads where a policy hides rows. An engine's plan counts hidden rows that
 * fit the conditions of the statement, so one that may ask again and again could read hidden
 * values out of it. The size of the tables tells nothing about values; rounded, it does not
 * tell how many rows are hidden either.
 */
#include "base/arena.h"
#include "base/str.h"
#include "datasource/driver.h"
#include "datasource/policy/restrict.h"

static int64_t rounded(int64_t rows)
{
    int64_t power = 1;
    while (power <= rows / 2) {
        power *= 2;
    }
    return rows > 0 ? power : rows;
}

/* The rows of one table as a whole; -1: not known. */
static bool table_rows(struct datasource *base, struct arena *arena, const char *name,
                       const struct datasource_limits *limits, int64_t *rows,
                       struct err *err)
{
    struct datasource_limits own = *limits;
    struct datasource_estimate one = {.rows = -1, .bytes = -1, .text = ""};
    const char *sql = arena_format(arena, "SELECT * FROM %s", name);
    own.statement = NULL;
    bool ok = base->driver->estimate(base, sql, arena, &own, &one, err);
    *rows = rounded(one.rows);
    return ok;
}

bool restrict_estimate(struct datasource *base, const struct passage *passage,
                       const struct datasource_limits *limits,
                       struct datasource_estimate *out, struct err *err)
{
    const struct texts *tables = &passage->narrow.tables;
    struct arena *arena = arena_new();
    int64_t *sizes = arena_array(arena, tables->count + 1, sizeof *sizes);
    bool ok = true;
    *out =
        (struct datasource_estimate){.rows = 0, .bytes = -1, .by_size = true, .text = ""};
    for (size_t i = 0; ok && i < tables->count; i++) {
        size_t same = 0;
        while (!str_equal(tables->items[same], tables->items[i])) {
            same++;
        }
        sizes[i] = sizes[same];
        if (same == i) {
            ok = table_rows(base, arena, tables->items[i], limits, &sizes[i], err);
        }
        bool known = ok && out->rows >= 0 && sizes[i] >= 0;
        out->rows = !known                             ? -1
                    : out->rows > INT64_MAX - sizes[i] ? INT64_MAX
                                                       : out->rows + sizes[i];
    }
    if (!ok) {
        err->detail[0] = '\0'; /* it speaks of the whole table */
        err->position = -1;
    }
    arena_free(arena);
    return ok;
}
