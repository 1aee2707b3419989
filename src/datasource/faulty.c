/* A driver whose nth call fails: how tests ask every caller what it does then. */
#include "datasource/decorator.h"

#include "base/arena.h"

/* True when this is the call that must fail. */
static bool faulty_strikes(struct decorator *decorator, struct err *err)
{
    int left = atomic_load(&decorator->countdown);
    while (left > 0 &&
           !atomic_compare_exchange_weak(&decorator->countdown, &left, left - 1)) {}
    if (left != 1) {
        return false;
    }
    enum err_code code = (enum err_code)atomic_load(&decorator->code);
    (void)err_set(err, code, "The datasource failed on purpose.");
    return true;
}

static bool faulty_open(struct datasource *source, struct err *err)
{
    struct decorator *decorator = decorator_of(source);
    return !faulty_strikes(decorator, err) && decorator_open(decorator, source, err);
}

static void faulty_close(struct datasource *source)
{
    struct decorator *decorator = decorator_of(source);
    decorator->inner.driver->close(&decorator->inner);
}

static bool faulty_signature(struct datasource *source,
                             const struct datasource_limits *limits, char out[33],
                             struct err *err)
{
    struct decorator *decorator = decorator_of(source);
    return !faulty_strikes(decorator, err) &&
           decorator->inner.driver->signature(&decorator->inner, limits, out, err);
}

static bool faulty_describe(struct datasource *source, struct schema *schema,
                            const struct datasource_limits *limits, struct err *err)
{
    struct decorator *decorator = decorator_of(source);
    return !faulty_strikes(decorator, err) &&
           decorator->inner.driver->describe(&decorator->inner, schema, limits, err);
}

static bool faulty_profile(struct datasource *source, struct schema *schema,
                           struct table *table, struct arena *arena, int samples,
                           const struct datasource_limits *limits, struct err *err)
{
    struct decorator *decorator = decorator_of(source);
    return !faulty_strikes(decorator, err) &&
           decorator->inner.driver->profile(&decorator->inner, schema, table, arena,
                                            samples, limits, err);
}

static bool faulty_check(struct datasource *source, const char *sql,
                         const struct datasource_limits *limits, struct err *err)
{
    struct decorator *decorator = decorator_of(source);
    return !faulty_strikes(decorator, err) &&
           decorator->inner.driver->check(&decorator->inner, sql, limits, err);
}

static bool faulty_estimate(struct datasource *source, const char *sql,
                            struct arena *arena, const struct datasource_limits *limits,
                            struct datasource_estimate *out, struct err *err)
{
    struct decorator *decorator = decorator_of(source);
    return !faulty_strikes(decorator, err) &&
           decorator->inner.driver->estimate(&decorator->inner, sql, arena, limits, out,
                                             err);
}

static bool faulty_execute(struct datasource *source, const char *sql,
                           const struct datasource_limits *limits,
                           const struct datasource_sink *sink, struct err *err)
{
    struct decorator *decorator = decorator_of(source);
    return !faulty_strikes(decorator, err) &&
           decorator->inner.driver->execute(&decorator->inner, sql, limits, sink, err);
}

static bool faulty_write(struct datasource *source, const char *sql, int64_t approved,
                         const struct datasource_limits *limits, int64_t *touched,
                         struct err *err)
{
    struct decorator *decorator = decorator_of(source);
    return !faulty_strikes(decorator, err) &&
           decorator->inner.driver->write(&decorator->inner, sql, approved, limits,
                                          touched, err);
}

static const struct datasource_driver faulty_slots = {
    .open = faulty_open,
    .close = faulty_close,
    .signature = faulty_signature,
    .describe = faulty_describe,
    .profile = faulty_profile,
    .check = faulty_check,
    .estimate = faulty_estimate,
    .execute = faulty_execute,
    .write = faulty_write,
};

void datasource_fail_at(struct datasource *source, int nth, enum err_code code)
{
    bool wrapped = source->driver->close == faulty_close;
    struct decorator *decorator =
        wrapped ? decorator_of(source) : decorator_wrap(source, &faulty_slots);
    atomic_store(&decorator->code, (int)code);
    atomic_store(&decorator->countdown, nth);
}
