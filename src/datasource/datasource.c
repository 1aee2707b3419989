/* The functions through which everybody uses a datasource: guard, limits and collecting.
 */
#include "datasource/datasource.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/hash.h"
#include "base/str.h"
#include "datasource/allow.h"
#include "datasource/collect.h"
#include "datasource/files/dataset.h"
#include "datasource/dictionary/dictionary.h"
#include "datasource/driver.h"
#include "datasource/opening.h"
#include "datasource/policy/restrict.h"
#include "datasource/url.h"
#include "sql/view.h"

/* Two files of one name in two folders are two databases, and ids are made from names. */
/* A file that is gone has the place it had. */
static const char *place_of_gone(struct arena *arena, const char *path)
{
    const char *slash = strrchr(path, '/');
    char *folder = slash ? arena_copy(arena, path, (size_t)(slash - path) + 1) : NULL;
    char *real = realpath(folder ? folder : ".", NULL);
    const char *place =
        real ? arena_format(arena, "%s%s%s", real, str_equal(real, "/") ? "" : "/",
                            slash ? slash + 1 : path)
             : NULL;
    free(real);
    return place;
}

static const char *place_of(struct arena *arena, const struct datasource *source)
{
    char *real = source->path ? realpath(source->path, NULL) : NULL;
    const char *place = real           ? arena_text(arena, real)
                        : source->path ? place_of_gone(arena, source->path)
                                       : url_without_password(arena, source->url);
    free(real);
    return place ? place : source->url;
}

static void origin_make(const struct datasource *source, char out[DATASOURCE_ORIGIN_SIZE])
{
    char digits[33];
    struct hash *hash = hash_new();
    hash_text(hash, source->place);
    restrict_hash(source, hash);
    hash_hex(hash, digits);
    hash_free(hash);
    (void)snprintf(out, DATASOURCE_ORIGIN_SIZE, "%.16s*", digits);
}

struct datasource *datasource_attach_later(const struct datasource_setting *setting,
                                           const struct options *options, struct err *err)
{
    struct arena *arena = arena_new();
    struct datasource *source = ARENA_NEW(arena, struct datasource);
    source->arena = arena;
    source->id = arena_text(arena, setting->id ? setting->id : "main");
    source->url = arena_text(arena, setting->url ? setting->url : "");
    source->description = arena_text(arena, setting->description);
    source->dictionary = arena_text(
        arena, !str_empty(setting->dictionary)          ? setting->dictionary
               : !str_empty(options->schema_dictionary) ? options->schema_dictionary
                                                        : NULL);
    source->writable = setting->writable && !setting->added;
    source->allow_superuser = setting->allow_superuser && !setting->added;
    source->allow_own_types = setting->allow_own_types && !setting->added;
    source->added = setting->added;
    source->options = options;
    struct source_url url;
    if ((source->added &&
         !allow_url(options, arena, source->url, &source->address, err)) ||
        !url_resolve(arena, source->url, &url, &source->driver, err)) {
        arena_free(arena);
        return NULL;
    }
    source->path = url.path;
    source->imported = str_equal(url.scheme, "dataset");
    if (source->imported &&
        !(source->path = dataset_find(arena, options, url.path, err))) {
        arena_free(arena);
        return NULL;
    }
    source->place = place_of(arena, source);
    char origin[DATASOURCE_ORIGIN_SIZE];
    origin_make(source, origin);
    source->origin = arena_text(arena, origin);
    source->described = dictionary_own_path(arena, options, source->id);
    opening_init(source);
    if (!restrict_source(source, policy_for(setting->policy, NULL, NULL), NULL, NULL,
                         err)) {
        datasource_close(source);
        return NULL;
    }
    return source;
}

struct datasource *datasource_attach(const struct datasource_setting *setting,
                                     const struct options *options, struct err *err)
{
    struct datasource *source = datasource_attach_later(setting, options, err);
    if (source && source->driver->local && !opening_ready(source, NULL, err)) {
        datasource_close(source);
        return NULL;
    }
    return source;
}

