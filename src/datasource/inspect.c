/* An examination of an open datasource: what it is, who we are there, and whether the
 * engine's own lock holds. */
#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "datasource/collect.h"
#include "datasource/driver.h"
#include "datasource/opening.h"

enum { SQL_MOST = 4096 };

/* Past our guard, straight to the driver: a statement that changes nothing even where it
 * is let through, but that a lock must refuse. */
static void lock_prove(struct datasource *source, const struct schema *schema,
                       const struct datasource_limits *limits,
                       struct datasource_inspection *out)
{
    const struct table *table = NULL;
    for (size_t i = 0; schema && i < schema->tables.count && !table; i++) {
        table = schema->tables.items[i].is_view ? NULL : &schema->tables.items[i];
    }
    if (!table) {
        return;
    }
    struct buf sql;
    buf_init(&sql, SQL_MOST);
    (void)buf_text(&sql, "DELETE FROM ");
    if (table->namespace[0]) {
        dialect_quote(&sql, datasource_dialect(source), table->namespace, false);
        (void)buf_char(&sql, '.');
    }
    dialect_quote(&sql, datasource_dialect(source), table->bare_name, false);
    (void)buf_text(&sql, " WHERE 1 = 0");
    const struct datasource_sink sink = dropped_sink();
    struct err err;
    err_clear(&err);
    bool through =
        !sql.full && source->driver->execute(source, buf_get(&sql), limits, &sink, &err);
    bool unknown = sql.full || err.code == ERR_DATASOURCE_UNREACHABLE ||
                   err.code == ERR_TIMEOUT || err.code == ERR_STOPPED;
    out->lock = through   ? DATASOURCE_LOCK_OPEN
                : unknown ? DATASOURCE_LOCK_UNKNOWN
                          : DATASOURCE_LOCK_HOLDS;
    buf_release(&sql);
}

bool datasource_inspect(struct datasource *source, const struct schema *schema,
                        struct arena *arena, struct datasource_inspection *out,
                        struct err *err)
{
    struct datasource_limits limits = {
        .deadline_ms = clock_ms() + source->options->sql_timeout_s * 1000,
        .max_rows = 1,
        .max_bytes = 1 << 20};
    *out = (struct datasource_inspection){0};
    char signature[33];
    int64_t before_us = clock_us();
    if (!datasource_signature(source, &limits, signature, err)) {
        return false;
    }
    out->signature_us = clock_us() - before_us;
    if (source->driver->inspect &&
        !source->driver->inspect(source, arena, &limits, out, err)) {
        return false;
    }
    out->clock_off_ms = out->clock_ms ? out->clock_ms - clock_wall_ms() : 0;
    lock_prove(source, schema, &limits, out);
    return true;
}

const char *datasource_verdict(const struct datasource_inspection *inspection)
{
    return inspection->ruling.count    ? "has administrator rights"
           : inspection->dangers.count ? "may do more than read"
           : inspection->reader.count  ? "can only read"
                                       : NULL;
}

bool datasource_inspect_login(const struct datasource_setting *setting,
                              const struct options *options, struct arena *arena,
                              struct datasource_inspection *out, struct err *err)
{
    struct datasource_limits limits = {.deadline_ms =
                                           clock_ms() + options->sql_timeout_s * 1000,
                                       .max_rows = 1,
                                       .max_bytes = 1 << 20};
    struct datasource *source = datasource_attach(setting, options, err);
    *out = (struct datasource_inspection){0};
    if (!source) {
        return false;
    }
    source->allow_superuser = true;
    bool ok = opening_ready(source, &limits, err) &&
              (!source->driver->inspect ||
               source->driver->inspect(source, arena, &limits, out, err));
    datasource_close(source);
    return ok;
}
