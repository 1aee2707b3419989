/* The driver for files opened as tables: a DuckDB database in memory, made from them at
 * first use and again when one of them has changed. */
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/str.h"
#include "datasource/files/files_driver.h"

enum { IDLE_MS = 300000 };

struct files_state {
    struct duckdb_source_state duck; /* first: what the engine's own slots look for */
    struct duckdb_maker maker;
    const char *path;
    const struct options *options;
    /* What the database in memory was made from. Written while it is made, which one
     * thread does at a time, and read by those that have waited for it. */
    struct arena *made;
    struct files_list list;
    struct texts warnings;
};

static bool same_files(const struct files_list *a, const struct files_list *b)
{
    if (a->count != b->count) {
        return false;
    }
    for (size_t i = 0; i < a->count; i++) {
        if (!str_equal(a->items[i].path, b->items[i].path) ||
            !files_mark_equal(&a->items[i].mark, &b->items[i].mark)) {
            return false;
        }
    }
    return true;
}

static bool state_changed(void *context)
{
    struct files_state *state = context;
    struct arena *arena = arena_new();
    struct files_list now = {0};
    struct texts warnings = {0};
    struct err ignored;
    err_clear(&ignored);
    bool read =
        files_list_read(arena, state->path, state->options, &now, &warnings, &ignored);
    bool changed = !read || !same_files(&now, &state->list);
    arena_free(arena);
    return changed;
}

static void state_closed(void *context)
{
    struct files_state *state = context;
    state->list = (struct files_list){0};
    state->warnings = (struct texts){0};
    arena_free(state->made);
    state->made = NULL;
}

static bool state_find(void *context, size_t *count, struct err *err)
{
    struct files_state *state = context;
    state->made = arena_new();
    bool ok = files_list_read(state->made, state->path, state->options, &state->list,
                              &state->warnings, err);
    files_look(state->made, &state->list, &state->warnings);
    *count = state->list.count;
    return ok; /* if not, state_closed comes */
}

static int state_file_open(void *context, size_t index)
{
    struct files_state *state = context;
    return files_pass(&state->list.items[index]);
}

static bool state_make(void *context, struct duckdb_session *session, const int *places,
                       struct err *err)
{
    struct files_state *state = context;
    struct files_work work = {.session = session,
                              .options = state->options,
                              .arena = arena_new(),
                              .warnings = &state->warnings,
                              .kept = state->made,
                              .numbers = places,
                              .scratch = ""};
    bool ok = files_make(&work, &state->list, err);
    arena_free(work.arena);
    return ok;
}

/* Errors of the files are reported now; their rows are read by the first query. */
static bool files_open_source(struct datasource *source, struct err *err)
{
    struct files_list list = {0};
    struct texts warnings = {0};
    if (!files_list_read(source->arena, source->path, source->options, &list, &warnings,
                         err)) {
        return false;
    }
    for (size_t i = 0; i < list.count; i++) {
        int fd = -1;
        if (files_open(source->arena, &list.items[i], &fd, &warnings, err)) {
            (void)close(fd);
        } else if (list.count == 1) {
            return false;
        }
    }
    struct files_state *state = ARENA_NEW(source->arena, struct files_state);
    state->path = source->path;
    state->options = source->options;
    state->maker = (struct duckdb_maker){.changed = state_changed,
                                         .find = state_find,
                                         .file_open = state_file_open,
                                         .make = state_make,
                                         .closed = state_closed,
                                         .context = state,
                                         .idle_ms = IDLE_MS};
    if (!duckdb_state_init_maker(&state->duck, source->options, &state->maker, err)) {
        return false;
    }
    source->state = state;
    return true;
}

static void files_close_source(struct datasource *source)
{
    if (source->state) {
        duckdb_state_release(source->state);
        source->state = NULL;
    }
}

/* From the files alone: nothing need be read into a database to see that they are the
 * same. */
static bool files_signature(struct datasource *source,
                            const struct datasource_limits *limits, char out[33],
                            struct err *err)
{
    struct arena *arena = arena_new();
    struct files_list list = {0};
    struct texts warnings = {0};
    bool ok =
        limits_hold(limits, err) &&
        files_list_read(arena, source->path, source->options, &list, &warnings, err) &&
        files_list_signature(&list, source->options, out, err);
    arena_free(arena);
    return ok;
}

static bool files_describe(struct datasource *source, struct schema *schema,
                           const struct datasource_limits *limits, struct err *err)
{
    struct files_state *state = source->state;
    struct duckdb_session session;
    if (!duckdb_begin(source, limits, &session, err)) { /* makes it, when it must */
        return false;
    }
    /* another thread may make it anew, but not while this one holds the lock */
    (void)pthread_mutex_lock(&state->duck.lock);
    for (size_t i = 0; !state->duck.making && i < state->warnings.count; i++) {
        VEC_PUSH(schema->arena, &schema->warnings,
                 arena_text(schema->arena, state->warnings.items[i]));
    }
    (void)pthread_mutex_unlock(&state->duck.lock);
    bool ok = duckdb_describe(source, schema, limits, err);
    for (size_t i = 0; i < schema->tables.count; i++) {
        schema->tables.items[i].is_view = false; /* to people they are all tables */
    }
    duckdb_end(source, &session);
    return ok;
}

static const char *const files_schemes[] = {"files", NULL};
static const char *const files_extensions[] = {
    ".csv",     ".csv.gz", ".tsv",      ".tsv.gz",  ".tab",  ".txt",    ".json",
    ".json.gz", ".jsonl",  ".jsonl.gz", ".parquet", ".xlsx", ".ndjson", ".ndjson.gz",
    ".xlsm",    ".xls",    ".xlsb",     ".ods",     NULL};

extern const struct datasource_driver datasource_files;
const struct datasource_driver datasource_files = {
    .name = "files",
    .dialect = DIALECT_DUCKDB,
    .schemes = files_schemes,
    .extensions = files_extensions,
    .local = true,
    .open = files_open_source,
    .close = files_close_source,
    .signature = files_signature,
    .describe = files_describe,
    .profile = duckdb_profile,
    .check = duckdb_check,
    .estimate = duckdb_estimate,
    .execute = duckdb_execute,
};