struct datasource *datasource_open(const struct datasource_setting *setting,
                                   const struct options *options, struct err *err)
{
    struct datasource *source = datasource_attach(setting, options, err);
    if (source && !opening_ready(source, NULL, err)) {
        datasource_close(source);
        return NULL;
    }
    return source;
}

bool datasource_ready(struct datasource *source, const struct datasource_limits *limits,
                      struct err *err)
{
    return opening_ready(source, limits, err);
}

void datasource_close(struct datasource *source)
{
    if (source) {
        restrict_release(source);
        if (!source->base) {
            opening_release(source);
        }
        arena_free(source->arena);
    }
}

static struct datasource_limits limits_fill(const struct datasource *source,
                                            const struct datasource_limits *limits)
{
    struct datasource_limits filled = {0};
    if (limits) {
        filled = *limits;
    }
    const struct options *options = source->options;
    if (!filled.deadline_ms) {
        filled.deadline_ms = clock_ms() + options->sql_timeout_s * 1000;
    }
    if (filled.max_rows <= 0) {
        filled.max_rows = options->sql_max_rows;
    }
    if (filled.max_bytes <= 0) {
        filled.max_bytes = options->sql_max_bytes;
    }
    if (filled.max_cell_bytes <= 0) {
        filled.max_cell_bytes = options->sql_max_cell_bytes;
    }
    restrict_limits(source, &filled);
    if (filled.max_cell_bytes > filled.max_bytes) {
        filled.max_cell_bytes = filled.max_bytes;
    }
    return filled;
}

/* May the driver be called now? */
static bool ready(struct datasource *source, const struct datasource_limits *limits,
                  struct err *err)
{
    return limits_hold(limits, err) && opening_ready(restrict_base(source), limits, err);
}

void datasource_origin(const struct datasource *source, char out[DATASOURCE_ORIGIN_SIZE])
{
    if (source->origin && !source->restricted) {
        memcpy(out, source->origin, DATASOURCE_ORIGIN_SIZE);
    } else {
        origin_make(source, out);
    }
}

bool datasource_signature(struct datasource *source,
                          const struct datasource_limits *limits, char out[33],
                          struct err *err)
{
    struct datasource_limits filled = limits_fill(source, limits);
    struct datasource *base = restrict_base(source);
    if (!ready(source, &filled, err) ||
        !base->driver->signature(base, &filled, out, err)) {
        return false;
    }
    struct hash *hash = hash_new();
    hash_text(hash, out);
    if (source->dictionary) { /* what it says is part of the schema */
        dictionary_hash(source->dictionary, hash);
    }
    dictionary_own_hash(source, hash);
    struct stat status;
    if (source->imported && stat(source->path, &status) == 0) {
        hash_add(hash, &status.st_ino, sizeof status.st_ino);
        hash_add(hash, &status.st_mtim.tv_sec, sizeof status.st_mtim.tv_sec);
        hash_add(hash, &status.st_mtim.tv_nsec, sizeof status.st_mtim.tv_nsec);
    }
    char version[33];
    hash_hex(hash, version);
    hash_free(hash);
    /* The place comes first: what is kept of one database must never be shown for another
     * that happens to have the same id and tables, not even when it cannot be asked. */
    char origin[DATASOURCE_ORIGIN_SIZE];
    datasource_origin(source, origin);
    memcpy(out, origin, 16);
    memcpy(out + 16, version, 16);
    out[32] = '\0';
    restrict_signature(source, out);
    return true;
}

