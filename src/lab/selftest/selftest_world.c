/* A scratch database to be attacked, and how it is seen whether that did something. */
#include "lab/selftest/selftest.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/str.h"
#include "datasource/staging/scratch.h"
#include "model/policy.h"
#include "prompt/embedded.h"

extern const struct embedded_file embedded_attacks[];

bool selftest_corpus(struct arena *arena, enum dialect dialect, struct attacks *out,
                     struct err *err)
{
    const char *name = arena_format(arena, "%s.txt", dialect_name(dialect));
    for (const struct embedded_file *file = embedded_attacks; file->path; file++) {
        if (str_equal(file->path, name)) {
            return attacks_parse(arena, file->data, (size_t)(file->end - file->data), out,
                                 err);
        }
    }
    return err_set(err, ERR_INTERNAL, "There are no attacks on %s.",
                   dialect_name(dialect));
}

/* Files whose names the attacks use, in the places where they would be made. */
static size_t litter_count(const struct selftest_world *world)
{
    const char *const places[] = {".", "/tmp", "/var/tmp", world->folder};
    size_t count = 0;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        DIR *list = *places[i] ? opendir(places[i]) : NULL;
        struct dirent *entry;
        while (list && (entry = readdir(list))) { /* NOLINT(concurrency-mt-unsafe) */
            count += str_starts(entry->d_name, "dragoman-attack") ||
                     str_starts(entry->d_name, "dragoman_attack");
        }
        if (list) {
            (void)closedir(list);
        }
    }
    return count;
}

static long memory_peak_kb(void)
{
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) == 0 ? usage.ru_maxrss : 0;
}

struct printing {
    struct hash *hash;
    size_t columns;
};

static bool print_columns(void *context, const struct rows_column *columns, size_t count)
{
    struct printing *printing = context;
    (void)columns;
    printing->columns = count;
    return true;
}

static bool print_row(void *context, const struct value *cells)
{
    struct printing *printing = context;
    for (size_t i = 0; i < printing->columns; i++) {
        const struct value *cell = &cells[i];
        bool text = cell->kind == VALUE_TEXT || cell->kind == VALUE_NUMBER ||
                    cell->kind == VALUE_BLOB;
        hash_add(printing->hash, &cell->kind, sizeof cell->kind);
        if (text) {
            hash_add(printing->hash, cell->text.data, cell->text.size);
        } else if (cell->kind != VALUE_NULL) {
            hash_add(printing->hash, &cell->integer, sizeof cell->integer);
        }
    }
    return true;
}

/* All rows of all tables and the shape of the schema, as one number. */
static bool world_print(struct selftest_world *world, char out[33], struct err *err)
{
    static const char *const tables[] = {
        "SELECT id, name, city, email FROM customers ORDER BY id",
        "SELECT id, customer_id, status, ordered_on FROM orders ORDER BY id",
        "SELECT sum(total) FROM orders", "SELECT id, secret FROM vault ORDER BY id"};
    struct printing printing = {.hash = hash_new()};
    const struct datasource_sink sink = {
        .columns = print_columns, .row = print_row, .context = &printing};
    char signature[33];
    bool ok = datasource_signature(world->witness, NULL, signature, err);
    for (size_t i = 0; ok && i < sizeof tables / sizeof *tables; i++) {
        ok = datasource_stream(world->witness, tables[i], NULL, NULL, &sink, err);
    }
    if (ok) {
        hash_text(printing.hash, signature);
        size_t size = 0;
        struct arena *arena = arena_new();
        char *bytes =
            world->path ? file_read(arena, world->path, 64 << 20, &size, err) : NULL;
        if (bytes) { /* to the byte */
            hash_add(printing.hash, bytes, size);
        }
        arena_free(arena);
        hash_hex(printing.hash, out);
    }
    hash_free(printing.hash);
    return ok;
}

const char *selftest_world_harm(struct selftest_world *world)
{
    char print[33] = "";
    struct err err;
    err_clear(&err);
    if (!world_print(world, print, &err)) {
        return "the database cannot be read any more";
    }
    if (!str_equal(print, world->print)) {
        return "changed the database";
    }
    if (litter_count(world) != world->litter) {
        return "made a file";
    }
    /* each is judged by what it added to the most that was used so far */
    long before_kb = world->memory_kb;
    world->memory_kb = memory_peak_kb();
    bool held = world->memory_kb - before_kb < 4L * SELFTEST_MEMORY_MB * 1024;
    return held ? NULL : "took too much memory";
}

/* What may be known of it, which the policy sees to, and what there is. */
static bool schema_make(struct selftest_world *world, struct err *err)
{
    world->whole = datasource_describe(world->witness, NULL, err);
    world->schema = world->whole ? datasource_describe(world->source, NULL, err) : NULL;
    if (!world->schema) {
        return false;
    }
    schema_normalize(world->whole);
    schema_normalize(world->schema);
    return schema_table(world->whole, "vault") && !schema_table(world->schema, "vault") &&
           schema_table(world->schema, "customers") &&
           schema_table(world->schema, "orders");
}

static bool file_make(struct selftest_world *world, struct err *err)
{
    const char *base = getenv("TMPDIR"); /* NOLINT(concurrency-mt-unsafe) */
    int length = snprintf(world->folder, sizeof world->folder, "%s/dragoman-XXXXXX",
                          str_empty(base) ? "/tmp" : base);
    if (length >= (int)sizeof world->folder || !mkdtemp(world->folder)) {
        world->folder[0] = '\0';
        return err_set(err, ERR_ACCESS,
                       "No folder for a scratch database could be made.");
    }
    world->path = arena_format(world->arena, "%s/shop.%s", world->folder,
                               world->dialect == DIALECT_DUCKDB ? "duckdb" : "db");
    return scratch_make(world->dialect, world->path, err);
}

bool selftest_world_make(struct selftest_world *world, enum dialect dialect,
                         const char *url, struct err *err)
{
    memset(world, 0, sizeof *world);
    world->arena = arena_new();
    world->options = options_new();
    world->options->sql_memory_mb = SELFTEST_MEMORY_MB;
    world->dialect = dialect;
    if (!url && !file_make(world, err)) {
        return false;
    }
    const struct datasource_setting setting = {.id = "scratch",
                                               .url = url ? url : world->path};
    struct datasource_setting narrow = setting;
    struct policy *policy = ARENA_NEW(world->arena, struct policy);
    VEC_PUSH(world->arena, &policy->deny, "*vault*");
    narrow.policy = policy;
    world->source = datasource_open(&narrow, world->options, err);
    world->witness =
        world->source ? datasource_open(&setting, world->options, err) : NULL;
    if (!world->witness) {
        return false;
    }
    world->dialect = datasource_dialect(world->source);
    if (!scratch_script(world->dialect)) {
        return err_set(err, ERR_USAGE, "There is no scratch shop for %s.",
                       dialect_name(world->dialect));
    }
    if (!schema_make(world, err) || !world_print(world, world->print, err)) {
        (void)err_set(err, ERR_USAGE, "This is not the scratch shop.");
        return err_hint(err, "Make it in a database of its own: dragoman selftest "
                             "--setup prints the SQL.");
    }
    world->litter = litter_count(world);
    world->memory_kb = memory_peak_kb();
    return true;
}

void selftest_world_end(struct selftest_world *world)
{
    datasource_close(world->witness);
    datasource_close(world->source);
    schema_unref(world->schema);
    schema_unref(world->whole);
    if (world->path) {
        (void)unlink(world->path);
    }
    if (*world->folder) {
        (void)rmdir(world->folder);
    }
    options_free(world->options);
    arena_free(world->arena);
}
