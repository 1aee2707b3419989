/* A folder, a database in it, and short ways to ask it things. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/hash.h"
#include "conformance.h"

int place_setup(void **state)
{
    struct place *place = calloc(1, sizeof *place);
    if (!place) {
        return -1;
    }
    (void)snprintf(place->folder, sizeof place->folder, "/tmp/dragoman-XXXXXX");
    if (!mkdtemp(place->folder)) {
        free(place);
        return -1;
    }
    (void)snprintf(place->path, sizeof place->path, "%s/shop%s", place->folder,
                   kind->extension);
    place->options = options_new();
    place->arena = arena_new();
    *state = place;
    return 0;
}

static void folder_remove(const char *folder)
{
    DIR *entries = opendir(folder);
    for (struct dirent *entry; entries && (entry = readdir(entries));) {
        char path[1024];
        (void)snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (entry->d_type != DT_DIR) {
            (void)unlink(path);
        }
    }
    if (entries) {
        (void)closedir(entries);
    }
    (void)rmdir(folder);
}

int place_teardown(void **state)
{
    struct place *place = *state;
    datasource_close(place->source);
    if (kind->server) {
        kind->server->drop(place->path);
    }
    DIR *entries = opendir(place->folder);
    for (struct dirent *entry; entries && (entry = readdir(entries));) {
        char path[512];
        (void)snprintf(path, sizeof path, "%s/%s", place->folder, entry->d_name);
        if (entry->d_type == DT_DIR && entry->d_name[0] != '.') {
            folder_remove(path);
        } else if (entry->d_type != DT_DIR) {
            (void)unlink(path);
        }
    }
    if (entries) {
        (void)closedir(entries);
    }
    (void)rmdir(place->folder);
    options_free(place->options);
    arena_free(place->arena);
    free(place);
    return 0;
}

struct datasource *place_try_open(struct place *place, const char *url, struct err *err)
{
    const struct datasource_setting setting = {.id = "shop", .url = url};
    err_clear(err);
    datasource_close(place->source);
    place->source = datasource_open(&setting, place->options, err);
    return place->source;
}

const char *place_url(struct place *place)
{
    char url[400];
    if (!kind->server && !kind->url) {
        return place->path;
    }
    if (kind->url) {
        kind->url(place->path, url, sizeof url);
        return arena_text(place->arena, url);
    }
    kind->server->url(KIND_URL_GOOD, place->path, url, sizeof url);
    return arena_text(place->arena, url);
}

struct datasource *place_open(struct place *place, const char *sql)
{
    kind->script(place->path, sql);
    struct err err;
    if (!place_try_open(place, place_url(place), &err)) {
        fail_msg("open: %s (%s)", err.message, err.detail);
    }
    return place->source;
}

const char *place_open_heard(struct place *place, const char *url)
{
    enum { MOST = 4096 };
    struct err err;
    char *text = arena_alloc(place->arena, MOST);
    FILE *heard = tmpfile();
    assert_non_null(heard);
    (void)fflush(stderr);
    int ours = dup(STDERR_FILENO);
    assert_true(ours >= 0 && dup2(fileno(heard), STDERR_FILENO) >= 0);
    bool open = place_try_open(place, url, &err) != NULL;
    char signature[33];
    bool signed_too = open && datasource_signature(place->source, NULL, signature, &err);
    (void)fflush(stderr);
    (void)dup2(ours, STDERR_FILENO);
    (void)close(ours);
    rewind(heard);
    text[fread(text, 1, MOST - 1, heard)] = '\0';
    (void)fclose(heard);
    if (!signed_too) {
        fail_msg("%s (%s)", err.message, err.detail);
    }
    return text;
}

struct datasource *place_open_policy(struct place *place, const char *policy)
{
    struct err err;
    const char *yaml =
        arena_format(place->arena, "datasources: [{id: shop-%zu, url: x, policy: {%s}}]",
                     place->options->datasources.count, policy);
    err_clear(&err);
    if (!options_parse(place->options, "x.yaml", yaml, strlen(yaml), &err)) {
        fail_msg("%s: %s", policy, err.message);
    }
    struct datasource_setting setting =
        place->options->datasources.items[place->options->datasources.count - 1];
    setting.id = "shop";
    setting.url = place_url(place);
    struct datasource *source = datasource_open(&setting, place->options, &err);
    if (!source) {
        fail_msg("%s: %s (%s)", policy, err.message, err.detail);
    }
    return source;
}

struct rows place_rows(struct place *place, const char *sql)
{
    struct rows rows;
    struct err err;
    err_clear(&err);
    rows_init(&rows, place->arena);
    sql = kind->translate ? kind->translate(place->arena, sql) : sql;
    if (!datasource_execute(place->source, sql, NULL, NULL, &rows, &err)) {
        fail_msg("%s: %s (%s)", sql, err.message, err.detail);
    }
    return rows;
}

static bool count_columns(void *context, const struct rows_column *columns, size_t count)
{
    (void)context;
    (void)columns;
    (void)count;
    return true;
}

static bool count_row(void *context, const struct value *cells)
{
    int64_t *rows = context;
    (void)cells;
    (*rows)++;
    return true;
}

bool place_raw(struct place *place, const char *sql,
               const struct datasource_limits *limits, int64_t *rows, struct err *err)
{
    int64_t counted = 0;
    const struct datasource_sink sink = {
        .columns = count_columns, .row = count_row, .context = rows ? rows : &counted};
    const struct datasource_limits some = {
        .deadline_ms = clock_ms() + 20000, .max_rows = 100, .max_bytes = 1 << 20};
    err_clear(err);
    return place->source->driver->execute(place->source, sql, limits ? limits : &some,
                                          &sink, err);
}

static bool keep_columns(void *context, const struct rows_column *columns, size_t count)
{
    rows_set_columns(context, columns, count);
    return true;
}

static bool keep_row(void *context, const struct value *cells)
{
    rows_add(context, cells);
    return true;
}

struct rows place_raw_rows(struct place *place, const char *sql)
{
    struct rows rows;
    struct err err;
    const struct datasource_sink sink = {
        .columns = keep_columns, .row = keep_row, .context = &rows};
    rows_init(&rows, place->arena);
    err_clear(&err);
    if (!place->source->driver->execute(place->source, sql, NULL, &sink, &err)) {
        fail_msg("%s: %s (%s)", sql, err.message, err.detail);
    }
    return rows;
}

struct schema *place_schema(struct place *place)
{
    struct err err;
    err_clear(&err);
    struct schema *schema = datasource_describe(place->source, NULL, &err);
    if (!schema) {
        fail_msg("describe: %s (%s)", err.message, err.detail);
    }
    schema_normalize(schema);
    arena_defer(place->arena, (void (*)(void *))schema_unref, schema);
    return schema;
}

void place_signature(struct place *place, char out[33])
{
    struct err err;
    err_clear(&err);
    if (!datasource_signature(place->source, NULL, out, &err)) {
        fail_msg("signature: %s (%s)", err.message, err.detail);
    }
}

const char *cell_text(struct place *place, const struct rows *rows, size_t row,
                      size_t column)
{
    struct buf text;
    buf_init(&text, 1 << 16);
    assert_true(row < rows->count);
    assert_true(column < rows->column_count);
    value_print(&text, rows_cell(rows, row, column));
    const char *kept = buf_clone(&text, place->arena);
    buf_release(&text);
    return kept;
}

size_t folder_files(const char *folder)
{
    size_t count = 0;
    DIR *entries = opendir(folder);
    assert_non_null(entries);
    for (struct dirent *entry; (entry = readdir(entries));) {
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    }
    (void)closedir(entries);
    return count;
}

uint64_t file_digest(const char *path)
{
    struct arena *arena = arena_new();
    struct err err;
    size_t size = 0;
    const char *data = file_read(arena, path, 64 << 20, &size, &err);
    assert_non_null(data);
    uint64_t digest = hash_of(data, size);
    arena_free(arena);
    return digest;
}