struct schema *datasource_describe(struct datasource *source,
                                   const struct datasource_limits *limits,
                                   struct err *err)
{
    struct datasource_limits filled = limits_fill(source, limits);
    struct datasource *base = restrict_base(source);
    if (!limits_hold(&filled, err)) {
        return NULL;
    }
    struct schema *schema = schema_new();
    schema->datasource = arena_text(schema->arena, source->id);
    schema->read_at = clock_wall_s();
    /* The signature comes first: a change in between makes the schema look stale, never
     * fresh when it is not. */
    char signature[33];
    if (!datasource_signature(source, &filled, signature, err) ||
        !base->driver->describe(base, schema, &filled, err)) {
        schema_unref(schema);
        return NULL;
    }
    /* known for certain once it is open */
    schema->dialect = arena_text(schema->arena, dialect_name(datasource_dialect(source)));
    schema->signature = arena_text(schema->arena, signature);
    if (source->dictionary && schema->tables.count > 0) {
        dictionary_describe(source->dictionary, schema);
    }
    if (schema->tables.count > 0) {
        dictionary_own_describe(source, schema);
    }
    /* last, so that nothing that was added speaks of what is held back */
    bool shown = restrict_schema(source, schema, err);
    if (shown && schema->tables.count == 0) {
        shown = err_set(err, ERR_EMPTY_SCHEMA, "The database '%s' has no tables.",
                        source->id);
        if (schema->warnings.count > 0) {
            (void)err_detail(err, "%s", schema->warnings.items[0]);
        }
    }
    if (!shown) {
        schema_unref(schema);
        return NULL;
    }
    view_tidy(schema, datasource_dialect(source));
    return schema;
}

static bool look_begin(struct passage *passage, struct datasource *source,
                       const char *sql, const struct datasource_limits *limits,
                       struct err *err)
{
    *passage = (struct passage){.sql = sql};
    return ready(source, limits, err) &&
           (source->restricted
                ? passage_begin(passage, source, sql, NULL, GUARD_READ, limits, err)
                : passage_look(passage, source, sql, limits, err));
}

/* What the driver runs; its tree goes along with the limits. */
static const char *passage_hand(const struct passage *passage,
                                struct datasource_limits *limits)
{
    limits->statement = passage->narrowed ? &passage->narrow.printed.statement
                                          : &passage->printed.statement;
    return passage->sql;
}

bool datasource_check(struct datasource *source, const char *sql,
                      const struct datasource_limits *limits, struct err *err)
{
    struct datasource_limits filled = limits_fill(source, limits);
    struct datasource *base = restrict_base(source);
    struct passage passage;
    bool ok = look_begin(&passage, source, sql, &filled, err) &&
              passage_outcome(&passage,
                              base->driver->check(base, passage_hand(&passage, &filled),
                                                  &filled, err),
                              false, err);
    passage_end(&passage);
    return ok;
}

bool datasource_estimate(struct datasource *source, const char *sql, struct arena *arena,
                         const struct datasource_limits *limits,
                         struct datasource_estimate *out, struct err *err)
{
    struct datasource_limits filled = limits_fill(source, limits);
    struct datasource *base = restrict_base(source);
    struct passage passage;
    *out = (struct datasource_estimate){.rows = -1, .bytes = -1, .text = ""};
    if (!base->driver->estimate) {
        return true;
    }
    bool ok = look_begin(&passage, source, sql, &filled, err);
    if (ok && passage.narrowed && passage.narrow.rows_hidden) {
        ok = restrict_estimate(base, &passage, &filled, out, err);
        passage_end(&passage);
        return ok;
    }
    ok = ok &&
         passage_outcome(&passage,
                         base->driver->estimate(base, passage_hand(&passage, &filled),
                                                arena, &filled, out, err),
                         false, err);
    if (passage.narrowed) {
        out->text = ""; /* a plan tells the conditions */
    }
    /* a name out of the statement goes with it */
    out->table = out->table ? arena_text(arena, out->table) : NULL;
    passage_end(&passage);
    return ok;
}

/* A sink behind what a policy lets anybody see of a result. */
struct narrow_sink {
    const struct datasource_sink *sink;
    const struct datasource_limits *limits;
    size_t column_count;
    int64_t rows;
    int64_t bytes;
};

static bool narrow_columns(void *context, const struct rows_column *columns, size_t count)
{
    struct narrow_sink *narrow = context;
    narrow->column_count = count;
    narrow->rows = 0;
    narrow->bytes = 0;
    return narrow->sink->columns(narrow->sink->context, columns, count);
}

