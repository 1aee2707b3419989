/* A driver whose logs every call: what was asked, how long it took. */
#include "datasource/decorator.h"

#include "base/arena.h"
#include "base/clock.h"
#include "base/log.h"

/* SQL may hold values from a question, so only its size is logged. */
static bool traced_end(const struct decorator *decorator, const char *call,
                       int64_t started_us, bool ok, const struct err *err)
{
    LOG(LOG_DATASOURCE, LOG_DEBUG, "%s: %s %s in %.3f ms", decorator->inner.id, call,
        ok ? "ok" : err_name(err->code), (double)(clock_us() - started_us) / 1000.0);
    return ok;
}

static bool traced_open(struct datasource *source, struct err *err)
{
    struct decorator *decorator = decorator_of(source);
    int64_t started_us = clock_us();
    bool ok = decorator_open(decorator, source, err);
    return traced_end(decorator, "open", started_us, ok, err);
}

static void traced_close(struct datasource *source)
{
    struct decorator *decorator = decorator_of(source);
    int64_t started_us = clock_us();
    decorator->inner.driver->close(&decorator->inner);
    (void)traced_end(decorator, "close", started_us, true, NULL);
}

static bool traced_signature(struct datasource *source,
                             const struct datasource_limits *limits, char out[33],
                             struct err *err)
{
    struct decorator *decorator = decorator_of(source);
    int64_t started_us = clock_us();
    bool ok = decorator->inner.driver->signature(&decorator->inner, limits, out, err);
    return traced_end(decorator, "signature", started_us, ok, err);
}

static bool traced_describe(struct datasource *source, struct schema *schema,
                            const struct datasource_limits *limits, struct err *err)
{
    struct decorator *decorator = decorator_of(source);
    int64_t started_us = clock_us();
    bool ok = decorator->inner.driver->describe(&decorator->inner, schema, limits, err);
    return traced_end(decorator, "describe", started_us, ok, err);
}

static bool traced_profile(struct datasource *source, struct schema *schema,
                           struct table *table, struct arena *arena, int samples,
                           const struct datasource_limits *limits, struct err *err)
{
    struct decorator *decorator = decorator_of(source);
    int64_t started_us = clock_us();
    bool ok = decorator->inner.driver->profile(&decorator->inner, schema, table, arena,
                                               samples, limits, err);
    return traced_end(decorator, "profile", started_us, ok, err);
}

static bool traced_check(struct datasource *source, const char *sql,
                         const struct datasource_limits *limits, struct err *err)
{
    struct decorator *decorator = decorator_of(source);
    int64_t started_us = clock_us();
    bool ok = decorator->inner.driver->check(&decorator->inner, sql, limits, err);
    return traced_end(decorator, "check", started_us, ok, err);
}

static bool traced_estimate(struct datasource *source, const char *sql,
                            struct arena *arena, const struct datasource_limits *limits,
                            struct datasource_estimate *out, struct err *err)
{
    struct decorator *decorator = decorator_of(source);
    int64_t started_us = clock_us();
    bool ok = decorator->inner.driver->estimate(&decorator->inner, sql, arena, limits,
                                                out, err);
    return traced_end(decorator, "estimate", started_us, ok, err);
}

static bool traced_execute(struct datasource *source, const char *sql,
                           const struct datasource_limits *limits,
                           const struct datasource_sink *sink, struct err *err)
{
    struct decorator *decorator = decorator_of(source);
    int64_t started_us = clock_us();
    bool ok = decorator->inner.driver->execute(&decorator->inner, sql, limits, sink, err);
    return traced_end(decorator, "execute", started_us, ok, err);
}

static bool traced_write(struct datasource *source, const char *sql, int64_t approved,
                         const struct datasource_limits *limits, int64_t *touched,
                         struct err *err)
{
    struct decorator *decorator = decorator_of(source);
    int64_t started_us = clock_us();
    bool ok = decorator->inner.driver->write(&decorator->inner, sql, approved, limits,
                                             touched, err);
    return traced_end(decorator, approved == WRITE_PREVIEW ? "preview" : "write",
                      started_us, ok, err);
}

static const struct datasource_driver traced_slots = {
    .open = traced_open,
    .close = traced_close,
    .signature = traced_signature,
    .describe = traced_describe,
    .profile = traced_profile,
    .check = traced_check,
    .estimate = traced_estimate,
    .execute = traced_execute,
    .write = traced_write,
};

void datasource_trace(struct datasource *source)
{
    if (source->driver->close != traced_close) {
        (void)decorator_wrap(source, &traced_slots);
    }
}