static bool narrow_row(void *context, const struct value *cells)
{
    struct narrow_sink *narrow = context;
    for (size_t i = 0; i < narrow->column_count; i++) {
        narrow->bytes += (int64_t)value_bytes(&cells[i]);
    }
    if (++narrow->rows > narrow->limits->max_rows ||
        narrow->bytes > narrow->limits->max_bytes) {
        if (narrow->sink->cut) {
            narrow->sink->cut(narrow->sink->context);
        }
        return false;
    }
    return narrow->sink->row(narrow->sink->context, cells);
}

bool datasource_stream(struct datasource *source, const char *sql,
                       const struct schema *schema,
                       const struct datasource_limits *limits,
                       const struct datasource_sink *sink, struct err *err)
{
    struct datasource_limits filled = limits_fill(source, limits);
    struct datasource *base = restrict_base(source);
    struct passage passage;
    struct narrow_sink narrow = {.sink = sink, .limits = &filled};
    const struct datasource_sink narrowed = {
        .columns = narrow_columns, .row = narrow_row, .context = &narrow};
    if (!limits_hold(&filled, err)) {
        return false;
    }
    /* a caller that knows these limits respects them itself */
    bool bounded = limits && (filled.max_rows < limits->max_rows ||
                              filled.max_bytes < limits->max_bytes);
    struct long_cells cells;
    long_cells_init(&cells, bounded ? &narrowed : sink, &filled);
    const struct datasource_sink cut = long_cells_sink(&cells);
    bool ok = passage_begin(&passage, source, sql, schema, GUARD_READ, &filled, err) &&
              opening_ready(base, &filled, err) &&
              passage_outcome(&passage,
                              base->driver->execute(base, passage_hand(&passage, &filled),
                                                    &filled, &cut, err),
                              true, err);
    long_cells_release(&cells);
    passage_end(&passage);
    return ok;
}

bool datasource_execute(struct datasource *source, const char *sql,
                        const struct schema *schema,
                        const struct datasource_limits *limits, struct rows *rows,
                        struct err *err)
{
    struct datasource_limits filled = limits_fill(source, limits);
    struct collector collector = {.rows = rows, .limits = &filled};
    const struct datasource_sink sink = collector_sink(&collector);
    return datasource_stream(source, sql, schema, &filled, &sink, err);
}

bool datasource_pass(struct datasource *source, const char *sql,
                     const struct schema *schema, const struct datasource_limits *limits,
                     const struct datasource_sink *sink, size_t keep, struct rows *rows,
                     struct err *err)
{
    struct datasource_limits filled = limits_fill(source, limits);
    struct collector collector = {
        .rows = rows, .limits = &filled, .next = sink, .keep = keep};
    const struct datasource_sink passing = collector_sink(&collector);
    rows->passed = true;
    bool ok = datasource_stream(source, sql, schema, &filled, &passing, err);
    if (rows->passed_cut != ROWS_WHOLE && rows->cut == ROWS_WHOLE) {
        rows->cut = rows->passed_cut;
    }
    return ok;
}

bool datasource_write(struct datasource *source, const char *sql,
                      const struct schema *schema, int64_t approved,
                      const struct datasource_limits *limits, int64_t *touched,
                      struct err *err)
{
    struct datasource_limits filled = limits_fill(source, limits);
    struct datasource *base = restrict_base(source);
    struct passage passage;
    *touched = 0;
    if (!source->writable || !base->driver->write) {
        (void)err_set(err, ERR_WRITE_NOT_ALLOWED, "The datasource '%s' is read-only.",
                      source->id);
        return base->driver->write
                   ? false
                   : err_hint(err, "The %s driver only reads.", base->driver->name);
    }
    if (!limits_hold(&filled, err)) {
        return false;
    }
    bool ok = passage_begin(&passage, source, sql, schema, GUARD_WRITE, &filled, err) &&
              opening_ready(base, &filled, err) &&
              passage_outcome(&passage,
                              base->driver->write(base, passage_hand(&passage, &filled),
                                                  approved, &filled, touched, err),
                              true, err);
    passage_end(&passage);
    return ok;
}
